#!/usr/bin/env bash
# Runs the benchmarks, prints the tables and draws the picture.
set -euo pipefail
cd "$(dirname "$0")/.."

results=.build/results
python=.build/venv/bin/python

rm -rf "$results"
swift package --allow-writing-to-package-directory benchmark \
    --format jmh --path "$results" --no-progress >&2

if ! "$python" -c 'import matplotlib' 2>/dev/null; then
    python3 -m venv .build/venv
    "$python" -m pip install --quiet matplotlib
fi
"$python" Scripts/report.py "$results/Current_run.jmh.json" benchmarks.svg
