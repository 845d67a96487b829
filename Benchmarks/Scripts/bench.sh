#!/usr/bin/env bash
# Runs the benchmarks, prints the tables and draws the pictures.
set -euo pipefail
cd "$(dirname "$0")/.."

results=.build/results

rm -rf "$results"
swift package --allow-writing-to-package-directory benchmark \
    --format jmh --path "$results" --no-progress >&2

python3 Scripts/report.py "$results/Current_run.jmh.json" .
