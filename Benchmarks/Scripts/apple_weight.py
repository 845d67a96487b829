"""Weighs Apple's branch of programs with the library against the same program on URLSession alone, on Linux.

Usage: apple_weight.py

The programs are compiled for release against the model of URLSession in Tools/AppleModel, and linked without it. So what remains is
the program and the library. Prints machine code with constants ("text"), and data that may change ("data").
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEIGHT = ROOT / "Benchmarks/Weight"
COPY = ROOT / ".build-apple-weight"
sys.path.insert(0, str(ROOT / "Tools"))

import apple_run

LIBRARY = ["URLSessionResult", "URLSessionResultJSON", "URLSessionResultTransport"]
PROGRAMS = {
    "OneRequestByHand": ("one request, by hand", []),
    "OneRequest": ("one request, library", LIBRARY),
    "OneCall": ("one request, client", [*LIBRARY, "URLSessionResultClient"]),
}

TARGETS = """
for target in package.targets {
    target.dependencies.append(.product(name: "AppleFoundation", package: "URLSessionResult"))
    target.swiftSettings = [.define("MODEL_ALWAYS")]
}
"""


def copy():
    apple_run.copy()
    package = (WEIGHT / "Package.swift").read_text().replace('path: "../.."', f'path: "../{apple_run.COPY.name}"')
    apple_run.write(COPY / "Package.swift", package + TARGETS)
    for file in WEIGHT.glob("Sources/*/*.swift"):
        apple_run.write(COPY / file.relative_to(WEIGHT), apple_run.converted(file.read_text()))


def weigh(program, modules):
    """Returns the bytes of text and data of a program that is linked without the model."""
    subprocess.run(["swift", "build", "--package-path", COPY, "-c", "release", "--product", program], check=True)
    products = COPY / ".build/release"
    objects = [file for module in [program, *modules] for file in sorted((products / f"{module}.build").glob("*.o"))]
    executable = products / f"{program}-without-model"
    options = ["--gc-sections", "--unresolved-symbols=ignore-all", f"--defsym=main={program}_main"]
    flags = [flag for option in options for flag in ["-Xlinker", option]]
    subprocess.run(["swiftc", *objects, *flags, "-o", executable], check=True)
    text, data, *_ = subprocess.check_output(["size", executable], text=True).splitlines()[1].split()
    return int(text), int(data)


def main():
    copy()
    sizes = {name: weigh(program, modules) for program, (name, modules) in PROGRAMS.items()}
    by_hand = next(iter(sizes.values()))
    print(f"\n{'Apple’s branch':24} {'text':>12} {'data':>11} {'more text':>12} {'more data':>11}")
    for name, size in sizes.items():
        more = [ours - theirs for ours, theirs in zip(size, by_hand)]
        print(f"{name:24}" + "".join(f" {value / 1000:9.1f} kB" for value in [*size, *more]))
    print("Measured against a model, on Linux.")


main()
