"""Measures the pages of the documentation in a browser.

    pages.py DOCUMENTATION...       fails when a page has too many words, scrolls sideways or cuts a table on a phone, or when
                                    a request of the pages fails

Needs `playwright` from PyPI, and Chromium or Chrome. The length of a page is its words, with those of its code: its height
depends on the fonts of the machine. The symbols of URLSession are one page, which may be long.
"""

import shutil
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sys.exit("error: Python has no module playwright: install it with `pip install playwright`")

DESK, PHONE = 1280, 390
MOST_WORDS = 1800
MAY_BE_LONG = ["/documentation/urlsessionresult/foundation/urlsession"]
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
BROWSER_OF_MACS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

WORDS = "document.querySelector('.doc-topic, .article').innerText.split(/\\s+/).length"
WIDTH = "document.documentElement.scrollWidth"
# A table that is too wide scrolls in a box of its own, and its last column is out of sight.
CUT_TABLES = """[...document.querySelectorAll('.table-wrapper')].filter(box => box.scrollWidth > box.clientWidth).length"""
# Two frames after the content is there, it is laid out.
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Handler(SimpleHTTPRequestHandler):
    """Answers with the files of the documentation. Every page is the same file, whose script loads the data of the page."""

    def do_GET(self):
        if self.path.startswith("/documentation/"):
            self.path = "/index.html"
        super().do_GET()

    def log_message(self, *arguments):
        pass


def serve(folder):
    """Serves the documentation on loopback, and gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def pages_of(folder):
    data = folder / "data"
    return ["/" + file.relative_to(data).with_suffix("").as_posix() for file in sorted(data.rglob("*.json"))]


def launch(playwright):
    paths = [*map(shutil.which, BROWSERS), BROWSER_OF_MACS, playwright.chromium.executable_path]
    installed = [path for path in paths if path and Path(path).exists()]
    if not installed:
        sys.exit("error: there is no browser: install Chromium or Chrome, or run `playwright install chromium`")
    return playwright.chromium.launch(executable_path=installed[0])


def measure(tab, address):
    """The words on a desk; on a phone, the width and the number of tables that are cut."""
    tab.set_viewport_size({"width": DESK, "height": 800})
    tab.goto(address)
    tab.wait_for_selector(".doc-topic, .article")
    tab.evaluate(SETTLED)
    words = tab.evaluate(WORDS)
    tab.set_viewport_size({"width": PHONE, "height": 800})
    tab.evaluate(SETTLED)
    return words, tab.evaluate(WIDTH), tab.evaluate(CUT_TABLES)


def check(folder, tab):
    """Measures the pages of a folder. Gives their words and what is wrong with them."""
    address, lengths, problems, failures = serve(folder), {}, [], set()

    def note(response):
        if response.status >= 400:
            failures.add(f"{response.status} {response.url}")

    tab.on("response", note)
    for page in pages_of(folder):
        lengths[page], width, cut_tables = measure(tab, address + page)
        if lengths[page] > MOST_WORDS and page not in MAY_BE_LONG:
            problems.append(f"{page}: error: {lengths[page]} words; {MOST_WORDS} are the limit")
        if width > PHONE:
            problems.append(f"{page}: error: {width} px wide on a phone, which has {PHONE}")
        if cut_tables:
            problems.append(f"{page}: error: {cut_tables} tables are cut on a phone")
    return lengths, problems + [f"{folder}: error: {failure}" for failure in sorted(failures)]


lengths, problems = {}, []
with sync_playwright() as playwright:
    browser = launch(playwright)
    for folder in map(Path, sys.argv[1:]):
        lengths_of_folder, problems_of_folder = check(folder, browser.new_page())
        lengths |= lengths_of_folder
        problems += problems_of_folder
    browser.close()
for page in sorted(lengths, key=lengths.get, reverse=True)[:10]:
    print(f"{lengths[page]:6} words  {page}")
if problems:
    sys.exit("\n".join(problems))
print(f"{len(lengths)} pages fit a desk and a phone, and no request of them fails.")
