"""Compiles on Linux what Apple's platforms compile, against their availability.

AppleCheck/README.md explains how this works, how to add a declaration, and what the check cannot see.
"""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECK = ROOT / "Scripts/AppleCheck"
BUILD = ROOT / ".build-apple"
SDK = BUILD / "SDK"
MODULES = SDK / "usr/lib/swift"
CACHE = BUILD / "ModuleCache"

# The oldest systems that Package.swift declares. Simulators have the processor of the machine, whatever that is.
TARGETS = {"macOS 12": "apple-macos12", "iOS 15": "apple-ios15-simulator"}

# Modules of the toolchain, whose interfaces for Linux hold Apple's availability as well.
STANDARD_MODULES = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing"]

# Modules of Apple's SDK and what each imports. Folders of declarations in AppleCheck stand in for them.
STAND_INS = {"Darwin": [], "Dispatch": [], "Foundation": ["Darwin", "Dispatch"]}

NOT_COVERED = """\
Not covered:
  tvOS, watchOS and visionOS
  Objective-C: optional requirements, bridging, `@objc`
  mistakes in the stand-ins for Foundation, Dispatch and Darwin
  what Apple's URLSession does at run time
AppleCheck/README.md says more. The macOS and simulator jobs of the workflow check these."""


def write(file, text):
    """Writes a file unless it has that text already: the compiler rebuilds a module whose interface is younger."""
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


class Toolchain:
    """What the check needs to know of the compiler and of its standard library."""

    def __init__(self):
        info = json.loads(subprocess.check_output(["swiftc", "-print-target-info"], text=True))
        self.triple = info["target"]["moduleTriple"]
        self.modules = [Path(folder) for folder in info["paths"]["runtimeLibraryImportPaths"]]
        self.plugins = Path(info["paths"]["runtimeResourcePath"]) / "host/plugins"
        # The only processor whose name differs.
        self.processor = {"aarch64": "arm64"}.get(info["target"]["arch"], info["target"]["arch"])
        # First line of the compiler's own interfaces: one of another compiler is refused.
        self.version = re.search(r"// swift-compiler-version: .*", self.interface("Swift"))[0]

    def interface(self, module):
        files = [folder / f"{module}.swiftmodule/{self.triple}.swiftinterface" for folder in self.modules]
        file = next((file for file in files if file.exists()), None)
        if not file:
            sys.exit(f"error: this toolchain has no {files[0].name} of {module}; use one from swift.org")
        return file.read_text()


def retargeted(interface, linux, target):
    """Gives the interface of a standard module an Apple target.

    A body that is deployed back may use what is younger than its declaration, which only Apple's runtime makes good.
    """
    interface = interface.replace(f"-target {linux}", f"-target {target} -disable-availability-checking")
    return re.sub(r"@backDeployed\([^)]*\)", "", interface)


def stand_in(module, version, target):
    """Makes one interface of the declarations of a module. Errors in it name the files that they come from."""
    flags = f"-target {target} -module-name {module} -swift-version 6 -O -enable-library-evolution"
    lines = [
        "// swift-interface-format-version: 1.0",
        version,
        f"// swift-module-flags: {flags} -disable-objc-interop -disable-availability-checking",
        *(f"import {standard}" for standard in STANDARD_MODULES),
        *(f"@_exported import {imported}" for imported in STAND_INS[module]),
    ]
    for file in sorted((CHECK / module).glob("*.swift")):
        lines += [f'#sourceLocation(file: "{file.relative_to(ROOT)}", line: 1)', file.read_text()]
    return "\n".join(lines)


def build_sdk(toolchain, target):
    """Writes the interfaces for a target. Those that are there already stay as they are, and so does their cache."""
    name = re.sub(r"\d+", "", target.split("-", 1)[1])
    file_name = f"{toolchain.processor}-{name}.swiftinterface"
    for module in STANDARD_MODULES:
        interface = retargeted(toolchain.interface(module), toolchain.triple, target)
        write(MODULES / f"{module}.swiftmodule" / file_name, interface)
    for module in STAND_INS:
        write(MODULES / f"{module}.swiftmodule" / file_name, stand_in(module, toolchain.version, target))


def compiled(toolchain, target, files):
    """Compiles files as one module as far as errors go; returns the output, empty when there are no warnings either."""
    # Data races and uses before initialization are found in SIL, after type-checking.
    command = ["swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-target", target]
    command += ["-sdk", SDK, "-module-cache-path", CACHE, "-module-name", "URLSessionResult"]
    command += ["-plugin-path", toolchain.plugins, "-disable-objc-interop", "-parse-as-library", *files]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.stdout or ("" if run.returncode == 0 else f"error: the compiler failed with {run.returncode}\n")


def refusal(toolchain, target, sources, fault):
    """The compiler's error on the line marked `// fault` of a file added to the sources; None when it has none."""
    lines = fault.read_text().splitlines()
    number = next(number for number, line in enumerate(lines, start=1) if line.endswith("// fault"))
    file = fault.relative_to(ROOT)
    output = compiled(toolchain, target, [*sources, file])
    error = re.search(rf"^{re.escape(str(file))}:{number}:\d+: error: .*", output, re.MULTILINE)
    return error and error[0]


def check(toolchain, system):
    """Checks the library for one system, then with each injected fault; returns a report and whether all went well."""
    target = f"{toolchain.processor}-{TARGETS[system]}"
    build_sdk(toolchain, target)
    sources = [file.relative_to(ROOT) for file in sorted((ROOT / "Sources").rglob("*.swift"))]
    output = compiled(toolchain, target, sources)
    if output:
        return f"{output}\nerror: Sources do not pass for {system}", False
    report = [f"{system}: all {len(sources)} files of Sources pass, and with a fault injected they do not:"]
    faults = sorted((CHECK / "Faults").glob("*.swift"))
    errors = [refusal(toolchain, target, sources, fault) for fault in faults]
    for fault, error in zip(faults, errors):
        report.append(f"  {error}" if error else f"error: {fault.name} was not refused")
    return "\n".join(report), all(errors)


def main():
    if sys.platform == "darwin":
        sys.exit("error: this check is for Linux; on a Mac, `swift build` checks all this and more")
    toolchain = Toolchain()
    if not CACHE.exists():
        print("Building the standard library for Apple's platforms. This takes one or two minutes, once.", flush=True)
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda system: check(toolchain, system), TARGETS))
    print("\n".join(report for report, _ in results))
    if not all(succeeded for _, succeeded in results):
        sys.exit(1)
    print(NOT_COVERED)


main()
