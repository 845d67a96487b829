"""Checks the public interface of the library, as its symbol graphs tell it.

    interface.py documented FOLDER          fails when a public symbol has no documentation
    interface.py check FOLDER BASELINE      fails when the interface is not the one in the file
    interface.py update FOLDER BASELINE     writes the interface into the file
"""

import json
import sys
from difflib import SequenceMatcher
from pathlib import Path


# What nearly every type conforms to without saying so.
IMPLIED = {"Copyable", "Escapable"}


def symbols(graphs):
    everything = [symbol for graph in graphs for symbol in graph["symbols"]]
    return [symbol for symbol in everything if symbol["kind"]["identifier"] != "swift.extension"]


def where(constraints):
    terms = [
        f'{term["lhs"]} {"==" if term["kind"] == "sameType" else ":"} {term["rhs"]}'
        for term in constraints
        if term["rhs"] not in IMPLIED
    ]
    return f' where {", ".join(sorted(terms))}' if terms else ""


def declaration(symbol):
    """A line such as `URLSession: func dataTask(with request: URLRequest, …) -> URLSessionDataTask`."""
    text = " ".join("".join(fragment["spelling"] for fragment in symbol["declarationFragments"]).split())
    owner = ".".join(symbol["pathComponents"][:-1]) + where(symbol.get("swiftExtension", {}).get("constraints", []))
    introduced = [item for item in symbol.get("availability", []) if "introduced" in item]
    versions = [f'{item["domain"]} {item["introduced"]["major"]}' for item in introduced]
    since = f' (since {", ".join(sorted(versions))})' if versions else ""
    return f"{owner}: {text}{since}" if owner else f"{text}{since}"


def conformances(graphs):
    everything = [symbol for graph in graphs for symbol in graph["symbols"]]
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in everything}
    for link in [link for graph in graphs for link in graph["relationships"] if link["kind"] == "conformsTo"]:
        name = names.get(link["target"]) or link["targetFallback"].split(".")[-1]
        if name not in IMPLIED | {"SendableMetatype"}:
            yield f'{names[link["source"]]} conforms to {name}{where(link.get("swiftConstraints", []))}'


def documented(graphs):
    missing = [symbol for symbol in symbols(graphs) if not symbol.get("docComment")]
    for symbol in missing:
        location = symbol["location"]
        path, line = location["uri"].removeprefix("file://"), location["position"]["line"] + 1
        print(f'{path}:{line}: error: {".".join(symbol["pathComponents"])} has no documentation')
    return not missing


def check(interface, baseline):
    recorded = baseline.read_text().splitlines()
    removed = [line for line in recorded if line not in interface]
    added = [line for line in interface if line not in recorded]
    for line in removed:
        print(f"error: no longer there: {line}")
        if added:
            print(f"        closest to it: {max(added, key=lambda other: SequenceMatcher(None, line, other).ratio())}")
    for line in added:
        print(f"new: {line}")
    if removed:
        print("This breaks code that uses the library. Restore it, or prepare a major version.")
    elif added:
        print("error: record what is new with `make api-baseline`.")
    else:
        print(f"All {len(interface)} public declarations are as recorded in {baseline}.")
    return not removed and not added


command, folder, *rest = sys.argv[1:]
graphs = [json.loads(file.read_text()) for file in sorted(Path(folder).rglob("*.symbols.json"))]
if not graphs:
    sys.exit(f"There are no symbol graphs in {folder}.")
interface = sorted({*map(declaration, symbols(graphs)), *conformances(graphs)})
match command:
    case "documented":
        succeeded = documented(graphs)
    case "check":
        succeeded = check(interface, Path(rest[0]))
    case "update":
        succeeded = Path(rest[0]).write_text("\n".join(interface) + "\n")
        print(f"Recorded {len(interface)} public declarations in {rest[0]}.")
sys.exit(not succeeded)
