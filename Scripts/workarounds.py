"""Writes what the Linux notes say about the workarounds from the comments in `Internal/Linux`, and checks these.

    workarounds.py update      writes the table into the notes
    workarounds.py check       fails if the table is not up to date

Each file of `Internal/Linux` ends with the workarounds that are in it, or names the file that it is a part of:

    // Workaround: `URLSession` names the first URL in an error after a redirect
    // Instead: the library names the URL that failed
    // Needed by: Swift 6.2 to main
    // Shown by: WorkaroundTests.failingURL
    // Upstream: not reported
    // May go: this file

    // Part of: Exchange

A line that is indented continues the one before. `CONTRIBUTING.md` says how to retire a workaround.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Sources/URLSessionResult/Internal/Linux"
NOTES = ROOT / "Sources/URLSessionResult/URLSessionResult.docc/Articles/Linux.md"
TESTS = ROOT / "Tests/URLSessionResultTests"
KEYS = ["Workaround", "Instead", "Needed by", "Shown by", "Upstream", "May go"]

TABLE = re.compile(r"(?<=<!-- workarounds -->\n\n).*?(?=\n<!-- end of workarounds -->)", re.DOTALL)
FIELD = re.compile(rf"^// ({'|'.join(KEYS)}|Part of): (.*(?:\n//   .*)*)$", re.MULTILINE)
TEST = re.compile(r"\b(\w+Tests)\.(\w+)")


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
        sources = TESTS.rglob(f"{suite}.swift")
        if not any(f"func {function}(" in source.read_text() for source in sources):
            sys.exit(f"{file}: error: there is no test {suite}.{function}")


def row(file, workaround, parts):
    check_tests(file, workaround["Shown by"])
    issue = re.search(r"https://\S+/(\d+)$", workaround["Upstream"])
    versions = workaround["Needed by"].removeprefix("Swift ")
    needed = f"{versions} ([issue {issue[1]}]({issue[0]}))" if issue else versions
    may_go = workaround["May go"]
    place = " with ".join([f"`{file.stem}`", *([", ".join(f"`{part}`" for part in parts)] if parts else [])])
    end = place if may_go == "this file" else f"{place}: {may_go}"
    platform = workaround["Workaround"].removeprefix("`URLSession` ")
    library = workaround["Instead"].removeprefix("the library ")
    return f"| {platform} | {library} | {needed} | {end} |"


def table():
    files = sorted(FOLDER.glob("*.swift"), key=lambda file: file.stem.lower())
    parsed = {file: workarounds(file) for file in files}
    mains = {file.stem for file, (found, _) in parsed.items() if found}
    lines = ["| `URLSession` on Linux | The library | Needed by Swift | May go then |", "| --- | --- | --- | --- |"]
    for file, (found, whole) in parsed.items():
        if whole is not None and whole not in mains:
            sys.exit(f"{file}: error: {whole} has no workaround")
        parts = [other.stem for other, (_, its_whole) in parsed.items() if its_whole == file.stem]
        for workaround in found:
            lines.append(row(file, workaround, parts))
            parts = []
    return "\n".join(lines) + "\n", len(lines) - 2, len(files)


if __name__ == "__main__":
    text = NOTES.read_text()
    lines, count, file_count = table()
    if not TABLE.search(text):
        sys.exit(f"{NOTES}: error: the place of the workarounds is not marked")
    updated = TABLE.sub(lambda _: lines, text)
    if sys.argv[1:] == ["update"]:
        NOTES.write_text(updated)
    elif sys.argv[1:] != ["check"]:
        sys.exit(__doc__)
    elif updated != text:
        sys.exit(f"{NOTES}: error: the table of workarounds is out of date; run `make workarounds`")
    print(f"{count} workarounds in {file_count} files are in the Linux notes.")
