"""Writes the symbol graphs of the library into a folder: what the documentation and the interface check read."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

MODULE = "URLSessionResult"
# Linux keeps in modules of their own what is Foundation everywhere else; the documentation links to Foundation.
FOUNDATION = ["FoundationEssentials", "FoundationNetworking"]


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def extract(folder):
    subprocess.run(["swift", "build", "--target", MODULE], check=True, stdout=sys.stderr)
    target = json.loads(output("swift", "-print-target-info"))["target"]["triple"]
    sdk = ["-sdk", output("xcrun", "--show-sdk-path")] if sys.platform == "darwin" else []
    modules = Path(output("swift", "build", "--show-bin-path")) / "Modules"
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", MODULE, "-I", modules, "-target", target, *sdk]
        + ["-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs"]
        + ["-emit-extension-block-symbols", "-output-dir", folder],
        check=True,
    )


def merge_foundation(folder):
    """Makes one graph, of Foundation, of those that extend Linux's modules."""
    files = [folder / f"{MODULE}@{module}.symbols.json" for module in FOUNDATION]
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
    (folder / f"{MODULE}@Foundation.symbols.json").write_text(json.dumps(merged))


folder = Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
extract(folder)
merge_foundation(folder)
