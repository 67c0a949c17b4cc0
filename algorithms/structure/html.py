"""A clean tree as HTML."""

from copy import deepcopy

from lxml import html
from lxml.html import HtmlElement

_LINES = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption thead tbody tr td th "
    "figure figcaption".split()
)


def html_of(tree: HtmlElement) -> str:
    """Return the content of a clean tree as HTML, one block per line; "" of an empty one."""
    copy = deepcopy(tree)
    _say_formulas(copy)
    _say_notes(copy)
    for element in copy.iter(*_LINES):
        if not (element.tail or "").strip():
            element.tail = "\n"
    inside = [copy.text or "", *(html.tostring(each, encoding="unicode") for each in copy)]
    return "".join(inside).strip()


def _say_formulas(tree: HtmlElement) -> None:
    """Make formulas MathML where the page has it, else TeX between delimiters."""
    for formula in tree.findall(".//math"):
        tex, mathml = formula.text or "", formula.attrib.pop("data-mathml", "")
        is_display = formula.get("display") == "block"
        if mathml:
            new = html.fragment_fromstring(mathml)
            new.set("alttext", tex)
            if is_display:
                new.set("display", "block")
        else:
            new = html.fragment_fromstring("<span></span>")
            new.set("class", "math display" if is_display else "math inline")
            new.text = f"\\[{tex}\\]" if is_display else f"\\({tex}\\)"
        new.tail = formula.tail
        parent = formula.getparent()
        if parent is not None:
            parent.replace(formula, new)


def _say_notes(tree: HtmlElement) -> None:
    for mark in tree.findall(".//sup[@data-note]"):
        label = mark.attrib.pop("data-note")
        mark.set("class", "footnote-ref")
        link = html.fragment_fromstring("<a></a>")
        link.set("href", f"#fn-{label}")
        link.text, mark.text = mark.text, None
        mark.append(link)
    notes = tree.findall("./aside[@data-note]")
    if not notes:
        return
    section = html.fragment_fromstring('<section class="footnotes"><ol></ol></section>')
    for note in notes:
        note.tag = "li"
        note.set("id", f"fn-{note.attrib.pop('data-note')}")
        section[0].append(note)
    tree.append(section)
