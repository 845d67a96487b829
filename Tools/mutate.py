"""Changes the pure code in one place at a time, and counts the changes that a test notices.

    mutate.py --seed 5 [--count 300] [--rooms json,cookies] [--at LineSplitter.swift[:40],…] [--list] [--skip-build]

A change replaces an operator or a constant, negates a condition, or removes a statement. The seed draws `count` of those that
compile. All are compiled into one program: a function with changes has a copy of its body for each, and an environment variable
says which copy runs. A change outside a body has a program of its own. Each runs the tests of its room, those without a server
first. A test that fails, crashes or takes far longer notices the change. The same changes are drawn when other places of the
code have changed.

Prints those that no test notices. Either a test is missing, or nothing needs the code, or the change makes no difference.
Fails below 95 %.
"""

import argparse
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter, namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".build-mutants"
# Of macros such as `@TaskLocal`.
PLUGINS = Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift/host/plugins"
MINIMUM = 95
# What a change may take, so that one that never ends does not take all.
MEMORY = 6 << 30

# The folders and files of a room, which are found by the end of their paths, and the names of the tests that are for it: those that need
# no server, and those that are asked afterwards.
Room = namedtuple("Room", "sources quick_tests tests")
ROOMS = {
    "json": Room(
        ["URLSessionResultJSON"],
        "JSONFault|JSONTokens|JSON5Token|LongNumber|DocumentEnd|CutOffJSON|JSONScanner|JSON(Element)?Splitter|SharedJSONDecoder|ResultDecoderJSON|FreeCores|DeepDocument|StreamedElement|JSONKey",
        "JSONDifferential|JSONParallel|UntrustedDocument|UntrustedResponse|ResponseBytesElements"),
    "parsers": Room(
        ["BodyStreamState", "EventParser", "LineSplitter", "PartKey"],
        "BodyStreamState|EventParserTests|LineSplitterTests", "ResponseBytesEvents|ResponseReaders|ResponseBytesValues"),
    "errors": Room(
        ["Internal/Errors", "NetworkError", "NetworkError+Description", "StatusCodes"],
        "TestsWithoutServer.(NetworkError|ResultDecoder|StatusCodes|JSONFault)",
        "NetworkResponse|ResultDecoderResponse|ResponseBytes"),
    "codes": Room(
        ["FailingURL", "CurlFailure", "ResponseHead", "LibcurlAnswers", "FirstConnections"],
        "FailingURL|ResponseHead|LibcurlAnswers|FirstConnections|CurlFailureCode", "CurlFailure|FaultMatrix|CutResponse"),
    "cookies": Room(["Linux/Cookies"], "SetCookie|StoredCookiesTests", "/CookieTests|SentCookiesTests|SlowCookie"),
    "decisions": Room(
        ["Shared/Redirects", "RedirectsAndChallenges", "TaskLifecycle", "Transfer+RenewedBody"],
        "RedirectAndChallenge|OfferedScheme|RedirectTarget|RedirectedRequest|TaskLifecycle|TaskDelegates|CredentialStorage|PreparedRequest|StoredCookiesTests",
        "RedirectTests|RequestDelegate|RenewedBody|Digest|ChallengingProxy|RejectedProtectionSpace"),
    "policies": Room(
        ["Internal/Token", "TokenAuthentication", "Retry", "Retry+Decision", "Deadline", "NetworkError+Temporary"],
        "TokenState|TokenAuthentication|RetryTests|MiddlewareTests|DeadlineTests", "PolicySchedules|EarlyRefresh|FirstUser"),
    "requests": Room(
        ["EndpointPath", "QueryItems", "RequestValue", "MultipartForm", "MultipartForm+Head", "URLRequest+Curl",
         "EndpointPath+URL", "PercentEncoding", "String+Escaping", "URLRequest+Fields", "ContentRange", "URLRequest+Rest"],
        "EndpointTests|PercentEncoding|EncodableQuery|URLRequestFields|ContentRange",
        "MultipartForm|CurlCommand|RequestLog|Sending|URLRequests|UploadedContent|RequestWithoutURL|ResumableDownload"),
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

# Changes after which the code does the same: the file, a part of the line, the change if not each one in the line, and why.
EQUIVALENT = [
    ("EndpointPath.swift", 'keeping: ""', '"" -> "~"', "A tilde is never escaped."),
    ("PercentEncoding.swift", 'kept: String = ""', '"" -> "~"', "A tilde is never escaped."),
    ("PercentEncoding.swift", "private let separators", None, "A tilde is never escaped."),
    ("PercentEncoding.swift", '"-._~"', None, "The text has a tilde already."),
    ("URLRequest+Curl.swift", ".sorted(by:", "< -> <=", "No two fields have the same name."),
    ("URLRequest+Curl.swift", "let isPlain = ", '"/:%" -> "/:%~"', "A tilde is never escaped."),
    ("StoredCookies.swift", "return length == otherLength ?", "> -> >=", "The lengths differ there."),
    ("JSONMemberScanner.swift", "private var startOfValue = 0", None, "It is set before it is read."),
    ("TokenState.swift", "private var generation = 0", None, "It is compared with later ones and with a sign-out's."),
    ("CookieDate.swift", "dateSeparators = ", None, "The text has a tilde already."),
    ("RedirectTarget.swift", "0123456789-._~", None, "The text has a tilde already."),
    ("JSONParallelDecoding.swift", "max(partSize, data.count / (cores * 4))", None, "Parts of any size have the same elements."),
    ("JSONParallelDecoding.swift", "sample.count > 1 + partSize / 16", None, "With and without parts, the elements are the same."),
    ("JSONDecoder+Untrusted.swift", "(1...)?", "1 -> (1 + 1)", "No JSON has U+0001 as its first or second character."),
    ("JSONDecoder+Untrusted.swift", 'case "]", "}"', None, "With a blank behind it, the document is the same."),
    ("JSONParallelDecoding.swift", "guard let sample =", None, "With and without parts, the elements are the same."),
    ("JSONKeyRecorder.swift", "[key.stringValue: 0]", None, "The value is not read."),
    ("JSONDecodedParts.swift", "parts.sorted", "< -> <=", "No two parts have the same position."),
    ("Cookies.swift", "DispatchQueue(label:", None, "A debugger alone shows the name."),
    ("ReceivedCookie.swift", "return maximumAge > 0 ?", "> -> >=", "A cookie that expires now is over, too."),
    ("NetworkError+Description.swift", "(-1206 ... -1200)", "1206 -> (1206 + 1)", "No error has the code -1207."),
    ("Cookies.swift", "guard received.count > HTTPCookie", "> -> >=", "Among as many as may be, none has as many newer ones."),
]

Mutant = namedtuple("Mutant", "room file line kind old new original text")


def mutants_of(room, file):
    text = file.read_text()

    def mutant(start, end, replacement, kind):
        old = text[start:end]
        return Mutant(room, file, text.count("\n", 0, start) + 1, kind, old.strip(), replacement.strip(),
                      text, text[:start] + replacement + text[end:])

    for token in TOKEN.finditer(text):
        kind, start, end, old = token.lastgroup, *token.span(), token.group()
        if kind == "number":
            yield mutant(start, end, f"({old} + 1)", "constant")
        elif kind == "string" and "\n" not in old:
            # A single character stays one: it may be a byte.
            other = "^" if old == '"~"' else "~"
            inside = other if re.fullmatch(r'"(?:|\\?.)"', old) else old.strip('#"') + "~"
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
        if labelled and labelled[2] != "break" and STATEMENT.fullmatch(labelled[2]):
            yield mutant(start + len(labelled[1]), start + len(code), "break", "statement")
        is_first = re.search(r"(^|[{};:)\]\w\"?!])$", before) and not re.search(r"[,(\[]$|\b(return|in)$", before)
        if is_first and STATEMENT.fullmatch(code.strip()) and code.count("(") == code.count(")"):
            yield mutant(start, start + len(code), "", "statement")
        start, before = start + len(line), code if code.strip() and not code.strip().startswith("//") else before


def reason_for_no_effect(mutant):
    line = mutant.original.splitlines()[mutant.line - 1]
    change = f"{mutant.old} -> {mutant.new or 'nothing'}"
    return next(
        (reason for file, part, known, reason in EQUIVALENT
         if file == mutant.file.name and part in line and known in (None, change)), None)


def drawn(mutants, seed):
    """The changes in an order that depends on the seed. Two stay in order when others come and go."""
    namesakes = Counter()

    def place(mutant):
        identity = (mutant.file.name, mutant.text.splitlines()[mutant.line - 1].strip(), mutant.old, mutant.new)
        namesakes[identity] += 1
        return hashlib.sha256(repr((seed, identity, namesakes[identity])).encode()).digest()

    return sorted(mutants, key=place)


def files_of(room):
    for source in ROOMS[room].sources:
        path = found(source)
        yield from sorted(path.rglob("*.swift")) if path.is_dir() else [path]


def found(name):
    """The folder or the file whose path ends with a name."""
    paths = [path for path in (ROOT / "Sources").rglob("*")
             if str(path).endswith(f"/{name}" if path.is_dir() else f"/{name}.swift")]
    if len(paths) != 1:
        sys.exit(f"error: {len(paths)} folders and files have the name {name}")
    return paths[0]


# A function, or what is like one, but no type and no closure. It may begin some lines before its brace.
FUNCTION = re.compile(r"(?:[\w@()]+ )*(?:func|init|subscript|deinit|get|set|didSet|willSet)\b|(?:[\w@()]+ )*var \w+: [^={]+ \{")
WITHIN_HEAD = re.compile(r"[)>]|where |-> ")
FUNCTION_OF_ONE_LINE = re.compile(r"(\s*(?:[\w@()]+ )*(?:func|init|var) [^{=]*) \{ (.*) \}")
NUMBER = "numberOfTheChange"
CHOICE = f"""
    import Foundation
    let {NUMBER} = Int(ProcessInfo.processInfo.environment["{NUMBER}"] ?? "") ?? 0
    """


def indentation(line):
    return len(line) - len(line.lstrip())


def body_around(lines, index):
    """The lines before and after the body of the outermost function around a line, or None."""
    found, indent, is_accessor = None, indentation(lines[index]), False
    for start in range(index - 1, -1, -1):
        line = lines[start]
        if not line.strip() or line.startswith("#") or indentation(line) >= indent:
            continue
        indent = indentation(line)
        head = start
        while WITHIN_HEAD.match(lines[head].strip()):
            head -= 1
            while indentation(lines[head]) > indent:
                head -= 1
        if not line.endswith("{") or not FUNCTION.match(lines[head].strip()):
            continue
        if is_accessor and re.search(r"\bvar ", lines[head]):
            continue
        is_accessor = bool(re.match(r"(?:get|set|didSet|willSet)\b", lines[head].strip()))
        end = next(
            end for end in range(index, len(lines)) if lines[end].strip() and indentation(lines[end]) == indent
            and not lines[end].startswith("#") and end > start)
        found = (start, end) if lines[end].strip() == "}" else None
    return found


def with_choices(numbered):
    """The lines of a file with numbered changes, each with the number of its change or with all of its function; and the numbers
    of the changes that are in no function."""
    original = next(iter(numbered.values())).original
    lines = original.splitlines()
    functions, others = {}, []
    for number, mutant in numbered.items():
        index = mutant.line - 1
        body = body_around(lines, index) or (FUNCTION_OF_ONE_LINE.fullmatch(lines[index]) and (index, index))
        if body:
            functions.setdefault(body, []).append(number)
        else:
            others.append(number)

    written, next_line = [], 0
    for (start, end), numbers in sorted(functions.items()):
        def body(text):
            if start == end:
                return [FUNCTION_OF_ONE_LINE.fullmatch(text.splitlines()[start])[2]]
            inside = text.splitlines()[start + 1:end]
            return inside if any(line.strip() for line in inside) else ["break"]

        owner = tuple(numbers)
        written += [(line, None) for line in lines[next_line:start]]
        head = FUNCTION_OF_ONE_LINE.fullmatch(lines[start])[1] + " {" if start == end else lines[start]
        written += [(head, owner), (f"switch {NUMBER} {{", owner)]
        for number in numbers:
            written += [(line, (number,)) for line in [f"case {number}:", *body(numbered[number].text)]]
        written += [(line, owner) for line in ["default:", *body(original), "}", "}"]]
        next_line = end + 1
    return written + [(line, None) for line in lines[next_line:]], others


Seconds = namedtuple("Seconds", "clock processor")


def processor_seconds():
    """What the processes took that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Build:
    """A copy of the last debug build, of which one object is replaced. Sources and tests may be edited meanwhile."""

    def __init__(self, skips_build):
        swift = ["swift", "build", "--build-tests", "--package-path", str(ROOT)]
        if not skips_build:
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

    def frontend(self, target, changed):
        """Compiles changed files of a module, with the others as they are. Returns the objects, or the errors."""
        originals = {WORK / "Sources" / file.relative_to(ROOT / "Sources") for file in changed}
        others = [str(file) for file in (WORK / "Sources" / target).rglob("*.swift") if file not in originals]
        folder = WORK / "Changed" / target
        folder.mkdir(parents=True, exist_ok=True)
        inputs, outputs, objects = [], [], {}
        for file, text in [*changed.items(), (Path("Choice.swift"), CHOICE)]:
            copy = folder / file.name
            copy.write_text(text)
            objects[f"{target}.build/{file.name}.o"] = copy.with_suffix(".o")
            inputs += ["-primary-file", str(copy)]
            outputs += ["-o", str(copy.with_suffix(".o"))]
        done = subprocess.run(
            ["swiftc", "-frontend", "-c", *inputs, *others, *outputs, "-module-name", target,
             "-I", str(WORK / "Modules"), "-package-name", ROOT.name.lower(), "-swift-version", "6", "-enable-testing",
             "-Onone", "-parse-as-library", "-plugin-path", str(PLUGINS)], capture_output=True, text=True)
        return (None, done.stderr) if done.returncode else (objects, "")

    def compile(self, mutant):
        """Whether the changed file compiles. Then it is linked."""
        target = mutant.file.relative_to(ROOT / "Sources").parts[0]
        objects, _ = self.frontend(target, {mutant.file: mutant.text})
        return bool(objects) and bool(self.link("One", objects))

    def compile_all(self, mutants):
        """Compiles all changes that are inside of functions, and links them. Returns the numbers of these, and of those that
        have to be tried alone."""
        numbers, alone, objects = set(), set(), {}
        for target in sorted({mutant.file.relative_to(ROOT / "Sources").parts[0] for mutant in mutants}):
            left = {
                number: mutant for number, mutant in enumerate(mutants, 1)
                if mutant.file.is_relative_to(ROOT / "Sources" / target)}
            while True:
                owners, texts = {}, {}
                for file in {mutant.file for mutant in left.values()}:
                    lines, others = with_choices({n: m for n, m in left.items() if m.file == file})
                    owners[file.name] = [owner for _, owner in lines]
                    texts[file] = "\n".join(line for line, _ in lines) + "\n"
                    alone |= set(others)
                compiled, errors = self.frontend(target, texts)
                if compiled:
                    break
                failed = set()
                for name, line in re.findall(r"([^/\n]+\.swift):(\d+):\d+: error: ", errors):
                    owner = owners[name][int(line) - 1] or ()
                    failed |= set(owner)
                    alone |= set(owner) if len(owner) > 1 else set()
                if not failed:
                    sys.exit(errors)
                left = {number: mutant for number, mutant in left.items() if number not in failed}
            numbers |= set(left) - alone
            objects |= compiled
        self.link("All", objects)
        return numbers, alone

    def link(self, name, replaced={}):
        """Links a program of the objects, some of which are replaced."""
        program = WORK / f"{name}.xctest"
        # First, because callers have copies of default arguments, and the linker takes the first.
        objects = [*replaced.values(), *(object for name, object in self.objects.items() if name not in replaced)]
        (WORK / "Objects").write_text("\n".join(map(str, objects)))
        link = ["swiftc", "-emit-executable", "-use-ld=lld", "-Xlinker", "--strip-debug", f"@{WORK}/Objects", "-o", str(program)]
        subprocess.run(link, check=True)
        return program

    def test(self, name, tests, limit, number=0):
        """What the tests take, or None once one fails, crashes, or does not end."""
        start, processor_start = time.monotonic(), processor_seconds()

        def limit_resources():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            # A loop without an end takes little time of a processor on a busy machine, and much on the clock.
            resource.setrlimit(resource.RLIMIT_CPU, (limit.processor, limit.processor))

        running = subprocess.Popen(
            [str(WORK / f"{name}.xctest"), "--testing-library", "swift-testing", "--filter", tests],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no", NUMBER: str(number)},
            preexec_fn=limit_resources)
        alarm = threading.Timer(limit.clock, running.kill)
        alarm.start()
        with running.stdout:
            if any("✘".encode() in line for line in running.stdout):
                running.kill()
        alarm.cancel()
        failed = running.wait()
        return None if failed else Seconds(time.monotonic() - start, processor_seconds() - processor_start)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--at", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--skip-build", action="store_true")
    options = parser.parse_args()

    places = set(filter(None, options.at.split(",")))
    mutants = [
        mutant for room in options.rooms.split(",") for file in files_of(room) for mutant in mutants_of(room, file)
        if not places or places & {file.name, f"{file.name}:{mutant.line}"}]
    mutants = drawn(mutants, options.seed)

    def say(verdict, mutant):
        place = f"{mutant.file.relative_to(ROOT / 'Sources')}:{mutant.line}"
        print(f"{verdict:9} {mutant.kind:9} {place}: {mutant.old} -> {mutant.new or 'nothing'}", flush=True)

    if options.list:
        for mutant in mutants:
            say("", mutant)
        return 0

    build, limits = Build(options.skip_build), {}
    # Some do not compile.
    mutants = mutants[:options.count + options.count // 2]
    numbers, alone = build.compile_all(mutants)
    for room in options.rooms.split(","):
        for tests in ROOMS[room][1:]:
            seconds = build.test("All", tests, Seconds(600, 600))
            if seconds is None:
                sys.exit(f"error: tests of {room} fail without a change")
            limits[tests] = Seconds(10 * seconds.clock + 10, int(3 * seconds.processor) + 5)

    compiled, survivors, without_effect = 0, [], []
    for number, mutant in enumerate(mutants, 1):
        if compiled == options.count:
            break
        if number not in numbers and not (number in alone and build.compile(mutant)):
            continue
        if reason_for_no_effect(mutant):
            without_effect.append(mutant)
            continue
        compiled += 1
        program = "All" if number in numbers else "One"
        survives = all(
            build.test(program, tests, limits[tests], number) is not None for tests in ROOMS[mutant.room][1:])
        say("SURVIVED" if survives else "noticed", mutant)
        if survives:
            survivors.append(mutant)

    print(f"\nSurvivors of seed {options.seed}:")
    for mutant in sorted(survivors, key=lambda mutant: (mutant.room, mutant.file, mutant.line)):
        say("", mutant)
    print("\nDrawn, too, but not counted:")
    for mutant in without_effect:
        say("", mutant)
        print(f"          {reason_for_no_effect(mutant)}")
    share = 100 * (compiled - len(survivors)) / max(compiled, 1)
    print(f"{compiled - len(survivors)} of {compiled} changes are noticed: {share:.1f} %.")
    return share < MINIMUM


if __name__ == "__main__":
    sys.exit(main())
