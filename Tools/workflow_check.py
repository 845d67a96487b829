"""Fails if a command of the workflows or of .ci/run names a target, a package, a suite, a test, a scheme or a file that does not exist,
if a test is in a folder that no target has, or if a suite has another name than its file.

Nothing else notices that before the job runs.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = [*sorted((ROOT / ".github/workflows").glob("*.yml")), ROOT / ".ci/run"]

makefile = (ROOT / "Makefile").read_text()
package = json.loads(subprocess.check_output(["swift", "package", "--package-path", ROOT, "dump-package"], text=True))
targets = {target["name"]: target for target in package["targets"]}


def is_make_target(name):
    return re.search(rf"^(?:[\w-]+ )*{re.escape(name)}(?: [\w-]+)*:(?!=)", makefile, re.MULTILINE)


def files_with(declaration, folder=ROOT / "Tests"):
    pattern = re.compile(rf"\b{declaration}\b")
    return [file for file in folder.rglob("*.swift") if pattern.search(file.read_text())]


def is_suite(name):
    return files_with(rf"(?:struct|class|enum|extension) {name}") or name in targets


def is_test(path):
    """Whether there is a test, as `xcodebuild` names one: target/suite/function()."""
    target, suite, function = path.split("/")
    folder = ROOT / targets.get(target, {}).get("path", f"Tests/{target}")
    files = files_with(rf"(?:struct|class) {suite}", folder)
    return any(f"func {function.removesuffix(')')}" in file.read_text() for file in files)


def suites(text):
    """The suites of a filter: those of `A|B/test` are A and B."""
    return [part.split("/")[0] for part in text.split("|") if re.fullmatch(r"\w+(/.*)?", part)]


# What a command names, and whether it exists.
CHECKS = [
    ("make target", r"\bmake((?: [a-z][a-z-]+)+)", str.split, is_make_target),
    ("package", r"--package-path (\S+)", lambda text: [text], lambda name: (ROOT / name / "Package.swift").exists()),
    ("suite", r"--(?:filter|skip) '?([\w|/.*()^?]+)", suites, is_suite),
    ("test", r"-only-testing:(\S+?)[\"\s]", lambda text: [text], is_test),
    ("scheme", r"-scheme (\S+)", lambda text: [text], lambda name: name == f"{package['name']}-Package"),
    ("file", r"(?<![\w./$-])((?:Scripts|Tools|\.ci|Tests|docs)/[\w./-]+)", lambda text: [text],
     lambda name: (ROOT / name.rstrip(".")).exists()),
    ("file with a setting", r"TestSupport/[\w./-]+\.swift", lambda text: [text],
     lambda name: any((ROOT / "Tests").rglob(name))),
]


def is_command(line):
    """`--package-path` is of SwiftPM, `make` also of apt-get."""
    return not re.search(r"apt-get|dnf ", line)


mistakes = []
# Nobody would miss the tests in a folder that no target has.
for file in sorted((ROOT / "Tests").rglob("*Tests.swift")):
    folder = file.relative_to(ROOT / "Tests").parts[0]
    if folder not in targets and not (ROOT / "Tests" / folder / "Package.swift").exists():
        mistakes.append(f"error: no target has {file.relative_to(ROOT)}")
for file in sorted((ROOT / "Tests").glob("TestsWith*/**/*.swift")):
    text = file.read_text()
    blocks = re.findall(r"^(?!//)[^\n]*\b(?:struct|class|enum|extension) (\w+)[^\n]*{\n(.*?)^}", text, re.DOTALL | re.MULTILINE)
    for name in {name for name, body in blocks if "@Test" in body and name != file.stem}:
        mistakes.append(f"error: {file.relative_to(ROOT)}: {name} has another name than its file")
    if '@Suite("' in text:
        mistakes.append(f"error: {file.relative_to(ROOT)}: the suite has two names; `--filter` finds that of the type alone")
count = 0
for file in COMMANDS:
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        for kind, pattern, split, exists in CHECKS if is_command(line) else []:
            for name in [name for match in re.finditer(pattern, line) for name in split(match[match.lastindex or 0])]:
                count += 1
                if not exists(name):
                    mistakes.append(f"error: {file.relative_to(ROOT)}:{number}: there is no {kind} {name}")
if mistakes or count == 0:
    sys.exit("\n".join(mistakes) or "error: no names were found")
print(f"The {count} targets, packages, suites, tests, schemes and files that the workflows name exist.")
