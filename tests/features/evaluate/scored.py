"""Small pages with gold, and the rows that an evaluation writes for them, really computed."""

import json
from functools import cache
from hashlib import sha256

from algorithms.core.attempt import BlockGold
from algorithms.core.batch import Run, RunStatus, Setup, measures_of, run_extractor, run_segmenter
from algorithms.core.catalogue import method
from algorithms.measures.text_comparison import GoldText
from algorithms.results import Block, Segmentation
from annotate.datasets.cases import Key
from annotate.evaluation.run.tasks import PageFacts, rows_of
from annotate.evaluation.store.rows import ResultRow
from annotate.evaluation.tables.axes import Column, ListedPage
from annotate.marks.gold import Gold
from engine.page import Page as EnginePage
from tests.gui.parts import mark
from tests.tables import page_of_html

DATASET = "open pages"
MENU = "<ul><li><a href=a>Home</a><li><a href=b>News</a><li><a href=c>Sport</a></ul>"
STORIES = {
    "ferry.html": "<p>The ferry returned to the harbour this morning, and nobody was hurt.</p>",
    "mill.html": "<p>The tide <a href=d>mill</a> <a href=e>ground corn</a> until the war.</p>",
    "owl.html": "<p>Owls hear a mouse under the snow.</p><p>Their ears are not level.</p>",
    "kettle.html": "<p>Kettle</p><table><tr><td>1.2 l<td>red</table>",
    "comet.html": "<p>A comet that nobody had ordered came by in the night of Sunday.</p><i>ad</i>",
}
METHODS = ("plain", "bte", "dsc", "lqf", "webterrain")


def setup(key: str) -> Setup:
    entry = method(key)
    return Setup(key, entry.params(), "dom" if entry.output == "extraction" else "rendered")


def column(key: str) -> Column:
    made = setup(key)
    return Column.of(key, json.dumps(made.params.as_dict()), made.input)


COLUMNS = tuple(map(column, METHODS))
PAGES = tuple(ListedPage(DATASET, name, name.removesuffix(".html").title()) for name in STORIES)


def html(name: str) -> str:
    return f"<title>{name}</title><body>{MENU}<main>{STORIES[name]}</main>"


def file_of(name: str) -> bytes:
    return f"<!doctype html><meta charset=utf-8>{html(name)}".encode()


def marked(name: str) -> tuple[EnginePage, Gold]:
    """Return a page and its marks: the story, as main content and as a block."""
    page = page_of_html(html(name))
    return page, Gold((mark("text", 0, _main(page)), mark("block", 1, _main(page), type="Content")))


def _main(page: EnginePage) -> int:
    return page.nodes.tag.tolist().index(page.nodes.names.index("main"))


@cache
def rows(name: str, keys: tuple[str, ...] = METHODS) -> tuple[ResultRow, ...]:
    """Return the rows of a page: the scores of each method by all measures."""
    page = page_of_html(html(name))
    story = page_of_html(f"<body>{STORIES[name]}").dom.text
    blocks = Segmentation(page.nodes, (Block((_main(page),), 1, "Content"),))
    measures = measures_of("all")
    result: list[ResultRow] = []
    for key in keys:
        made = setup(key)
        if made.is_extractor:
            run = run_extractor(page, GoldText(story, page.dom), made, measures.text)
        else:
            gold = BlockGold([(blocks.text_of(b), b.level) for b in blocks.blocks], blocks)
            run = run_segmenter(page, gold, made, measures.blocks)
        result += written(name, made, run)
    return tuple(result)


def written(name: str, made: Setup, run: Run) -> list[ResultRow]:
    """Return one run as rows."""
    chosen = measures_of("all").of(made.entry)
    facts = PageFacts(sha256(file_of(name)).hexdigest(), 100, 100, (1000, 800))
    return list(rows_of((DATASET, name, made.input), facts, "", made, run, chosen))


def failed(name: str, key: str, status: RunStatus, reason: str) -> list[ResultRow]:
    return written(name, setup(key), Run(status, reason))


def key_of(name: str) -> Key:
    return (DATASET, name, "dom")
