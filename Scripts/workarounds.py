"""Prints what the library corrects on Linux, from the comments in the transport, and checks these.

    workarounds.py print       prints a table for each kind of workaround
    workarounds.py check       fails if a comment is incomplete, or names a test that does not exist

Each file of `URLSessionResultTransport/Linux` ends with the workarounds that are in it, or names the file that it is a part of:

    // Workaround: `URLSession` names the first URL in an error after a redirect
    // Instead: the library names the URL that failed
    // Kind: wrong result
    // Needed by: Swift 6.2 to main
    // Shown by: WorkaroundTests.failingURL
    // Upstream: not reported
    // May go: this file

    // Part of: Exchange

A line that is indented continues the one before. `docs/Maintaining.md` says how to retire a workaround.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Sources/URLSessionResultTransport/Linux"
TESTS = ROOT / "Tests"
KEYS = ["Workaround", "Instead", "Kind", "Needed by", "Shown by", "Upstream", "May go"]
KINDS = ["hang", "leak", "crash", "wrong result"]
# In order. A workaround that is needed up to one of them is fixed in the next.
VERSIONS = ["6.2", "6.3.1", "6.3.2", "6.3.3", "6.4", "main"]
NEEDED_BY = re.compile(rf"Swift ({'|'.join(VERSIONS)}) to ({'|'.join(VERSIONS)})")

HEAD = ["| `URLSession` on Linux | The library | Fixed in |", "| --- | --- | --- |"]
FIELD = re.compile(rf"^// ({'|'.join(KEYS)}|Part of): (.*(?:\n//   .*)*)$", re.MULTILINE)
TEST = re.compile(r"\b(\w+Tests)\.(\w+)")
# Where it crashes, for who reads the code. In a table, it would be too wide for a phone.
SYMBOL = re.compile(r" \(`_[^`]*`\)$")


def fields(file):
    return [(key, " ".join(value.replace("\n//", " ").split())) for key, value in FIELD.findall(file.read_text())]


def workarounds(file):
    """The workarounds of a file as dictionaries, and the file that it is a part of."""
    found, whole = [], None
    for key, value in fields(file):
        if key == "Part of":
            whole = value
        elif key == KEYS[0]:
            found.append({key: value})
        elif not found or list(found[-1]) != KEYS[: KEYS.index(key)]:
            sys.exit(f"{file}: error: “{key}” is not in its place")
        else:
            found[-1][key] = value
    if not found and whole is None:
        sys.exit(f"{file}: error: it names no workaround, and no file that it is a part of")
    for workaround in found:
        if list(workaround) != KEYS:
            sys.exit(f"{file}: error: “{workaround[KEYS[0]]}” has not all of {', '.join(KEYS)}")
    return found, whole


def check_tests(file, text):
    for suite, function in TEST.findall(text):
        sources = TESTS.glob(f"URLSessionResult*Tests/**/{suite}.swift")
        if not any(f"func {function}(" in source.read_text() for source in sources):
            sys.exit(f"{file}: error: there is no test {suite}.{function}")


def fixed_in(file, workaround):
    needed = NEEDED_BY.fullmatch(workaround["Needed by"])
    if not needed:
        sys.exit(f"{file}: error: “{workaround['Needed by']}” is not “Swift A to B” with two of {', '.join(VERSIONS)}")
    first, last = needed.groups()
    if workaround["Upstream"] == "by design":
        return "by design"
    fixed = "not yet" if last == VERSIONS[-1] else VERSIONS[VERSIONS.index(last) + 1]
    return fixed if first == VERSIONS[0] else f"{fixed}; new in {first}"


def row(file, workaround):
    check_tests(file, workaround["Shown by"])
    issue = re.search(r"https://\S+/(\d+)$", workaround["Upstream"])
    fixed = fixed_in(file, workaround) + (f" ([issue {issue[1]}]({issue[0]}))" if issue else "")
    platform = SYMBOL.sub("", workaround["Workaround"]).removeprefix("`URLSession` ")
    library = workaround["Instead"].removeprefix("the library ")
    return f"| {platform} | {library} | {fixed} |"


def rows_by_kind():
    """The rows of each kind, and the number of files."""
    files = sorted(FOLDER.rglob("*.swift"), key=lambda file: file.stem.lower())
    parsed = {file: workarounds(file) for file in files}
    mains = {file.stem for file, (found, _) in parsed.items() if found}
    rows = {kind: [] for kind in KINDS}
    for file, (found, whole) in parsed.items():
        if whole is not None and whole not in mains:
            sys.exit(f"{file}: error: {whole} has no workaround")
        for workaround in found:
            if workaround["Kind"] not in KINDS:
                sys.exit(f"{file}: error: the kind “{workaround['Kind']}” is none of {', '.join(KINDS)}")
            rows[workaround["Kind"]].append(row(file, workaround))
    return rows, len(files)


if __name__ == "__main__":
    if sys.argv[1:] not in (["print"], ["check"]):
        sys.exit(__doc__)
    rows, file_count = rows_by_kind()
    if sys.argv[1:] == ["print"]:
        for kind in KINDS:
            print("\n".join([f"## {kind.capitalize()}\n", *HEAD, *rows[kind]]) + "\n")
    counts = ", ".join(f"{kind} {len(rows[kind])}" for kind in KINDS)
    number = sum(map(len, rows.values()))
    print(f"{number} workarounds in {file_count} files: {counts}.")
