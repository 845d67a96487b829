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
SOURCES = ROOT / "Sources"
CHECK = ROOT / "Tools/AppleCheck"
BUILD = ROOT / ".build-apple"
CACHE = BUILD / "ModuleCache"

# The oldest systems that Package.swift declares. Simulators have the processor of the machine, whatever that is.
TARGETS = {
    "macOS 12": "apple-macos12",
    "iOS 15": "apple-ios15-simulator",
    "tvOS 15": "apple-tvos15-simulator",
    "watchOS 8": "apple-watchos8-simulator",
}

# Modules of the toolchain, whose interfaces for Linux hold Apple's availability as well.
STANDARD_MODULES = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing"]

# Modules of Apple's SDK and what each imports. Folders of declarations in AppleCheck stand in for them.
STAND_INS = {"Darwin": [], "Dispatch": [], "ObjectiveC": [], "Foundation": ["Darwin", "Dispatch", "ObjectiveC"]}

# The folders of Sources, each after those that it imports, and the one that each fault is compiled with.
FOLDERS = [
    "URLSessionResultJSON", "URLSessionResultTransport", "URLSessionResult", "URLSessionResultClient",
    "URLSessionResultTesting",
]
LIBRARY = "URLSessionResult"

# The folder with delegates. Its types are checked once more with Objective-C, where a method of a delegate is optional. Beyond types, the
# compiler wants too much of Apple's modules then.
DELEGATES = "URLSessionResultTransport"
OBJECTIVE_C = "-enable-objc-interop -disable-objc-attr-requires-foundation-module"

# With Objective-C, the compiler looks for this type in the standard library, which does not have it on Linux.
POINTER = """
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee>: Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  @_transparent public init(_ _rawValue: Builtin.RawPointer) { self._rawValue = _rawValue }
}
"""

NOT_COVERED = """\
Not covered:
  visionOS
  Objective-C: bridging, `@objc`, and optional requirements outside of the transport
  mistakes in the stand-ins for Apple's modules
  what Apple's URLSession does at run time
  Tests, Examples and Benchmarks
AppleCheck/README.md says more. The macOS and simulator jobs of the workflow check most of these."""


class Toolchain:
    """What the check needs to know of the compiler and of its standard library."""

    def __init__(self):
        info = json.loads(subprocess.check_output(["swiftc", "-print-target-info"], text=True))
        self.triple = info["target"]["moduleTriple"]
        self.modules = [Path(folder) for folder in info["paths"]["runtimeLibraryImportPaths"]]
        self.plugins = Path(info["paths"]["runtimeResourcePath"]) / "host/plugins"
        # The only processor whose name differs.
        self.processor = {"aarch64": "arm64"}.get(info["target"]["arch"], info["target"]["arch"])
        # The compiler refuses an interface of another version of itself.
        self.version = re.search(r"// swift-compiler-version: .*", self.interface("Swift"))[0]

    def interface(self, module):
        files = [folder / f"{module}.swiftmodule/{self.triple}.swiftinterface" for folder in self.modules]
        file = next((file for file in files if file.exists()), None)
        if not file:
            sys.exit(f"error: this toolchain has no {files[0].name} of {module}; use one from swift.org")
        return file.read_text()


def retargeted(interface, linux, target):
    """Gives the interface of a standard module an Apple target.

    The body of a declaration that is deployed back may use younger ones, which only Apple's own build of it may.
    """
    interface = interface.replace(f"-target {linux}", f"-target {target} -disable-availability-checking")
    return re.sub(r"@backDeployed\([^)]*\)", "", interface)


def without_objective_c(text):
    """Makes each optional method of a delegate a requirement with a default implementation."""
    defaults = ""
    for protocol, body in re.findall(r"@objc public protocol (\w+)[^{]*{\n(.*?)\n}", text, re.DOTALL):
        methods = re.findall(r"(?:@available\([^)]*\)\s+)?@objc optional (func .*?\))(?=\n(?:    [@/f]|$)|$)", body, re.DOTALL)
        defaults += f"extension {protocol} {{\n" + "".join(f"    public {method}\n" for method in methods) + "}\n"
    return re.sub(r"@objc (optional )?", "", text) + defaults


def declarations(module, with_objective_c):
    """The files that stand in for a module, each with its text."""
    for file in sorted((CHECK / module).glob("*.swift")):
        if not with_objective_c:
            yield file, without_objective_c(file.read_text())
        elif file.with_suffix(".h").exists():
            yield file, f"@_exported import {module}\nextension NSObject: Hashable {{}}"
        else:
            yield file, file.read_text()


def stand_in(module, version, target, with_objective_c):
    """Makes one interface of the declarations of a module. Errors in it name the files that they come from."""
    flags = f"-target {target} -module-name {module} -swift-version 6 -O -enable-library-evolution"
    lines = [
        "// swift-interface-format-version: 1.0",
        version,
        f"// swift-module-flags: {flags} {OBJECTIVE_C if with_objective_c else '-disable-objc-interop'} -disable-availability-checking",
        "import Swift",
        "import _Concurrency",
        *(f"@_exported import {imported}" for imported in STAND_INS[module]),
    ]
    for file, text in declarations(module, with_objective_c):
        lines += [f'#sourceLocation(file: "{file.relative_to(ROOT)}", line: 1)', text]
    return "\n".join(lines)


def write(file, text):
    """Writes a file unless it has that text already: the compiler rebuilds a module whose interface is younger."""
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def swift_files(folder):
    return [file.relative_to(ROOT) for file in sorted(folder.rglob("*.swift"))]


class System:
    """One of Apple's systems in the version to check against."""

    def __init__(self, name, toolchain, with_objective_c=False):
        self.name = name
        self.with_objective_c = with_objective_c
        self.sdk = BUILD / ("SDK-ObjectiveC" if with_objective_c else "SDK")
        self.modules = self.sdk / "usr/lib/swift"
        self.toolchain = toolchain
        self.target = f"{toolchain.processor}-{TARGETS[name]}"
        # The compiler looks for the modules of a target under its name without the version.
        self.interfaces = f"{toolchain.processor}-{re.sub('[0-9]+', '', TARGETS[name])}.swiftinterface"
        # For the modules of Sources.
        self.products = BUILD / self.target
        self.products.mkdir(parents=True, exist_ok=True)

    def build_sdk(self):
        """Writes the interfaces. The compiler builds modules of them when they are imported, and keeps these."""
        for module in STANDARD_MODULES:
            interface = retargeted(self.toolchain.interface(module), self.toolchain.triple, self.target)
            if self.with_objective_c and module == "Swift":
                interface += POINTER
            write(self.modules / f"{module}.swiftmodule" / self.interfaces, interface)
        for module in STAND_INS:
            interface = stand_in(module, self.toolchain.version, self.target, self.with_objective_c)
            write(self.modules / f"{module}.swiftmodule" / self.interfaces, interface)

    def compile(self, module, files, *options):
        """Compiles files as one module; returns the output, which is empty when there are no warnings either.

        The compiler goes as far as there are errors to find: data races are found in SIL, after type-checking.
        """
        command = ["swiftc", "-frontend", "-module-name", module, "-swift-version", "6", "-package-name", LIBRARY]
        command += ["-target", self.target, "-sdk", self.sdk, "-module-cache-path", CACHE]
        command += ["-plugin-path", self.toolchain.plugins, "-parse-as-library", *options, *files]
        if self.with_objective_c:
            command += ["-typecheck", "-I", CHECK / "ObjectiveC", *OBJECTIVE_C.split()]
        else:
            command += ["-emit-sil", "-o", "/dev/null", "-I", self.products, "-disable-objc-interop"]
        run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return run.stdout or ("" if run.returncode == 0 else f"error: the compiler failed with {run.returncode}\n")

    def check_module(self, folder):
        """Compiles a folder of Sources and keeps its module, which others may import."""
        files = swift_files(folder)
        output = self.compile(folder.name, files, "-emit-module-path", self.products / f"{folder.name}.swiftmodule")
        verdict = f"{output}\nerror: {folder.name} does not pass for" if output else f"{folder.name} passes for"
        return f"{verdict} {self.name}, {len(files)} files"

    def check_fault(self, fault, folder):
        """Compiles a folder of Sources with a fault, which the compiler has to refuse."""
        output = self.compile(folder, [*swift_files(SOURCES / folder), fault])
        lines = (ROOT / fault).read_text().splitlines()
        number = next(number for number, line in enumerate(lines, start=1) if line.endswith("// fault"))
        refusal = re.search(rf"^{re.escape(str(fault))}:{number}:\d+: error: (.*)", output, re.MULTILINE)
        return f"  refused as expected: {fault.name}, {refusal[1]}" if refusal else f"error: {fault} was not refused for {self.name}"


def check(system):
    system.build_sdk()
    report = [system.check_module(SOURCES / folder) for folder in FOLDERS]
    if has_error(report):
        return report
    report.append(f"{LIBRARY} is compiled with each of these faults, to see that the check can fail:")
    return report + [system.check_fault(fault, LIBRARY) for fault in swift_files(CHECK / "Faults")]


def check_with_objective_c(system):
    system.build_sdk()
    output = system.compile(DELEGATES, swift_files(SOURCES / DELEGATES))
    verdict = f"{output}\nerror: {DELEGATES} does not pass with" if output else f"{DELEGATES} passes with"
    faults = swift_files(CHECK / "FaultsOfObjectiveC")
    return [f"{verdict} Objective-C for {system.name}", *(system.check_fault(fault, DELEGATES) for fault in faults)]


def has_error(report):
    return any(re.search("^error:", text, re.MULTILINE) for text in report)


def main():
    if sys.platform == "darwin":
        sys.exit("error: this check is for Linux; on a Mac, `swift build` checks all this and more")
    if unknown := {folder.name for folder in SOURCES.iterdir() if folder.is_dir()} - {*FOLDERS}:
        sys.exit(f"error: this check does not know {', '.join(unknown)}: add it to FOLDERS")
    toolchain = Toolchain()
    if not CACHE.exists():
        print("Building the standard library for Apple's platforms. This takes one or two minutes, once.", flush=True)
    with ThreadPoolExecutor() as pool:
        other = pool.submit(check_with_objective_c, System(next(iter(TARGETS)), toolchain, with_objective_c=True))
        reports = [*pool.map(check, [System(name, toolchain) for name in TARGETS]), other.result()]
    report = [text for report in reports for text in report]
    print("\n".join(report))
    if has_error(report):
        sys.exit(1)
    print(NOT_COVERED)
    print(f"Sources compile for {', '.join(TARGETS)}, and every fault is refused as expected.")


main()
