"""What of the marks on a page a format does not keep, counted before anything is written."""

from collections import Counter
from dataclasses import replace

from annotate.marks.gold import MAIN, Mark
from annotate.plugins.exchange import block_html
from annotate.plugins.exchange.formats import ExchangeFormat
from annotate.plugins.exchange.marked_page import MarkedPage

_BOXES = ("coco", "labelme", "label-studio")
_TEXTS = ("text", "cleaneval", "benchmark", "wcxb", "webmainbench", "package")

_SENTENCES = {
    "draft": ("1 draft is left out", "{} drafts are left out"),
    "moved": ("1 mark that moved is left out until it is confirmed",
              "{} marks that moved are left out until they are confirmed"),
    "lost": ("1 mark is not found on this page", "{} marks are not found on this page"),
    "main": ("1 mark of main content is left out", "{} marks of main content are left out"),
    "framed main": ("1 mark of main content in a frame is left out",
                    "{} marks of main content in frames are left out"),
    "part": ("1 part of a text becomes the whole text", "{} parts of texts become whole texts"),
    "block": ("1 block is left out", "{} blocks are left out"),
    "flat": ("1 block without area is left out", "{} blocks without area are left out"),
    "framed": ("1 block in a frame is left out", "{} blocks in frames are left out"),
}  # fmt: skip
"""What is said of one, and of several."""


def losses(chosen: ExchangeFormat, marked: MarkedPage) -> tuple[str, ...]:
    """Return a sentence for each kind of mark on this page that is lost; none if all is kept."""
    asked = marked.gold.unconfirmed()
    drafts = sum(mark.is_draft for mark in asked)
    marked = replace(marked, gold=marked.gold.sure)
    counts = Counter(filter(None, (_loss(chosen.key, mark, marked) for mark in marked.gold.marks)))
    counts["draft"], counts["moved"] = drafts, len(asked) - drafts
    result = [
        one if counts[kind] == 1 else many.format(counts[kind])
        for kind, (one, many) in _SENTENCES.items()
        if counts[kind]
    ]
    if chosen.key == "kreuzer":
        result += block_html.marked_html(marked)[1]
    if chosen.key in _TEXTS and not marked.gold.of_level(MAIN):
        result.append("the page has no main content: it is left out")
    return tuple(result)


def _loss(key: str, mark: Mark, marked: MarkedPage) -> str:
    """Return which of `_SENTENCES` befalls a mark; "" for none."""
    if key == "gold":
        return ""
    if not mark.targets:
        return "lost"
    if key == "webannotation":
        return ""
    nodes = marked.page.rendered()
    is_framed = any(nodes.frame[target.row] > 0 for target in mark.targets)
    if key == "csv":
        return "" if all(target.is_whole for target in mark.targets) else "part"
    if mark.level == MAIN:
        if key not in _TEXTS:
            return "main"
        return "framed main" if is_framed else ""
    if key in _TEXTS:
        return "block"
    if key in _BOXES and marked.box(mark) is None:
        return "flat"
    return "framed" if key == "webis" and is_framed else ""
