"""Checks on Linux what can be checked about Apple's platforms.

* The code that only they compile builds without a warning, and the tests pass with it, but for those of what it relies
  on Apple's URLSession to do.
* Nothing younger than the declared platforms is used without `@available`, as far as AppleCheck/too_new.txt knows.

What remains is printed at the end; the workflows check it on Apple's own machines.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECK = ROOT / "Scripts/AppleCheck"
COPY = ROOT / ".build/apple-check"

# What does not rely on the guard. Without it Linux's URLSession hangs, leaks, reports no progress, leaves temporary files,
# and ends the process when a server is rude, a file is cut short or resume data is not its own.
TESTS = "Twins|Download|NetworkError|NetworkResponse|ClientCode|URLRequest|DataDecoding|ResultDecoder|Snippets"
SKIPPED = "resumeData|temporaryFile"

REMAINING = """
Left for the workflows on Apple's machines:
  progress by key-value observation, and resume data, which Linux does not have
  the availability of everything that too_new.txt does not name
  Foundation's own annotations, which differ: @Sendable, @MainActor, nullability
  401, redirects and cut connections against Apple's URLSession
  the simulators of iOS, tvOS, watchOS and visionOS"""


def without_linux(source):
    """Turns off what is for Linux alone, which is every condition around more than an import, and on what is not."""
    source = source.replace("#if !canImport(FoundationNetworking)\n", "#if true\n")
    condition = r"#if canImport\(FoundationNetworking\)\n(?!import FoundationNetworking\n#endif)"
    return re.sub(condition, "#if false\n", source)


def copy_without_linux():
    for folder in ["Sources", "Tests"]:
        shutil.rmtree(COPY / folder, ignore_errors=True)
        for file in (ROOT / folder).rglob("*.swift"):
            target = COPY / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(without_linux(file.read_text()))
    for stand_in in CHECK.glob("*.swift"):
        shutil.copy(stand_in, COPY / "Sources/URLSessionResult")
    shutil.copy(ROOT / "Package.swift", COPY)


def compiled_by_apple(source):
    """The source without comments, texts and the branches for Linux."""
    branch = re.compile(r"^( *)#if false\n.*?^\1#(else|endif)$", re.DOTALL | re.MULTILINE)
    code = branch.sub(lambda lines: "\n" * lines[0].count("\n"), source)
    return re.sub(r'//.*|"(\\.|[^"\\\n])*"', "", code)


def marked_available(lines):
    """Whether each line lies in what `@available` or `#available` marks, which ends with a brace below the mark."""
    indentation = None
    for line in lines:
        own = line[: len(line) - len(line.lstrip())]
        if indentation is None and "available(" in line:
            indentation = own
        yield indentation is not None
        if own == indentation and (line.strip() == "}" or line.endswith("{}")):
            indentation = None


def too_new():
    lines = [line for line in (CHECK / "too_new.txt").read_text().splitlines() if line and not line.startswith("#")]
    patterns = [(re.compile(pattern), version) for pattern, version in (re.split(r" {2,}", line) for line in lines)]
    for file in sorted(file for folder in ["Sources", "Tests"] for file in (ROOT / folder).rglob("*.swift")):
        lines = compiled_by_apple(without_linux(file.read_text())).splitlines()
        for number, (line, marked) in enumerate(zip(lines, marked_available(lines)), start=1):
            for pattern, version in patterns:
                if pattern.search(line) and not marked:
                    yield f"{file}:{number}: error: begins with macOS {version}: {line.strip()}"


def test():
    command = ["swift", "test", "--package-path", COPY, "-Xswiftc", "-warnings-as-errors"]
    command += ["--filter", TESTS, "--skip", SKIPPED]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # The last line of the tests says how many there were; all the others matter only when they fail.
    print(run.stdout if run.returncode else run.stdout.strip().splitlines()[-1])
    return run.returncode == 0


findings = list(too_new())
print("\n".join(findings) or "Nothing in Sources and Tests is known to be younger than the declared platforms.")
copy_without_linux()
succeeded = test() and not findings
if succeeded:
    print(REMAINING)
sys.exit(not succeeded)
