"""The words that the glossary says to avoid: not in the window, not in the documentation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui.window.actions import ACTIONS
from gui.window.shortcuts import MOUSE
from resources.documentation import PAGES, read_page
from tests.plain_words import (
    BEGINNINGS,
    FOLDERS,
    HOMELY,
    definitions,
    homely,
    sentences_of_comments,
    sentences_of_docstrings,
    sentences_of_messages,
    sentences_of_page,
    table_of,
)

ROOT = Path(__file__).parents[1]
AVOIDED = {
    phrase
    for cell in re.findall(
        r"^\| (`.*?) \|", read_page("glossary.md").partition("## Words to avoid")[2], re.MULTILINE
    )
    for phrase in re.findall(r"`(.+?)`", cell)
}
_SEARCHED = re.compile(rf"\b({'|'.join(sorted(AVOIDED, key=len, reverse=True))})\b", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:in(?: the page\'s| its)? place(?: of)?|(?:the )?snapshot is taken in"
    r"|takes? the place of)\b",
    re.IGNORECASE,
)
"""Idioms that have one of the words, and no other of the same meaning."""
_UNCHANGED = {"changelog.md", "licence.md"}
"""History, and the words of a licence."""


def avoided_in(text: str) -> list[str]:
    """Return the words to avoid of a text, each with what stands around it."""
    plain = _OTHERWISE.sub("", re.sub(r"`[^`\n]*`", "", text))
    return [plain[max(0, m.start() - 40) : m.end() + 30] for m in _SEARCHED.finditer(plain)]


def shown_texts(file: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each literal that is shown: of several words, or counted."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    comments = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in comments and " " in text.strip():
                yield node.lineno, text
            case ast.Call(func=ast.Name("plural"), args=[_, ast.Constant(value=str(text)), *_]):
                yield node.lineno, text


def test_words_to_avoid_are_found_but_not_in_idioms():
    assert {"place", "mend", "taken over"} <= AVOIDED
    assert avoided_in("Mend what is at this place.") != []
    assert avoided_in("The table stands in place of the layers.") == []


def test_actions_are_described_without_words_to_avoid():
    texts = [text for text, _ in MOUSE]
    for row in ACTIONS:
        texts += [row.text, row.help, row.when.reason, row.menu, row.section]
    assert [each for text in texts for each in avoided_in(text)] == []


def test_texts_of_window_and_commands_have_no_words_to_avoid():
    result = []
    for file in sorted((ROOT / "gui").rglob("*.py")):
        for line, text in shown_texts(file):
            result += [f"{file.relative_to(ROOT)}:{line}: {words}" for words in avoided_in(text)]
    assert result == []


@pytest.mark.parametrize("page", sorted(set(PAGES) - _UNCHANGED))
def test_documentation_pages_have_no_words_to_avoid(page):
    text = read_page(page).partition("## Words to avoid")[0]
    if page == "glossary.md":  # its last column has words that are not used
        text = re.sub(r"[^|\n]*\|$", "", text, flags=re.MULTILINE)
    assert avoided_in(re.sub(r"^ {4}.*$", "", text, flags=re.MULTILINE)) == []


SHARE = 0.03
"""Most homely sentences of all; the two most read pages have none."""
_GONE = frozenset(
    "Crawl Stretch StoredStretches Teamwork TeamFolding Guiding Helping RunEnds MethodEndings "
    "TookTooMuch StandIn Standing Beyond Reach News Asked AskedBlocks Speaker going_back "
    "one_stretch".split()
)
"""Names of classes and functions that plainer ones have replaced."""


def first_sentence(docstring: str) -> str:
    """Return the first sentence of a docstring, on one line."""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    return re.split(r"(?<=[.:;])\s", paragraph)[0]


def test_homely_words_are_found():
    assert homely("Say what came of a run.", BEGINNINGS)
    assert homely("Return what stands beside it.")
    assert homely("What it is remembered by.", BEGINNINGS)
    assert not homely("Return the text below a heading.", BEGINNINGS + HOMELY)


def test_docstrings_begin_plainly_and_replaced_names_are_not_used():
    found, count = [], 0
    for where, name, docstring in definitions(*FOLDERS):
        assert name not in _GONE, f"{where}: {name}"
        if docstring is not None:
            count += 1
            patterns = BEGINNINGS + HOMELY if name else HOMELY
            sentence = first_sentence(docstring)
            if homely(sentence, patterns):
                found.append(f"{where}: {sentence}")
    assert len(found) / count < 0.01, "\n".join(found)


def test_sentences_are_found_in_all_their_forms():
    page = "# Title of it\n\nFirst `a b` one. Then\nthe second.\n\n    code of it\n"
    page += "\n- an item\n- next [one](x.md)\n"
    assert list(sentences_of_page(page)) == [
        "Title of it",
        "First `a b` one.",
        "Then the second.",
        "an item",
        "next [one]",
    ]
    assert homely("It says what came of a run.")
    assert not homely("It prints the result of a run.")


def test_pages_have_few_homely_sentences():
    """Print a table of all pages with ``-s``."""
    shares, found = {}, []
    for page in sorted(set(PAGES) - _UNCHANGED):
        sentences = list(sentences_of_page(read_page(page)))
        homely_ones = [each for each in sentences if homely(each)]
        shares[page] = (len(homely_ones), len(sentences))
        found += [f"{page}: {each}" for each in homely_ones]
    print("\n" + table_of(shares))
    assert shares["marking.md"][0] == shares["report.md"][0] == 0
    assert sum(count for _, count in shares.values()) > 5000
    assert len(found) <= SHARE * sum(count for _, count in shares.values()), "\n".join(found)


@pytest.mark.parametrize(
    ("kind", "least", "share"),
    [
        (sentences_of_docstrings, 10_000, 0.025),
        (sentences_of_comments, 2_000, SHARE),
        (sentences_of_messages, 4_000, SHARE),
    ],
    ids=lambda kind: getattr(kind, "__name__", ""),
)
def test_code_has_few_homely_sentences(kind, least, share):
    sentences = list(kind())
    found = [f"{where}: {text}" for where, text in sentences if homely(text)]
    print(f"\n{len(found)} of {len(sentences)} {kind.__name__}")
    assert len(sentences) > least
    assert len(found) <= share * len(sentences), "\n".join(found)


def test_few_names_of_tests_are_homely():
    names = [
        each.name.removeprefix("test_").replace("_", " ")
        for each in definitions("tests")
        if each.name.startswith("test_")
    ]
    found = [name for name in names if homely(name)]
    assert len(found) / len(names) < 0.01, "\n".join(found)
