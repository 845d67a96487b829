"""Prints the line coverage of each source file of the library and fails when the total is below a percentage."""

import json
import sys
from pathlib import Path

report, minimum = Path(sys.argv[1]), float(sys.argv[2])
covered = total = 0
for file in json.loads(report.read_text())["data"][0]["files"]:
    path = Path(file["filename"])
    if "Sources/URLSessionResult" not in path.as_posix() or ".build" in path.as_posix():
        continue
    lines = file["summary"]["lines"]
    covered, total = covered + lines["covered"], total + lines["count"]
    print(f'{lines["percent"]:6.1f} %  {lines["covered"]:4} of {lines["count"]:4}  {path.name}')

percentage = 100 * covered / total
print(f"{percentage:6.1f} %  {covered:4} of {total:4}  all")
sys.exit(percentage < minimum)
