"""The measures of blocks by name."""

import numpy as np
import pytest

from algorithms.measures.all_measures import BLOCK_MEASURES
from algorithms.measures.bcubed import score_bcubed
from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.choice import block_measures
from algorithms.results import Block, Segmentation
from engine.errors import InputError
from tests.tables import rows_of, table

PAGE = table(
    ("body", (0, 0, 100, 100), [
        ("div", (0, 0, 100, 40), [("p", (0, 0, 50, 40), "menu"), ("p", (50, 0, 50, 40), "logo")]),
        ("div", (0, 40, 100, 60), "a much longer story"),
    ]),
    size=(100, 100),
)  # fmt: skip


def blocks(*, inner):
    result = [Block((row,), 1, "Header") for row in rows_of(PAGE, "div")]
    result += [Block((row,), 2, "Menu") for row in rows_of(PAGE, "p")] if inner else []
    return Segmentation(PAGE, tuple(sorted(result, key=lambda b: b.rows)))


def test_every_measure_has_a_unique_key_and_name_and_a_definition():
    keys = [measure.key for measure in BLOCK_MEASURES]
    assert len(set(keys)) == len({m.name for m in BLOCK_MEASURES}) == len(keys)
    assert all(len(measure.definition) > 30 for measure in BLOCK_MEASURES)
    assert {"exact", "fuzzy-1", "b3-pixels", "b3-chars-max-2", "ari-words", "iou-75"} <= set(keys)


@pytest.mark.parametrize("measure", BLOCK_MEASURES, ids=lambda measure: measure.key)
def test_gold_against_itself_has_the_best_score(measure):
    gold = blocks(inner=True)
    mask = np.zeros((100, 100), dtype=bool)
    mask[:, 25::50] = True
    pair = BlockComparison(gold, gold, edges={"fine": mask, "coarse": mask})
    score = measure.score(pair)
    count = sum(measure.level in ("all", str(block.level)) for block in gold.blocks)
    right = count if measure.key.startswith("right") else 0
    assert score.value == pytest.approx(right if measure.is_count else 1)


@pytest.mark.parametrize("measure", BLOCK_MEASURES, ids=lambda measure: measure.key)
def test_an_empty_segmentation_scores_0_against_gold(measure):
    gold = blocks(inner=True)
    score = measure.score(BlockComparison(Segmentation(PAGE, ()), gold))
    if measure.is_count:
        count = sum(measure.level in ("all", str(block.level)) for block in gold.blocks)
        assert score.value == (count if measure.key.startswith("missed") else 0)
    elif measure.key.startswith(("types", "b3-edges")):
        assert score.value is None
    else:
        assert score.value == pytest.approx(0)


def test_the_end_of_the_key_selects_the_level():
    pair = BlockComparison(blocks(inner=False), blocks(inner=True))
    values = [m.score(pair).value for m in block_measures("fuzzy,fuzzy-1,fuzzy-2,missed-2")]
    assert values == [pytest.approx(2 / 3), 1, 0, 2]


def test_a_named_measure_returns_the_score_of_its_module_and_caches_it():
    pair = BlockComparison(blocks(inner=False), blocks(inner=True))
    (measure,) = block_measures("b3-chars")
    prf = score_bcubed(pair.predicted, pair.gold, "chars")
    score = measure.score(pair)
    assert (score.value, score.precision, score.recall) == (prf.f1, prf.precision, prf.recall)
    assert pair.bcubed("chars", "all") is pair.bcubed("chars", "all")


def test_groups_are_expanded_and_unknown_names_are_refused():
    assert [m.key for m in block_measures("blocks, b3-nodes")] == [
        "exact", "exact-1", "exact-2", "fuzzy", "fuzzy-1", "fuzzy-2", "b3-nodes",
    ]  # fmt: skip
    assert len(block_measures("all-blocks")) == len(BLOCK_MEASURES)
    with pytest.raises(InputError, match="unknown measure 'fuzy'; did you mean fuzzy"):
        block_measures("fuzy")
