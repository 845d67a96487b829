"""Follows the README: runs what it says to try, its installation commands, its program and its test.

The commands run as they are printed. What there is to try runs in the repository itself. The rest runs in an empty folder,
with a clone of the last commit: by its path, and as the release that the README names, to which Git resolves the address of
the repository. A second target of that package is the first code of GettingStarted.md.

Without a network, the program of the README has to print one line to standard error and to end with status 1.
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
STORED_ALBUMS = "Examples/.build/debug/albums.json"

readme = (ROOT / "README.md").read_text()


def section(title):
    return readme.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def blocks(language, text):
    return re.findall(rf"```{language}\n(.*?)```\n", text, re.DOTALL)


[list_albums, run_tests] = blocks("sh", section("Try it"))
[albums] = blocks("text", section("Try it"))
[commands] = blocks("sh", section("Installation"))
by_path = re.search(r"^swift package add-dependency \.\./URLSessionResult --type path$", commands, re.MULTILINE)
by_address = re.search(
    r"`(swift package add-dependency (?P<address>\S+) --from (?P<version>\S+))`", section("Installation"))
platforms = re.search(r"`(platforms: .*?)`", section("Installation"))[1]
file = re.search(r"replace `(Sources/.*?)`", section("Handle every error"))[1]
[program] = blocks("swift", section("Handle every error"))
[commands_for_tests] = blocks("sh", section("Test your code"))
[tests] = blocks("swift", section("Test your code"))
file_of_tests = re.search(r"`(Tests/.*?)`", section("Test your code"))[1]
first_code = blocks("swift", ARTICLE.read_text())[0]

# Git finds the address in the clone. SwiftPM keeps nothing that it finds there.
environment = os.environ | {
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{CLONE}.insteadOf", "GIT_CONFIG_VALUE_0": by_address["address"]}
options = f"--security-path '{FOLDER}/security' --disable-dependency-cache"


def run(command, folder, **arguments):
    print(f"$ {command}", flush=True)
    return subprocess.run(command, cwd=folder, shell=True, text=True, **{"env": environment, "check": True} | arguments)


def try_it():
    printed = run(list_albums.strip(), ROOT, env=os.environ, stdout=subprocess.PIPE).stdout
    if printed != albums:
        sys.exit(f"error: get-albums printed this, and the README shows something else:\n{printed}"
                 f"If you have stored albums with put-album, remove {STORED_ALBUMS}.")
    run(run_tests.strip(), ROOT, env=os.environ)


def clone():
    subprocess.run(["git", "clone", "--quiet", ROOT, CLONE], check=True)
    subprocess.run(["git", "tag", "--force", by_address["version"]], cwd=CLONE, check=True, stdout=subprocess.DEVNULL)


def add_platforms(manifest):
    """Does on a Mac what the README says for Macs."""
    if sys.platform == "darwin":
        text = manifest.read_text()
        manifest.write_text(re.sub(r'(\n *name: "\w+",)', rf"\1\n    {platforms}", text, count=1))


def follow(commands, folder):
    """Runs the commands in a folder. Returns the package that they make there."""
    folder.mkdir(exist_ok=True)
    others = set(folder.iterdir())
    run("set -e\n" + commands, folder)
    [package] = set(folder.iterdir()) - others
    add_platforms(package / "Package.swift")
    return package


def check_name_of_clone():
    """The clone's folder has to have the name that the README says."""
    package = follow(commands.replace("../URLSessionResult", f"'{CLONE.rename(FOLDER / 'clone')}'"), FOLDER / "by-other-name")
    failure = run("swift package resolve", package, check=False, stderr=subprocess.PIPE)
    if "unknown package 'URLSessionResult'" not in failure.stderr:
        sys.exit(f"error: the README says that a clone of another name does not work, but SwiftPM says: {failure.stderr}")
    (FOLDER / "clone").rename(CLONE)


def run_program(package):
    """Runs the program of the README: with a network if there is one, and without."""
    if not (package / file).exists():
        sys.exit(f"error: the template did not make {file}, which the README says to replace")
    (package / file).write_text(program)
    run(f"swift build {options}", package)
    command = f"swift run --skip-build {options} {package.name}"
    outcome = run(command, package, check=False, capture_output=True)
    if outcome.returncode == 0:
        print(outcome.stdout)
        # On Linux, a proxy that is not there cuts the network off.
        without_network = environment | {"https_proxy": "http://127.0.0.1:1"}
        outcome = run(command, package, check=False, capture_output=True, env=without_network)
    is_error = outcome.returncode == 1 and not outcome.stdout and re.fullmatch(r".+\.\n", outcome.stderr)
    if not is_error and (outcome.returncode != 0 or sys.platform == "linux"):
        sys.exit(f"error: without a network, the program has to print one line to standard error and to end with status 1, but "
                 f"it ended with {outcome.returncode}:\n{outcome.stdout}{outcome.stderr}")
    print(outcome.stderr, end="")


def write_main(folder, code):
    """Replaces what the template made. Code without `@main` runs from its first line on, in main.swift."""
    [template] = folder.glob("*.swift")
    if "@main" in code:
        template.write_text(code)
    else:
        template.unlink()
        (folder / "main.swift").write_text(code)


try_it()

shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
clone()
check_name_of_clone()
run("swift package resolve", follow(commands, FOLDER))

package = follow(commands.replace(by_path[0], by_address[1]), FOLDER / "by-address")
run_program(package)

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
