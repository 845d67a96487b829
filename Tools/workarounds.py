"""Prints what the library corrects on Linux, from the register of workarounds in the transport, and checks it.

    workarounds.py print       prints a table for each kind of workaround
    workarounds.py check       fails if an entry is incomplete, or names a test or code that does not exist, or a file that does not
                               name it, or if the README has another number of them

An entry of the register, and the line at the code that corrects the fault:

    ## failingURL

    - Fault: `URLSession` names the first URL in an error after a redirect
    - Instead: the library names the URL that failed
    - Kind: wrong result
    - Needed by: Swift 6.2 to main
    - Shown by: WorkaroundTests.failingURL
    - Upstream: not reported
    - May go: nothing alone, because every request has a task of its own

    // Workaround: failingURL

`docs/Maintaining.md` says how to retire a workaround.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Sources/URLSessionResultTransport"
REGISTER = ROOT / "docs/Workarounds.md"
TESTS = ROOT / "Tests"
README = ROOT / "README.md"
KEYS = ["Name", "Fault", "Instead", "Kind", "Needed by", "Shown by", "Upstream", "May go"]
KINDS = ["hang", "leak", "crash", "wrong result", "cost"]
# In order. A workaround that is needed up to one of them is fixed in the next.
VERSIONS = ["6.2", "6.3.1", "6.3.2", "6.3.3", "6.4", "main"]
# The version of CI, for which the README gives their number.
VERSION_OF_CI = "6.3.1"
NEEDED_BY = re.compile(rf"Swift ({'|'.join(VERSIONS)}) to ({'|'.join(VERSIONS)})")

HEAD = ["| `URLSession` on Linux | The library | Fixed in |", "| --- | --- | --- |"]
FIELD = re.compile(rf"^(?:## |- (?P<key>{'|'.join(KEYS[1:])}): )(?P<value>.*(?:\n  .*)*)$", re.MULTILINE)
MARK = re.compile(r"^ *// Workaround: (.*)$", re.MULTILINE)
SOURCE = re.compile(r"`([\w+]+\.swift)`")
TEST = re.compile(r"\b(\w+Tests)\.(\w+)")
# Where it crashes, for who reads the code. In a table, it would be too wide for a phone.
SYMBOL = re.compile(r" \(`_[^`]*`\)$")


def workarounds():
    """The entries of the register as dictionaries."""
    found = []
    for key, value in FIELD.findall(REGISTER.read_text()):
        key, value = key or KEYS[0], " ".join(value.split())
        if key == KEYS[0]:
            found.append({key: value})
        elif not found or list(found[-1]) != KEYS[: KEYS.index(key)]:
            fail(f"“{key}: {value}” is not in its place")
        else:
            found[-1][key] = value
    for workaround in found:
        if list(workaround) != KEYS:
            fail(f"{workaround['Name']} has not all of {', '.join(KEYS)}")
    return found


def fail(message):
    sys.exit(f"{REGISTER}: error: {message}")


def check_names(found):
    names = [workaround["Name"] for workaround in found]
    marks = {mark for file in FOLDER.rglob("*.swift") for mark in MARK.findall(file.read_text())}
    for name in names:
        if names.count(name) > 1:
            fail(f"two entries are named {name}")
    if marks != set(names):
        fail(f"code and register name different workarounds: {', '.join(sorted(marks ^ set(names)))}")


def check_files(workaround):
    """A file that may go names the workaround."""
    name = workaround["Name"]
    for source in SOURCE.findall(workaround["May go"]):
        if not any(name in MARK.findall(file.read_text()) for file in FOLDER.rglob(source)):
            fail(f"{name} may let {source} go, but no line of that file is “// Workaround: {name}”")


def check_tests(text):
    for suite, function in TEST.findall(text):
        sources = TESTS.glob(f"TestsWith*/**/{suite}.swift")
        if not any(f"func {function}(" in source.read_text() for source in sources):
            fail(f"there is no test {suite}.{function}")


def fixed_in(workaround):
    needed = NEEDED_BY.fullmatch(workaround["Needed by"])
    if not needed:
        fail(f"“{workaround['Needed by']}” is not “Swift A to B” with two of {', '.join(VERSIONS)}")
    first, last = needed.groups()
    if workaround["Upstream"] == "by design":
        return "by design"
    fixed = "not yet" if last == VERSIONS[-1] else VERSIONS[VERSIONS.index(last) + 1]
    return fixed if first == VERSIONS[0] else f"{fixed}; new in {first}"


def row(workaround):
    check_files(workaround)
    check_tests(workaround["Shown by"])
    issue = re.search(r"https://\S+/(\d+)$", workaround["Upstream"])
    fixed = fixed_in(workaround) + (f" ([issue {issue[1]}]({issue[0]}))" if issue else "")
    platform = SYMBOL.sub("", workaround["Fault"]).removeprefix("`URLSession` ")
    library = workaround["Instead"].removeprefix("the library ")
    return f"| {platform} | {library} | {fixed} |"


def is_needed(workaround, version=VERSION_OF_CI):
    first, last = NEEDED_BY.fullmatch(workaround["Needed by"]).groups()
    return VERSIONS.index(first) <= VERSIONS.index(version) <= VERSIONS.index(last)


def check_readme(number):
    """The README says how many faults are corrected."""
    counts = re.findall(r"^- (\d+) faults of `URLSession` corrected on Linux", README.read_text(), re.MULTILINE)
    if counts != [str(number)]:
        sys.exit(f"{README}: error: the line “- {number} faults of `URLSession` corrected on Linux” is missing")


def rows_by_kind(found):
    rows = {kind: [] for kind in KINDS}
    for workaround in found:
        if workaround["Kind"] not in KINDS:
            fail(f"the kind “{workaround['Kind']}” is none of {', '.join(KINDS)}")
        rows[workaround["Kind"]].append(row(workaround))
    return rows


if __name__ == "__main__":
    if sys.argv[1:] not in (["print"], ["check"]):
        sys.exit(__doc__)
    found = workarounds()
    check_names(found)
    rows = rows_by_kind(found)
    if sys.argv[1:] == ["print"]:
        for kind in filter(rows.get, KINDS):
            print("\n".join([f"## {kind.capitalize()}\n", *HEAD, *rows[kind]]) + "\n")
    counts = ", ".join(f"{kind} {len(rows[kind])}" for kind in filter(rows.get, KINDS))
    number = sum(map(is_needed, found))
    if sys.argv[1:] == ["check"]:
        check_readme(number)
    print(f"{len(found)} workarounds: {counts}. Swift {VERSION_OF_CI} needs {number}.")
