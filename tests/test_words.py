"""The words that the glossary says to avoid: not in the window, not in the documentation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui.window.actions import ACTIONS
from gui.window.shortcuts import MOUSE
from resources.documentation import PAGES, read_page

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


def test_a_word_to_avoid_is_seen():
    assert {"place", "mend", "taken over"} <= AVOIDED
    assert avoided_in("Mend what is at this place.") != []
    assert avoided_in("The table stands in place of the layers.") == []


def test_actions_are_named_and_explained_without_them():
    texts = [text for text, _ in MOUSE]
    for row in ACTIONS:
        texts += [row.text, row.help, row.when.reason, row.menu, row.section]
    assert [each for text in texts for each in avoided_in(text)] == []


def test_no_text_that_the_window_or_a_command_shows_has_them():
    result = []
    for file in sorted((ROOT / "gui").rglob("*.py")):
        for line, text in shown_texts(file):
            result += [f"{file.relative_to(ROOT)}:{line}: {words}" for words in avoided_in(text)]
    assert result == []


@pytest.mark.parametrize("page", sorted(set(PAGES) - _UNCHANGED))
def test_no_page_of_the_documentation_has_them(page):
    text = read_page(page).partition("## Words to avoid")[0]
    if page == "glossary.md":  # its last column has words that are not used
        text = re.sub(r"[^|\n]*\|$", "", text, flags=re.MULTILINE)
    assert avoided_in(re.sub(r"^ {4}.*$", "", text, flags=re.MULTILINE)) == []
