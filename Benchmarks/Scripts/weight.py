"""Weighs programs with the library against the same programs on URLSession alone.

Usage: weight.py

Prints, for each program of the package Weight, the size of its stripped release executable, that of its gzip, and the time
that a clean release build takes; then the machine code of the library by folder. Fails if a program is heavier than its
ceiling in ceilings.json. Raise a ceiling there if what is gained is worth it.
"""

import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "Weight"
SOURCES = Path(__file__).parents[2] / "Sources"
MODULES = ["URLSessionResult", "URLSessionResultJSON", "URLSessionResultTransport", "URLSessionResultClient"]
# A program with the library, its name, and what it is compared with.
PROGRAMS = [
    ("OneRequest", "one request", "OneRequestByHand"),
    ("EveryMethod", "every method", "EveryMethodByHand"),
    ("OneCall", "one call of a client", "OneRequestByHand"),
]


def build(program, scratch):
    """Builds a program from nothing for release. Returns the folder of its products, the seconds, and the processor seconds."""
    command = ["swift", "build", "--package-path", PACKAGE, "--scratch-path", scratch]
    command += ["--configuration", "release"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run = subprocess.run([*command, "--product", program], capture_output=True, text=True)
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode:
        sys.exit(f"error: {program} does not build:\n{run.stdout}{run.stderr}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Path(scratch) / "release", seconds, processor


def stripped(executable):
    """Returns the bytes of an executable without its symbols."""
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["strip", "-o", file.name, executable], check=True)
        return Path(file.name).read_bytes()


def folders(products):
    """Returns the bytes of machine code and constants that each folder of Sources is compiled to."""
    result = Counter()
    for module in MODULES:
        folder_of = {path.name: path.parent.relative_to(SOURCES) for path in (SOURCES / module).rglob("*.swift")}
        objects = sorted((products / f"{module}.build").glob("*.swift.o"))
        if not objects:
            continue
        sizes = subprocess.run(["size", *objects], check=True, capture_output=True, text=True).stdout
        for line in sizes.splitlines()[1:]:
            text, *_, path = line.split()
            result[str(folder_of[Path(path).name.removesuffix(".o")])] += int(text)
    return result


def weigh(program):
    """Returns the figures of a program, and the code of the library by folder if it uses the library."""
    with tempfile.TemporaryDirectory() as scratch:
        products, seconds, processor = build(program, scratch)
        executable = stripped(products / program)
        code = None if program.endswith("ByHand") else folders(products)
    return [len(executable), len(gzip.compress(executable, 9)), seconds, processor], code


def row(name, figures):
    size, compressed, seconds, processor = figures
    sizes = f"{size / 1000:9.1f} kB {compressed / 1000:8.1f} kB"
    return f"{name:24} {sizes} {seconds:7.1f} s {processor:8.1f} s"


def main():
    ceilings = json.loads((PACKAGE / "ceilings.json").read_text())
    failures = []
    print(f"{'program':24} {'stripped':>12} {'gzip':>11} {'release':>9} {'processor':>10}")
    weights = {}
    for program, name, other in PROGRAMS:
        by_hand, _ = weights[other] = weights.get(other) or weigh(other)
        figures, code = weigh(program)
        added = [ours - theirs for ours, theirs in zip(figures, by_hand)]
        print(row(f"{name}, by hand", by_hand))
        print(row(f"{name}, library", figures))
        print(row("    more", added))
        for kind, bytes_added in zip(["stripped", "gzip"], added):
            ceiling = ceilings[program][kind]
            if bytes_added > ceiling:
                failures.append(f"{name} is {bytes_added} bytes heavier ({kind}), and the ceiling is {ceiling}")
    print()
    for folder, size in sorted(code.items()):
        print(f"{folder:40} {size / 1000:8.1f} kB")
    print(f"{'together, as compiled':40} {sum(code.values()) / 1000:8.1f} kB")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    sys.exit(bool(failures))


main()
