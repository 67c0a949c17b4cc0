"""Formulas of a page: MathML, KaTeX, MathJax, Temml, Wikipedia, LaTeXML, pictures of LaTeX.

A formula is often on a page several times: drawn, as MathML for screen readers, as TeX.
It is one element here, the outermost that holds nothing else, with its TeX: the page's own where
it has it, else that of its MathML, or of MathJax's output (`algorithms.structure.mathml`).
"""

import json
import re
from collections.abc import Sequence
from functools import cached_property
from urllib.parse import parse_qs, unquote, urlsplit

from algorithms.signals.memo import shared
from algorithms.structure.mathml import clean_mathml, tex_of
from algorithms.structure.reading_rules import Element, ReadingRule, always, nothing, read_by
from algorithms.structure.rows import PageRows, page_rows
from algorithms.structure.tex import COMMAND, IS_MATH, IS_MONEY, Formula, is_wrapped, unwrap
from engine.references import resolve
from engine.source import Source
from engine.tree import Ints

_BOXES = ("katex", "mathjax", "mjx", "mwe-math", "hurmet-tex", "temml", "math", "data-latex",
          "data-tex", "data-entry", "data-expr", "data-original-tex", "data-formula",
          "data-equation", "ltx_eqn_row", "latex-rendered", "arithmatex")  # fmt: skip
_BOX_CLASSES = re.compile(
    r" (?:katex(?:-display|-block|-inline|--inline|--display)?|mathjax(?:_display|_svg|_chtml"
    r"|_svg_display|_mathml)?|mjx-chtml|mjxc-display|mwe-math-element|hurmet-tex|temml"
    r"|math-(?:inline|block|display)|mathjax-tex|ltx_eqn_row|latex-rendered) ",
    re.IGNORECASE,
)
_TEXT_BOXES = re.compile(
    r" (?:math-container|math-tex|math|arithmatex|(?:wp-)?katex-eq|js-render-math|mathjax-tex"
    r"|math-(?:inline|block|display)|tex2jax_process|jp-RenderedLatex) "
)
"""Classes of elements whose text is TeX, between delimiters or bare."""

_BARE = re.compile(
    r" (?:math-(?:inline|block|display)|(?:wp-)?katex-eq|js-render-math"
    r"|math (?:\S+ )*(?:inline|display)|(?:inline|display) (?:\S+ )*math) "
)
_TEX_TAGS = ("d-math", "tex-math", "math-renderer")
_TEX_ATTRIBUTES = ("data-latex", "data-tex", "data-math", "data-katex", "data-entry", "data-expr",
                   "data-original-tex", "data-formula", "data-equation")  # fmt: skip
_IS_DISPLAY = re.compile(
    r"katex-(?:display|block|-display)|MathJax(?:_SVG)?_Display|MJXc-display|math-(?:block|display)"
    r"|mwe-math-(?:mathml|fallback-image)-display|tml-display|ltx_eqn_row|ltx_equation\b"
    r"|latex-rendered"
)
_SERVICES = re.compile(
    r"latex\.php\?|latex\.codecogs\.com/|chart\.(?:googleapis|apis\.google)\.com/chart\?.*cht=tx"
    r"|math\.now\.sh|/media/math/render/|render\.githubusercontent\.com/render/math"
    r"|i\.upmath\.me/|mathurl\.com/|/mimetex|/mathtex|latex\.numberempire|quicklatex\.com"
    r"|texify|mathb\.in|latexrender|/cgi-bin/latex|/equation\?tex=",
    re.IGNORECASE,
)
_PICTURE_CLASSES = re.compile(
    r" (?:latex|tex|texrender|math|ql-img-\S+|mwe-math-fallback-image-\S+|equation_image|eq-?image"
    r"|wp-katex-eq|latexrender) ",
    re.IGNORECASE,
)
_CONSISTS_OF_TEX = re.compile(
    r"\\(?:frac|sum|int|begin|left|sqrt|operatorname|mathbb|mathcal|math)"
)
_SCRIPTS = re.compile(r"^math/(?:tex|katex|latex|mml)", re.IGNORECASE)
_DRAWN_BY_MATHJAX = re.compile(r"MathJax|MJX|mjx", re.IGNORECASE)
_WIRIS = str.maketrans({"«": "<", "»": ">", "¨": '"', "§": "&", "`": "'"})
"""How WIRIS writes the marks of MathML in an attribute."""


def formulas_of(rows: PageRows) -> tuple[dict[int, Formula], set[int]]:
    """Return the formulas of a page by their rows, none below another, and rows to leave out.

    Previews and pictures beside their formula are left out.
    """
    candidates = {*rows.named("math", "mjx-container", "amp-mathml", "img", *_TEX_TAGS),
                  *(row for row in rows.named("script") if _SCRIPTS.match(rows.get(row, "type"))),
                  *rows.mentioning(*_BOXES)}  # fmt: skip
    found: dict[int, Formula] = {}
    left_out: set[int] = set()
    past = 0
    for row in sorted(candidates):
        if row < past or row in left_out:
            continue
        formula = _formula(rows, row)
        if formula is None:
            continue
        found[row], past = formula, rows.end[row]
        left_out |= _copies_beside(rows, row)
    return found, left_out - set(found)


class _Candidate(Element):
    """An element that may be a formula."""

    @cached_property
    def own(self) -> str:
        """The TeX in one of its attributes."""
        own = next(filter(None, map(self.get, _TEX_ATTRIBUTES)), "")
        return own or _in_data(self.rows, self.row, self.classes)

    @cached_property
    def is_box(self) -> bool:
        """Whether it is called a formula."""
        is_called = self.name in ("mjx-container", "amp-mathml")
        return is_called or _BOX_CLASSES.search(self.classes) is not None

    @cached_property
    def has_text_of_tex(self) -> bool:
        """Whether its text is called TeX."""
        return self.name in _TEX_TAGS or bool(not self.own and _TEXT_BOXES.search(self.classes))

    @cached_property
    def maths(self) -> list[int]:
        """The ``math`` elements in it."""
        return self.inside("math")

    @cached_property
    def script(self) -> int | None:
        """The script beside or in it that it is drawn from."""
        rows = self.rows
        inside = (at for at in self.inside("script") if _SCRIPTS.match(rows.get(at, "type")))
        return _script_after(rows, self.row) or next(inside, None)

    def inside(self, name: str) -> list[int]:
        """Return the elements of a tag in it, itself included."""
        names = self.rows.names
        return [at for at in range(self.row, self.rows.end[self.row]) if names[at] == name]

    def shown(self, formula: Formula | None) -> Formula | None:
        """Return a formula in it, in a separate line if it is."""
        is_display = _is_display(self.rows, self.row)
        return formula and formula._replace(is_display=formula.is_display or is_display)

    def with_mathml(self, formula: Formula | None) -> Formula | None:
        """Return a formula in it with its first MathML, unless it has some."""
        if formula and self.maths and not formula.mathml:
            mathml = clean_mathml(self.rows.markup(self.maths[0]))
            formula = formula._replace(mathml=mathml)
        return self.shown(formula)


def _formula(rows: PageRows, row: int) -> Formula | None:
    return read_by(_RULES, _Candidate(rows, row))


def _is_drawn(it: _Candidate) -> bool:
    """Return whether a script holds no formula, or one whose drawing is before it."""
    drawn = _before(it.rows, it.row)
    is_math = _SCRIPTS.match(it.get("type"))
    return not is_math or (drawn is not None and it.rows.names[drawn] != "script")


def _from_output(it: _Candidate) -> Formula | None:
    tex = tex_of(it.rows.markup(it.row))
    return it.shown(Formula(tex, False)) if tex else None


def _is_picture(it: _Candidate) -> bool:
    return len(it.inside("img")) == 1 and not it.rows.has_text(it.row, it.rows.end[it.row])


def _from_box(rows: PageRows, row: int) -> Formula | None:
    """Return the formula of an element whose text is TeX; its number becomes its tag."""
    numbers = [at for at in rows.elements(row) if " eqno " in rows.classes(at)]
    text = rows.glued(row).strip()
    for at in numbers:
        text = text.replace(rows.glued(at), "", 1).strip()
    is_bare = rows.names[row] in _TEX_TAGS or _BARE.search(rows.classes(row))
    is_text = bool(text) and len(rows.elements(row)) - len(numbers) == 0
    if rows.names[row] == "pre":
        is_text = bool(text)
    if not is_wrapped(text) and not (is_bare and is_text):
        return None
    tex, given = unwrap(text), rows.attributes(row)
    if numbers and "\\tag" not in tex:
        tex = f"{tex} \\tag{{{re.sub(r'[^0-9A-Za-z.]', '', rows.text(numbers[0]))}}}"
    display = _is_display(rows, row) or text[:2] in ("\\[", "$$") or "block" in given
    display |= "display" in given.get("data-math-style", "")
    display |= "true" in (given.get("data-display"), given.get("data-katex-display"))
    return Formula(tex, display)


def _in_data(rows: PageRows, row: int, classes: str) -> str:
    """Return the TeX of a formula of Substack, drawn by a script."""
    if " latex-rendered " not in classes:
        return ""
    try:
        data = json.loads(rows.get(row, "data-attrs") or "{}")
    except ValueError:
        return ""
    return str(data.get("persistentExpression", "")) if isinstance(data, dict) else ""


def _is_math(rows: PageRows, row: int, classes: str) -> bool:
    """Return whether an element with TeX in an attribute is marked as a formula, or shows one."""
    if any(rows.get(row, name) for name in ("data-latex", "data-tex", "data-math", "data-katex")):
        return True
    if re.search(r"math|tex|katex|formula|equation", classes, re.IGNORECASE):
        return True
    return any(rows.names[at] in ("math", "mjx-container") for at in range(row, rows.end[row]))


def _from_mathml(rows: PageRows, row: int, box: int) -> Formula | None:
    """Return the formula of a ``math`` element, of which ``box`` is the outermost element."""
    display = rows.get(row, "display") == "block" or rows.get(row, "mode") == "display"
    display |= _is_display(rows, box) or " tml-display " in rows.classes(row)
    annotated, alt = _annotation(rows, row), rows.get(row, "alttext")
    markup = rows.markup(row)
    is_tex = COMMAND.search(alt) or "ltx_Math" in rows.classes(row) or _has_same_letters(rows, row)
    tex = annotated or (alt if is_tex else "")
    tex = unwrap(tex) or tex_of(markup) or unwrap(alt) or rows.text(row)
    return Formula(tex, display, clean_mathml(markup)) if tex else None


def _has_same_letters(rows: PageRows, row: int) -> bool:
    """Return whether the alternative text of a formula is it as TeX, and no words for it."""
    alt = re.sub(r"[\s{}^_]", "", rows.get(row, "alttext"))
    return bool(alt) and alt == re.sub(r"\s", "", rows.glued(row))


def _annotation(rows: PageRows, row: int) -> str:
    """Return the TeX that annotates a formula as a whole, not a part of it; "" if none does."""
    inner = [row]
    while len(inner) == 1 and rows.names[inner[0]] in ("math", "mrow", "mstyle", "semantics"):
        inner = rows.elements(inner[0])
    texts = (
        rows.glued(at) for at in inner
        if rows.names[at] == "annotation" and "tex" in rows.get(at, "encoding").lower()
    )  # fmt: skip
    return next((text for text in texts if unwrap(text)), "")


def _from_script(rows: PageRows, row: int) -> Formula | None:
    kind, text = rows.get(row, "type"), rows.raw(row)
    display = "mode=display" in kind
    if kind.lower().startswith("math/mml"):
        return _from_text(text, display)
    tex = unwrap(resolve(text))
    return Formula(tex, display) if tex else None


def _from_text(given: str, display: bool) -> Formula | None:
    rows = PageRows(Source.from_text(given))
    maths = rows.named("math")
    formula = _from_mathml(rows, maths[0], maths[0]) if maths else None
    return formula and formula._replace(is_display=formula.is_display or display)


def _equation_row(rows: PageRows, row: int) -> Formula | None:
    """Return a row of LaTeXML's table of equations as one formula, with its number."""
    inside = range(row, rows.end[row])
    maths = [at for at in inside if rows.names[at] == "math"]
    parts = [_from_mathml(rows, at, at) for at in maths]
    tex = " ".join(part.tex for part in parts if part)
    if not tex:
        return None
    number = next((rows.text(at) for at in inside if " ltx_tag_equation " in rows.classes(at)), "")
    tag = re.sub(r"[()\[\]\s]", "", number)
    if tag and "\\tag" not in tex:
        tex = f"{tex} \\tag{{{tag}}}"
    mathml = clean_mathml(rows.markup(maths[0])) if len(maths) == 1 else ""
    return Formula(tex, True, mathml)


def _picture(rows: PageRows, row: int, *, is_known: bool = False) -> Formula | None:
    """Return the formula of a picture: of a service of LaTeX, or with TeX as its ``alt``."""
    given = rows.attributes(row)
    address = next(
        (given[name] for name in ("src", "data-src", "data-lazy-src") if name in given), ""
    )
    classes = rows.classes(row)
    mathml = given.get("data-mathml", "").translate(_WIRIS)
    if "<math" in mathml:
        formula = _from_text(mathml, _is_alone(rows, row))
        if formula:
            return formula
    tex = unwrap(_tex_of_picture(rows, row, address, is_known=is_known))
    display = "-display" in classes or "displaystyle" in classes or _is_alone(rows, row)
    return Formula(tex, display) if tex else None


def _tex_of_picture(rows: PageRows, row: int, address: str, *, is_known: bool) -> str:
    """Return the TeX of a picture's ``alt`` or address; "" for one that is no formula."""
    alt, classes = rows.get(row, "alt").strip(), rows.classes(row)
    is_service = bool(_SERVICES.search(address))
    box = classes + "".join(
        rows.classes(up) for up, _ in zip(rows.above(row), range(2), strict=False)
    )
    if is_service or is_known or _PICTURE_CLASSES.search(classes) or " math " in box:
        tex = alt or _tex_in(address)
        if not (
            COMMAND.search(tex)
            or is_service
            or "mwe-math" in classes
            or " latex " in classes
            or (" math " in box and IS_MATH.search(tex) and not re.search(r"[a-z]{4}", tex))
        ):
            return ""
        return tex
    is_tex = _CONSISTS_OF_TEX.search(alt) and len(COMMAND.findall(alt)) > 1
    # The second as LaTeX2HTML writes it.
    if is_tex or (is_wrapped(alt) and "$" not in alt[2:-2] and not IS_MONEY.match(alt.strip("$"))):
        return alt
    return ""


def _tex_in(address: str) -> str:
    """Return the TeX in the address of a service that draws it.

    >>> _tex_in("https://s0.wp.com/latex.php?latex=x%5E2&bg=fff")
    'x^2'
    """
    parts = urlsplit(address)
    given = parse_qs(parts.query)
    for name in ("latex", "math", "chl", "tex", "formula", "from", "eq"):
        if name in given:
            return given[name][0]
    text = unquote(parts.query or parts.path.rpartition("/")[2])
    text = re.sub(r"&(?:space;?)?", " ", text)
    return re.sub(r"\\(?:inline|dpi\{\d+\}|bg_\w+|fn_\w+|large|small|color\{\w+\})\s*", "", text)


def _is_alone(rows: PageRows, row: int) -> bool:
    """Return whether a picture is alone in the element of its block."""
    for above in rows.above(row):
        if rows.names[above] in ("p", "div", "figure", "center", "dd"):
            others = [at for at in range(above, rows.end[above]) if rows.names[at] == "img"]
            return len(others) == 1 and not rows.has_text(above, rows.end[above])
        if rows.names[above] not in ("span", "a", "em", "strong", "noscript"):
            return False
    return False


def _is_display(rows: PageRows, row: int) -> bool:
    if rows.get(row, "display") in ("true", "block"):
        return True
    if _IS_DISPLAY.search(rows.classes(row)) or " display " in rows.classes(row):
        return True
    parent = rows.parent[row]
    if parent >= 0 and _IS_DISPLAY.search(rows.classes(parent)):
        return True
    inside = range(row, min(rows.end[row], row + 6))
    return any(_IS_DISPLAY.search(rows.classes(at)) for at in inside if rows.names[at] != "#text")


def _copies_beside(rows: PageRows, row: int) -> set[int]:
    """Return previews, scripts and further drawings beside the element of a formula."""
    parent = rows.parent[row]
    if parent < 0:
        return set()
    copies, siblings = set(), list(rows.children(parent))
    at = siblings.index(row)
    for step in (-1, 1):
        here = at + step
        while 0 <= here < len(siblings) and _is_copy(rows, siblings[here]):
            copies.add(siblings[here])
            here += step
    return copies


def _is_copy(rows: PageRows, row: int) -> bool:
    classes = rows.classes(row)
    if " MathJax_Preview " in classes or " mwe-math-fallback" in classes:
        return True
    return rows.names[row] == "script" and bool(_SCRIPTS.match(rows.get(row, "type")))


def _before(rows: PageRows, row: int) -> int | None:
    """Return the output of MathJax before a script; None if there is none."""
    parent = rows.parent[row]
    before = [each for each in rows.elements(parent) if each < row] if parent >= 0 else []
    if not before:
        return None
    classes = rows.classes(before[-1])
    drawn = _DRAWN_BY_MATHJAX.search(classes) and " MathJax_Preview " not in classes
    return before[-1] if drawn else None


def _script_after(rows: PageRows, row: int) -> int | None:
    """Return the script with the TeX of a formula drawn by MathJax 2, directly after it."""
    if not _DRAWN_BY_MATHJAX.search(rows.classes(row)):
        return None
    for up in (row, rows.parent[row]):
        after = rows.end[up]
        if after < len(rows.names) and rows.names[after] == "script":
            return after if _SCRIPTS.match(rows.get(after, "type")) else None
    return None


# Text --------------------------------------------------------------------------------------

_MAY_HAVE = ("math", "MathJax", "latex", "katex", r"\frac", r"\sum", r"\begin{", r"\operatorname",
             "cht=tx", "mimetex", 'alt="$', 'ALT="$')  # fmt: skip
"""What pages with formulas hold somewhere: all texts are looked through for it, so it is short."""


@shared
def formulas_in(source: Source) -> tuple[dict[int, Formula], set[int]]:
    """Return the result of `formulas_of` for a source, cached."""
    has_any = any(word in source.html for word in _MAY_HAVE)
    return formulas_of(page_rows(source)) if has_any else ({}, set())


def is_held(source: Source, spans: Ints, row: int) -> bool:
    """Return whether an element without words is in spans, or at an end of the text they keep.

    At an end: the word before it in the nearest element that has words is kept, or, where there is
    none, the one after it; or its figure is between kept words.
    """
    tree, words = source.tree, source.tokens.spans
    position = int(tree.outer[row, 0])
    if _is_inside(spans, position):
        return True
    place, box = int(tree.words[row, 0]), row
    while box > 0 and tree.words[box, 0] == tree.words[box, 1]:
        box = int(tree.parent[box])
    first, past = tree.words[box].tolist()
    if past == first:
        return False
    if _is_inside(spans, int(words[place - 1 if place > first else place, 0])):
        return True
    is_between = tree.name_of(box) == "figure" and first > 0 and past < len(words)
    return is_between and all(_is_inside(spans, int(words[at, 0])) for at in (first - 1, past))


def _is_inside(spans: Ints, position: int) -> bool:
    at = int(spans[:, 1].searchsorted(position, side="right"))
    return at < len(spans) and int(spans[at, 0]) <= position


_RULES: Sequence[ReadingRule[_Candidate, Formula]] = (
    ReadingRule("pictures of LaTeX", lambda it: it.name == "img",
                lambda it: _picture(it.rows, it.row)),
    ReadingRule("no content", lambda it: it.name in ("style", "template", "title", "link", "meta"),
         nothing),
    ReadingRule("MathJax 2: scripts drawn elsewhere, other scripts",
         lambda it: it.name == "script" and _is_drawn(it), nothing),
    ReadingRule("MathJax 2: scripts", lambda it: it.name == "script",
         lambda it: _from_script(it.rows, it.row)),
    ReadingRule("MathML", lambda it: it.name == "math",
                lambda it: _from_mathml(it.rows, it.row, it.row)),
    ReadingRule("LaTeXML: equations", lambda it: " ltx_eqn_row " in it.classes,
         lambda it: _equation_row(it.rows, it.row)),
    ReadingRule("Distill, GitHub, Pandoc, arithmatex: TeX as text", lambda it: it.has_text_of_tex,
         lambda it: _from_box(it.rows, it.row), is_final=False),
    ReadingRule("not called a formula",
         lambda it: not it.is_box and (it.has_text_of_tex or not (
             it.own and _is_math(it.rows, it.row, it.classes))), nothing),
    ReadingRule("Temml, Hurmet, Substack: TeX in an attribute", lambda it: it.own,
         lambda it: it.with_mathml(Formula(unwrap(it.own), False))),
    ReadingRule("MathJax 2: drawings with their script", lambda it: it.script is not None,
         lambda it: it.with_mathml(_from_script(it.rows, it.script or 0))),
    ReadingRule("KaTeX, Wikipedia: one MathML", lambda it: len(it.maths) == 1,
         lambda it: it.shown(_from_mathml(it.rows, it.maths[0], it.row))),
    ReadingRule("MathJax 2: MathML in an attribute", lambda it: it.get("data-mathml"),
         lambda it: it.shown(_from_text(it.get("data-mathml"), False))),
    ReadingRule("several formulas", lambda it: it.maths, nothing),
    ReadingRule("MathJax 3: drawings alone",
         lambda it: it.name in ("mjx-container", "span", "div")
         and _DRAWN_BY_MATHJAX.search(it.name + it.classes), _from_output),
    ReadingRule("a picture alone", _is_picture,
         lambda it: it.shown(_picture(it.rows, it.inside("img")[0], is_known=True))),
    ReadingRule("TeX between delimiters", always, lambda it: _from_box(it.rows, it.row)),
)  # fmt: skip
"""What an element that may be a formula is."""
