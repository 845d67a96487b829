"""Checks the public interface of each module that `API` has a file of, as its symbol graphs tell it.

    interface.py documented GRAPHS      fails when a public symbol has no documentation
    interface.py check GRAPHS           fails when an interface is not the one in the module's file
    interface.py update GRAPHS          writes each interface into the file
"""

import json
import sys
from difflib import SequenceMatcher
from pathlib import Path

BASELINES = sorted((Path(__file__).resolve().parent.parent / "API").glob("*.txt"))
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


def interface(graphs):
    return sorted({*map(declaration, symbols(graphs)), *conformances(graphs)})


def check(current, baseline):
    recorded = baseline.read_text().splitlines()
    removed = [line for line in recorded if line not in current]
    added = [line for line in current if line not in recorded]
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
        print(f"All {len(current)} public declarations are as recorded in API/{baseline.name}.")
    return not removed and not added


def update(current, baseline):
    baseline.write_text("\n".join(current) + "\n")
    print(f"Recorded {len(current)} public declarations in API/{baseline.name}.")
    return True


def run(command, folder, baseline):
    graphs = [json.loads(file.read_text()) for file in sorted((folder / baseline.stem).rglob("*.symbols.json"))]
    if not graphs:
        sys.exit(f"There are no symbol graphs of {baseline.stem} in {folder}.")
    match command:
        case "documented":
            return documented(graphs)
        case "check":
            return check(interface(graphs), baseline)
        case "update":
            return update(interface(graphs), baseline)


command, folder = sys.argv[1:]
succeeded = [run(command, Path(folder), baseline) for baseline in BASELINES]
sys.exit(not all(succeeded))
