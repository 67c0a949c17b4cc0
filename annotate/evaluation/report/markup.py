"""HTML from values: every text is escaped, so a page's name cannot become markup."""

import hashlib
import html
import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import resources
from algorithms.measures.choice import measure_of
from engine.words import plural

if TYPE_CHECKING:
    from jinja2 import Environment

MarkupChild = object
"""`Markup` goes in as it is, None as nothing, anything else as text."""


class Markup(str):
    """Text that is HTML already; templates insert it unescaped, too."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


_LONGEST_NAME = 120
_VOID = frozenset(("br", "img", "input", "col", "meta"))


def join(children: Iterable[MarkupChild]) -> Markup:
    """Return children one after the other."""
    return Markup("".join(_text(child) for child in children))


def _text(child: MarkupChild) -> str:
    if isinstance(child, Markup):
        return child
    return "" if child is None else html.escape(str(child))


def tag(name: str, *children: MarkupChild, **attributes: object) -> Markup:
    """Return an element.

    Args:
        name: Of the element.
        children: Its content.
        attributes: ``class_`` is ``class``, and ``data_value`` is ``data-value``; None and False
            leave an attribute out, True gives it without value.
    """
    begin = f"<{name}"
    for key, value in attributes.items():
        if value is not None and value is not False:
            given = "" if value is True else f'="{html.escape(str(value))}"'
            begin += f" {key.rstrip('_').replace('_', '-')}{given}"
    if name in _VOID:
        return Markup(f"{begin}>")
    return Markup(f"{begin}>{''.join(map(_text, children))}</{name}>")


def fold(summary: MarkupChild, *children: MarkupChild, **attributes: object) -> Markup:
    """Return an element that shows its summary, and its content once it is opened."""
    return tag("details", tag("summary", summary), *children, **attributes)


def lead(text: str) -> Markup:
    """Return the paragraph that a chapter begins with."""
    return tag("p", text, class_="lead")


def breakable(path: str) -> Markup:
    """Return a path that may be broken behind its slashes."""
    return Markup("/<wbr>".join(html.escape(part) for part in path.split("/")))


def slug(*parts: str) -> str:
    """Return parts as a name for an id or a file, short enough for any; others get another name."""
    plain = [re.sub(r"[^A-Za-z0-9.+-]+", "-", part).strip("-.") for part in parts]
    name = "_".join(filter(None, plain))[:_LONGEST_NAME]
    if name and name == "_".join(parts):
        return name
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    return f"{name}_{digest[:8]}".lstrip("_")


# Numbers -----------------------------------------------------------------------------------

MINUS = "−"


def decimal(value: float | None, decimals: int = 3, *, sign: bool = False) -> str:
    """Return a number for display; a dash for none."""
    if value is None or value != value:
        return "–"
    text = f"{abs(value):.{decimals}f}"
    is_zero = not text.strip("0.")
    if value < 0 and not is_zero:
        return MINUS + text
    return f"+{text}" if sign and not is_zero else text


def share(value: float | None, *, is_count: bool = False, sign: bool = False) -> str:
    """Return a score for a reader; three decimals, of a mean count one."""
    return decimal(value, 1 if is_count else 3, sign=sign)


def probability(p: float | None) -> str:
    """Return a p for a reader."""
    if p is None:
        return "–"
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def milliseconds(value: float | None) -> str:
    """Return a time for a reader with about three digits."""
    if value is None:
        return "–"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def fill_template(name: str, /, **values: object) -> str:
    """Return a template of the resources, filled; the same values give the same text."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only where HTML is made

    environment = Environment(
        loader=FileSystemLoader(resources.ROOT),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "measure_name": lambda key: measure_of(key).name if key else "",
        "number": _number,
        "plural": plural,
    }
    return environment


def _number(value: float | None, decimals: int = 3, none: str = "–") -> str:
    return none if value is None else f"{value:.{decimals}f}"


def table_html(heads: Sequence[str], lines: Iterable[Sequence[object]], below: str = "") -> str:
    """Return a plain table, with a sentence below it; all texts are escaped."""
    return fill_template("notebook/table.html", heads=heads, lines=lines, below=below)
