"""Checks the links of the README, the other texts of the repository and the rendered documentation.

    links.py                    fails when a link of a text leads to a file or a heading that does not exist, when a link to an
                                article has another name than its title, or when a text names an article without a link
    links.py DOCUMENTATION      does so for the rendered pages, too

Addresses of other sites are not requested. Those of this repository are looked up in the working copy.
"""

import json
import re
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = re.compile(r"https://github\.com/URLSessionResult/URLSessionResult/(?:blob|tree)/main/")
CATALOGUES = ["URLSessionResult/URLSessionResult.docc", "URLSessionResultClient/URLSessionResultClient.docc"]
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)|(?:src|srcset|href)=\"(?P<attribute>[^\"]+)\"")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def anchors(markdown):
    """The anchors that GitHub gives to the headings of a text."""
    headings = re.findall(r"^#+ +(.+)$", FENCE.sub("", markdown), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def title(file):
    return file.read_text().splitlines()[0].removeprefix("# ")


def problems_of_names(file):
    """Articles have titles. Outside the documentation, a title is a link to the Markdown file, which needs no toolchain."""
    text = FENCE.sub("", file.read_text())
    place = f"{file.relative_to(ROOT)}: error:"
    # Articles shorten the titles of each other.
    is_article = any(catalogue in str(file) for catalogue in CATALOGUES)
    for name, target in re.findall(r"\[([^\]]+)\]\(([^)\s#]+\.md)\)", text):
        article, name = file.parent / target, " ".join(name.split())
        if "/Articles/" not in str(article.resolve()) or not article.exists():
            continue
        if not (title(article).startswith(name) if is_article else title(article) == name):
            yield f"{place} the title of {target} is “{title(article)}”, and not “{name}”"
    titles = {title(article) for catalogue in CATALOGUES for article in (ROOT / "Sources" / catalogue / "Articles").rglob("*.md")}
    for name in re.findall(r"(?<![*\w])\*([^*]+)\*(?![*\w])", text):
        if " ".join(name.split()) in titles:
            yield f"{place} “{name}” is the title of an article and no link to it"


def problems_of_text(file):
    text = FENCE.sub("", file.read_text())
    for link in LINK.finditer(text):
        target = link["target"] or link["attribute"]
        place = f"{file.relative_to(ROOT)}: error: {target}"
        base = ROOT if REPOSITORY.match(target) else file.parent
        target = REPOSITORY.sub("", target)
        # DocC checks the links to symbols: `<doc:Type/member>`.
        if re.match(r"<?\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        linked = base / unquote(path) if path else file
        if not linked.exists():
            yield f"{place} does not exist"
        elif anchor and linked.suffix == ".md" and anchor not in anchors(linked.read_text()):
            yield f"{place} is no heading"


def references(value):
    """Every address of a page in the data of a rendered page."""
    if isinstance(value, dict):
        if isinstance(value.get("url"), str):
            yield value["url"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def breadcrumbs(page, pages):
    for path in page.get("hierarchy", {}).get("paths", []):
        for identifier in path:
            yield page["references"].get(identifier, {}).get("url", identifier)


def problems_of_documentation(folder):
    data = folder / "data"
    pages = {"/" + str(file.relative_to(data).with_suffix("")): file for file in sorted(data.rglob("*.json"))}
    for address, file in pages.items():
        page = json.loads(file.read_text())
        for url in sorted({*references(page), *breadcrumbs(page, pages)}):
            path = url.partition("#")[0]
            if path.startswith("/documentation/") and path.lower() not in pages:
                yield f"{address}: error: there is no page {path}"


texts = [file for pattern in ["*.md", "*/README.md", "Tools/*/*.md", "docs/*.md", "Sources/**/*.md"] for file in ROOT.glob(pattern)]
texts = sorted({file for file in texts if not any(part.startswith(".") for part in file.relative_to(ROOT).parts)})
found = [problem for file in texts for problem in [*problems_of_text(file), *problems_of_names(file)]]
for documentation in sys.argv[1:]:
    found += problems_of_documentation(Path(documentation))
if found:
    sys.exit("\n".join(found))
print(f"No link of {len(texts)} texts{', and none of the documentation,' if sys.argv[1:] else ''} leads to nothing.")
