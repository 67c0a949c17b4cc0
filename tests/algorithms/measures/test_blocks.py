"""Kreuzer's exact and fuzzy block match."""

import json
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from cydifflib import SequenceMatcher
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from rapidfuzz.distance import LCSseq

from algorithms.measures.assignment import match
from algorithms.measures.blocks import (
    LIMIT,
    BlockScorer,
    _are_close,
    without_space,
)
from algorithms.results import Block, Segmentation
from engine.nodes import STYLE_PROPERTIES, NodeTable
from tests.outside import scorer_script
from tests.tables import rows_of, table

STORY = "the cat sat on the mat and looked at the dog"


def page_of(*texts):
    """Return a page with one ``p`` for each text."""
    box = (0, 0, 100, 20)
    return table(("body", (0, 0, 100, 100), [("p", box, text) for text in texts]))


def blocks(nodes, *picks, level=1):
    """Return a segmentation of the picked ``p`` elements."""
    rows = rows_of(nodes, "p")
    return Segmentation(nodes, tuple(Block((rows[k],), level) for k in picks))


def score_blocks(predicted, gold):
    """Compare once, without cached ratios."""
    return BlockScorer().score(predicted, gold)


def test_white_space_does_not_count():
    nodes = page_of("one two\n three", "one\u00a0twothree ")
    scores = score_blocks(blocks(nodes, 0), blocks(nodes, 1))
    assert scores.exact["all"].prf.f1 == 1
    assert without_space(" a\u3000b\n") == "ab"


def test_a_few_words_more_are_a_fuzzy_match_and_no_exact_one():
    nodes = page_of(STORY, STORY + " again")
    scores = score_blocks(blocks(nodes, 0), blocks(nodes, 1))
    assert scores.exact["all"].prf.f1 == 0
    (hit,) = scores.fuzzy["all"].hits
    assert 0.8 < hit.ratio < 1
    assert (hit.predicted, hit.gold) == ((0,), (0,))


def test_the_ratio_of_the_formats_page_is_no_match():
    nodes = page_of("home the cat sat on a mat", "the cat sat on the mat")
    score = score_blocks(blocks(nodes, 0), blocks(nodes, 1)).fuzzy["all"]
    assert (score.hits, score.false, score.missed) == ((), (0,), (0,))


def test_a_ratio_of_exactly_the_limit_is_no_match():
    nodes = page_of("abcde", "abcdf")  # 2 * 4 / 10
    assert score_blocks(blocks(nodes, 0), blocks(nodes, 1)).fuzzy["all"].prf.f1 == 0


def test_blocks_of_equal_text_are_one_item_and_all_of_them_hit():
    nodes = page_of("ad", "story", "ad")
    score = score_blocks(blocks(nodes, 0, 1, 2), blocks(nodes, 0, 2)).exact["all"]
    assert (score.retrieved, score.relevant) == (2, 1)
    (hit,) = score.hits
    assert (hit.predicted, hit.gold) == ((0, 2), (0, 1))
    assert score.false == (1,)
    assert (score.prf.precision, score.prf.recall) == (0.5, 1)


def test_pictures_without_text_are_one_item_unless_told_otherwise():
    nodes = page_of("", " ", "words")
    predicted, gold = blocks(nodes, 0), blocks(nodes, 1, 2)
    counted = score_blocks(predicted, gold)
    assert counted.exact["all"].prf.recall == counted.fuzzy["all"].prf.recall == 0.5
    dropped = BlockScorer(count_empty=False).score(predicted, gold).fuzzy["all"]
    assert (dropped.retrieved, dropped.relevant, dropped.prf.f1) == (0, 1, 0)


def test_each_text_is_used_once():
    nodes = page_of(STORY, STORY + " a", STORY + " b")
    score = score_blocks(blocks(nodes, 0), blocks(nodes, 1, 2)).fuzzy["all"]
    assert (len(score.hits), len(score.missed)) == (1, 1)


def test_levels_are_scored_apart_and_together():
    nodes = page_of("header", "menu")
    header, menu = rows_of(nodes, "p")
    predicted = Segmentation(nodes, (Block((header,), 1), Block((menu,), 1)))
    gold = Segmentation(nodes, (Block((header,), 1), Block((menu,), 2)))
    exact = score_blocks(predicted, gold).exact
    assert exact["all"].prf.f1 == 1
    assert (exact["1"].prf.precision, exact["1"].prf.recall) == (0.5, 1)
    assert exact["1"].false == (1,)
    assert (exact["2"].retrieved, exact["2"].missed) == (0, (1,))


def test_two_empty_segmentations_score_0():
    nodes = page_of()
    score = score_blocks(blocks(nodes), blocks(nodes)).fuzzy["all"]
    assert (score.prf.precision, score.prf.recall, score.prf.f1) == (0, 0, 0)
    assert (score.retrieved, score.relevant) == (0, 0)


def test_grouped_neighbours_have_one_text():
    nodes = page_of("head", "body")
    together = Segmentation(nodes, (Block(tuple(rows_of(nodes, "p")), 1),))
    assert score_blocks(together, blocks(page_of("headbody"), 0)).exact["all"].prf.f1 == 1


EDGES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14, unique=True)


@given(EDGES)
def test_no_one_to_one_matching_is_larger(edges):
    result = match((i, j, 0.9) for i, j in edges)
    assert {(i, j) for j, i in result.items()} <= set(edges)
    assert len(set(result.values())) == len(result)

    def largest(rest, used):
        if not rest:
            return 0
        (i, j), *others = rest
        best = largest(others, used)
        if i not in used and j + 10 not in used:
            best = max(best, 1 + largest(others, used | {i, j + 10}))
        return best

    assert len(result) == largest(edges, frozenset())


def test_the_largest_matching_prefers_closer_pairs():
    assert match([(0, 0, 0.85), (1, 0, 0.99)]) == {0: 1}
    assert match([(0, 0, 0.99), (1, 0, 0.85), (0, 1, 0.9)]) == {0: 1, 1: 0}  # two beat one close


TEXT = st.text(alphabet="abcd\u0161\u0261 ", max_size=30)


@given(st.lists(TEXT, max_size=4), st.lists(TEXT, max_size=4))
def test_matches_are_those_of_the_library(first, second):
    nodes = page_of(*first, *second)
    predicted = blocks(nodes, *range(len(first)))
    gold = blocks(nodes, *range(len(first), len(first) + len(second)))
    ours = {without_space(text) for text in first}
    theirs = {without_space(text) for text in second}
    pairs = [(a, b, 1.0) for a in ours for b in theirs
             if SequenceMatcher(None, a, b).ratio() > LIMIT]  # fmt: skip
    assert len(score_blocks(predicted, gold).fuzzy["all"].hits) == len(match(pairs))


def test_remembered_ratios_give_the_same_scores_in_many_threads():
    rng = random.Random(1)
    words = STORY.split()
    nodes = page_of(*(" ".join(rng.choices(words, k=12)) for _ in range(30)))
    cases = [(blocks(nodes, *range(k, k + 12)), blocks(nodes, *range(k + 3, k + 14)))
             for k in range(12)]  # fmt: skip
    want = [score_blocks(*case) for case in cases]
    scorer = BlockScorer(remember=50)
    wrong = []

    def work():
        wrong.extend(k for k, case in enumerate(cases) if scorer.score(*case) != want[k])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def table_of_file(file):
    """Return the elements and texts of a blocks file without a layout, and rows by element."""
    data = file.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    tree = etree.fromstring(text.encode("utf-8", "replace"), parser)
    flat = [("html", -1, "")]
    rows = {tree: 0}

    def put(tag, parent, text):
        flat.append((tag, parent, text))
        return len(flat) - 1

    def walk(element, row):
        if element.text and isinstance(element.tag, str):
            put("#text", row, element.text)
        for child in element:
            if isinstance(child.tag, str):
                rows[child] = put(child.tag, row, "")
                walk(child, rows[child])
            if child.tail:
                put("#text", row, child.tail)

    walk(tree, 0)
    return bare_table(flat), rows


def bare_table(flat):
    n = len(flat)
    names = tuple(dict.fromkeys(tag for tag, _, _ in flat))
    return NodeTable(
        names=names,
        tag=np.array([names.index(tag) for tag, _, _ in flat], dtype=np.int32),
        parent=np.array([parent for _, parent, _ in flat], dtype=np.int32),
        text=tuple(text for _, _, text in flat),
        rect=np.zeros((n, 4), dtype=np.float32),
        offset=np.zeros((n, 2), dtype=np.int32),
        visible=np.ones(n, dtype=bool),
        style=np.zeros(n, dtype=np.int32),
        styles=(("",) * len(STYLE_PROPERTIES),),
        attributes=({},) * n,
        frame=np.zeros(n, dtype=np.int16),
        outer=np.zeros((n, 2), dtype=np.int32),
        inner=np.zeros((n, 2), dtype=np.int32),
        width=1024,
        height=768,
    )


def segmentation(nodes, marks):
    marks = sorted((row, level) for row, level in marks)
    return Segmentation(nodes, tuple(Block((row,), level) for row, level in marks))


@pytest.mark.slow
@pytest.mark.data
def test_scores_equal_those_of_the_independent_scorer_on_real_pages(datasets, tmp_path):
    """Some elements of each page are predicted: long, short, nested, repeated and gold ones."""
    script = scorer_script("score_blocks")
    root = datasets / "kreuzer-random"
    rng = random.Random(2)
    predictions, pages = {}, {}
    for file in sorted(root.rglob("*.blocks.html")):
        nodes, rows = table_of_file(file)
        gold = [(row, int(e.get("data-block").split()[0]))
                for e, row in rows.items() if e.get("data-block")]  # fmt: skip
        picked = rng.sample(sorted(rows.values()), min(12, len(rows)))
        around = [max(int(nodes.parent[row]), 0) for row, _ in gold[1::2]]
        chosen = [(row, rng.choice((1, 2))) for row in {*picked, *around}] + gold[::3]
        predicted = segmentation(nodes, chosen)
        page = file.relative_to(root).as_posix().replace(".blocks.html", ".html")
        predictions[page] = [[predicted.text_of(b), b.level] for b in predicted.blocks]
        pages[page] = BlockScorer().score(predicted, segmentation(nodes, gold))
    out = tmp_path / "predictions.json"
    out.write_text(json.dumps(predictions), "utf-8")
    for level in ("all", "1", "2"):
        printed = subprocess.run(
            [sys.executable, str(script), str(root), str(out), "--per-page", "--level", level],
            capture_output=True, text=True, check=True, timeout=300,
        ).stdout.splitlines()  # fmt: skip
        theirs = {line.split()[-1]: line for line in printed[3:]}
        assert len(theirs) == 78
        for page, line in theirs.items():
            score = pages[page].fuzzy[level]
            prf = score.prf
            assert line == (
                f"{prf.f1:.2f}  P {prf.precision:.2f}  R {prf.recall:.2f}  "
                f"retrieved {score.retrieved}  relevant {score.relevant}  {page}"
            )
        for kind, line in (("exact", printed[1]), ("fuzzy", printed[2])):
            prfs = [getattr(pages[page], kind)[level].prf for page in theirs]
            means = [
                np.mean([getattr(x, name) for x in prfs]) for name in ("precision", "recall", "f1")
            ]
            assert [float(x) for x in line.split()[2::2]] == pytest.approx(means, abs=6e-4)


def test_long_texts_are_close_only_with_few_differences():
    rng = random.Random(3)
    text = "".join(rng.choices("abcdefghijklmnopqrst", k=8_000))
    changed = text[:2_000] + text[2_100:5_000] + "other words" + text[5_000:]
    assert _are_close(changed, text, 7_800)
    assert not _are_close(changed, text, 8_000)
    assert not _are_close("".join(rng.choices("abcdefghijklmnopqrst", k=8_000)), text, 6_400)
    assert not _are_close("", text, 1)


@given(st.text("ab", max_size=200), st.text("ab", max_size=200), st.integers(1, 200))
def test_close_texts_have_a_long_enough_common_subsequence(first, second, enough):
    if _are_close(first, second, enough):
        assert LCSseq.similarity(first, second) >= enough
