#!/usr/bin/env python3
"""Prints the memory that a transfer over loopback takes at its peak, above the start: medians of five processes.

Usage: memory.py PROGRAM, where SIZE may name the megabytes of a body, and ROUNDS the processes
"""

import json
import os
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading

MEBIBYTE = 1 << 20
SIZE = int(os.environ.get("SIZE", "1024")) * MEBIBYTE
# Decoding takes about 40 s for a gibibyte, and its memory does not depend on the size.
SIZE_OF_ELEMENTS = SIZE // 8
ROUNDS = int(os.environ.get("ROUNDS", "5"))
PIECE = bytes(MEBIBYTE)
ALBUM = json.dumps({"id": 7, "name": "Hejira", "artist": "Joni Mitchell", "note": "x" * 400}).encode() + b","

# What is transferred, at which path, and with which form of the program: the library's and URLSession's.
ROWS = [
    ("upload of a file", "upload", "upload", "upload-alone"),
    ("… with progress", "upload", "upload-progress", "upload-alone"),
    ("… after a 307", "redirected", "upload", "upload-alone"),
    ("… after a 401", "challenged", "upload", "upload-alone"),
    ("download", "zeros", "download", "download-alone"),
    ("stream", "zeros", "stream", "stream-alone"),
    ("elements of a stream", "albums", "elements", None),
]
# By row: at most so much, and at most so much more than URLSession alone or the other, whichever is more.
MAXIMUM_OF_UPLOAD, MAXIMUM, MAXIMUM_ABOVE_ALONE = 20e6, 30e6, 10e6


class Handler(socketserver.StreamRequestHandler):
    """Answers requests of one connection."""

    def handle(self):
        while line := self.rfile.readline():
            method, target, _ = line.decode().split()
            fields = {}
            while (field := self.rfile.readline().strip()):
                name, _, value = field.decode().partition(":")
                fields[name.lower()] = value.strip()
            self.answer(method, target.strip("/"), fields)

    def answer(self, method, path, fields):
        if method == "PUT":
            length = self.read_body(fields)
            if path == "redirected":
                return self.head("307 Temporary Redirect", 0, "Location: /upload")
            if path == "challenged" and "authorization" not in fields:
                return self.head("401 Unauthorized", 0, 'WWW-Authenticate: Basic realm="albums"')
            return self.head("200 OK" if length == SIZE else "400 Bad Request", 0)
        if path == "short":
            self.head("200 OK", 2)
            self.wfile.write(b"[]")
        elif path == "zeros":
            self.head("200 OK", SIZE)
            for _ in range(SIZE // MEBIBYTE):
                self.wfile.write(PIECE)
        elif path == "albums":
            block = ALBUM * (MEBIBYTE // len(ALBUM))
            count = SIZE_OF_ELEMENTS // len(block)
            self.head("200 OK", count * len(block) + 2)
            self.wfile.write(b"[")
            for _ in range(count):
                self.wfile.write(block)
            # JSONDecoder accepts a comma after the last element.
            self.wfile.write(b"]")

    def read_body(self, fields):
        if fields.get("expect") == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        length = missing = int(fields.get("content-length", "0"))
        buffer = memoryview(bytearray(MEBIBYTE))
        while missing and (count := self.rfile.readinto(buffer[:min(missing, len(buffer))])):
            missing -= count
        return length - missing

    def head(self, status, length, field=None):
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {length}", *([field] if field else []), "", ""]
        self.wfile.write("\r\n".join(lines).encode())


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # A client that fails hangs up.


def peak(program, form, url):
    """The bytes above the start, or None where the transfer fails."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "file")
        if form.startswith("upload"):
            with open(file, "wb") as output:
                output.truncate(SIZE)
        command = [program, form, url, file]
        # A crash need not print where.
        environment = os.environ | {"SWIFT_BACKTRACE": "enable=no"}
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
        except subprocess.TimeoutExpired:
            return None
        return int(done.stdout) if done.returncode == 0 else None


def main():
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    is_within = True
    print(f"| {SIZE // MEBIBYTE} MiB | library | URLSession alone |")
    print("| --- | ---: | ---: |")
    for name, path, *forms in ROWS:
        medians, url = [], f"http://127.0.0.1:{server.server_address[1]}/{path}"
        for form in forms:
            peaks = [peak(sys.argv[1], form, url) for _ in range(ROUNDS)] if form else []
            medians.append(statistics.median(peaks) if peaks and None not in peaks else None)
        ours, alone = medians
        texts = [f"{median / 1e6:.1f} MB" if median is not None else "fails" if form else "–"
                 for form, median in zip(forms, medians)]
        print(f"| {name} | {' | '.join(texts)} |", flush=True)
        maximum = MAXIMUM_OF_UPLOAD if forms[0].startswith("upload") else max(MAXIMUM, (alone or 0) + MAXIMUM_ABOVE_ALONE)
        is_within &= ours is not None and ours <= maximum
    if not is_within:
        sys.exit("error: the library takes more memory than it may, or fails")


if __name__ == "__main__":
    main()
