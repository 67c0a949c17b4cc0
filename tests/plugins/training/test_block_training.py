"""Training terrain-learned on generated pages whose blocks are known."""

from dataclasses import replace

import numpy as np
import pytest

from algorithms.learning.blocks.block_model import FORMAT, VERSION, of_bytes
from algorithms.learning.model_file import pack_model, unpack_model
from algorithms.measures.blocks import BlockScorer
from algorithms.plugins.training.block_fit import block_page, folds, train
from engine.errors import InputError, ParameterError
from tests.algorithms.learning.made import made_page


def made_pages(count, sites=6):
    """Return generated pages as training input of a segmenter."""
    return [
        block_page(page.rendered(), gold, name=str(k), site=f"site{k % sites}")
        for k, (page, gold) in ((k, made_page(k)) for k in range(count))
    ]


@pytest.fixture(scope="module")
def lightgbm():
    return pytest.importorskip("lightgbm", reason="training needs pagelet[train]")


def test_pages_of_one_site_are_in_one_fold():
    some = made_pages(8, sites=4)
    fold = folds(some, 3)
    for site in {page.site for page in some}:
        assert len({f for f, page in zip(fold, some, strict=True) if page.site == site}) == 1


def test_texts_of_gold_blocks_are_learned_as_blocks():
    page, gold = made_page(0)
    learned = block_page(page.rendered(), gold, name="a")
    texts = [learned.stretches.text(k) for k in np.flatnonzero(learned.is_block)]
    assert {"".join(text.split()) for text, _ in gold} <= set(texts)
    assert learned.on_page == 1
    assert learned.level[np.isfinite(learned.level)].min() == 0


def test_gold_of_another_page_is_not_learned_from():
    page, _ = made_page(0)
    assert not block_page(page.rendered(), made_page(1)[1], name="a").teaches
    assert not block_page(page.rendered(), [], name="a").teaches


def test_a_trained_model_finds_the_blocks_of_an_unseen_page(lightgbm):
    model, scores = train(made_pages(14, sites=7), {}, parts=2, rounds=25)
    assert scores.f[""] > 0.8
    assert model.card["scores"]["pages"] == {"": 14}
    page, gold = made_page(99)
    again = of_bytes(model.data, "x")
    predicted = again.predict(page.rendered())
    texts = [(predicted.stretches.text(k), 1) for k in np.flatnonzero(predicted.taken)]
    assert BlockScorer().score_texts(texts, gold).fuzzy["all"].prf.f1 > 0.8


def test_a_model_with_other_columns_or_a_newer_version_is_refused(lightgbm):
    made, _ = train(made_pages(10), {}, parts=2, rounds=2)
    page, _ = made_page(1)
    other = replace(made, columns=("no.such", *made.columns[1:]))
    with pytest.raises(ParameterError, match=r"does not have \(no\.such\): train it again"):
        of_bytes(other.data, "x").predict(page.rendered())
    head, arrays = unpack_model(made.data, FORMAT, VERSION)
    with pytest.raises(ParameterError, match="x: a newer Pagelet wrote it"):
        of_bytes(pack_model({**head, "version": VERSION + 1}, arrays), "x")


def test_each_data_set_is_scored_separately(lightgbm):
    some = [replace(p, dataset=f"d{k % 2}", form="dom") for k, p in enumerate(made_pages(12))]
    _, scores = train(some, {}, parts=2, rounds=2)
    assert scores.pages == {"d0/dom": 6, "d1/dom": 6}
    assert scores.f.keys() == scores.folds.keys() == scores.pages.keys()


def test_one_and_two_threads_train_the_same_model_to_the_byte(lightgbm):
    some = made_pages(10, sites=4)
    one, _ = train(some, {}, threads=1, parts=2, rounds=4)
    two, _ = train(some, {}, threads=2, parts=2, rounds=4)
    assert one.data == two.data


def test_too_few_pages_are_refused(lightgbm):
    with pytest.raises(InputError, match="at least 10 pages with gold blocks, got 3"):
        train(made_pages(3), {})
