"""Numbers of the items of ordered lists: ``start``, ``value`` and ``reversed``, as HTML counts."""

import re
from collections.abc import Container, Iterator

from lxml.html import HtmlElement

from algorithms.structure.rows import PageRows

_NUMBER = re.compile(r"\s*([+-]?\d{1,9})(?!\d)")


def numbers_on_page(rows: PageRows, row: int) -> dict[int, int]:
    """Return the number of each item of an ordered list of a page, by its row, in order."""
    given = rows.attributes(row)
    items = [child for child in rows.children(row) if rows.names[child] == "li"]
    step = _step(given)
    number = _number_in(given.get("start"), len(items) if step < 0 else 1)
    numbers = {}
    for item in items:
        numbers[item] = number = _number_in(rows.attributes(item).get("value"), number)
        number += step
    return numbers


def numbers_of(element: HtmlElement) -> Iterator[tuple[HtmlElement, int, int]]:
    """Yield each item of an ordered list of a clean tree, the number it would have by counting
    from the one before it, and its own.
    """
    counted, step = int(element.get("start", "1")), _step(element.attrib)
    for item in element.iterchildren("li"):
        number = int(item.get("value", counted))
        yield item, counted, number
        counted = number + step


def _step(attributes: Container[str]) -> int:
    return -1 if "reversed" in attributes else 1


def _number_in(given: str | None, other: int) -> int:
    match = _NUMBER.match(given or "")
    return int(match[1]) if match else other
