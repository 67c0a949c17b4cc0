"""Gold of the bundled pages, read from their gold files and from pages that were exported."""

import json
from pathlib import Path

from lxml import html

from tests.typed_commands import ROOT

CORPUS = ROOT / "resources" / "corpus"


def gold_block_texts(exported: Path, page: str) -> list[tuple[str, int]]:
    """Text and level of each block: all that stands in its nodes, style sheets in it, too.

    Where a serialised page is repaired anew when it is read, and a path leads nowhere, the quote of
    the gold file stands for it.
    """
    folder = exported / page.removesuffix(".html").replace("/", "-")
    tree = html.document_fromstring((folder / "index.dom.html").read_bytes().decode()).getroottree()
    gold = json.loads((CORPUS / page).with_suffix(".gold.json").read_text(encoding="utf-8"))
    return [
        ("".join(_text(tree, target) for target in mark["targets"]), mark["level"])
        for mark in gold["marks"]
        if mark["level"]
    ]


def _text(tree, target: dict) -> str:
    assert "part" not in target
    located = tree.xpath(target["path"])
    if not located:
        return target["quote"]
    return located[0] if isinstance(located[0], str) else located[0].text_content()
