"""How long segmenting and scoring blocks take, as ratios to lexbor's parse of an equal page.

Run with ``pytest tests/bench --benchmark-only``; a table of ratios is printed at the end.  The
page is written here: 10,000 nodes, with a menu, an article and a list of comments.  What one page
costs a worker of a batch, part by part, is measured on the random pages where they are at hand.
"""

import resource
import time
from collections import Counter
from itertools import groupby

import pytest
from selectolax.lexbor import LexborHTMLParser

from algorithms.core.catalogue import SEGMENTERS, method
from algorithms.measures.bcubed import score_bcubed
from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.blocks import BlockScorer
from algorithms.measures.choice import block_measures
from algorithms.results import Segmentation
from annotate.datasets.opening import list_documents
from annotate.plugins.published_data.kreuzer_blocks import (
    blocks_of,
    gold_texts,
    read_blocks,
    read_gold,
)
from engine import edge_masks
from engine.archive import pack, unpack
from engine.page import Page
from engine.source import Source
from tests.tables import table

TIMES = 10
"""Methods whose scores follow one click."""

SAMPLE = 12
"""Random pages rendered for the cost of a page, evenly spread over the data set."""

MOST_PARSES = 1000
"""So many lexbor parses a warm page may cost, all segmenters and measures; it takes some 400."""

MOST_MB = 600
"""What one worker may hold at most; two of them, and what renders, are to stay below 2 GB."""


def _markup(node, parts):
    if isinstance(node, str):
        parts.append(node)
        return parts
    tag, _, *rest = node
    parts.append(f"<{tag}>")
    for part in rest:
        for child in (part,) if isinstance(part, str) else part:
            _markup(child, parts)
    parts.append(f"</{tag}>")
    return parts


def _entry(k, words):
    top = 300 + 20 * k
    return ("div", (200, top, 800, 20), [
        ("h3", (200, top, 800, 8), [("a", (200, top, 90, 8), f"title number {k}")]),
        ("p", (200, top + 8, 800, 12), [
            f"{words} {k} ", ("b", (300, top, 40, 12), "bold"), " end",
        ]),
    ])  # fmt: skip


BODY = ("body", (0, 0, 1000, 20_000), [
    ("div", (0, 0, 1000, 100), [("a", (0, 0, 99, 20), f"entry {k}") for k in range(20)]),
    ("div", (0, 100, 200, 19_000), [
        ("ul", (0, 100, 200, 19_000), [
            ("li", (0, 100 + 9 * k, 200, 9), [("a", (0, 100 + 9 * k, 200, 9), f"link {k}")])
            for k in range(1000)
        ]),
    ]),
    ("div", (200, 100, 800, 19_800), [_entry(k, "many words of a story ") for k in range(700)]),
    ("div", (0, 19_900, 1000, 100), "end of the page"),
])  # fmt: skip


@pytest.fixture(scope="module")
def page():
    nodes = table(BODY, size=(1000, 20_000))
    assert 9_000 < len(nodes) < 12_000
    return Page("about:blank", dom=Source.from_text("".join(_markup(BODY, []))), nodes=nodes)


@pytest.fixture(scope="module")
def ratios(request):
    """Names and median seconds; printed when the module is done."""
    medians = {}
    yield medians
    reference = medians.get("lexbor")
    if not reference:
        return
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print("\n\non a page of 10,000 nodes, in times a lexbor parse of it")
        for name, seconds in medians.items():
            print(f"  {name:<28}{seconds / reference:8.2f} {seconds * 1000:9.3f} ms")


def test_bench_lexbor(benchmark, ratios):
    html = "".join(_markup(BODY, [])).encode()
    benchmark(lambda: LexborHTMLParser(html))
    ratios["lexbor"] = benchmark.stats.stats.median


@pytest.mark.parametrize("entry", SEGMENTERS, ids=lambda entry: entry.key)
def test_bench_segmenter(benchmark, ratios, page, entry):
    result = benchmark(lambda: entry.run(page, entry.params(), "rendered"))
    assert isinstance(result, Segmentation)
    ratios[entry.key] = benchmark.stats.stats.median


@pytest.fixture(scope="module")
def results(page):
    """Ten segmentations, as many methods give."""
    result = []
    for k in range(TIMES):
        entry = SEGMENTERS[k % len(SEGMENTERS)]
        result.append(entry.run(page, entry.params(), "rendered"))
    return result


def test_bench_scores_after_a_click(benchmark, ratios, page, results):
    """All methods scored again after one gold block more, every other text compared before."""
    gold = method("vips").run(page, method("vips").params(), "rendered")
    fewer = [Segmentation(page.nodes, gold.blocks[:k]) for k in range(10, 30)]
    scorer = BlockScorer()
    for result in results:
        scorer.score(result, fewer[0])
    turn = iter(range(10**9))

    def click():
        marked = fewer[next(turn) % len(fewer)]
        return [scorer.score(result, marked) for result in results]

    benchmark(click)
    ratios["10 methods scored"] = benchmark.stats.stats.median
    assert benchmark.stats.stats.median < 0.05


@pytest.mark.parametrize("name", ["ari-words", "ari-pixels", "iou-50", "split", "types"])
def test_bench_measure(benchmark, ratios, page, results, name):
    """Some 1,700 blocks against as many as an annotator marks."""
    gold = Segmentation(page.nodes, results[1].blocks[::80])
    (measure,) = block_measures(name)
    benchmark(lambda: measure.score(BlockComparison(results[0], gold)))
    ratios[measure.name] = benchmark.stats.stats.median


@pytest.mark.parametrize("atoms", ["pixels", "nodes", "chars"])
def test_bench_bcubed(benchmark, ratios, page, results, atoms):
    """Some 1,700 blocks against as many as an annotator marks."""
    gold = Segmentation(page.nodes, results[1].blocks[::80])
    benchmark(lambda: score_bcubed(results[0], gold, atoms))
    ratios[f"b-cubed on {atoms}"] = benchmark.stats.stats.median


def _family(measure):
    """What is worked out together: a measure on all levels, and what differs in one step."""
    return "-".join(measure.key.removesuffix("-1").removesuffix("-2").split("-")[:2])


def test_bench_a_warm_page_with_all_segmenters_and_measures(benchmark, datasets, request, qapp):
    """Processor time of all a worker does with a snapshot; a table of its parts is printed."""
    from engine.web.headless import Browser

    every = list_documents(datasets / "kreuzer-random", variant="repaired")
    documents = every[:: len(every) // SAMPLE][:SAMPLE]
    stored = []
    with Browser() as browser:
        for document in documents:
            page = browser.capture(document)
            stored.append((pack(page), edge_masks.pack(browser.edges(page))))
    measures = block_measures("all-blocks")
    cost: Counter[str] = Counter()

    def timed(part, work):
        start = time.process_time()
        value = work()
        cost[part] += time.process_time() - start
        return value

    scorer = BlockScorer()
    parse = [0.0]

    def measure(document, data, masks):
        source = document.read()
        start = time.process_time()
        for _ in range(10):
            LexborHTMLParser(source)
        parse[0] += (time.process_time() - start) / 10
        page = timed("read the snapshot", lambda: unpack(data))
        marked = timed("read the edges", lambda: edge_masks.unpack(masks))
        html = read_blocks(blocks_of(document))
        timed("read the gold's texts", lambda: gold_texts(html))
        results = timed("find the gold", lambda: read_gold(page.rendered(), html))
        gold = results.gold.as_segmentation(page)
        for entry in SEGMENTERS:
            result = timed(entry.key, lambda e=entry: e.run(page, e.params(), "rendered"))
            pair = BlockComparison(result, gold, scorer, marked)
            for family, several in groupby(measures, _family):
                timed(f"score: {family}", lambda ms=several, p=pair: [m.score(p) for m in ms])

    def measure_all():
        for document, (data, masks) in zip(documents, stored, strict=True):
            measure(document, data, masks)

    benchmark.pedantic(measure_all, rounds=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    total = sum(cost.values())
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\n\nof {SAMPLE} random pages, in times a lexbor parse of them")
        for part, seconds in (*cost.most_common(), ("together", total)):
            print(f"  {part:<28}{seconds / parse[0]:8.2f} {1000 * seconds / SAMPLE:9.3f} ms a page")
        print(f"  this process held {peak:.0f} MB at most")
    assert total < MOST_PARSES * parse[0]
    assert peak < MOST_MB
