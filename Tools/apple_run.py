"""Runs Apple's branch of the code and of the tests on Linux, against a model of Apple's URLSession.

AppleModel/README.md explains how this works, and what it cannot see.

Usage: apple_run.py [copy | SETTING…]

`copy` makes the copy of the package alone. Without arguments, all settings of AppleModel/tests.toml run.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "Tools/AppleModel"
COPY = ROOT / ".build-apple-run"
MODULES = ["ObjectiveC", "AppleFoundation"]

# Of Linux alone, or packages of their own.
LEFT_OUT = re.compile(r"Sources/URLSessionResultTransport/Linux/|Tests/(Peers|HTTPTypes|Mistakes)/")

# The tests' server is not part of what is tested, and calls the C library of the machine.
UNCHANGED = re.compile(r"/LoopbackServer/Socket\.swift$")

REPLACEMENTS = [
    # Tests ask for `os(Linux)` where they are about FoundationNetworking.
    (r"canImport\(FoundationNetworking\)|\bos\(Linux\)", "MODEL_NEVER"),
    (r"canImport\(Darwin\)", "MODEL_ALWAYS"),
    (r"\bimport Foundation$", "import AppleFoundation"),
    (r"\bimport Darwin$", "import Glibc"),
    (r'(?<!")\bFoundation\.(?=[a-zA-Z])', "AppleFoundation."),
]

TARGETS = """
package.targets += [
    .target(name: "ObjectiveC"), .target(name: "AppleFoundation", dependencies: ["ObjectiveC"]),
]
for target in package.targets where !["ObjectiveC", "AppleFoundation"].contains(target.name) {
    target.dependencies.append("AppleFoundation")
    target.swiftSettings = (target.swiftSettings ?? []) + [.define("MODEL_ALWAYS")]
}
package.products.append(.library(name: "AppleFoundation", targets: ["AppleFoundation"]))
"""


# MARK: Optional methods of delegates


def end_of_block(text, start, brackets):
    """The position after the bracket that closes the one at a position."""
    depth = 0
    for position in range(start, len(text)):
        depth += {brackets[0]: 1, brackets[1]: -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    sys.exit(f"error: nothing closes the bracket in {text[start:start + 60]}")


def methods(body):
    """The argument labels of each method of a delegate that a type's body declares itself."""
    members, position = "", 0
    while (brace := body.find("{", position)) >= 0:
        members += body[position:brace] + ";"
        position = end_of_block(body, brace, "{}")
    members += body[position:]
    for match in re.finditer(r"^[^/\n]*func urlSession(?=\()", members, re.MULTILINE):
        parameters = members[match.end() + 1 : end_of_block(members, match.end(), "()") - 1]
        parameters = re.sub(r"//.*", "", parameters)
        while "(" in parameters:
            parameters = re.sub(r"\([^()]*\)", "", parameters)
        yield "".join(parameter.split(":")[0].split()[0] + ":" for parameter in parameters.split(","))


def delegates():
    """The delegates of AppleCheck for the model, where each method is a protocol of its own, by the labels of the method."""
    text = (ROOT / "Tools/AppleCheck/Foundation/URLSessionDelegates.swift").read_text()
    protocols, code = {}, ""
    for match in re.finditer(r"public protocol [^{]*{", text):
        body = text[match.end() : end_of_block(text, match.end() - 1, "{}") - 1]
        code += f"{match[0]}}}\n"
        for method in re.finditer(r"func urlSession\(", body):
            declaration = body[method.start() : end_of_block(body, method.end() - 1, "()")]
            [labels] = methods(declaration)
            name = "_" + "".join(label[:1].upper() + label[1:] for label in labels.strip("_").split(":"))
            protocols[labels] = name
            code += f"public protocol {name}: Sendable {{\n    {declaration}\n}}\n"
    return protocols, code


PROTOCOLS, DELEGATES = delegates()


def protocol(labels):
    return PROTOCOLS.get(labels) or sys.exit(f"error: the model has no method of a delegate with the labels {labels}")


def declared(text):
    """Adds to each class the protocols whose methods it has."""
    for match in reversed(list(re.finditer(r"^[^\n/]*\b(?:class|extension) \w[^{}()]*(?={)", text, re.MULTILINE))):
        body = text[match.end() + 1 : end_of_block(text, match.end(), "{}") - 1]
        found = [protocol(labels) for labels in methods(body)]
        if found and not re.search(r"extension \w*Delegate\b", match[0]):
            head = match[0].rstrip()
            head += (", " if ":" in head else ": ") + ", ".join(found) + " "
            text = text[: match.start()] + head + text[match.end() :]
    return text


def called(match):
    """An optional method, which is nil if there is none: `delegate?.urlSession(_:task:)`, `delegate.urlSession?(session, task: task)`."""
    arguments = match["arguments"]
    labels = arguments if ": " not in arguments else "_:" + "".join(re.findall(r"(\w+:) ", arguments))
    return f"({match['delegate']} as? any {protocol(labels)})?.urlSession({arguments})"


def converted(text):
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    text = re.sub(r"(?P<delegate>\w+)\?\.urlSession\((?P<arguments>(?:\w+:)+)\)", called, text)
    text = re.sub(r"(?P<delegate>\w+)\.urlSession\?\((?P<arguments>[^()]*)\)", called, text)
    return declared(text)


# MARK: The copy


def contents():
    """What the copy has: for each path the text of a file, or the path of one that is copied or linked."""
    files = {"Package.swift": (ROOT / "Package.swift").read_text() + TARGETS}
    for file in [file for root in ["Sources", "Tests"] for file in sorted((ROOT / root).rglob("*"))]:
        name = str(file.relative_to(ROOT))
        if LEFT_OUT.match(name) or file.is_dir() and not file.is_symlink():
            continue
        isChanged = file.suffix == ".swift" and not file.is_symlink() and not UNCHANGED.search(name)
        files[name] = converted(file.read_text()) if isChanged else file
    for file in sorted(MODEL.glob("*/*.swift")):
        files[f"Sources/{file.relative_to(MODEL)}"] = file
    files["Sources/AppleFoundation/Delegates.swift"] = DELEGATES
    return files


def write(file, content):
    """Leaves a file alone that is right already: the compiler compiles those that are younger."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path) and content.is_symlink():
        file.unlink(missing_ok=True)
        file.symlink_to(content.readlink())
    else:
        data = content.read_bytes() if isinstance(content, Path) else content.encode()
        if not file.exists() or file.read_bytes() != data:
            file.write_bytes(data)


def copy():
    files = contents()
    for root in ["Sources", "Tests"]:
        for file in (COPY / root).rglob("*"):
            if (file.is_file() or file.is_symlink()) and str(file.relative_to(COPY)) not in files:
                file.unlink()
    for name, content in files.items():
        write(COPY / name, content)


# MARK: The tests


def swift(*arguments, **options):
    return subprocess.run(["swift", *arguments, "--package-path", COPY], **options).returncode


def run(setting, expected):
    """Runs the tests of a setting.

    Returns what is not as `expected` says, one line each.
    """
    results = COPY / "results"
    xml = COPY / "results-swift-testing.xml"
    xml.unlink(missing_ok=True)
    suites = ["--filter", expected["suites"]] if "suites" in expected else []
    environment = os.environ | ({} if setting == "default" else {setting: "1"})
    swift("test", "--skip-build", "--xunit-output", f"{results}.xml", *suites, env=environment)
    if not xml.exists():
        return [f"{setting}: the process of the tests did not reach its end"]
    cases = list(ElementTree.parse(xml).iter("testcase"))
    # Without the module.
    failed = {
        f"{case.get('classname').partition('.')[2]}/{case.get('name')}" for case in cases if case.find("failure") is not None}
    known = set(expected.get("failing", {}))
    print(f"\n{setting}: {len(cases)} tests, {len(failed)} of them fail, {len(known)} are known to fail\n", flush=True)
    return (
        [f"{setting}: {test} fails" for test in sorted(failed - known)]
        + [f"{setting}: {test} does not fail; remove it from tests.toml" for test in sorted(known - failed)]
        + ([] if cases else [f"{setting}: no test has run"]))


def main():
    copy()
    if sys.argv[1:] == ["copy"]:
        return
    settings = tomllib.loads((MODEL / "tests.toml").read_text())
    if unknown := set(sys.argv[1:]) - set(settings):
        sys.exit(f"error: tests.toml has no {', '.join(unknown)}")
    if swift("build", "--build-tests") != 0:
        sys.exit(1)
    report = [line for name in sys.argv[1:] or settings for line in run(name, settings[name])]
    if report:
        sys.exit("\n".join(f"error: {line}" for line in report))
    print("Apple's branch was run against the model, with the outcome that AppleModel/tests.toml says.")


if __name__ == "__main__":
    main()
