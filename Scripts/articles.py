"""Keeps the articles and the README true: their code is code that is compiled, and the tests they name exist.

    articles.py update      copies the snippets into the texts
    articles.py check       fails where a text and its snippet differ, or names a test that does not exist

A snippet lies between `// snippet.NAME` and `// snippet.end` in a Swift file. In a text, `<!-- snippet: NAME -->` stands
before the block that shows it. Blocks of Swift without such a line are refused, but for those that `<!-- program -->`
marks: `readme.py` builds and runs them.
"""

import re
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parent.parent
SNIPPETS = ["Tests/Snippets", "Tests/SnippetsOnMainActor", "Tests/Peers/Sources"]
TEXTS = [ROOT / "README.md", *sorted((ROOT / "Sources/URLSessionResult/URLSessionResult.docc").rglob("*.md"))]
REPOSITORY = "https://github.com/URLSessionResult/URLSessionResult/blob/main/"

SNIPPET = re.compile(r"^ *// snippet\.(?!end)([\w-]+)\n(.*?)^ *// snippet\.end$", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(
    r"(?:<!-- (?:snippet: (?P<name>[\w-]+)|(?P<program>program)) -->\n)?```swift\n(?P<code>.*?)```\n", re.DOTALL)
TEST = re.compile(r"\[(?P<sentence>[^]]+)\]\(" + re.escape(REPOSITORY) + r"(?P<path>Tests/[^)]+)\)")


def snippets():
    found = {}
    files = [file for folder in SNIPPETS for file in (ROOT / folder).rglob("*.swift") if not file.is_symlink()]
    for file in sorted(files):
        for name, code in SNIPPET.findall(file.read_text()):
            if name in found:
                sys.exit(f"{file}: error: there are two snippets of the name {name}")
            found[name] = dedent(code)
    return found


def problems(file, text, snippets):
    for block in BLOCK.finditer(text):
        line, name = text.count("\n", 0, block.start()) + 1, block["name"]
        if block["program"]:
            continue
        if name is None:
            yield f"{file}:{line}: error: this code comes from no snippet"
        elif name not in snippets:
            yield f"{file}:{line}: error: there is no snippet of the name {name}"
        elif block["code"] != snippets[name]:
            yield f"{file}:{line}: error: this code is not that of the snippet {name}; run `make snippets`"
    for test in TEST.finditer(text):
        line, source = text.count("\n", 0, test.start()) + 1, ROOT / test["path"]
        if not source.exists() or f'"{test["sentence"]}"' not in source.read_text():
            yield f"{file}:{line}: error: {test['path']} has no test “{test['sentence']}”"


def filled(text, snippets):
    def fill(block):
        code = snippets.get(block["name"])
        return block[0] if code is None else f'<!-- snippet: {block["name"]} -->\n```swift\n{code}```\n'

    return BLOCK.sub(fill, text)


snippets = snippets()
if sys.argv[1] == "update":
    for file in TEXTS:
        file.write_text(filled(file.read_text(), snippets))
found = [problem for file in TEXTS for problem in problems(file, file.read_text(), snippets)]
used = {block["name"] for file in TEXTS for block in BLOCK.finditer(file.read_text())}
found += [f"error: no text shows the snippet {name}" for name in snippets if name not in used]
print("\n".join(found) or f"{len(snippets)} snippets in {len(TEXTS)} texts")
sys.exit(bool(found))
