"""Keeps the articles and the README true: their code compiles, it is tested code, and the tests they name exist.

    articles.py update      copies the snippets into the texts
    articles.py check       fails where a text and its snippet differ, where code is too wide for its page, where a text names
                            a test that does not exist, where `Tests/README.md` has no tests for a promise, where the README or
                            the catalogue is too long, or where no title has a word that people search for
    articles.py compile     compiles the code blocks of each text as they are printed, one after the other, in each context in
                            which a reader may paste them: nonisolated, in a class on the main actor, and in the target of a
                            new app, where the main actor is the default

A snippet lies between `// snippet.NAME` and `// snippet.end` in a Swift file of the tests. In a text,
`<!-- snippet: NAME -->` stands before the block that shows it. Other blocks of an article are only compiled; one inside a
comment is compiled and not shown. `readme.py` builds and runs what follows `<!-- program -->` and `<!-- manifest -->`.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "Sources/URLSessionResult/URLSessionResult.docc"
CLIENT_CATALOGUE = ROOT / "Sources/URLSessionResultClient/URLSessionResultClient.docc"
README = ROOT / "README.md"
EXAMPLES = ROOT / "Examples/README.md"
PROMISES = CATALOGUE / "Articles/Guarantees.md"
TESTS_OF_PROMISES = ROOT / "Tests/README.md"
LIBRARIES = ["URLSessionResult", "URLSessionResultClient", "URLSessionResultTesting"]
ARTICLES = sorted([*CATALOGUE.rglob("*.md"), *CLIENT_CATALOGUE.rglob("*.md")])
# What a window of 1280 pixels shows beside DocC's sidebar.
MOST_COLUMNS = 72
# What a phone shows of a page of DocC, for the first example of the landing page.
MOST_COLUMNS_OF_DOCC_ON_PHONE = 35
MOST_WORDS_OF_README = 450
MOST_WORDS_OF_PROSE = 8_500
MOST_WORDS_OF_CATALOGUE = 19_000
SEARCH_WORDS = [
    "401", "404", "API key", "auth", "back-off", "background", "base URL", "cache", "cancel", "certificate", "Combine", "concurrency limit", "cookies", "cURL", "dates", "download",
    "ETag", "isolation", "language model", "large JSON", "log", "main actor", "mock", "multipart", "NDJSON", "pagination", "pin", "progress", "resume",
    "retry", "SessionStub", "snake_case", "SSE", "SwiftUI", "timeout", "token", "urlencoded", "WebSockets"]
LANDING_PAGE = "URLSessionResult"

# Code of the packages that people move from. A machine may not have them, so articles are compiled without it.
OTHER_PACKAGES = ROOT / "Tests/Peers"
HTTP_TYPES = ROOT / "Tests/HTTPTypes"
SNIPPETS = [ROOT / "Tests/Snippets", ROOT / "Tests/SnippetsOnMainActor", *(ROOT / "Tests").glob("TestsWith*/*/Recipes")]
SNIPPETS += [OTHER_PACKAGES / "Sources", HTTP_TYPES / "Tests"]

MAIN_ACTOR = ["-default-isolation", "MainActor"]
# What Xcode gives the target of a new app, beside the language mode.
APP_TARGET = [*MAIN_ACTOR]
for feature in ["NonisolatedNonsendingByDefault", "InferIsolatedConformances", "MemberImportVisibility"]:
    APP_TARGET += ["-enable-upcoming-feature", feature]
# Where code is pasted: the function that runs its statements, and the options of its module. Declarations stand at file scope.
CONTEXTS = {
    "nonisolated": ("struct Pasted", []),
    "main-actor-class": ("@MainActor final class Pasted", []),
    "app-target": ("final class Pasted", APP_TARGET),
}
# The options of a tested module and of its tests.
CONTEXTS_OF_TESTS = {"nonisolated": ([], []), "app-target": (APP_TARGET, []), "app-and-tests": (APP_TARGET, APP_TARGET)}
# A line that belongs to the one before, one that belongs to the one after, and what stands at file scope.
CONTINUES = re.compile(r"[{})\].]|(?:else|catch|case|default|where)\b")
LEADS = re.compile(r"//|@[^{]*$")
DECLARATION = re.compile(
    r"^(?:@\w+ |nonisolated |final |private |fileprivate )*"
    r"(?:import|struct|enum|class|actor|extension|protocol|func|typealias)\b", re.MULTILINE)
CONSTANT = re.compile(r"^let ", re.MULTILINE)
VARIABLE = re.compile(r"^(?:let|var) (\w+)", re.MULTILINE)
# Data races are found after type-checking.
CHECK = ["-emit-sil", "-o", "/dev/null"]
# The import of the module that an article tests. The blocks before it are the module; it begins a file of the tests.
TESTED_MODULE = re.compile(r"^@testable import (?P<name>\w+)$", re.MULTILINE)
# Packages whose modules an article imports.
PACKAGES = {"UseHTTPTypes": HTTP_TYPES}

SNIPPET = re.compile(r"^ *// snippet\.(?!end)([\w-]+)\n(.*?)^ *// snippet\.end$", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(
    r"(?:<!-- (?:snippet: (?P<name>[\w-]+)|(?P<program>program|manifest)) -->\n)?```swift\n(?P<code>.*?)```\n", re.DOTALL)
HIDDEN = re.compile(r"<!--\n.*?-->", re.DOTALL)
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
        if name is not None and name not in snippets.code:
            yield f"{place}: error: there is no snippet of the name {name}"
        elif name is not None and block["code"] != snippets.code[name]:
            yield f"{place}: error: this code is not that of the snippet {name}; run `make snippets`"


def problems_of_width(file, text):
    for block in re.finditer(r"```\w*\n(.*?)```\n", text, re.DOTALL):
        for number, line in enumerate(block[1].splitlines(), line_number(text, block.start()) + 1):
            if len(line) > MOST_COLUMNS:
                yield f"{file}:{number}: error: {len(line)} columns of code; {MOST_COLUMNS} fit"


def problems_of_first_example(file, text):
    columns = max(map(len, BLOCK.search(HIDDEN.sub("", text))["code"].splitlines()))
    if columns > MOST_COLUMNS_OF_DOCC_ON_PHONE:
        yield f"{file}: error: {columns} columns of code in the first example; {MOST_COLUMNS_OF_DOCC_ON_PHONE} fit a phone"


def problems_of_readme(text):
    shown = HIDDEN.sub("", text)
    yield from problems_of_width(README, shown)
    for block in BLOCK.finditer(shown):
        if block["name"] is None and not block["program"]:
            yield f"{README}: error: this code comes from no snippet:\n{block['code']}"
    if (words := len(text.split())) > MOST_WORDS_OF_README:
        yield f"{README}: error: {words} words; {MOST_WORDS_OF_README} are the limit"


def words(text):
    """The words of prose, which are neither in code nor in a table, and all words. A link to an article is one, as its title is elsewhere."""
    text = re.sub(r"\[[^\]]+\]\([^)\s]+\.md[^)\s]*\)", "link", text)
    prose = re.sub(r"^(?:```.*?^```|\|.*?)$", "", HIDDEN.sub("", text), flags=re.DOTALL | re.MULTILINE)
    return len(prose.split()), len(text.split())


def problems_of_length():
    counted = [words(file.read_text()) for file in ARTICLES]
    limits = [("of prose", MOST_WORDS_OF_PROSE), ("in all", MOST_WORDS_OF_CATALOGUE)]
    for (what, limit), count in zip(limits, map(sum, zip(*counted))):
        if count > limit:
            yield f"{CATALOGUE}: error: {count} words {what}; {limit} are the limit"


def problems_of_titles():
    """What people type into the filter of the navigator, which looks at titles alone."""
    titles = [file.read_text().splitlines()[0].lower() for file in ARTICLES]
    for word in SEARCH_WORDS:
        if not any(word.lower() in title for title in titles):
            yield f"{CATALOGUE}: error: no title has “{word}”"


def problems_of_comments(file):
    """Code that the documentation of a symbol shows."""
    comments = (re.match(r"\s*///(?: (.*))?", line) for line in file.read_text().splitlines())
    comments = "\n".join(comment[1] or "" if comment else "" for comment in comments)
    return problems_of_width(file, comments)


def problems_of_tests(file, text):
    for test in TEST.finditer(text):
        sources = (ROOT / "Tests").glob(f"TestsWith*/**/{test['suite']}.swift")
        if not any(f'"{test["sentence"]}"' in source.read_text() for source in sources):
            place = f"{file}:{line_number(text, test.start())}"
            yield f"{place}: error: {test['suite']} has no test “{test['sentence']}”"


def problems_of_counts():
    """The lines of a program whose number a table names."""
    for path, count in re.findall(r"\]\(([\w/.-]+\.swift)\) \| [^|]*\bprogram of (\d+) lines", EXAMPLES.read_text()):
        lines = len((EXAMPLES.parent / path).read_text().splitlines())
        if lines != int(count):
            yield f"{EXAMPLES}: error: {path} has {lines} lines, and not {count}"


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
            found += problems_of_readme(text)
        else:
            found += problems_of_width(file, text)
        if file.stem == LANDING_PAGE:
            found += problems_of_first_example(file, text)
        used |= {block["name"] for block in BLOCK.finditer(text)}
    for file in sorted([*CATALOGUE.parent.rglob("*.swift"), *CLIENT_CATALOGUE.parent.rglob("*.swift")]):
        found += problems_of_comments(file)
    found += [*problems_of_promises(), *problems_of_titles(), *problems_of_length(), *problems_of_counts()]
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
    command = ["swiftc", "-swift-version", "6", "-warnings-as-errors", *search, *options]
    output = subprocess.run([*command, source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    # Also a warning: SIL of a file that has one is made.
    return f"{output}{article}: error: its code blocks don't compile one after the other; they are in {source}" if output else ""


def chunks(code):
    """The statements and declarations of a block, each with the lines that belong to it: comments, attributes, indented lines."""
    chunk, is_complete, is_conditional = [], False, False
    for line in code.splitlines():
        begins = bool(line) and not line[0].isspace() and not is_conditional and not CONTINUES.match(line)
        if begins and is_complete:
            yield "\n".join(chunk)
            chunk, is_complete = [], False
        chunk.append(line)
        is_conditional = line.startswith("#if") or is_conditional and line != "#endif"
        is_complete = is_complete or begins and not LEADS.match(line)
    if chunk:
        yield "\n".join(chunk)


def read(statement):
    """The statement, and a use of each constant that it makes: in a function, one that nobody reads is a warning."""
    uses = "".join(f"_ = {name}\n" for name in VARIABLE.findall(statement))
    if statement.startswith("#if"):
        return statement.replace("#endif", f"{uses}#endif"), ""
    return statement, uses


def pasted(blocks, owner):
    """The code of an article, as it is printed: declarations at file scope, and statements in a method."""
    declarations, statements, uses = [], [], []
    for block in blocks:
        is_setup = block.startswith("import ")
        for chunk in chunks(block):
            if DECLARATION.search(chunk) or is_setup and CONSTANT.search(chunk) and "await" not in chunk:
                declarations.append(chunk)
            else:
                statement, use = read(chunk)
                statements.append(statement)
                uses.append(use)
    body = "\n".join([*statements, *uses])
    return "\n".join(declarations) + f"\n{owner} {{\nfunc run() async throws {{\n{body}\n}}\n}}\n"


def compile_pasted(article, blocks, folder):
    for context, (owner, options) in CONTEXTS.items():
        yield swiftc(folder / f"{context}.swift", article, pasted(blocks, owner), "-parse-as-library", *options, *CHECK)


def compile_tests(article, library, tests, folder):
    module = TESTED_MODULE.search(tests[0])["name"]
    for context, (library_options, tests_options) in CONTEXTS_OF_TESTS.items():
        place = folder / context
        yield swiftc(
            place / f"{module}.swift", article, "\n".join(library), "-parse-as-library", *library_options, "-module-name", module,
            "-enable-testing", "-emit-module", "-o", place / f"{module}.swiftmodule")
        yield swiftc(
            place / f"{module}Tests.swift", article, "\n".join(tests), "-parse-as-library", *tests_options, "-module-name",
            f"{module}Tests", *CHECK)


def problems_of_compiling(article, snippets, folder):
    blocks = [block for block in BLOCK.finditer(article.read_text()) if not block["program"]]
    blocks = [block["code"] for block in blocks if block["name"] not in snippets.of_other_packages]
    begins_tests = [index for index, block in enumerate(blocks) if TESTED_MODULE.search(block)]
    if begins_tests:
        start = begins_tests[0]
        return list(filter(None, compile_tests(article, blocks[:start], blocks[start:], folder)))
    return list(filter(None, compile_pasted(article, blocks, folder))) if blocks else []


def compile_articles(snippets):
    folder = ROOT / ".build/articles"
    texts = [README, *ARTICLES]
    for package in {ROOT, *PACKAGES.values()}:
        modules(package)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda text: problems_of_compiling(text, snippets, folder / text.stem), texts))
    if problems := [problem for problems in found for problem in problems]:
        sys.exit("\n".join(problems))
    print(f"The code blocks of {len(texts)} texts compile as printed, each text by itself, where code is nonisolated, in a class "
          f"on the main actor, and in a target with main-actor default isolation: see {folder}.")


match sys.argv[1]:
    case "update":
        update(Snippets())
        check(Snippets())
    case "check":
        check(Snippets())
    case "compile":
        compile_articles(Snippets())
