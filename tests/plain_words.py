"""Sentences of pages, docstrings, comments and messages, and how many of them are homely."""

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDERS = ("gui", "annotate", "algorithms", "engine")

BEGINNINGS = tuple(
    re.compile(pattern, re.VERBOSE)
    for pattern in (
        r"""^(?:Say|Tell|Let|Hand|Welcome|Speak|Talk|Hear|Lay|Have|Be|Stand|Lie|Come|Catch\ up|Bring
            |Give|Go\ on|Know)\b""",
        r"""^(?:What|Which|How|Where|When|Why|Whose?|So\ (?:many|much|long)|(?:That|Those)\ of|Its?
            |They|Those|Of|By|From|In|On|With|Nothing|Nobody|None\ of|No|(?:A|The)\ way|Every
            |Each|All\ (?:of|that)|Ones?|Anything|Some)\b""",
    )
)
"""Beginnings of docstrings that are no verb or no noun."""
HOMELY = tuple(
    re.compile(pattern, re.VERBOSE)
    for pattern in (
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
"""Homely words and inverted sentences, wherever they occur."""

_END = re.compile(r"(?<=[.!?])[)*_”\"]*\s+(?=[\[(*_`“\"]*[A-Z0-9`])")
_ITEM = re.compile(r"^\s*(?:[-*]|\d+\.|#+|>)\s+|\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|#+)\s)|\|", re.M)
_CODE = re.compile(r"^```[\s\S]*?^```|^(?: {4}|\t)(?! *[-*] ).*$|<!--[\s\S]*?-->", re.MULTILINE)
_NAME = re.compile(r"`[^`\n]+`")


def homely(text: str, patterns: tuple[re.Pattern[str], ...] = HOMELY) -> bool:
    """Return whether a text has homely words or is an inverted sentence."""
    return any(pattern.search(text) for pattern in patterns)


def sentences_of(prose: str) -> Iterator[str]:
    """Yield the sentences of a text with Markdown or reST, each on one line: items, cells too."""
    for part in _ITEM.split(re.sub(r"\]\([^)]*\)", "]", prose)):
        for sentence in _END.split(" ".join(part.split())):
            if len(re.findall(r"[A-Za-z]{2,}", _NAME.sub("", sentence))) > 1:
                yield sentence


def sentences_of_page(markdown: str) -> Iterator[str]:
    """Yield the sentences of a page, without its code."""
    return sentences_of(_CODE.sub("\n", markdown))


class Definition(NamedTuple):
    """A module, class or function; the name of a module is empty."""

    where: str
    name: str
    docstring: str | None


def definitions(*tops: str) -> Iterator[Definition]:
    """Yield each module, class and function of some folders."""
    for top in tops:
        for file in sorted((ROOT / top).rglob("*.py")):
            yield from _outline(file)[0]


@cache
def _outline(file: Path) -> tuple[list[Definition], list[tuple[int, str]]]:
    """Return the definitions of a module, and the texts below its constants."""
    found, below = [], []
    for node in _statements(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            where = f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
            found.append(Definition(where, getattr(node, "name", ""), ast.get_docstring(node)))
        below += _below_constants(getattr(node, "body", ()))
    return found, below


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and the statements in it, a tenth of all that `ast.walk` would pass."""
    yield node
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, name, ()):
            yield from _statements(each)


def sentences_of_docstrings() -> Iterator[tuple[str, str]]:
    """Yield location and text of each sentence of a docstring."""
    for definition in definitions(*FOLDERS):
        for sentence in sentences_of(definition.docstring or ""):
            yield definition.where, sentence


def sentences_of_comments() -> Iterator[tuple[str, str]]:
    """Yield location and text of each sentence of a comment, or of the text below a constant."""
    for top in FOLDERS:
        for file in sorted((ROOT / top).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            name = str(file.relative_to(ROOT))
            for line, prose in (*_comments(text), *_outline(file)[1]):
                for sentence in sentences_of(prose):
                    yield f"{name}:{line}", sentence


def _comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each comment; lines of comments below each other are one."""
    first, last, prose = 0, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or re.match(
            r"#(?:!|:? *(?:type|fmt|noqa))", token.string
        ):
            continue
        line, words = token.start[0], token.string.lstrip("#: ")
        if line == last + 1 and token.line.lstrip().startswith("#"):
            last, prose = line, f"{prose} {words}"
            continue
        if prose:
            yield first, prose
        first, last, prose = line, line, words
    if prose:
        yield first, prose


def _below_constants(body: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield line and text of each literal that describes the assignment above it."""
    for above, statement in itertools.pairwise(body):
        match above, statement:
            case (
                (ast.Assign() | ast.AnnAssign()),
                ast.Expr(value=ast.Constant(value=str(prose))),
            ):
                yield statement.lineno, prose


def sentences_of_messages() -> Iterator[tuple[str, str]]:
    """Yield location and text of each sentence that is shown: literals of several words."""
    for top in FOLDERS:
        for file in sorted((ROOT / top).rglob("*.py")):
            for line, prose in _messages(ast.parse(file.read_text(encoding="utf-8"))):
                for sentence in sentences_of(prose):
                    yield f"{file.relative_to(ROOT)}:{line}", sentence


def _messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of literals of three words or more, with ``…`` for what is inserted."""
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            passed |= {id(each) for each in ast.walk(node)} - {id(node)}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        match node:
            case ast.Constant(value=str(prose)):
                pass
            case ast.JoinedStr(values=values):
                prose = "".join(
                    str(v.value) if isinstance(v, ast.Constant) else "…" for v in values
                )
            case _:
                continue
        if len(re.findall(r"\b[a-z]{2,}\b", prose)) > 2:
            yield node.lineno, prose


def table_of(shares: dict[str, tuple[int, int]]) -> str:
    """Return the homely sentences, all sentences and their share, the worst first."""
    rows = sorted(shares.items(), key=lambda row: -row[1][0] / max(1, row[1][1]))
    lines = [f"{100 * bad / max(1, n):5.1f} %  {bad:4}/{n:5}  {name}" for name, (bad, n) in rows]
    bad, count = (sum(each[k] for each in shares.values()) for k in (0, 1))
    return "\n".join([*lines, f"{100 * bad / max(1, count):5.1f} %  {bad:4}/{count:5}  in all"])
