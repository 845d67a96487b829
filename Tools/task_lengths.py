"""Counts the lines of an app's first tasks, and fails above their limits.

A task lies between `// task: NAME` and `// end` in a file of `Tests/ClientOnMainActor`.
"""

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "Tests/ClientOnMainActor"
TASK = re.compile(r"^ *// task: ([^\n]*)\n(.*?)^ *// end$", re.DOTALL | re.MULTILINE)
# The most lines of all tasks of a file, and of one.
LIMITS = {"FirstWeek": (42, 42), "SecondWeek": (54, 6)}

for week, (most, most_each) in LIMITS.items():
    tasks = {name: code.count("\n") for name, code in TASK.findall((FOLDER / f"{week}.swift").read_text())}
    total = sum(tasks.values())
    if not tasks or total > most:
        sys.exit(f"error: the {len(tasks)} tasks of {week}.swift have {total} lines; {most} are the limit")
    if too_long := [name for name, count in tasks.items() if count > most_each]:
        sys.exit(f"error: {', '.join(too_long)} in {week}.swift: {most_each} lines are the limit of a task")
    print(f"The {len(tasks)} tasks of {week}.swift have {total} lines; {most} are the limit.")
