#!/usr/bin/env python3
"""Prints the processor time that requests take while they wait for three seconds: medians of some processes.

Each figure is that of requests on new connections that wait, less that of the same requests without a wait.

Usage: waiting.py PROGRAM, where ROUNDS may name the processes. With the servers of Scripts/test_trusted.sh, it measures over TLS, too.
"""

import os
import socketserver
import statistics
import subprocess
import sys
import threading
import time

SECONDS = 3
ROUNDS = int(os.environ.get("ROUNDS", "3"))
COUNTS = [1, 20, 200]
# At most so many seconds for so many requests of the library, over plain HTTP.
MAXIMA = {1: 0.06, 20: 0.3, 200: 0.3}

# What waits, at which path, and the form of the program.
ROWS = [
    ("data", "head", "data"),
    ("download", "head", "download"),
    ("upload of data", "head", "upload"),
    ("upload of a file", "head", "file-upload"),
    ("upload of a stream", "head", "stream-upload"),
    ("stream, idle after its first byte", "body", "stream"),
]


class Handler(socketserver.StreamRequestHandler):
    """Answers requests of one connection."""

    def handle(self):
        while line := self.rfile.readline():
            _, target, _ = line.decode().split()
            fields = {}
            while (field := self.rfile.readline().strip()):
                name, _, value = field.decode().partition(":")
                fields[name.lower()] = value.strip()
            self.read_body(fields)
            place, seconds = target.strip("/").split("/")
            head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
            before, after = (b"", head + b"ok") if place == "head" else (head + b"o", b"k")
            self.wfile.write(before)
            time.sleep(int(seconds))
            self.wfile.write(after)

    def read_body(self, fields):
        if fields.get("transfer-encoding") == "chunked":
            while size := int(self.rfile.readline().strip() or b"0", 16):
                self.rfile.read(size + 2)
            self.rfile.readline()
        self.rfile.read(int(fields.get("content-length", "0")))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        pass  # A client that fails hangs up.


def processor_time(program, form, count, url, seconds):
    """In seconds, or None where the requests fail."""
    command = [program, form, str(count), url, str(seconds)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, env=os.environ | {"SWIFT_BACKTRACE": "enable=no"})
    except subprocess.TimeoutExpired:
        return None
    return float(done.stdout) if done.returncode == 0 else None


def cost_of_wait(program, form, count, url):
    costs = []
    for _ in range(ROUNDS):
        times = [processor_time(program, form, count, url, seconds) for seconds in (SECONDS, 0)]
        if None in times:
            return None
        costs.append(times[0] - times[1])
    return statistics.median(costs)


def text(cost):
    return "fails" if cost is None else f"{max(cost, 0):.2f} s"


def table(program, origin, title, rows, counts):
    """Prints a table, and returns the library's costs by count."""
    costs = []
    print(f"| {title} | " + " | ".join(f"{who}, {count}" for who in ("library", "alone") for count in counts) + " |")
    print("| --- |" + " ---: |" * (2 * len(counts)))
    for name, path, form in rows:
        url = f"{origin}/{path}"
        ours = [cost_of_wait(program, form, count, url) for count in counts]
        alone = [cost_of_wait(program, f"{form}-alone", count, url) for count in counts]
        costs += zip(counts, ours)
        print(f"| {name} | " + " | ".join(map(text, ours + alone)) + " |", flush=True)
    print()
    return costs


def main():
    program = sys.argv[1]
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    costs = table(program, f"http://127.0.0.1:{port}", "HTTP", ROWS, COUNTS)
    trusted = dict(pair.split("=") for pair in os.environ.get("TRUSTED_SERVERS", "").split())
    for name, title in (("http1", "HTTP/1.1 over TLS"), ("http2", "HTTP/2")):
        if name in trusted:
            costs += table(program, f"https://localhost:{trusted[name]}/loopback/{port}", title, ROWS, COUNTS[:2])
    if any(cost is None or cost > MAXIMA[count] for count, cost in costs):
        sys.exit("error: the library takes more processor time than it may, or fails")


if __name__ == "__main__":
    main()
