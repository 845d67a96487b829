"""Prints the tables of a benchmark run and draws the picture of them.

Usage: report.py RESULTS.jmh.json PICTURE.svg
"""

import json
import os
import platform
import subprocess
import sys
from collections import defaultdict

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

INK = "#1f2328"
INK_ON_DARK = "#e6edf3"
COLOURS = {"JSONDecoder": "#8b949e", "ideal split": "#d29922", "library": "#388bfd"}
RAW = "#8b949e"
CONTENDERS = {
    "requests": ["URLSession, callback", "library, callback", "URLSession, async", "library, async", "AsyncHTTPClient"],
    "size": list(COLOURS),
    "shape": list(COLOURS),
    "at once": ["JSONDecoder", "library"],
}


def results(path):
    """Returns {group: {case: {contender: value}}}; times in seconds, memory in bytes."""
    groups = defaultdict(lambda: defaultdict(dict))
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)
    for run in runs:
        # package.benchmark.<Target>.<name>
        group, *case = run["benchmark"].split(".", 3)[3].replace("_", " ").split("/")
        # The export repeats the metrics of the benchmarks before this one.
        if group == "memory":
            *case, contender = case
            peak = run["secondaryMetrics"][contender]["scorePercentiles"]["100.0"]
            groups[group]["/".join(case)][contender] = peak * 1024
            continue
        for contender in CONTENDERS[group]:
            median = run["secondaryMetrics"][contender]["scorePercentiles"]["50.0"]
            groups[group]["/".join(case)][contender] = median / 1e9
    return groups


def machine():
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores, {platform.system()} {platform.machine()}, {swift}"


def table(header, rows):
    print("\n| " + " | ".join(header) + " |")
    print("| --- |" + " ---: |" * (len(header) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def milliseconds(seconds):
    return f"{seconds * 1e3:.3g} ms"


def size(kilobytes):
    return f"{kilobytes} kB" if kilobytes < 1024 else f"{kilobytes // 1024} MB"


def order(case):
    """Numbers in a name count as numbers."""
    return [(part.isdigit(), int(part) if part.isdigit() else part) for part in case.split("/")]


def print_decoding(title, cases, label):
    print(f"\n### {title}")
    rows = []
    for case in sorted(cases, key=order):
        times = cases[case]
        whole, split, ours = times["JSONDecoder"], times["ideal split"], times["library"]
        rows.append(
            [label(case), milliseconds(whole), milliseconds(split), milliseconds(ours)]
            + [f"{whole / ours:.2f}", f"{split / ours:.2f}"]
        )
    table(["document", "JSONDecoder", "ideal split", "library", "times JSONDecoder", "times ideal"], rows)


def print_tables(groups):
    print(f"Medians. {machine()}.")
    print("\n### Requests over loopback")
    for case, times in groups["requests"].items():
        raw = times["URLSession, callback"]
        rows = [[name, milliseconds(time), f"{time / raw:.2f}"] for name, time in times.items()]
        table([case, "time", "ratio"], rows)
    print_decoding("Decoding by size: flat rows in an array", groups["size"], lambda case: size(int(case.split("/")[-1])))
    print_decoding("Decoding by shape: 4 MB", groups["shape"], lambda case: ", ".join(case.split("/")[:2]))
    print("\n### Decoding several responses of 1.3 MB at once")
    rows = []
    for case in sorted(groups["at once"], key=order):
        times = groups["at once"][case]
        whole, ours = times["JSONDecoder"], times["library"]
        rows.append([case.split("/")[-1], milliseconds(whole), milliseconds(ours), f"{whole / ours:.2f}"])
    table(["responses", "JSONDecoder", "library", "times JSONDecoder"], rows)
    print("\n### Peak of resident memory, decoding 16 MB")
    rows = []
    for case, peaks in sorted(groups["memory"].items()):
        whole, ours = peaks["JSONDecoder"], peaks["library"]
        rows.append([case.replace("/", ", "), f"{whole / 1e6:.0f} MB", f"{ours / 1e6:.0f} MB", f"{ours / whole:.2f}"])
    table(["document", "JSONDecoder", "library", "ratio"], rows)


def throughput(kilobytes, seconds):
    return kilobytes * 1024 / seconds / 1e6


def draw_sizes(axes, cases):
    sizes = sorted(int(case.split("/")[-1]) for case in cases)
    by_size = {int(case.split("/")[-1]): times for case, times in cases.items()}
    for contender, colour in COLOURS.items():
        axes.plot(
            range(len(sizes)), [throughput(s, by_size[s][contender]) for s in sizes],
            color=colour, marker="o", linewidth=2, label=contender)
    axes.set_xticks(range(len(sizes)), [size(s) for s in sizes], rotation=45)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("MB/s")
    axes.set_title("Decoding by size")
    axes.legend(frameon=False, labelcolor=INK)


def draw_shapes(axes, cases):
    names = sorted(cases, key=order)
    for offset, (contender, colour) in enumerate(COLOURS.items()):
        values = [throughput(4096, cases[name][contender]) for name in names]
        axes.barh([row + (offset - 1) * 0.27 for row in range(len(names))], values, height=0.25, color=colour)
    axes.set_yticks(range(len(names)), [", ".join(name.split("/")[:2]) for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("MB/s")
    axes.set_title("Decoding by shape, 4 MB")


def draw_requests(axes, times):
    names = list(times)
    colours = [COLOURS["library"] if "library" in name else RAW for name in names]
    axes.barh(range(len(names)), [times[name] * 1e6 for name in names], height=0.6, color=colours)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel("µs")
    axes.set_title("A request over loopback")


def draw(groups, path):
    style = {key: INK for key in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")}
    pyplot.rcParams.update(style | {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    pyplot.rcParams["svg.hashsalt"] = "benchmarks"
    figure, axes = pyplot.subplots(1, 3, figsize=(13, 4), layout="constrained")
    draw_sizes(axes[0], groups["size"])
    draw_shapes(axes[1], groups["shape"])
    draw_requests(axes[2], groups["requests"]["one after the other"])
    for axis in axes:
        axis.set_facecolor("none")
    figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None})
    follow_colour_scheme(path)


def follow_colour_scheme(path):
    """Lets the ink depend on whether the reader's page is light or dark."""
    scheme = (
        f"<style>:root {{ --ink: {INK} }} "
        f"@media (prefers-color-scheme: dark) {{ :root {{ --ink: {INK_ON_DARK} }} }}</style>"
    )
    with open(path, encoding="utf-8") as file:
        picture = file.read()
    picture = picture.replace(INK, "var(--ink)").replace("<defs>", scheme + "\n <defs>", 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(line.rstrip() for line in picture.splitlines()) + "\n")


if __name__ == "__main__":
    found = results(sys.argv[1])
    print_tables(found)
    draw(found, sys.argv[2])
