"""Prints the tables of a benchmark run and draws pictures of them, for light pages and for dark ones.

Usage: report.py RESULTS.jmh.json FOLDER
"""

import json
import os
import platform
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# A phone shows the picture at about three quarters of its width.
WIDTH, LEFT, RIGHT = 480, 158, 56
THEMES = {
    "light": {"ink": "#1f2328", "JSONDecoder": "#8c959f", "library": "#0969da", "ideal split": "#bc4c00"},
    "dark": {"ink": "#e6edf3", "JSONDecoder": "#6e7681", "library": "#4493f8", "ideal split": "#f0883e"},
}
CONTENDERS = {
    "requests": ["URLSession, callback", "library, callback", "URLSession, async", "library, async", "AsyncHTTPClient"],
    "size": ["JSONDecoder", "ideal split", "library"],
    "shape": ["JSONDecoder", "ideal split", "library"],
    "at once": ["JSONDecoder", "library"],
    "streams": ["URLSession, all lines at once", "library, line by line"],
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
    print("\n### Streams")
    for case, times in groups["streams"].items():
        raw = times["URLSession, all lines at once"]
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


def bar(y, height, width, colour):
    return f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{height}" rx="2" fill="{colour}"/>'


def text(x, y, content, size=13, anchor="start", weight=400):
    attributes = f'x="{x:.1f}" y="{y}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}"'
    return f"<text {attributes}>{content}</text>"


def heading(y, title, direction):
    return [text(0, y, title, size=16, weight=600), text(0, y + 19, direction)]


def decoding_panel(y, cases, colours):
    """Two bars for each document, and a line across them for the ideal split. Returns the elements and the next y."""
    elements = heading(y, "Decoding 4 MB of JSON on all cores", "MB/s: longer bars are better")
    y += 42
    legend = [("JSONDecoder", 0), ("library", 120)]
    for name, x in legend:
        elements.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" rx="2" fill="{colours[name]}"/>')
        elements.append(text(x + 18, y, name))
    elements.append(f'<rect x="206" y="{y - 12}" width="3" height="16" fill="{colours["ideal split"]}"/>')
    elements.append(text(216, y, "ideal: cut for the cores beforehand"))
    y += 16
    names = sorted(cases, key=order)
    values = {
        name: {contender: throughput(4096, seconds) for contender, seconds in cases[name].items()} for name in names}
    scale = (WIDTH - LEFT - RIGHT) / max(value for speeds in values.values() for value in speeds.values())
    for name in names:
        speeds = values[name]
        elements.append(text(LEFT - 8, y + 20, ", ".join(name.split("/")[:2]), anchor="end"))
        elements.append(bar(y, 12, speeds["JSONDecoder"] * scale, colours["JSONDecoder"]))
        elements.append(bar(y + 14, 12, speeds["library"] * scale, colours["library"]))
        ideal = LEFT + speeds["ideal split"] * scale
        elements.append(
            f'<rect x="{ideal - 1.5:.1f}" y="{y - 2}" width="3" height="30" fill="{colours["ideal split"]}"/>')
        end = LEFT + max(speeds["library"], speeds["ideal split"]) * scale
        elements.append(text(end + 8, y + 24, f'{speeds["library"] / speeds["JSONDecoder"]:.1f}×', weight=600))
        y += 36
    return elements, y


def draw(groups, folder):
    """Draws each picture once for light and once for dark pages: a page chooses with <picture>."""
    for theme, colours in THEMES.items():
        panels = {
            "decoding": decoding_panel(18, groups["shape"], colours),
        }
        for name, (elements, height) in panels.items():
            picture = [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
                f'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" fill="{colours["ink"]}">',
                *elements, "</svg>"]
            (Path(folder) / f"{name}-{theme}.svg").write_text("\n".join(picture) + "\n")


if __name__ == "__main__":
    found = results(sys.argv[1])
    print_tables(found)
    draw(found, sys.argv[2])
