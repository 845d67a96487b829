"""Writes the symbol graphs of each product into a folder of its name: what the documentation and the interface check read.

    symbol_graphs.py FOLDER
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

# Linux keeps in modules of their own what is Foundation everywhere else; the documentation links to Foundation.
FOUNDATION = ["FoundationEssentials", "FoundationNetworking"]
MODULES = ["URLSessionResult", "URLSessionResultClient", "URLSessionResultTesting"]


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def extract(module, folder):
    subprocess.run(["swift", "build", "--target", module], check=True, stdout=sys.stderr)
    target = json.loads(output("swift", "-print-target-info"))["target"]["triple"]
    sdk = ["-sdk", output("xcrun", "--show-sdk-path")] if sys.platform == "darwin" else []
    modules = Path(output("swift", "build", "--show-bin-path")) / "Modules"
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", module, "-I", modules, "-target", target, *sdk]
        + ["-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs"]
        + ["-emit-extension-block-symbols", "-output-dir", folder],
        check=True,
    )


def merge_foundation(module, folder):
    """Makes one graph, of Foundation, of those that extend Linux's modules."""
    files = [folder / f"{module}@{extended}.symbols.json" for extended in FOUNDATION]
    files = [file for file in files if file.exists()]
    graphs = [json.loads(file.read_text()) for file in files]
    if not graphs:
        return
    merged = graphs[0]
    for graph in graphs[1:]:
        merged["symbols"] += graph["symbols"]
        merged["relationships"] += graph["relationships"]
    for symbol in merged["symbols"]:
        if "swiftExtension" in symbol:
            symbol["swiftExtension"]["extendedModule"] = "Foundation"
    for file in files:
        file.unlink()
    (folder / f"{module}@Foundation.symbols.json").write_text(json.dumps(merged))


for module in MODULES:
    folder = Path(sys.argv[1]) / module
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    extract(module, folder)
    merge_foundation(module, folder)
