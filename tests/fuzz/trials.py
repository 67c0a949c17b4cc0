"""What is tried with each seed: whatever ends otherwise than with a result or a sentence raises."""

import math
import os
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.core.attempt import BlockGold
from algorithms.core.batch import measures_of, score_blocks, score_extraction
from algorithms.core.catalogue import METHODS, SEGMENTERS, SITE_METHODS
from algorithms.measures.text_comparison import GoldText
from algorithms.results import Segmentation
from algorithms.templates.site import Site
from annotate.archives.frozen.comparing import compare, compare_pictures
from annotate.archives.frozen.damage import damage_of
from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.datasets.opening import open_document, open_pages
from annotate.datasets.readers import read_dataset
from annotate.datasets.saved_pages import read_saved
from annotate.evaluation.tables.result_table import read_results
from annotate.marks import edits, gold_file
from annotate.marks.gold import Gold, Target
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import CaptureError, InputError, PageletError, RendererDied
from engine.page import Page
from engine.source import Source
from tests.fuzz import files, frozen_files
from tests.fuzz.documents import document
from tests.fuzz.methods import METHOD, check_method, extractors, run, told
from tests.fuzz.refusals import refused
from tests.plugin_parts import modules

MEASURES = measures_of("all")
_MOST_WORDS = 2_000  # of documents that all measures are taken of


def source(seed: int, folder: Path) -> str:
    """Read a document into tokens and tree, run every method that reads it, and score some."""
    made = Source.from_bytes(document(seed).data)
    dice = random.Random(f"source {seed}")
    edges = made.tokens.spans.ravel()
    assert (np.diff(edges) >= 0).all()
    assert edges.size == 0 or 0 <= edges[0] <= edges[-1] <= len(made.html)
    assert len(made.tree) >= 0
    checked = ((entry, check_method(entry, made)) for entry in extractors())
    results = [(entry, result) for entry, result in checked if result is not None]
    if results and made.tokens.words.size <= _MOST_WORDS:
        for _ in range(2):
            (_, one), (_, other) = dice.choices(results, k=2)
            scored = score_extraction(one, GoldText(other.text, made), MEASURES.text)
            check_scores(scored.scores)
    if METHOD not in os.environ and dice.random() < 0.1:
        try_site(made, seed)
    return "read"


def try_site(made: Source, seed: int) -> None:
    """Run the methods that read a page with its site."""
    others = [Source.from_bytes(document(seed + k).data) for k in (1, 2)]
    pages = [(f"https://example.org/{k}", each) for k, each in enumerate([made, *others])]
    page, site = Page("https://example.org/0", made), Site.of(pages)
    for entry in SITE_METHODS:
        run(entry, lambda _, params, e=entry: e.run(page, params, "original", site), made)


def check_scores(scores: Any) -> None:
    """Check that every value is a number."""
    for key, score in scores.items():
        for value in (score.value, score.precision, score.recall):
            assert value is None or math.isfinite(value), f"{key} is {value}"


def package(seed: int, folder: Path) -> str:
    """Open a package as window and evaluation do; read its documents and texts."""
    path = files.package(seed, folder)
    return first_of(lambda: open_package(path), lambda: read_cases(path))


def open_package(path: Path) -> None:
    opened = open_pages(path)
    for problem in opened.problems:
        told(InputError(problem))
    for page in opened.documents:
        refused(lambda page=page: Source.from_bytes(page.receive().data).tokens)


def read_cases(path: Path) -> None:
    dataset = read_dataset(path)
    for _, variants in dataset.pages:
        for page in variants.values():
            refused(lambda page=page: page.document().receive())
            refused(lambda page=page: page.text(not_rendered))


def not_rendered() -> Page:
    """Stand in for a browser where texts are read, which need none."""
    raise CaptureError("there is no browser")


def first_of(*asks: Callable[[], object]) -> str:
    """Ask all; return how the first ended."""
    ended = tuple(map(refused, asks))
    return ended[0]


def workspace(seed: int, folder: Path) -> str:
    """Open a damaged workspace, read all of it, and try to write."""
    path = files.workspace(seed, folder)
    before = path.read_bytes()
    try:
        opened = Workspace.open(path)
    except PageletError as error:
        told(error)
        assert path.read_bytes() == before
        return "refused"
    nodes = files.nodes()
    with opened:
        for ask in (opened.pages, opened.marked, opened.gold_digests, lambda: opened.last_page):
            refused(ask)
        refused(lambda: opened.setting("layers"))
        for key in files.KEYS:
            refused(lambda key=key: opened.load_gold(key, nodes))
            refused(lambda key=key: opened.history(key))
            refused(lambda key=key: opened.undo_history(key, nodes))
            gold = edits.add_block(Gold(), nodes, [Target(3)], 1)
            refused(lambda key=key, gold=gold: opened.save_gold(key, gold, nodes, "m"))
        refused(lambda: opened.set_setting("layers", []))
        if opened.damage:
            assert path.read_bytes() == before
        return "read in part" if opened.damage else "read"


def gold(seed: int, folder: Path) -> str:
    """Read gold files and results with odd values in them."""
    dice = random.Random(f"gold {seed}")
    page = Page("page.html", Source.from_text("<p>x"), nodes=files.nodes())
    whole = edits.add_block(Gold(), files.nodes(), [Target(2)], 1)
    path = folder / "page.html.gold.json"
    gold_file.write(path, page, whole)
    import json

    path.write_bytes(files.as_json(dice, json.loads(path.read_text("utf-8"))))
    ended = refused(lambda: gold_file.read(path, files.nodes()))
    scores = folder / "scores.csv"
    scores.write_bytes(files.turned(dice, _SCORES, 0.9))
    refused(lambda: read_results(scores))
    return ended


_SCORES = (
    b"dataset,page,page_hash,bytes,input,renderer,viewport,method,version,parameters,status,reason,"
    b"ms,unmapped_words,measure,precision,recall,value,retrieved,hits,relevant,if_empty\r\n"
    + b's,p,ab,7,original,,1x1,bte,1,"{""a"": 1}",ok,,1.5,0,ws,0.5,0.5,0.5,,,,"[0.0, 1.0, 0.5]"\r\n'
    * 5
)


def rendered(seed: int, folder: Path, browser: Any) -> str:
    """Render a document, run every method on it, mark it, save the marks and find them again."""
    made = document(seed)
    ended = "read"
    try:
        try:
            page = browser.capture(open_document(made.data), timeout_s=10.0)
        except CaptureError as error:
            if "load the page again" not in told(error):
                raise
            ended = "read at the second try"
            page = browser.capture(open_document(made.data), timeout_s=10.0)
    except InputError as error:  # empty, or a binary file
        told(error)
        return "refused"
    except CaptureError as error:
        words = told(error)
        is_too_deep = made.is_deep and isinstance(error, RendererDied)
        assert is_too_deep or not made.is_tame, f"a harmless page is not read: {words}"
        return "refused"
    nodes = page.rendered()
    results = [
        result
        for entry in (*SEGMENTERS, *(each for each in METHODS if each.output == "extraction"))
        if entry.on_page is not None and (result := run(entry, entry.on_page, page)) is not None
    ]
    blocks = [each for each in results if isinstance(each, Segmentation)]
    dice = random.Random(f"rendered {seed}")
    one, other = dice.choices(blocks, k=2)
    if len(nodes) < 3_000 and len(other.blocks) < 400 and len(one.blocks) < 400:
        scored = score_blocks(one, BlockGold(other.texts(), other), MEASURES.blocks)
        check_scores(scored.scores)
    marks = marked(page, dice)
    with Workspace.open(folder / "marks.pagelet") as remaining:
        key = "https://example.org/"
        remaining.add_pages([Document(key, key)])
        remaining.save_gold(key, marks, nodes, "mark")
    with Workspace.open(folder / "marks.pagelet") as remaining:
        result = remaining.load_gold(key, nodes)
    assert [m.id for m in result.marks] == [m.id for m in marks.marks]
    if nodes.height < 4_000:
        assert not browser.picture().isNull()
    return ended


def marked(page: Page, dice: random.Random) -> Gold:
    """Return marks as a hand might make them."""
    nodes = page.rendered()
    result = Gold()
    for _ in range(12):
        row = dice.randrange(len(nodes))
        try:
            if dice.random() < 0.5:
                result = edits.toggle_main(result, nodes, Target(row))
            else:
                result = edits.add_block(result, nodes, [Target(row)], dice.choice((1, 2)))
        except PageletError as error:
            told(error)
    return result


def frozen(seed: int, folder: Path) -> str:
    """Read all of a frozen page that is read before a browser starts, at every door."""
    path = frozen_files.frozen(seed, folder)
    before = path.read_bytes()
    file = FrozenFile(path)

    damages: list[str] = []

    def verified() -> None:
        document = file.document()
        damages.extend(damage_of(file))
        for sentence in damages:
            told(InputError(sentence))
        file.certificate()
        page = file.reference()
        compare(page.rendered(), page.rendered())
        compare_pictures(file.picture(), file.picture())
        for url in (document.url, *frozen_files.ADDRESSES):
            file.find(url)
        document.receive()

    ended = refused(verified)
    for door in (open_pages, read_saved, read_dataset):
        refused(lambda door=door: door(path))
    refused(lambda: open_pages(folder))
    assert path.read_bytes() == before, "a file that was only read has changed"
    return "damaged" if damages else ended


def archive(seed: int, folder: Path) -> str:
    """Take the pages out of an archive."""
    path = frozen_files.archive(seed, folder)
    before = path.read_bytes()

    def pages() -> None:
        result = read_saved(path).pages
        for page in result:
            for sentence in page.problems:
                told(InputError(sentence))
            refused(lambda page=page: page.document.receive())
            for url in frozen_files.ADDRESSES:
                assert page.document.store is not None
                page.document.store.find(url)

    ended = refused(pages)
    assert path.read_bytes() == before, "a file that was only read has changed"
    return ended


FILES: dict[str, Callable[[int, Path], str]] = {
    "source": source,
    "package": package,
    "workspace": workspace,
    "gold": gold,
    "frozen": frozen,
    "archive": archive,
    **{kind: trial for each in modules("trials") for kind, trial in each.FILES.items()},
}
KINDS: Iterable[str] = (*FILES, "rendered")


def mixed(seed: int, folder: Path) -> str:
    """Try one after the other of what needs no browser."""
    kind = tuple(FILES)[seed % len(FILES)]
    return f"{kind} {FILES[kind](seed, folder)}"
