"""A clean tree as HTML."""

from copy import deepcopy

from lxml import html
from lxml.html import HtmlElement

_LINES = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption thead tbody tr td th "
    "figure figcaption".split()
)


def html_of(tree: HtmlElement) -> str:
    """Return what is in a clean tree as HTML, a block a line; "" of an empty one."""
    copy = deepcopy(tree)
    for element in copy.iter(*_LINES):
        if not (element.tail or "").strip():
            element.tail = "\n"
    inside = [copy.text or "", *(html.tostring(each, encoding="unicode") for each in copy)]
    return "".join(inside).strip()
