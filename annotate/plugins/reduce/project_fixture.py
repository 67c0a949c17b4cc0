"""A reduced page as a fixture of the extractor's own project, laid out as that project does.

What is expected is the extractor's answer with the lost words where they belong, or without the
words it should not have: the maintainers judge it.  The fixture fails until it is fixed.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from algorithms.core.attempt import attempt
from algorithms.measures.text_words import normalise, words_of
from algorithms.plugins.external.npm_packages import NpmRecipe, npm_recipe
from algorithms.results import Extraction
from annotate.plugins.reduce.question import ShownProperty
from annotate.plugins.reduce.tree import (
    TreePart,
    Unit,
    parse_page,
    parts_of,
    parts_saying,
    write_page,
)  # fmt: skip
from engine.errors import InputError
from engine.page import Page
from engine.source import Source

ProjectName = Literal["", "readability", "defuddle", "trafilatura"]

_PACKAGES = {"readability": "@mozilla/readability", "defuddle": "defuddle"}
_BESIDE = frozenset("a abbr b cite code em i q s small span strong sub sup time u".split())
_MOST_WORDS = 5  # of a name
_SECONDS = 60.0
_TRAFILATURA = """from trafilatura import extract

PAGE = {page!r}


def test_{name}():
    result = extract(PAGE{options}) or ""
    words = "".join(letter if letter.isalnum() else " " for letter in result).split()
    assert {words!r} {operator} " ".join(words)
"""


def name_of(words: Sequence[str]) -> str:
    """Return a name for a fixture, of the first words in ASCII; "words" where there is none."""
    named = re.findall(r"[a-z0-9]+", " ".join(words).lower())[:_MOST_WORDS]
    return "-".join(named) or "words"


def project_files(project: ProjectName, question: ShownProperty, html: str) -> dict[str, str]:
    """Return the files of a fixture by path in the project's checkout.

    Args:
        project: Whose; the method must be of its package.
        question: Words lost or kept.
        html: The page.

    Raises:
        InputError: There is no such fixture.
    """
    if question.shows not in ("lost", "kept"):
        raise InputError("--for needs --lost or --kept")
    name, made = name_of(question.words), question.entry.version
    if not made.startswith(f"{_PACKAGES.get(project, project)} "):
        typed = f"npm:{_PACKAGES[project]}" if project in _PACKAGES else project
        raise InputError(f"--for {project} is of its own package: name {typed} as the method")
    makes: Mapping[str, Callable[[str, ShownProperty, str], dict[str, str]]] = {
        "readability": _readability, "defuddle": _defuddle, "trafilatura": _trafilatura,
    }  # fmt: skip
    return makes[project](name, question, html)


def command_of(project: ProjectName, name: str) -> str:
    """Return what runs a fixture in the project's checkout."""
    return {
        "readability": f"npx mocha test/test-readability.js --grep {name}",
        "defuddle": f"npx vitest run tests/fixtures.test.ts -t general--{name}",
        "trafilatura": f"pytest tests/{name.replace('-', '_')}_tests.py",
    }[project]


def texts_of(question: ShownProperty, html: str) -> tuple[str, str]:
    """Return the text that is expected of the method on a page, and the one it gives."""
    entry = question.entry
    page = Page("page.html", Source.from_text(html))
    result = attempt(entry, page, entry.params(**question.params), "original").result
    text = result.text if isinstance(result, Extraction) else ""
    return expected_lines(text, question, html), text


def expected_lines(text: str, question: ShownProperty, html: str) -> str:
    """Return a text without the lines of kept words, or with one of the lost words' element."""
    lines = text.split("\n")
    if question.shows == "kept":
        said = [(word, k) for k, line in enumerate(lines) for word in words_of(normalise(line))]
        at = _first(question.words, [word for word, _ in said])
        gone = {k for _, k in said[at : at + len(question.words)]} if at >= 0 else set()
        kept = "\n".join(line for k, line in enumerate(lines) if k not in gone)
        return re.sub(r"\n{3,}", "\n\n", kept).strip("\n")
    block = _block_saying(parse_page(html), question.words)
    lines.insert(_place(lines, question.words, html), _text_in(block))
    gap = "\n\n" if "\n\n" in text or len(lines) < 3 else "\n"
    return gap.join(filter(None, lines)) if text.strip() else _text_in(block)


def _readability(name: str, question: ShownProperty, html: str) -> dict[str, str]:
    answer = _asked(question, "readability.mjs", html)
    content = answer.pop("content", None) or '<div id="readability-page-1" class="page"></div>'
    root = parse_page(content)
    top = next(part for part in parts_of(root) if part.attributes.get("id"))
    first = _first_paragraph(top)
    if question.shows == "kept":
        _remove_words(root, question.words)
    else:
        inside = top
        while len(inside.children) == 1 and inside.children[0].tag in ("div", "article", "section"):
            inside = inside.children[0]
        block = _block_saying(parse_page(html), question.words)
        for part in parts_of(block):
            part.attributes = {k: v for k, v in part.attributes.items() if k in ("href", "src")}
        texts = [_text_in(child) for child in inside.children]
        inside.children.insert(_place(texts, question.words, html), block)
    if answer.get("excerpt") in (None, first):  # it is no description of the page's own
        answer["excerpt"] = _first_paragraph(top)
    empty = {"title": "", "byline": None, "dir": None, "lang": None, "siteName": None}
    folder = f"test/test-pages/{name}/"
    return {
        f"{folder}source.html": html + "\n",
        f"{folder}expected.html": write_page(top).removeprefix("<!DOCTYPE html>") + "\n",
        f"{folder}expected-metadata.json": json.dumps(
            empty | answer, ensure_ascii=False, indent=2) + "\n",
    }  # fmt: skip


def _defuddle(name: str, question: ShownProperty, html: str) -> dict[str, str]:
    request = json.dumps({"html": html, "url": f"https://{name}"})
    answer = _asked(question, "defuddle.mjs", request)
    markdown = expected_lines(answer.pop("contentMarkdown", None) or "", question, html)
    return {
        f"tests/fixtures/general--{name}.html": html + "\n",
        f"tests/expected/general--{name}.md":
            f"```json\n{json.dumps(answer, ensure_ascii=False, indent=2)}\n```\n\n{markdown}",
    }  # fmt: skip


def _trafilatura(name: str, question: ShownProperty, html: str) -> dict[str, str]:
    params = question.entry.params(**question.params).as_dict()
    focus = question.method.partition("-")[2].partition("=")[0]
    options = [f"favor_{focus}=True"] if focus in ("precision", "recall") else []
    options += [f"include_{k}=False" for k in ("comments", "tables") if not params[k]]
    options += [f"include_{k}=True" for k in ("links", "formatting") if params[k]]
    if params["format"] != "txt":
        options.append(f"output_format={params['format']!r}")
    name = name.replace("-", "_")
    words = "".join(k if k.isalnum() else " " for k in " ".join(question.words)).split()
    text = _TRAFILATURA.format(
        page=html, name=name, words=" ".join(words), options="".join(f", {k}" for k in options),
        operator="in" if question.shows == "lost" else "not in",
    )  # fmt: skip
    return {f"tests/{name}_tests.py": text}


def _asked(question: ShownProperty, adapter: str, request: str) -> dict[str, Any]:
    """Return all that a package answers, as its project asks it; the method is of npm."""
    recipe = question.recipe
    assert isinstance(recipe, NpmRecipe)
    package, _, version = recipe.version.rpartition(" ")
    own = npm_recipe(f"npm:{package}=={version}", str(Path(__file__).parent / adapter))
    answer: dict[str, Any] = json.loads(own.answer(request, _SECONDS))
    return answer


def _block_saying(root: TreePart, words: Sequence[str]) -> TreePart:
    """Return the smallest element of a line of its own with all the words; of the body a copy."""
    parts = parts_saying(root, words)
    if not parts:
        raise InputError("the words are not on the page: give them as it has them")
    block = parts[0]
    while not {*parts} <= {*parts_of(block)} or not block.tag or block.tag in _BESIDE:
        assert block.parent is not None
        if block.parent.tag in ("body", "html"):
            return TreePart("p", children=[*dict.fromkeys(parts)])
        block = block.parent
    return block


def _remove_words(root: TreePart, words: Sequence[str]) -> None:
    """Leave out the texts of the words, and the elements that have no other."""
    said = {*parts_saying(root, words)}
    gone: set[Unit] = set()
    for part in said:
        at = part
        while at.parent is not None and at.parent.attributes.get("class") != "page":
            if {text for text in parts_of(at.parent) if text.words} - said:
                break
            at = at.parent
        gone.add((at, "whole"))
    for part, _ in gone:
        if part.parent is not None:
            part.parent.children.remove(part)


def _place(texts: Sequence[str], words: Sequence[str], html: str) -> int:
    """Return where lost words belong among texts: before the first that the page has after them."""
    root = parse_page(html)
    on_page = words_of(normalise(" ".join(map(_text_in, root.children))))
    lost = _first(words, on_page)
    read = 0
    for k, text in enumerate(texts):
        mine = words_of(normalise(text))
        at = _first(mine[:8], on_page[read:]) if mine else -1
        if at + read > lost:
            return k
        read += at + len(mine) if at >= 0 else 0
    return len(texts)


def _first(words: Sequence[str], within: Sequence[str]) -> int:
    size = len(words)
    places = (k for k in range(len(within) - size + 1) if [*within[k : k + size]] == [*words])
    return next(places, -1)


def _text_in(part: TreePart) -> str:
    texts = (" ".join(filter(None, text.words)) for text in parts_of(part))
    return " ".join(" ".join(texts).split())


def _first_paragraph(part: TreePart) -> str | None:
    return next((_text_in(each) for each in parts_of(part) if each.tag == "p"), None)
