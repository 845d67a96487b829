"""Follows the README word for word: a package in an empty folder, on a clone of this one, runs its program.

Whether that prints songs or why there are none depends on the network; it has to compile and to end well.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/URLSessionResult/URLSessionResult"

readme = (ROOT / "README.md").read_text()
package = re.search(r"^\.package\(.*?\)(?= )", readme, re.MULTILINE)[0]
product = re.search(r"^\.product\(.*?\)(?= )", readme, re.MULTILINE)[0]
program = re.search(r"<!-- program -->\n```swift\n(.*?)```\n", readme, re.DOTALL)[1]

folder = ROOT / ".build/readme"
clone, app = folder / "clone", folder / "App"
shutil.rmtree(folder, ignore_errors=True)
(app / "Sources").mkdir(parents=True)
(app / "Sources/main.swift").write_text(program)
(app / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App", platforms: [.macOS(.v12)],
    dependencies: [{package}],
    targets: [.executableTarget(name: "App", dependencies: [{product}], path: "Sources")])
""")

# The release that the README names need not be published yet: git is told to find it in the clone, and the package
# manager to remember nothing of it.
subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
subprocess.run(["git", "tag", "--force", re.search(r'from: "(.*?)"', package)[1]], cwd=clone, check=True)
settings = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{clone}.insteadOf", "GIT_CONFIG_VALUE_0": REPOSITORY}
memory = ["--security-path", folder / "security", "--disable-dependency-cache"]
subprocess.run(["swift", "run", "--package-path", app, *memory], check=True, env=os.environ | settings)
