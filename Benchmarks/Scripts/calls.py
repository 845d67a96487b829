"""Counts how often the code of one file calls code of another one, for steps of a request. Needs valgrind.

    calls.py [--files] [PROGRAM]

An entry is a call of a function in a file of the library from any other file, or from another module: from FoundationNetworking, from
the runtime, or from a thunk of the compiler. Who reads how a step works turns to a file as often. The program is not optimized, so that
no call is inlined. A step is the difference of two runs, or what happens in the functions that END names.

`--files` prints the entries of each file, too.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "Calls"
LIBRARY = re.compile(r"/Sources/(URLSessionResult\w*/.*)")
PIECE = 16 * 1024  # What libcurl gives at once.
# Where the load ends, on the event loop, and where the handler is called, on the delegate queue.
# What the compiler makes for a type, in whatever file needs it first: copies of values, witness tables and metadata.
MADE_BY_THE_COMPILER = re.compile(r"(W[OlL]\w?|M[a-zA-Z]|w[a-z]{2})$")
END = [r"\$s25URLSessionResultTransport8CurlLoadC9completed.*F", r"\$s25URLSessionResultTransport8TransferC7deliver\d.*F"]


class Handler(BaseHTTPRequestHandler):
    """Answers `/redirects/3` after three redirects, and `/pieces/3` with three pieces."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        _, kind, count = self.path.split("/")
        if kind == "redirects" and int(count) > 0:
            return self.answer(307, b"", Location=f"/redirects/{int(count) - 1}")
        self.answer(200, b"abc" if kind == "redirects" else bytes(PIECE * int(count)))

    def answer(self, status, body, **fields):
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def entries(report):
    """How often each file of the library is entered, from a report of callgrind."""
    files, functions, counts = {}, {}, Counter()

    def name(text, names):
        number, _, rest = text.partition(" ")
        if rest:
            names[number] = rest
        return names.get(number, text)

    file = callee = function = None
    for line in report.splitlines():
        key, _, value = line.partition("=")
        if key == "fl":
            file = name(value, files)
        elif key in ("fi", "fe"):
            name(value, files)
        elif key in ("cfi", "cfl"):
            callee = name(value, files)
        elif key == "fn":
            name(value, functions)
        elif key == "cfn":
            function = name(value, functions)
        elif key == "calls":
            target, callee = callee or file, None
            found = LIBRARY.search(target)
            if found and target != file and not MADE_BY_THE_COMPILER.search(function):
                counts[found[1]] += int(value.split()[0])
    return counts


def run(program, port, form, count, path, within=()):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={report}", *(f"--toggle-collect={name}" for name in within),
             program, form, str(count), f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return entries(report.read_text())


def functions(program, pattern):
    """The functions of a name, as the linker knows them."""
    listed = subprocess.check_output(["nm", program], text=True).split()
    return sorted({symbol for symbol in listed if re.fullmatch(pattern, symbol)})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", action="store_true")
    parser.add_argument("program", nargs="?")
    options = parser.parse_args()
    program = options.program
    if not program:
        build = ["swift", "build", "--package-path", str(PACKAGE)]
        subprocess.run(build, check=True, stdout=sys.stderr)
        program = subprocess.check_output([*build, "--show-bin-path"], text=True).strip() + "/Calls"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def difference(form, few, many, steps):
        """The entries of a step, of which `many` has more than `few`."""
        (count, path), (more, longer) = few, many
        last, first = run(program, server.server_port, form, more, longer), run(program, server.server_port, form, count, path)
        return {file: (last[file] - first[file]) / steps for file in last if last[file] != first[file]}

    ends = [name for pattern in END for name in functions(program, pattern)]
    if len(ends) != len(END):
        sys.exit(f"error: these are not the functions of the end: {ends}")
    requests = 40
    at_end = run(program, server.server_port, "data", requests, "/redirects/0", ends)
    steps = {
        "a GET": difference("data", (10, "/redirects/0"), (50, "/redirects/0"), 40),
        "its end": {file: count / requests for file, count in at_end.items()},
        "a redirect more": difference("data", (10, "/redirects/1"), (10, "/redirects/5"), 40),
        "a piece of data": difference("data", (10, "/pieces/4"), (10, "/pieces/24"), 200),
        "a piece of a stream": difference("stream", (10, "/pieces/4"), (10, "/pieces/24"), 200),
    }
    for step, counts in steps.items():
        print(f"{step:20} {sum(counts.values()):7.1f} entries, {len([1 for count in counts.values() if count >= 0.5]):3} files")
        for file, count in sorted(counts.items(), key=lambda item: -item[1]) if options.files else []:
            print(f"{count:10.2f}  {file}")


main()
