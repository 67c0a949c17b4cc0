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


_HOMELY = tuple(
    re.compile(pattern, re.VERBOSE)
    for pattern in (
        r"""^(?:Say|Tell|Let|Hand|Welcome|Speak|Talk|Hear|Lay|Have|Be|Stand|Lie|Come|Catch\ up|Bring
            |Give|Go\ on|Know)\b""",
        r"""^(?:What|Which|How|Where|When|Why|Whose?|So\ (?:many|much|long)|(?:That|Those)\ of|Its?
            |They|Those|Of|By|From|In|On|With|Nothing|Nobody|None\ of|No|(?:A|The)\ way|Every
            |Each|All\ (?:of|that)|Ones?|Anything|Some)\b""",
        r"\bsa(?:id|ys?|ying)\b",
        r"""\b(?:what|which)\ (?:came\ of|becomes\ of|is|are|was|were|it\ is|there\ is|they|has
            |holds|goes|stands|lies|comes|takes)\b""",
        r"""\b(?:anew|beforehand|hitherto|henceforth|thereby|whereof|as\ yet|any\ more|at\ all
            |no\ more|for\ good|by\ itself|by\ hand|o[fn]\ (?:its|their)\ own)\b""",
        r"""\b(?:stands?|stood|lies|lay|laid|goes|went)\ (?:in|on|at|below|above|beside|behind
            |before|there|where|for|by|alone|out)\b""",
        r"""\b(?:turned\ down|let\ go|put\ back|gone\ by|looked\ at|going\ on|told\ apart
            |takes?n?\ away|as\ such|(?:in|out\ of)\ sight|twofold|one\ word|a\ word
            |stretch(?:es)?|counterpart|way\ down)\b""",
    )
)
"""Homely words and inverted sentences; the first two are of beginnings."""
_GONE = frozenset(
    "Crawl Stretch StoredStretches Teamwork TeamFolding Guiding Helping RunEnds MethodEndings "
    "TookTooMuch StandIn Standing Beyond Reach News Asked AskedBlocks Speaker going_back "
    "one_stretch".split()
)
"""Names of classes and functions that plainer ones have replaced."""


def definitions(*tops: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield location and node of each module, class and function of some folders."""
    for top in tops:
        for file in sorted((ROOT / top).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                    line = getattr(node, "lineno", 1)
                    yield f"{file.relative_to(ROOT)}:{line}", node


def homely(text: str, patterns: tuple[re.Pattern[str], ...] = _HOMELY) -> bool:
    """Return whether a text has homely words or is an inverted sentence."""
    return any(pattern.search(text) for pattern in patterns)


def first_sentence(docstring: str) -> str:
    """Return the first sentence of a docstring, on one line."""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    return re.split(r"(?<=[.:;])\s", paragraph)[0]


def test_homely_words_are_found():
    assert homely("Say what came of a run.")
    assert homely("Return what stands beside it.")
    assert homely("What it is remembered by.")
    assert not homely("Return the text below a heading.")


def test_docstrings_are_plain_and_replaced_names_are_not_used():
    found, count = [], 0
    for where, node in definitions("gui", "annotate", "algorithms", "engine"):
        assert getattr(node, "name", "") not in _GONE, f"{where}: {node.name}"
        docstring = ast.get_docstring(node)
        if docstring is not None:
            count += 1
            patterns = _HOMELY[2:] if isinstance(node, ast.Module) else _HOMELY
            sentence = first_sentence(docstring)
            if homely(sentence, patterns):
                found.append(f"{where}: {sentence}")
    assert len(found) / count < 0.01, "\n".join(found)


def test_few_names_of_tests_are_homely():
    names = [
        node.name.removeprefix("test_").replace("_", " ")
        for _, node in definitions("tests")
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    found = [name for name in names if homely(name, _HOMELY[2:])]
    assert len(found) / len(names) < 0.01, "\n".join(found)
