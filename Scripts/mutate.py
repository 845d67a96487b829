"""Changes the pure code in one place at a time, and counts the changes that a test notices.

    mutate.py --seed 5 [--count 300] [--rooms json,cookies] [--at LineSplitter.swift[:40]] [--list]

A change replaces an operator or a constant, negates a condition, or removes a statement. The seed draws `count` of those that
compile. For each, the one file is compiled again, linked with the objects of the last build, and run with the tests of its
room. Few of these need a server, and none takes long. A test that fails, crashes or takes ten times as long notices the change.

Prints those that no test notices. Either a test is missing, or nothing needs the code, or the change makes no difference.
Fails below 95 %.
"""

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".build-mutants"
# Of macros such as `@TaskLocal`.
PLUGINS = Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift/host/plugins"
MINIMUM = 95
# What a change may take, so that one that never ends does not take all.
MEMORY = 6 << 30

# The files of a room, and the names of the tests that are for it.
Room = namedtuple("Room", "sources tests")
STREAMS, TRANSPORT = "URLSessionResult/Internal/Streams", "URLSessionResultTransport/Linux"
CLIENT, PIECES = "URLSessionResultClient", "URLSessionResultClient/Internal"
ROOMS = {
    "json": Room(["URLSessionResultJSON"], "JSON|FreeCores|DeepDocument|UntrustedDocument|ResponseElements"),
    "parsers": Room(
        [f"{STREAMS}/{name}.swift" for name in ["EventParser", "LineSplitter", "LineKey"]],
        "EventParserTests|LineSplitterTests|ResponseEvents|ResponseReaders|ResponseValues"),
    "errors": Room(
        ["URLSessionResult/Internal/Errors"] + [f"URLSessionResult/NetworkError{part}.swift" for part in ["", "+Description"]],
        "NetworkError|NetworkResponse|ResultDecoder|ResponseValues|ResponseEvents"),
    "codes": Room([f"{TRANSPORT}/Errors"], "AppleCode|FailingURL|WholeResponse"),
    "cookies": Room([f"{TRANSPORT}/Cookies"], "Cookie"),
    "decisions": Room(
        ["URLSessionResultTransport/Redirects", f"{TRANSPORT}/Decisions", f"{TRANSPORT}/Requests/ExchangeState.swift"],
        "NextStep|Redirect|ExchangeState|RequestDelegate|RenewedBody"),
    "policies": Room(
        [f"{PIECES}/Token", *(f"{CLIENT}/{name}.swift" for name in ["TokenAuthentication", "Retry", "Deadline", "Internal/NetworkError+Temporary"])],
        "PolicySchedules|TokenAuthentication|RetryTests|MiddlewareTests"),
    "requests": Room(
        [f"{CLIENT}/{name}.swift" for name in [
            "EndpointPath", "QueryItems", "RequestValue", "MultipartForm", "URLRequest+Curl", "Internal/EndpointPath+URL",
            "Internal/PercentEncoding", "Internal/String+Escaping", "Internal/URLRequest+Fields"]],
        "EndpointTests|OtherPieces"),
}

OPERATOR = (
    r"(?<= )(?:[=!<>]=|[<>]|&&|\|\||&?[-+*]=?|\|=|[/%&|]|&?<<|&?>>)(?= )"  # between spaces
    r"|\.\.[.<](?=[\w(.])"  # a range
    r"|(?<![\w)\]?!])!(?=[\w(.])")  # a negation
TOKEN = re.compile(
    r"(?P<comment>//[^\n]*)|(?P<directive>^[ \t]*(?:#|import |@)[^\n]*)"
    # The default of a generic parameter is compiled into the callers, which are not compiled again.
    r"|(?P<default>\bsome \w+(?:<\w+>)? = [^,)\n]+)"
    r'|(?P<string>#".*?"#|"""\n.*?"""|"(?:\\.|[^"\\\n])*")'
    r"|(?P<number>(?<![\w$])(?<![\w)\]?!]\.)(?:0x[0-9A-Fa-f_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?)\b)"
    rf"|(?P<truth>\b(?:true|false)\b)|(?P<operator>{OPERATOR})",
    re.DOTALL | re.MULTILINE)
OPPOSITES = {
    "==": "!=", "<": "<=", ">": ">=", "&&": "||", "+": "-", "&+": "&-", "*": "+", "&*": "&+", "/": "*", "%": "*", "&": "|",
    "<<": ">>", "&<<": "&>>", "+=": "-=", "&+=": "&-=", "*=": "+=", "|=": "&=", "..<": "...", "!": "", "true": "false",
}
OPPOSITES |= {new: old for old, new in OPPOSITES.items() if new and new not in OPPOSITES}
CONDITION = re.compile(r"^(\s*(?:\} else )?(?:if|while|guard) )((?!let |var |case |#)[^{},]+?)( \{.*| else \{.*)$")
KEYWORDS = "let|var|case|return|if|guard|for|while|throw|func|init|assert|precondition"
STATEMENT = re.compile(
    rf"(?!(?:{KEYWORDS})\b)(?:try |await )*[a-z][\w.\[\]?!()]*(?:\(.*\)| [-+*|&]*= .*)|continue|break")
LABELLED = re.compile(r"^(\s*(?:case [^:]*|default): )(\S.*)$")

Mutant = namedtuple("Mutant", "room file line kind old new text")


def mutants_of(room, file):
    text = file.read_text()

    def mutant(start, end, replacement, kind):
        old = text[start:end]
        return Mutant(room, file, text.count("\n", 0, start) + 1, kind, old.strip(), replacement.strip(),
                      text[:start] + replacement + text[end:])

    for token in TOKEN.finditer(text):
        kind, start, end, old = token.lastgroup, *token.span(), token.group()
        if kind == "number":
            yield mutant(start, end, f"({old} + 1)", "constant")
        elif kind == "string" and "\n" not in old:
            # A single character stays one: it may be a byte.
            inside = "~" if re.fullmatch(r'"(?:|\\?.)"', old) else old.strip('#"') + "~"
            yield mutant(start, end, old[:old.index('"') + 1] + inside + old[old.rindex('"'):], "constant")
        elif old in OPPOSITES:
            yield mutant(start, end, OPPOSITES[old], "constant" if kind == "truth" else "operator")

    start, before = 0, ""
    for line in text.splitlines(keepends=True):
        code = line.split(" // ")[0].rstrip()
        condition, labelled = CONDITION.match(code), LABELLED.match(code)
        if condition and not re.match("!", condition[2]) and not re.search(" [=!]= ", condition[2]):
            head, question, _ = (len(group) for group in condition.groups())
            yield mutant(start + head, start + head + question, f"!({condition[2]})", "condition")
        if labelled and STATEMENT.fullmatch(labelled[2]):
            yield mutant(start + len(labelled[1]), start + len(code), "break", "statement")
        is_first = re.search(r"(^|[{};:)\]\w\"?!])$", before) and not re.search(r"[,(\[]$|\b(return|in)$", before)
        if is_first and STATEMENT.fullmatch(code.strip()) and code.count("(") == code.count(")"):
            yield mutant(start, start + len(code), "", "statement")
        start, before = start + len(line), code if code.strip() and not code.strip().startswith("//") else before


def files_of(room):
    for source in ROOMS[room].sources:
        path = ROOT / "Sources" / source
        yield from sorted(path.rglob("*.swift")) if path.is_dir() else filter(Path.exists, [path])


class Build:
    """A copy of the last debug build, of which one object is replaced. Sources and tests may be edited meanwhile."""

    def __init__(self):
        swift = ["swift", "build", "--build-tests", "--package-path", str(ROOT)]
        subprocess.run(swift, check=True, stdout=subprocess.DEVNULL)
        folder = Path(subprocess.check_output([*swift, "--show-bin-path"], text=True).strip())
        shutil.rmtree(WORK, ignore_errors=True)
        shutil.copytree(ROOT / "Sources", WORK / "Sources")
        shutil.copytree(folder / "Modules", WORK / "Modules")
        listed = (folder / "URLSessionResultPackageTests.product/Objects.LinkFileList").read_text()
        self.objects = {}
        for object in (Path(name.strip("'")) for name in listed.splitlines()):
            copy = WORK / object.relative_to(folder)
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(object, copy)
            self.objects[f"{copy.parent.name}/{copy.name}"] = copy

    def compile(self, mutant):
        """Whether the changed file compiles. Then it is linked."""
        target = mutant.file.relative_to(ROOT / "Sources").parts[0]
        changed, compiled = WORK / mutant.file.name, WORK / "Mutant.o"
        changed.write_text(mutant.text)
        original = WORK / mutant.file.relative_to(ROOT)
        others = [str(file) for file in (WORK / "Sources" / target).rglob("*.swift") if file != original]
        frontend = [
            "swiftc", "-frontend", "-c", "-primary-file", str(changed), *others, "-module-name", target, "-o", str(compiled),
            "-I", str(WORK / "Modules"), "-package-name", ROOT.name.lower(), "-swift-version", "6", "-enable-testing",
            "-Onone", "-parse-as-library", "-plugin-path", str(PLUGINS)]
        if subprocess.run(frontend, capture_output=True).returncode:
            return False
        self.link({f"{target}.build/{mutant.file.name}.o": compiled})
        return True

    def link(self, replaced={}):
        """Links a program of the objects, some of which are replaced."""
        self.program = WORK / "Mutant.xctest"
        (WORK / "Objects").write_text("\n".join(map(str, {**self.objects, **replaced}.values())))
        link = ["swiftc", "-emit-executable", "-use-ld=lld", f"@{WORK}/Objects", "-o", str(self.program)]
        subprocess.run(link, check=True)

    def test(self, tests, timeout):
        """The seconds that the tests take, or None once one fails, crashes, or does not end."""
        start = time.monotonic()
        running = subprocess.Popen(
            [str(self.program), "--testing-library", "swift-testing", "--filter", tests],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        alarm = threading.Timer(timeout, running.kill)
        alarm.start()
        with running.stdout:
            if any("✘".encode() in line for line in running.stdout):
                running.kill()
        alarm.cancel()
        return None if running.wait() else time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--at", default="")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()

    name, _, line = options.at.partition(":")
    mutants = [
        mutant for room in options.rooms.split(",") for file in files_of(room) if file.name == name or not name
        for mutant in mutants_of(room, file) if not line or mutant.line == int(line)]
    random.Random(options.seed).shuffle(mutants)

    def say(verdict, mutant):
        place = f"{mutant.file.relative_to(ROOT / 'Sources')}:{mutant.line}"
        print(f"{verdict:9} {mutant.kind:9} {place}: {mutant.old} -> {mutant.new or 'nothing'}", flush=True)

    if options.list:
        for mutant in mutants:
            say("", mutant)
        return 0

    build, limits = Build(), {}
    build.link()
    for room in options.rooms.split(","):
        seconds = build.test(ROOMS[room].tests, 600)
        if seconds is None:
            sys.exit(f"error: the tests of {room} fail without a change")
        limits[room] = 10 * seconds + 10

    compiled, survivors = 0, []
    for mutant in mutants:
        if compiled == options.count:
            break
        if not build.compile(mutant):
            continue
        compiled += 1
        survives = build.test(ROOMS[mutant.room].tests, limits[mutant.room]) is not None
        say("SURVIVED" if survives else "noticed", mutant)
        if survives:
            survivors.append(mutant)

    print(f"\nSurvivors of seed {options.seed}:")
    for mutant in sorted(survivors, key=lambda mutant: (mutant.room, mutant.file, mutant.line)):
        say("", mutant)
    share = 100 * (compiled - len(survivors)) / max(compiled, 1)
    print(f"{compiled - len(survivors)} of {compiled} changes are noticed: {share:.1f} %.")
    return share < MINIMUM


if __name__ == "__main__":
    sys.exit(main())
