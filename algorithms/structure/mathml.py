"""MathML to TeX, and MathML cleaned.

Presentation MathML, and the trees that MathJax 3 and 4 draw it with (``mjx-…`` elements; ``g``
elements with ``data-mml-node`` in SVG), are read alike.  Own code, because no converter on PyPI is
maintained: mathml-to-latex has one release of 2024, mathml2latex needs an XSLT of 2002.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from algorithms.structure.rows import ElementMarkup
from algorithms.structure.tex import (
    ACCENTS,
    CLOSE,
    FENCES,
    FUNCTIONS,
    LARGE,
    PLAIN,
    TEX_CHARACTERS,
    UNDER,
    UNSEEN,
    VARIANTS,
    WIDE,
)

_DEEPEST = 100

_GLUE = frozenset(
    "mjx-math mjx-frac mjx-dbox mjx-dtable mjx-row mjx-box mjx-base mjx-sqrt mjx-itable mjx-table "
    "mjx-texatom mjx-delim mjx-char".split()
)
"""Elements of MathJax that only draw."""

_DRAWN = frozenset(
    "mjx-nstrut mjx-dstrut mjx-line mjx-surd mjx-strut mjx-spacer mjx-stretchy-v mjx-mark "
    "mjx-mphantom mjx-tstrut mjx-labels mjx-assistive-mml rect path".split()
)

_PARTS: Mapping[str, str] = {
    "mjx-num": "mrow", "mjx-den": "mrow", "mjx-over": "mrow", "mjx-under": "mrow",
    "mjx-root": "mrow", "mjx-script": "script",
}  # fmt: skip


class _Node(NamedTuple):
    """An element of MathML: its children, or its text."""

    name: str
    attributes: Mapping[str, str]
    children: "tuple[_Node, ...]"
    text: str


def tex_of(markup: ElementMarkup) -> str:
    """Return the TeX of a formula; "" where it has no element of MathML.

    >>> power = Markup("msup", {}, (Markup("mi", {}, ("x",)), Markup("mn", {}, ("2",))))
    >>> tex_of(Markup("math", {}, (power,)))
    'x^{2}'
    """
    return _tidied(_row(list(_nodes(markup, _DEEPEST))))


# Reading -----------------------------------------------------------------------------------


def _nodes(markup: ElementMarkup, deepest: int) -> Iterator[_Node]:
    name = markup.attributes.get("data-mml-node") or markup.name
    if name in _DRAWN or name.startswith("annotation") or deepest <= 0:
        return
    inner = [each for each in markup.children if not isinstance(each, str)]
    if name in ("mjx-c", "use", "text"):
        yield _Node("#text", {}, (), _drawn_character(markup))
        return
    nodes = tuple(node for each in inner for node in _nodes(each, deepest - 1))
    if name in _GLUE or name in ("semantics", "maction", "mstyle", "g", "svg", "math", "defs"):
        yield from nodes
        return
    name = _PARTS.get(name, name.removeprefix("mjx-"))
    if name in ("texatom", "TeXAtom", "mpadded", "merror"):
        name = "mrow"
    text = "".join(each for each in markup.children if isinstance(each, str))
    text += "".join(node.text for node in nodes if node.name == "#text")
    children = tuple(node for node in nodes if node.name != "#text")
    if markup.name.startswith("mjx-") or "data-mml-node" in markup.attributes:
        children = _in_order(name, children)
    yield _Node(name, markup.attributes, children, text)


def _drawn_character(markup: ElementMarkup) -> str:
    """Return the character of a glyph: its text, or the number in its class or ``data-c``."""
    text = "".join(each for each in markup.children if isinstance(each, str))
    if text.strip():
        return text
    number = markup.attributes.get("data-c", "")
    if not number:
        match = re.search(r"mjx-c([0-9A-F]{2,6})\b", markup.attributes.get("class", ""))
        number = match[1] if match else ""
    try:
        return chr(int(number, 16))
    except (ValueError, OverflowError):
        return ""


def _in_order(name: str, children: tuple[_Node, ...]) -> tuple[_Node, ...]:
    """Return the children of an element that MathJax drew in the order of MathML."""
    scripts = [each for each in children if each.name == "script"]
    if scripts and name == "msubsup":
        parts = scripts[0].children
        return (*[each for each in children if each.name != "script"], *reversed(parts))
    if scripts:
        return tuple(
            part for each in children for part in (each.children if each is scripts[0] else (each,))
        )
    if name in ("mover", "mroot") and len(children) == 2:
        return children[::-1]
    if name == "munderover" and len(children) == 2 and children[1].name == "munder":
        return (*children[1].children, children[0])
    return children


# Writing -----------------------------------------------------------------------------------


def _row(nodes: Sequence[_Node]) -> str:
    """Return nodes one after the other; fences grow with the nodes between them."""
    if len(nodes) >= 2 and _is_fence(nodes[0]) and _is_fence(nodes[-1]):
        first, last = nodes[0].text.strip(), nodes[-1].text.strip()
        table = nodes[1] if len(nodes) == 3 and nodes[1].name in ("mtable", "mrow") else None
        while table is not None and table.name == "mrow" and len(table.children) == 1:
            table = table.children[0]
        if table is not None and table.name == "mtable" and FENCES.get(first) == last in CLOSE:
            return _table(table, CLOSE[last])
        if FENCES.get(first) == last and not any(_is_fence(each) for each in nodes[1:-1]):
            inner = _joined(_tex(each) for each in nodes[1:-1])
            return f"\\left{_fence(first)}{inner} \\right{_fence(last)}"
    is_brace = len(nodes) == 2 and nodes[0].name == "mo" and nodes[0].text.strip() == "{"
    if is_brace and nodes[1].name == "mtable":
        return _table(nodes[1], "cases")
    return _joined(_written(nodes))


def _written(nodes: Sequence[_Node]) -> Iterator[str]:
    """Yield the TeX of a row's nodes, with matching fences stretched unless marked otherwise."""
    closing = _closing(nodes)
    for at, node in enumerate(nodes):
        if at in closing:
            side = "left" if closing[at] > at else "right"
            yield f"\\{side}{_fence(node.text.strip())}"
        else:
            yield _tex(node)


def _closing(nodes: Sequence[_Node]) -> dict[int, int]:
    """Return for each fence of a row that fits another the place of that."""
    pairs: dict[int, int] = {}
    open_: list[int] = []
    for at, node in enumerate(nodes):
        if node.name != "mo":
            continue
        text = node.text.strip()
        if text in ("(", "[", "{", "⟨", "⌊", "⌈"):
            open_.append(at)
        elif open_ and FENCES[nodes[open_[-1]].text.strip()] == text:
            pairs[at] = open_.pop()
            pairs[pairs[at]] = at
    return pairs


def _is_fence(node: _Node) -> bool:
    text = node.text.strip()
    return node.name == "mo" and (text in FENCES or text in FENCES.values())


def _fence(character: str) -> str:
    if not character:
        return "."
    command = TEX_CHARACTERS.get(character)
    return f"\\{command}" if command else character


def _joined(pieces: Iterator[str]) -> str:
    return " ".join(piece for piece in pieces if piece)


def _tex(node: _Node) -> str:
    is_whole = len(node.children) == _WITH_PARTS.get(node.name, len(node.children))
    write = _WRITERS.get(node.name) if is_whole else None
    return write(node) if write else _row(node.children)


def _parts(node: _Node) -> list[str]:
    return [_tex(each) for each in node.children]


def _fraction(node: _Node) -> str:
    over, under = _parts(node)
    line = node.attributes.get("linethickness", "")
    if re.match(r"0(\.0*)?(px|em|pt|ex)?$", line.strip()):
        return f"\\genfrac{{}}{{}}{{0pt}}{{}}{{{over}}}{{{under}}}"
    return f"\\frac{{{over}}}{{{under}}}"


def _fenced(node: _Node) -> str:
    opening, closing = node.attributes.get("open", "("), node.attributes.get("close", ")")
    separators = (node.attributes.get("separators", ",").strip() or " ")[:1]
    inner = f" {separators} ".join(_parts(node))
    return f"\\left{_fence(opening)}{inner}\\right{_fence(closing)}"


_WITH_PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3, "mover": 2, "munder": 2,
               "munderover": 3}  # fmt: skip


def _token(node: _Node) -> str:
    text = UNSEEN.sub("", node.text)
    if node.name in ("mtext", "ms"):
        inner = re.sub(r"[{}#%&$_]", lambda match: f"\\{match[0]}", " ".join(text.split()))
        lead = " " if text[:1].isspace() else ""
        trail = " " if text[-1:].isspace() and text.strip() else ""
        return f"\\text{{{lead}{inner}{trail}}}" if text else ""
    bare = text.strip()
    if not bare:
        return ""
    variant = node.attributes.get("mathvariant", "").lower()
    folded, style = _unstyled(bare)
    command = VARIANTS.get(variant) or style
    if node.name == "mi" or (node.name == "mo" and len(bare) > 1):
        if folded in FUNCTIONS:
            return f"\\{folded}"
    elif node.name == "mn":
        folded = folded.replace(",", "{,}") if re.fullmatch(r"\d+,\d+", folded) else folded
    letters = "".join(_character(each) for each in folded).strip()
    return f"\\{command}{{{letters}}}" if command else letters


def _character(character: str) -> str:
    plain = PLAIN.get(character)
    if plain is not None:
        return plain
    command = TEX_CHARACTERS.get(character)
    if command is None:
        return character
    return f"\\{command} " if command.isalpha() else f"\\{command}"


def _unstyled(text: str) -> tuple[str, str]:
    """Return letters of Unicode's mathematical alphabets as plain ones, and the command for them.

    >>> _unstyled("𝐱")
    ('x', 'mathbf')
    """
    if text.isascii():
        return text, ""
    names = [unicodedata.name(each, "") for each in text]
    if not all(n.startswith(("MATHEMATICAL ", "DOUBLE-STRUCK ", "SCRIPT ", "BLACK-LETTER "))
               for n in names):  # fmt: skip
        return text, ""
    plain = unicodedata.normalize("NFKC", text)
    if not plain.isalnum():
        return text, ""
    name = names[0]
    for words, command in (
        ("DOUBLE-STRUCK", "mathbb"), ("FRAKTUR", "mathfrak"), ("BLACK-LETTER", "mathfrak"),
        ("SCRIPT", "mathcal"), ("MONOSPACE", "mathtt"), ("SANS-SERIF", "mathsf"),
        ("BOLD ITALIC", "boldsymbol"), ("BOLD", "mathbf"),
    ):  # fmt: skip
        if words in name:
            return plain, command
    return plain, ""


def _scripted(name: str, base_name: str, parts: Sequence[str]) -> str:
    base = parts[0]
    if not base or base_name in ("msub", "msup", "msubsup"):
        base = f"{{{base}}}"
    if name == "msub":
        return f"{base}_{{{parts[1]}}}"
    if name == "msup":
        if set(parts[1].replace(" ", "")) == {"'"}:
            return base + parts[1].replace(" ", "")
        return f"{base}^{{{parts[1]}}}"
    return f"{base}_{{{parts[1]}}}^{{{parts[2]}}}"


def _stacked(name: str, children: Sequence[_Node], parts: Sequence[str]) -> str:
    base = parts[0]
    if base.split("{")[0].strip() in LARGE:
        under = f"_{{{parts[1]}}}" if name != "mover" else ""
        over = f"^{{{parts[-1]}}}" if name != "munder" else ""
        return f"{base}{under}{over}"
    if name != "munderover":
        sign = UNSEEN.sub("", children[1].text).strip() if not children[1].children else ""
        accents = ACCENTS if name == "mover" else UNDER
        accent = accents.get(sign, "") if children[1].name in ("mo", "mi", "mtext") else ""
        if accent:
            if name == "mover" and len(re.sub(r"\\[a-zA-Z]+", "x", base).replace(" ", "")) > 1:
                accent = WIDE.get(accent, accent)
            return f"\\{accent}{{{base}}}"
        command = "overset" if name == "mover" else "underset"
        if re.match(r"\\(over|under)brace\{", base):
            return f"{base}{'^' if name == 'mover' else '_'}{{{parts[1]}}}"
        return f"\\{command}{{{parts[1]}}}{{{base}}}"
    return f"\\overset{{{parts[2]}}}{{\\underset{{{parts[1]}}}{{{base}}}}}"


def _multiscripts(children: Sequence[_Node]) -> str:
    if not children:
        return ""
    before = [at for at, each in enumerate(children) if each.name == "mprescripts"]
    cut = before[0] if before else len(children)

    def scripts(nodes: Sequence[_Node]) -> str:
        lower = "".join(_tex(each) for each in nodes[0::2] if each.name != "none")
        upper = "".join(_tex(each) for each in nodes[1::2] if each.name != "none")
        return (f"_{{{lower}}}" if lower else "") + (f"^{{{upper}}}" if upper else "")

    pre = scripts(children[cut + 1 :])
    return (f"{{}}{pre}" if pre else "") + _tex(children[0]) + scripts(children[1:cut])


def _table(table: _Node, environment: str) -> str:
    rows = [each for each in table.children if each.name in ("mtr", "mlabeledtr")]
    align = table.attributes.get("columnalign", "")
    if environment == "matrix" and ("right" in align or "displaystyle" in table.attributes):
        environment = "aligned"
    lines = " \\\\ ".join(_tex(each) for each in rows)
    return f"\\begin{{{environment}}} {lines} \\end{{{environment}}}"


def _enclosed(node: _Node) -> str:
    inner = _row(node.children)
    notation = node.attributes.get("notation", "longdiv").split()
    for name, command in (
        ("top", "overline"), ("bottom", "underline"), ("box", "boxed"),
        ("updiagonalstrike", "cancel"), ("downdiagonalstrike", "bcancel"), ("radical", "sqrt"),
    ):  # fmt: skip
        if name in notation:
            return f"\\{command}{{{inner}}}"
    return inner


def _em(width: str) -> float:
    match = re.match(r"([\d.]+)em", width)
    return float(match[1]) if match else 0.0


def _tidied(tex: str) -> str:
    tex = re.sub(r" +([}^_])", r"\1", tex)
    return re.sub(r"  +", " ", tex).strip()


# MathML ------------------------------------------------------------------------------------

_KEPT = frozenset(
    "math semantics annotation mrow mi mn mo mtext ms mspace mfrac msqrt mroot mstyle merror "
    "mpadded mphantom mfenced menclose msub msup msubsup munder mover munderover mmultiscripts "
    "mprescripts none mtable mtr mtd mlabeledtr".split()
)
_KEPT_ATTRIBUTES = frozenset(
    "display alttext mathvariant stretchy fence separator accent accentunder linethickness "
    "columnalign rowalign columnspan rowspan width open close separators notation encoding "
    "displaystyle".split()
)


def clean_mathml(markup: ElementMarkup) -> str:
    """Return MathML as markup with only the elements and attributes that carry its meaning."""
    inner = "".join(_clean(each) for each in markup.children)
    if markup.name not in _KEPT:
        return inner
    given = "".join(
        f' {name}="{escape(value)}"'
        for name, value in markup.attributes.items()
        if name in _KEPT_ATTRIBUTES
    )
    return f"<{markup.name}{given}>{inner}</{markup.name}>"


def _clean(each: ElementMarkup | str) -> str:
    return escape(each.strip(), quote=False) if isinstance(each, str) else clean_mathml(each)


_WRITERS: Mapping[str, Callable[[_Node], str]] = {
    **dict.fromkeys(("mi", "mn", "mo", "mtext", "ms"), _token),
    "mspace": lambda it: "\\quad" if _em(it.attributes.get("width", "")) >= 1 else "",
    "mfrac": _fraction,
    "msqrt": lambda it: f"\\sqrt{{{_row(it.children)}}}",
    "mroot": lambda it: "\\sqrt[{1}]{{{0}}}".format(*_parts(it)),
    **dict.fromkeys(("msub", "msup", "msubsup"),
                    lambda it: _scripted(it.name, it.children[0].name, _parts(it))),
    **dict.fromkeys(("mover", "munder", "munderover"),
                    lambda it: _stacked(it.name, it.children, _parts(it))),
    "mmultiscripts": lambda it: _multiscripts(it.children),
    "mtable": lambda it: _table(it, "matrix"),
    **dict.fromkeys(("mtr", "mlabeledtr"), lambda it: " & ".join(
        _row(each.children) for each in it.children if each.name == "mtd")),
    "mfenced": _fenced,
    "menclose": _enclosed,
    "mphantom": lambda it: f"\\phantom{{{_row(it.children)}}}",
}  # fmt: skip
"""How each element of MathML is written in TeX; others are rows of what is in them."""
