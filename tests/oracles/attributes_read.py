"""The attributes of a document as lexbor reads them, to compare those of `Source` with.

Run it as ``python -m tests.oracles.attributes_read FOLDER`` for a table.
"""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from engine.source import Source

Triples = frozenset[tuple[str, str, str]]

_RAW = ("iframe", "noembed", "noframes")
# A tree builder merges or drops tags of these, or names them anew (``image``).
_MOVED = frozenset(["html", "head", "form", "script", "image", "img", *_RAW])


class Difference(NamedTuple):
    """Attributes, each ``(tag, name, value)``, of one document: ``compared`` is a count."""

    compared: int
    missing: Triples
    added: Triples


def pages_below(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the pages below a folder, sorted, and their bytes, unpacked."""
    for path in sorted(p for p in folder.rglob("*") if _is_page(p)):
        data = path.read_bytes()
        yield path, gzip.decompress(data) if path.suffix == ".gz" else data


def _is_page(path: Path) -> bool:
    return path.is_file() and path.name.removesuffix(".gz").endswith((".html", ".htm"))


def difference(source: Source) -> Difference:
    """Compare the attributes of a document with lexbor's, each value once a tag name."""
    ours, theirs = _ours(source), _theirs(source.html)
    return Difference(len(theirs), _kept(theirs - ours), _kept(ours - theirs))


def _kept(triples: Triples) -> Triples:
    return frozenset(each for each in triples if each[0] not in _MOVED)


def _ours(source: Source) -> Triples:
    tree = source.tree
    is_left_out = tree.is_text.copy()  # and what lexbor keeps apart, or as text
    for row in np.flatnonzero(tree.has_tag("template", *_RAW)).tolist():
        is_left_out[row + 1 : tree.end[row]] = True
    rows = np.flatnonzero(~is_left_out).tolist()
    return frozenset(
        (tree.name_of(row), name, value)
        for row in rows
        for name, value in source.attributes(row).items()
    )


def _theirs(html: str) -> Triples:
    root = LexborHTMLParser(html).root
    assert root is not None
    return frozenset(
        (node.tag.lower(), name.lower(), value or "")
        for node in root.traverse()
        for name, value in node.attributes.items()
    )


def main(folder: Path) -> None:
    """Print the pages whose attributes differ, and how many were compared."""
    pages = compared = differing = 0
    for path, data in pages_below(folder):
        found = difference(Source.from_bytes(data))
        pages, compared = pages + 1, compared + found.compared
        if found.missing or found.added:
            differing += 1
            some = sorted(found.missing)[:1], sorted(found.added)[:1]
            print(path.name, len(found.missing), len(found.added), *some)
    print(f"{pages} pages, {compared} attributes, {differing} pages differ")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
