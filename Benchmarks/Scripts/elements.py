#!/usr/bin/env python3
"""Measures ResponseBytes.elements(_:at:) over loopback: against .jsonArray with albums of half a kilobyte, from a slow server,
and with deep and hostile documents. On Linux, all but the slow server on one core.

Usage: elements.py PROGRAM, where SIZES may name the megabytes of the albums
"""

import collections
import json
import os
import socketserver
import statistics
import subprocess
import sys
import threading
import time

MEGABYTE = 1_000_000
SIZES = [int(word) for word in os.environ.get("SIZES", "1 5 20 50 100 200").split()]  # megabytes
SLOW_SIZE = 20  # megabytes
SLOW_RATE = 6  # megabytes a second


def repeated(text, size):
    """A text again and again, in pieces of about 100 kB."""
    block = text * max(1, 100_000 // len(text))
    for _ in range(max(1, round(size / len(block)))):
        yield block


def album(number):
    tracks = [{"title": f"Track {track} of album {number}", "seconds": 180 + track} for track in range(6)]
    return json.dumps({
        "id": number, "name": f"The album with the number {number}", "artist": "Joni Mitchell", "year": 1971,
        "genres": ["folk", "jazz", "singer-songwriter"], "tracks": tracks,
        "note": "A member that the model does not have, as many documents have them.",
    })


ALBUMS = ",".join(album(number) for number in range(2000)).encode() + b","


def nested(levels):
    return b"[" * levels + b"1" + b"]" * levels + b","


# What a document begins with, repeats, and ends with. JSONDecoder accepts a comma after the last element.
ALBUM_DOCUMENTS = {"albums": (b"[", ALBUMS, b"]"), "slow-albums": (b"[", ALBUMS, b"]")}
HOSTILE_DOCUMENTS = {
    "elements of 512 levels": (b"[", nested(511), b"]"),
    "elements of 513 levels": (b"[", nested(512), b"]"),
    "brackets that open": (b"", b"[", b""),
    "one string": (b'["', b"0123456789", b'"]'),
    "one string of escapes": (b'["', b"\\\\\\u00e9", b'"]'),
    "empty elements": (b"[", b"{},", b"]"),
    "one key": (b'{"', b"0123456789", b'":1}'),
    "equal keys": (b"{", b'"key":0,', b"}"),
    "one long element": (b"[[", b'{"a":[0]},', b"]]"),
}
# In megabytes: a million empty elements, and otherwise what takes about a second.
HOSTILE_SIZES = collections.defaultdict(lambda: 10, {"one string": 100, "one string of escapes": 100, "empty elements": 3})
DOCUMENTS = ALBUM_DOCUMENTS | HOSTILE_DOCUMENTS


def document(name, size):
    """A document of about so many bytes, in pieces."""
    opening, text, closing = DOCUMENTS[name]
    yield opening
    yield from repeated(text, size)
    yield closing


def pieces_in_time(pieces, rate):
    """The same bytes in pieces of a hundredth of a second."""
    body = b"".join(pieces)
    length = rate * MEGABYTE // 100
    start = time.monotonic()
    for number, offset in enumerate(range(0, len(body), length)):
        time.sleep(max(0, start + number / 100 - time.monotonic()))
        yield body[offset:offset + length]


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 16
    sent = (0, 0)  # When the first piece and the last one were sent.


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        name, size = self.rfile.readline().split()[1].decode().replace("%20", " ").split("/")[-2:]
        while self.rfile.readline().strip():
            pass
        pieces = document(name, int(size)) if size != "0" else [b"[" + album(0).encode() + b"]"]
        if name == "slow-albums":
            pieces = pieces_in_time(pieces, SLOW_RATE)
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
        first = None
        try:
            for piece in pieces:
                first = first or time.monotonic()
                self.wfile.write(piece)
        except ConnectionError:
            pass  # Whoever refuses a document hangs up.
        self.server.sent = (first, time.monotonic())


Run = collections.namedtuple("Run", "count time memory first last end")


class Program:
    def __init__(self, path, server):
        self.path = path
        self.url = f"http://127.0.0.1:{server.server_address[1]}"

    def run(self, form, type, name, size, one_core=True):
        """Reads a document in a process of its own."""
        prefix = ["taskset", "-c", "0"] if one_core and sys.platform == "linux" else []
        url = f"{self.url}/{name.replace(' ', '%20')}/{size}"
        command = prefix + [self.path, form, type, url]
        words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        return Run(int(words[0]), float(words[1]), int(words[2]), float(words[3]), float(words[4]), words[5])


def compare_with_array(program):
    print("| albums | elements | .jsonArray | ratio | memory, elements | memory, .jsonArray |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for size in SIZES:
        rounds = 5 if size <= 20 else 3
        runs = [[program.run(form, "albums", "albums", size * MEGABYTE) for form in ("elements", "array")]
                for _ in range(rounds)]
        assert all(elements.count == array.count for elements, array in runs)
        times = [statistics.median(pair[form].time for pair in runs) / size * 1000 for form in (0, 1)]
        memory = [max(pair[form].memory for pair in runs) / MEGABYTE for form in (0, 1)]
        print(f"| {size} MB | {times[0]:.1f} ms/MB | {times[1]:.1f} ms/MB | {times[0] / times[1]:.2f} "
              f"| {memory[0]:.1f} MB | {memory[1]:.1f} MB |", flush=True)


def measure_slow_server(program, server):
    run = program.run("elements", "albums", "slow-albums", SLOW_SIZE * MEGABYTE, one_core=False)
    first, last = server.sent
    print(f"\n{run.count} albums at {SLOW_RATE} MB/s, for {last - first:.2f} s: the first {1000 * (run.first - first):.1f} ms "
          f"after the first piece, the last {1000 * (run.last - last):.1f} ms after the last byte "
          f"({100 * (run.last - last) / (last - first):.2f} %), {run.memory / MEGABYTE:.1f} MB above the start.\n", flush=True)


def measure_hostile_documents(program):
    print("| document | a quarter | all of it | ratio | memory | elements | ends as with .jsonValues |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for name in HOSTILE_DOCUMENTS:
        size = HOSTILE_SIZES[name] * MEGABYTE
        quarter, whole = [min((program.run("elements", "anything", name, size // part) for _ in range(3)),
                              key=lambda run: run.time) for part in (4, 1)]
        expected = program.run("values", "anything", name, size)
        assert whole.end == expected.end and (whole.end == "refused" or whole.count == expected.count), (whole, expected)
        # What is refused at its beginning takes no time that says anything.
        ratio = f"{whole.time / quarter.time:.1f}" if whole.end == "complete" else "–"
        print(f"| {name}, {size // MEGABYTE} MB | {quarter.time * 1000:.0f} ms | {whole.time * 1000:.0f} ms "
              f"| {ratio} | {whole.memory / MEGABYTE:.1f} MB | {whole.count} | {whole.end} |", flush=True)


def main():
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = Program(sys.argv[1], server)
    compare_with_array(program)
    measure_slow_server(program, server)
    measure_hostile_documents(program)


if __name__ == "__main__":
    main()
