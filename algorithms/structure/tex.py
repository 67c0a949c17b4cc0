"""TeX of formulas: without its delimiters, and between them in a text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from algorithms.structure.rows import PageRows
from engine.source import Source

COMMAND = re.compile(r"\\[a-zA-Z]{2,}|\\[,;!{}\\]|[\^_]\{")
_WRAPPED = (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$"),
            ("\\begin{displaymath}", "\\end{displaymath}"),
            ("\\begin{math}", "\\end{math}"))  # fmt: skip
_STYLE = re.compile(r"\s*\\(?:displaystyle|textstyle)(?![a-zA-Z])\s*")


class Formula(NamedTuple):
    """A formula.

    Attributes:
        tex: Its TeX, without delimiters.
        is_display: Whether it is on a separate line.
        mathml: Its MathML, cleaned; "" where the page has none.
    """

    tex: str
    is_display: bool
    mathml: str = ""


def is_wrapped(text: str) -> bool:
    return any(text.startswith(a) and text.endswith(b) and len(text) > len(a + b)
               for a, b in _WRAPPED)  # fmt: skip


def unwrapped(tex: str) -> str:
    """Return TeX without its delimiters and enclosing style.

    >>> unwrapped(r"{\\displaystyle B=-B^{T}}")
    'B=-B^{T}'
    """
    tex = _trimmed(tex)
    for opening, closing in _WRAPPED:
        if tex.startswith(opening) and tex.endswith(closing) and len(tex) > len(opening + closing):
            tex = _trimmed(tex[len(opening) : -len(closing)])
            break
    match = re.match(r"\{\s*\\(?:displaystyle|textstyle)(?![a-zA-Z])\s*", tex)
    if match and tex.endswith("}") and _balanced(tex[match.end() : -1]):
        tex = _trimmed(tex[match.end() : -1])
    return _trimmed(_STYLE.sub("", tex, count=1) if _STYLE.match(tex) else tex)


def _trimmed(tex: str) -> str:
    r"""Return TeX without white space around it, but for a control space at its end (``\ ``)."""
    return re.sub(r"\n\s*\n", "\n", tex.strip() + (" " if re.search(r"(?<!\\)\\\s+$", tex) else ""))


def _balanced(tex: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


# Raw delimiters ----------------------------------------------------------------------------

_RENDERS = re.compile(
    r"<script[^>]*(?:mathjax|katex)[^>]*>|MathJax\.Hub|MathJax\s*=|renderMathInElement|tex2jax"
    r"|window\.MathJax|katex\.render|mathjax-tex|jsmath",
    re.IGNORECASE,
)
_LOADED = ("athJax", "athjax", "atex", "enderMathInElement", "tex2jax", "jsmath")
_RAW = re.compile(
    r"\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]|(?<![\\$])\$\$(?P<double>[^$]+?)\$\$"
    r"|(?P<env>\\begin\{(?P<name>equation|align|gather|multline|eqnarray|aligned)(?P<star>\*?)\}"
    r".+?\\end\{(?P=name)(?P=star)\})"
    r"|(?<![\\$\w])\$(?P<single>(?![\s$])(?:[^$\\]|\\.){1,400}?(?<![\s\\]))\$(?![\d$])",
    re.DOTALL,
)
IS_MATH = re.compile(
    r"[\\^_={}<>+*/|~]|^[A-Za-z]['′]?$|^[A-Za-z]\(|^[A-Za-z](?:,\s?[A-Za-z])+$|-[a-z]"
)
IS_MONEY = re.compile(r"^\d[\d,.]*(?:\s?[kKmMbB]\b)?(?:\s|$|[-–—])")


def renders_raw(rows: PageRows) -> bool:
    """Return whether a page loads a script that draws TeX between delimiters in its text."""
    page = rows.page
    if isinstance(page, Source) and not any(word in page.html for word in _LOADED):
        return False
    return any(
        _RENDERS.search(f"<script {rows.get(row, 'src')} {rows.get(row, 'id')}>")
        or _RENDERS.search(rows.raw(row))
        for row in rows.named("script")
    )


def raw_formulas(text: str) -> Iterator[tuple[str, Formula | None]]:
    r"""Yield the pieces of a text: other text, and formulas between delimiters, unchanged.

    >>> [piece for piece, formula in raw_formulas(r"costs $5, \(x\) costs $6") if formula]
    ['\\(x\\)']
    """
    past = 0
    for match in _RAW.finditer(text):
        kind = match.lastgroup if match.lastgroup not in ("name", "star") else "env"
        kind = "env" if match["env"] else kind
        tex = match[kind] if kind else ""
        if kind == "single" and (
            not IS_MATH.search(tex) or (IS_MONEY.match(tex) and not COMMAND.search(tex))
        ):
            continue
        if match.start() > past:
            yield text[past : match.start()], None
        yield match[0], Formula(_trimmed(tex), kind in ("square", "double", "env"))
        past = match.end()
    if past < len(text):
        yield text[past:], None
