"""Keeps the articles and the README true: their code compiles, it is tested code, and the tests they name exist.

    articles.py update      copies the snippets into the texts
    articles.py check       fails where a text and its snippet differ, where code is too wide for its page, where a text names
                            a test that does not exist, or where `Tests/README.md` has no tests for a promise
    articles.py compile     compiles the code blocks of each article, one after the other: as a program, whose statements the
                            main actor runs, and as code of an app's target, where it owns everything else as well

A snippet lies between `// snippet.NAME` and `// snippet.end` in a Swift file of the tests. In a text,
`<!-- snippet: NAME -->` stands before the block that shows it. Other blocks of an article are only compiled; one inside a
comment is compiled and not shown. The README is not compiled here: its blocks are snippets, or `readme.py` builds and runs
them (`<!-- program -->`, `<!-- tests -->`).
"""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "Sources/URLSessionResult/URLSessionResult.docc"
README = ROOT / "README.md"
PROMISES = CATALOGUE / "Articles/Guarantees.md"
TESTS_OF_PROMISES = ROOT / "Tests/README.md"
LIBRARIES = ["URLSessionResult", "URLSessionResultTesting"]
ARTICLES = sorted(CATALOGUE.rglob("*.md"))
# What a window of 1280 pixels shows beside DocC's sidebar, and what a phone shows of a README on GitHub.
MOST_COLUMNS = 72
MOST_COLUMNS_ON_PHONE = 38
# What a phone shows of a page of DocC, for the first example of these articles.
MOST_COLUMNS_OF_DOCC_ON_PHONE = 35
FIRST_ARTICLES = ["URLSessionResult", "GettingStarted"]

# Code of the packages that people move from. A machine may not have them, so articles are compiled without it.
OTHER_PACKAGES = ROOT / "Tests/Peers"
HTTP_TYPES = ROOT / "Tests/HTTPTypes"
SNIPPETS = [ROOT / "Tests/Snippets", ROOT / "Tests/SnippetsOnMainActor", ROOT / "Tests/URLSessionResultTests/Recipes"]
SNIPPETS += [OTHER_PACKAGES / "Sources", HTTP_TYPES / "Tests"]

MAIN_ACTOR = ["-default-isolation", "MainActor"]
OPTIONS = {"MainActorIsolation": MAIN_ACTOR}
# What Xcode gives the target of a new app, beside the language mode.
APP_TARGET = [*MAIN_ACTOR]
for feature in ["NonisolatedNonsendingByDefault", "InferIsolatedConformances", "MemberImportVisibility"]:
    APP_TARGET += ["-enable-upcoming-feature", feature]
# What such a target has to call nonisolated: models, and functions that handlers call. See MainActorIsolation.md.
NONISOLATED = re.compile(
    r"^(?=struct \w+: .*(?:Codable|Decodable)|struct PNG\b|func show\b)", re.MULTILINE)
# Data races are found after type-checking.
CHECK = ["-emit-sil", "-o", "/dev/null"]
# The import of the module that an article tests. The blocks before it are the module; it begins a file of the tests.
TESTED_MODULE = re.compile(r"^@testable import (?P<name>\w+)$", re.MULTILINE)
# Packages whose modules an article imports.
PACKAGES = {"UseHTTPTypes": HTTP_TYPES}

SNIPPET = re.compile(r"^ *// snippet\.(?!end)([\w-]+)\n(.*?)^ *// snippet\.end$", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(
    r"(?:<!-- (?:snippet: (?P<name>[\w-]+)|(?P<program>program|tests)) -->\n)?```swift\n(?P<code>.*?)```\n", re.DOTALL)
SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
TEST = re.compile(r"`(?P<suite>\w+Tests)`: “(?P<sentence>[^”]+)”")


class Snippets:
    """The snippets by their names, and which of them are code of other packages."""

    def __init__(self):
        self.code = {}
        self.of_other_packages = set()
        files = [file for folder in SNIPPETS for file in folder.rglob("*.swift") if ".build" not in file.parts]
        for file in sorted(file for file in files if not file.is_symlink()):
            for name, code in SNIPPET.findall(file.read_text()):
                if name in self.code:
                    sys.exit(f"{file}: error: there are two snippets of the name {name}")
                self.code[name] = dedent(code)
                if file.is_relative_to(OTHER_PACKAGES):
                    self.of_other_packages.add(name)


def line_number(text, position):
    return text.count("\n", 0, position) + 1


def problems_of_code(file, text, snippets):
    for block in BLOCK.finditer(text):
        place, name = f"{file}:{line_number(text, block.start())}", block["name"]
        if name is None and file == README and not block["program"]:
            yield f"{place}: error: this code comes from no snippet"
        elif name is not None and name not in snippets.code:
            yield f"{place}: error: there is no snippet of the name {name}"
        elif name is not None and block["code"] != snippets.code[name]:
            yield f"{place}: error: this code is not that of the snippet {name}; run `make snippets`"


def problems_of_width(file, text, most_columns=MOST_COLUMNS):
    for block in re.finditer(r"```\w*\n(.*?)```\n", text, re.DOTALL):
        for number, line in enumerate(block[1].splitlines(), line_number(text, block.start()) + 1):
            if len(line) > most_columns:
                yield f"{file}:{number}: error: {len(line)} columns of code; {most_columns} fit"


def problems_of_first_example(file, text):
    shown = re.sub(r"<!--\n.*?-->", "", text, flags=re.DOTALL)
    columns = max(map(len, BLOCK.search(shown)["code"].splitlines()))
    if columns > MOST_COLUMNS_OF_DOCC_ON_PHONE:
        yield f"{file}: error: {columns} columns of code in the first example; {MOST_COLUMNS_OF_DOCC_ON_PHONE} fit a phone"


def problems_of_comments(file):
    """Code that the documentation of a symbol shows."""
    comments = (re.match(r"\s*///(?: (.*))?", line) for line in file.read_text().splitlines())
    comments = "\n".join(comment[1] or "" if comment else "" for comment in comments)
    return problems_of_width(file, comments)


def problems_of_tests(file, text):
    for test in TEST.finditer(text):
        sources = (ROOT / "Tests/URLSessionResultTests").rglob(f"{test['suite']}.swift")
        if not any(f'"{test["sentence"]}"' in source.read_text() for source in sources):
            place = f"{file}:{line_number(text, test.start())}"
            yield f"{place}: error: {test['suite']} has no test “{test['sentence']}”"


def problems_of_promises():
    text = TESTS_OF_PROMISES.read_text()
    yield from problems_of_tests(TESTS_OF_PROMISES, text)
    promises = {heading for heading, _ in SECTION.findall(PROMISES.read_text())} - {"Overview"}
    tested = {heading for heading, section in SECTION.findall(text) if TEST.search(section)}
    for promise in sorted(promises - tested):
        yield f"{TESTS_OF_PROMISES}: error: the promise “{promise}” has no tests"
    for promise in sorted(tested - promises):
        yield f"{TESTS_OF_PROMISES}: error: {PROMISES.name} has no promise “{promise}”"


def update(snippets):
    def fill(block):
        code = snippets.code.get(block["name"])
        return block[0] if code is None else f'<!-- snippet: {block["name"]} -->\n```swift\n{code}```\n'

    for file in [README, *ARTICLES]:
        file.write_text(BLOCK.sub(fill, file.read_text()))


def check(snippets):
    found, used = [], set()
    for file in [README, *ARTICLES]:
        text = file.read_text()
        found += [*problems_of_code(file, text, snippets), *problems_of_tests(file, text)]
        if file == README:
            first_examples = text.split("<details>")[0]
            found += problems_of_width(file, first_examples, MOST_COLUMNS_ON_PHONE)
        else:
            found += problems_of_width(file, text)
        if file.stem in FIRST_ARTICLES:
            found += problems_of_first_example(file, text)
        used |= {block["name"] for block in BLOCK.finditer(text)}
    for file in sorted(CATALOGUE.parent.rglob("*.swift")):
        found += problems_of_comments(file)
    found += problems_of_promises()
    found += [f"error: no text shows the snippet {name}" for name in snippets.code if name not in used]
    if found:
        sys.exit("\n".join(found))
    print(f"{len(snippets.code)} tested snippets in {len(ARTICLES)} articles and the README; none is out of date.")


@cache
def modules(package):
    """Builds a package and gives the folder of its modules."""
    targets = [["--target", library] for library in LIBRARIES] if package == ROOT else [["--build-tests"]]
    build = ["swift", "build", "--package-path", package]
    for target in targets:
        subprocess.run([*build, *target], check=True, stdout=sys.stderr)
    path = subprocess.run([*build, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return Path(path.strip()) / "Modules"


def swiftc(source, article, code, *options):
    """Compiles code as a file of its own."""
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(code)
    search = ["-I", modules(PACKAGES.get(article.stem, ROOT)), "-I", source.parent]
    command = ["swiftc", "-swift-version", "6", "-warnings-as-errors", *search, *OPTIONS.get(article.stem, []), *options]
    if subprocess.run([*command, source]).returncode != 0:
        sys.exit(f"{article}: error: its code blocks don't compile one after the other; they are in {source}")


def compile_program(article, blocks, folder):
    # A file of this name may have statements beside declarations.
    program = "\n".join(blocks)
    swiftc(folder / "main.swift", article, program, *CHECK)
    swiftc(folder / "app/main.swift", article, NONISOLATED.sub("nonisolated ", program), *APP_TARGET, *CHECK)


def compile_tests(article, library, tests, folder):
    module = TESTED_MODULE.search(tests[0])["name"]
    library_options = ["-module-name", module, "-enable-testing", "-emit-module", "-o", folder / f"{module}.swiftmodule"]
    swiftc(folder / f"{module}.swift", article, "\n".join(library), "-parse-as-library", *library_options)
    tests_options = ["-module-name", f"{module}Tests", *CHECK]
    swiftc(folder / f"{module}Tests.swift", article, "\n".join(tests), "-parse-as-library", *tests_options)


def compile_article(article, blocks, folder):
    begins_tests = [index for index, block in enumerate(blocks) if TESTED_MODULE.search(block)]
    if begins_tests:
        start = begins_tests[0]
        compile_tests(article, blocks[:start], blocks[start:], folder)
    else:
        compile_program(article, blocks, folder)


def compile_articles(snippets):
    folder = ROOT / ".build/articles"
    compiled = 0
    for article in ARTICLES:
        blocks = [block for block in BLOCK.finditer(article.read_text())]
        blocks = [block["code"] for block in blocks if block["name"] not in snippets.of_other_packages]
        if blocks:
            compile_article(article, blocks, folder / article.stem)
            compiled += 1
    print(f"The code blocks of {compiled} articles compile, in order, each article by itself: see {folder}.")


match sys.argv[1]:
    case "update":
        update(Snippets())
        check(Snippets())
    case "check":
        check(Snippets())
    case "compile":
        compile_articles(Snippets())
