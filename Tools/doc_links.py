"""Copies both catalogues into one, so that the pages of each link those of the other, and turns their links into those of DocC.

    doc_links.py CATALOGUE

Articles link each other as Markdown does, `[Handle errors](HandlingErrors.md#log-errors-safely)`, so that the links work wherever the
files are read: in a clone, or in a browser. DocC follows `<doc:HandlingErrors#Log-errors-safely>` alone.
"""

import re
import shutil
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "Sources"

LINK = re.compile(r"\[(?P<name>[^\]]+)\]\((?:[\w./-]*/)?(?P<article>\w+)\.md(?:#(?P<anchor>[\w-]+))?\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def headings(text):
    """The anchors of DocC by those of Markdown."""
    names = HEADING.findall(FENCE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-"): re.sub(r"[^\w\- ]", "", name).replace(" ", "-") for name in names}


def converted(text, anchors):
    def link(match):
        anchor = match["anchor"]
        target = match["article"] + (f"#{anchors[match['article']][anchor]}" if anchor else "")
        return f"[{match['name']}](<doc:{target}>)"

    def topic(match):
        return f"- <doc:{match['article']}>"

    parts = FENCE.split(text)
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"^- " + LINK.pattern + "$", topic, parts[index], flags=re.MULTILINE)
        parts[index] = LINK.sub(link, parts[index])
    return "".join(parts)


catalogue = Path(sys.argv[1])
shutil.rmtree(catalogue, ignore_errors=True)
shutil.copytree(SOURCES / "URLSessionResult/URLSessionResult.docc", catalogue)
shutil.copytree(SOURCES / "URLSessionResultClient/URLSessionResultClient.docc", catalogue / "Client")
articles = {file: file.read_text() for file in catalogue.rglob("*.md")}
anchors = {file.stem: headings(text) for file, text in articles.items()}
for file, text in articles.items():
    file.write_text(converted(text, anchors))
