"""Follows the README and GettingStarted.md: runs what the one says to try, and the installation and the program of the other.

The commands run as they are printed. What there is to try runs in the repository itself, and ends with the lines that the README
shows. The rest runs in an empty folder, with a clone of the last commit: by its path, and as the release that GettingStarted.md
names, to which Git resolves the address of the repository. The package of TestingCode.md runs the tests of that article.

Without a network, the program has to print one line and to end with status 1.
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
ARTICLES = ROOT / "Sources/URLSessionResult/URLSessionResult.docc/Articles"
STORED_ALBUMS = "Examples/.build/debug/albums.json"

readme = (ROOT / "README.md").read_text()
getting_started = (ARTICLES / "GettingStarted.md").read_text()
testing_code = (ARTICLES / "TestingCode.md").read_text()


def section(title, text=readme):
    return text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def blocks(language, text):
    return re.findall(rf"^```{language}\n(.*?)```\n", text, re.DOTALL | re.MULTILINE)


to_try = list(zip(blocks("sh", section("Try it")), blocks("text", section("Try it")), strict=True))
[commands, published] = blocks("sh", section("Add the package", getting_started))
by_path = re.search(r"^swift package add-dependency \.\./URLSessionResult --type path$", commands, re.MULTILINE)
address, version = re.search(r"(https://\S+) \\\n +--from (\S+)", published).groups()
if f'url: "{address}",\n    from: "{version}")' not in readme:
    sys.exit("error: the README depends on another release than GettingStarted.md")
platforms = re.search(r"`(platforms: .*?)`", getting_started)[1]
file = re.search(r"Replace\s+`(Sources/.*?)`", getting_started)[1]
program = blocks("swift", section("Send a request", getting_started))[0]
[manifest, *code_of_testing] = blocks("swift", testing_code)

# Git finds the address in the clone. SwiftPM keeps nothing that it finds there.
environment = os.environ | {
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{CLONE}.insteadOf", "GIT_CONFIG_VALUE_0": address}
options = f"--security-path '{FOLDER}/security' --disable-dependency-cache"


def run(command, folder, **arguments):
    print(f"$ {command}", flush=True)
    return subprocess.run(command, cwd=folder, shell=True, text=True, **{"env": environment, "check": True} | arguments)


def try_it():
    """Runs a command and shows its output while it comes. The README shows the end of it, with `…` for what changes."""
    for command, shown in to_try:
        # CI measures the coverage of this run.
        if command.strip() == "swift test":
            command = f"swift test {os.environ.get('TEST_OPTIONS', '')}\n"
        print(f"$ {command}", end="", flush=True)
        process = subprocess.Popen(
            command, cwd=ROOT, shell=True, text=True, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = []
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
        end = "".join(lines[-shown.count("\n"):])
        status = process.wait()
        if status != 0 or not re.fullmatch(re.escape(shown).replace("…", ".+"), end):
            sys.exit(f"error: {command.strip()} ended with {status} and this, and the README shows something else:\n{end}"
                     f"If you have stored albums with put-album, remove {STORED_ALBUMS}.")


def clone():
    subprocess.run(["git", "clone", "--quiet", ROOT, CLONE], check=True)
    subprocess.run(["git", "tag", "--force", version], cwd=CLONE, check=True, stdout=subprocess.DEVNULL)


def add_platforms(manifest):
    """Does on a Mac what GettingStarted.md says for Macs."""
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
    """The clone's folder has to have the name that GettingStarted.md says."""
    package = follow(commands.replace("../URLSessionResult", f"'{CLONE.rename(FOLDER / 'clone')}'"), FOLDER / "by-other-name")
    failure = run("swift package resolve", package, check=False, stderr=subprocess.PIPE)
    if "unknown package 'URLSessionResult'" not in failure.stderr:
        sys.exit(f"error: GettingStarted.md says that a clone of another name does not work, but SwiftPM says: {failure.stderr}")
    (FOLDER / "clone").rename(CLONE)


def run_program(package):
    """Runs the program of GettingStarted.md: with a network if there is one, and without."""
    if not (package / file).exists():
        sys.exit(f"error: the template did not make {file}, which GettingStarted.md says to replace")
    (package / file).write_text(program)
    run(f"swift build {options}", package)
    command = f"swift run --skip-build {options} {package.name}"
    outcome = run(command, package, check=False, capture_output=True)
    if outcome.returncode == 0:
        print(outcome.stdout)
        # On Linux, a proxy that is not there cuts the network off.
        without_network = environment | {"https_proxy": "http://127.0.0.1:1"}
        outcome = run(command, package, check=False, capture_output=True, env=without_network)
    is_error = outcome.returncode == 1 and not outcome.stderr and re.fullmatch(r".+\.\n", outcome.stdout)
    if not is_error and (outcome.returncode != 0 or sys.platform == "linux"):
        sys.exit(f"error: without a network, the program has to print one line and to end with status 1, but "
                 f"it ended with {outcome.returncode}:\n{outcome.stdout}{outcome.stderr}")
    print(outcome.stdout, end="")


def run_tests_of_stub():
    """Makes the package of TestingCode, with its code and its tests."""
    package = FOLDER / "testing"
    start = next(index for index, code in enumerate(code_of_testing) if "@testable" in code)
    for path, codes in [("Sources/Albums", code_of_testing[:start]), ("Tests/AlbumsTests", code_of_testing[start:])]:
        (package / path).mkdir(parents=True)
        (package / path / f"{Path(path).name}.swift").write_text("\n".join(codes))
    (package / "Package.swift").write_text(manifest)
    run(f"swift test {options}", package)


try_it()

shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
clone()
check_name_of_clone()
run("swift package resolve", follow(commands, FOLDER))

package = follow(commands.replace(by_path[0], published.strip()), FOLDER / "by-address")
run_program(package)
run_tests_of_stub()
print("The commands of the README work, and so do those of GettingStarted.md with its program, and the package of "
      f"TestingCode.md. The packages are in {FOLDER.relative_to(ROOT)}.")
