"""Short descriptions of rows: as a developer would write them, or by their content."""

from collections.abc import Iterable

import numpy as np

from algorithms.results import Extraction
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Doubles

QUOTE = 90
"""Characters of a block's text the outline shows."""

PICTURES = frozenset(["img", "svg", "video", "canvas", "object", "embed", "iframe", "picture"])


def describe(nodes: NodeTable, row: int) -> str:
    """Return a row in a few characters, as in ``div#main.wide``."""
    attributes = nodes.attributes[row]
    text = nodes.name_of(row)
    if attributes.get("id"):
        text += f"#{attributes['id']}"
    elif attributes.get("class"):
        text += "." + ".".join(attributes["class"].split()[:2])
    return text if len(text) <= 40 else text[:39] + "…"


def beginning(nodes: NodeTable, rows: Iterable[int], length: int = QUOTE) -> str:
    """Return the start of the text below rows, white space collapsed; reads no more than needed."""
    words: list[str] = []
    room = length
    for row in rows:
        for below in range(row, int(nodes.end[row])):
            if nodes.has_words[below] and nodes.visible[below]:
                words.append(" ".join(nodes.text[below].split()))
                room -= len(words[-1]) + 1
                if room <= 0:
                    return " ".join(words)[:length]
    return " ".join(words)


def describe_pictures(nodes: NodeTable, rows: Iterable[int]) -> str:
    """Return what pictures below rows show: their alternative text, else their sizes; "" if none.

    Of several pictures, the first with a description counts.
    """
    sizes = ""
    for row in rows:
        for below in range(row, int(nodes.end[row])):
            if nodes.name_of(below) not in PICTURES or not nodes.visible[below]:
                continue
            attributes = nodes.attributes[below]
            text = attributes.get("alt", "") or attributes.get("title", "")
            if text.strip():
                return " ".join(text.split())[:QUOTE]
            width, height = nodes.rect[below, 2:].tolist()
            sizes = sizes or f"{nodes.name_of(below)} {width:.0f} × {height:.0f}"
    return sizes


def letter_counts(page: Page, result: Extraction) -> Doubles:
    """Return the number of letters a method keeps in each row of a rendered page, float64 (n,)."""
    nodes = page.rendered()
    letters = np.zeros(len(nodes))
    ranges = page.alignment(result.source).ranges(result.spans)
    np.add.at(letters, ranges[:, 0], ranges[:, 2] - ranges[:, 1])
    return letters
