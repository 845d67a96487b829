#!/usr/bin/env python3
"""Measures ResponseBytes.elements(_:at:) against .jsonArray, with albums of half a kilobyte over loopback."""

import itertools
import json
import os
import socketserver
import statistics
import subprocess
import sys
import threading
import time

MEGABYTE = 1_000_000
SIZES = [int(w) for w in os.environ.get("SIZES", "1 5 20 50 100 200").split()]  # megabytes
SLOW_SIZE = 20  # megabytes
SLOW_RATE = 6  # megabytes a second


def album(number):
    tracks = [{"title": f"Track {track} of album {number}", "seconds": 180 + track} for track in range(6)]
    return json.dumps({
        "id": number, "name": f"The album with the number {number}", "artist": "Joni Mitchell", "year": 1971,
        "genres": ["folk", "jazz", "singer-songwriter"], "tracks": tracks,
        "note": "A member that the model does not have, as many documents have them.",
    })


BLOCK = ",".join(album(number) for number in range(2000)).encode()


def document(size):
    """An array of albums of a number of bytes or a little more, in pieces."""
    yield b"["
    blocks = max(1, round(size / len(BLOCK)))
    for number in range(blocks):
        yield BLOCK if number == 0 else b"," + BLOCK
    yield b"]"


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
        path = self.rfile.readline().split()[1].decode()
        while self.rfile.readline().strip():
            pass
        form, size = path.split("/")[-2:]
        pieces = document(int(size) * MEGABYTE) if size != "0" else [b"[" + album(0).encode() + b"]"]
        if form == "slow":
            pieces = pieces_in_time(pieces, SLOW_RATE)
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
        first = None
        for piece in pieces:
            self.wfile.write(piece)
            first = first or time.monotonic()
        self.server.sent = (first, time.monotonic())


def run(program, form, url, one_core=True):
    """Returns what the program prints: count, processor time, memory, time of the first album and of the last."""
    prefix = ["taskset", "-c", "0"] if one_core and sys.platform == "linux" else []
    words = subprocess.run(prefix + [program, form, url], check=True, capture_output=True, text=True).stdout.split()
    return int(words[0]), float(words[1]), int(words[2]), float(words[3]), float(words[4])


def main():
    program = sys.argv[1]
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"

    print("| document | elements, ms/MB | .jsonArray, ms/MB | ratio | memory, elements | memory, .jsonArray |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for size in SIZES:
        rounds = 5 if size <= 20 else 1
        runs = [[run(program, form, f"{url}/fast/{size}") for form in ("elements", "array")] for _ in range(rounds)]
        assert all(elements[0] == array[0] for elements, array in runs)
        times = [statistics.median(pair[form][1] for pair in runs) / size * 1000 for form in (0, 1)]
        memory = [max(pair[form][2] for pair in runs) / MEGABYTE for form in (0, 1)]
        print(f"| {size} MB | {times[0]:.1f} | {times[1]:.1f} | {times[0] / times[1]:.2f} "
              f"| {memory[0]:.1f} MB | {memory[1]:.1f} MB |", flush=True)

    count, _, memory, first, last = run(program, "elements", f"{url}/slow/{SLOW_SIZE}", one_core=False)
    sent_first, sent_last = server.sent
    duration = sent_last - sent_first
    print()
    print(f"{count} albums at {SLOW_RATE} MB/s, {duration:.2f} s: the first {1000 * (first - sent_first):.1f} ms after the "
          f"first piece, the last {1000 * (last - sent_last):.1f} ms after the last byte "
          f"({100 * (last - sent_last) / duration:.2f} %), {memory / MEGABYTE:.1f} MB above the start.")


if __name__ == "__main__":
    main()
