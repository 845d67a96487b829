"""Follows the README in an empty folder: runs its installation commands, its program and its test.

The commands run as they are printed. Git resolves the address of the repository to a clone of the last commit, with the
release that the README names. A second target of the same package is the first code of GettingStarted.md.

Without a network the programs print an error. They must compile and exit with status 0.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build/readme"
CLONE = FOLDER / "URLSessionResult"
ARTICLE = ROOT / "Sources/URLSessionResult/URLSessionResult.docc/Articles/GettingStarted.md"

readme = (ROOT / "README.md").read_text()
installation = readme.split("\n## Installation\n", 1)[1].split("\n## ", 1)[0]
commands = re.search(r"```sh\n(.*?)```\n", installation, re.DOTALL)[1]
by_path = re.search(r"`(swift package add-dependency <path of the clone>.*?)`", installation)[1]
by_address = re.search(r"^swift package add-dependency (?P<address>\S+) --from (?P<version>\S+)$", commands, re.MULTILINE)
file = re.search(r"replace `(Sources/.*?)`", installation)[1]
platforms = re.search(r"`(platforms: .*?)`", installation)[1]
section_of_tests = readme.split("\n## Test your code\n", 1)[1].split("\n## ", 1)[0]
commands_for_tests = re.search(r"```sh\n(.*?)```\n", section_of_tests, re.DOTALL)[1]
file_of_tests = re.search(r"`(Tests/.*?)`", section_of_tests)[1]
tests = re.search(r"<!-- tests -->\n```swift\n(.*?)```\n", section_of_tests, re.DOTALL)[1]
program = re.search(r"<!-- program -->\n```swift\n(.*?)```\n", readme, re.DOTALL)[1]
first_code = re.search(r"```swift\n(.*?)```\n", ARTICLE.read_text(), re.DOTALL)[1]


def run(command, folder):
    print(f"$ {command}", flush=True)
    subprocess.run(command, cwd=folder, env=environment, shell=True, check=True)


def clone():
    subprocess.run(["git", "clone", "--quiet", ROOT, CLONE], check=True)
    subprocess.run(["git", "tag", "--force", by_address["version"]], cwd=CLONE, check=True, stdout=subprocess.DEVNULL)


def add_platforms(manifest):
    """Does on a Mac what the README says for Macs."""
    if sys.platform == "darwin":
        text = manifest.read_text()
        manifest.write_text(re.sub(r'(\n *name: "\w+",)', rf"\1\n    {platforms}", text, count=1))


def follow(commands, folder):
    """Runs the commands in an empty folder. Returns the package that they make."""
    folder.mkdir(parents=True)
    run("set -e\n" + commands, folder)
    [package] = folder.iterdir()
    add_platforms(package / "Package.swift")
    return package


def write_main(folder, code):
    """Replaces what the template made. Code without `@main` runs from its first line on, in main.swift."""
    [template] = folder.glob("*.swift")
    if "@main" in code:
        template.write_text(code)
    else:
        template.unlink()
        (folder / "main.swift").write_text(code)


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
clone()
# Git finds the address in the clone. SwiftPM keeps nothing that it finds there.
environment = os.environ | {
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{CLONE}.insteadOf", "GIT_CONFIG_VALUE_0": by_address["address"]}
options = f"--security-path '{FOLDER}/security' --disable-dependency-cache"

# Before the library is published: a clone by its path.
commands_by_path = commands.replace(by_address[0], by_path.replace("<path of the clone>", f"'{CLONE}'"))
run("swift package resolve", follow(commands_by_path, FOLDER / "by-path"))

package = follow(commands, FOLDER / "by-address")
if not (package / file).exists():
    sys.exit(f"error: the template did not make {file}, which the README says to replace")
(package / file).write_text(program)
run(f"swift run {options} {package.name}", package)

run("swift package add-target First --type executable", package)
run("swift package add-target-dependency URLSessionResult First --package URLSessionResult", package)
write_main(package / "Sources/First", first_code)
run(f"swift run {options} First", package)

run("set -e\n" + commands_for_tests, package)
if not (package / file_of_tests).exists():
    sys.exit(f"error: the template did not make {file_of_tests}, which the README says to replace")
(package / file_of_tests).write_text(tests)
run(f"swift test {options}", package)
print("The commands, the program and the test of the README work, and so does the first code of GettingStarted.md. "
      f"The package is in {package.relative_to(ROOT)}.")
