"""Training gleaner on generated pages whose content is known."""

import random
import time
from dataclasses import replace

import numpy as np
import pytest

from algorithms.extraction.gleaner.gleaner_model import of_bytes
from algorithms.plugins.training.gleaner_fit import train
from algorithms.plugins.training.gleaner_pages import folds, training_page
from engine.errors import InputError
from engine.source import Source

WORDS = "river stone winter bridge paper window garden letter summer market village doctor".split()


def made_up(number):
    """Return a page and its gold: paragraphs in a box with a telling class, among other text."""
    rng = random.Random(number)

    def said(count):
        return " ".join(rng.choices(WORDS, k=count))

    body = [said(rng.randrange(12, 40)) for _ in range(rng.randrange(3, 7))]
    menu = "".join(f"<li><a href=/{k}>{said(2)}</a>" for k in range(6))
    advice = "".join(f"<p>{said(20)}</p>" for _ in range(3))
    content = "".join(f"<p>{text}</p>" for text in body)
    html = (
        f"<title>{body[0][:20]}</title><ul class=menu>{menu}</ul>"
        f"<div class=story-body>{content}</div><div class=related-box>{advice}</div>"
    )
    return html, "\n".join(body)


def pages(count, sites=6):
    made = [made_up(number) for number in range(count)]
    return [
        training_page(Source.from_text(html), gold, name=str(k), site=f"site{k % sites}")
        for k, (html, gold) in enumerate(made)
    ]


@pytest.fixture(scope="module")
def lightgbm():
    return pytest.importorskip("lightgbm", reason="training needs pagelet[train]")


def test_pages_of_one_site_are_in_one_fold():
    some = pages(20, sites=7)
    fold = folds(some, 3)
    assert {len({f for f, p in zip(fold, some, strict=True) if p.site == site}) for site in
            {p.site for p in some}} == {1}  # fmt: skip
    assert sorted(set(fold.tolist())) == [0, 1, 2]


def test_another_salt_divides_the_sites_into_other_folds():
    some = pages(60, sites=30)
    usual, other = folds(some, 3), folds(some, 3, "other ")
    assert (usual != other).any()
    for fold in (usual, other):
        assert np.bincount(fold).tolist() == [20, 20, 20]
        sites = {(p.site, f) for f, p in zip(fold.tolist(), some, strict=True)}
        assert len(sites) == 30


@pytest.mark.parametrize(
    ("head", "site"),
    [
        ('<link rel="canonical" href="https://www.News.example:80/a">', "news.example"),
        ('<link href=http://news.example/a rel=canonical>', "news.example"),
        ('<link rel=canonical href="/a"><meta property="og:url" content="http://x.example">',
         "x.example"),
        ('<link rel=canonical href="http://[half/">', "page"),
        ('<!-- <link rel=canonical href="http://news.example/"> -->', "page"),
        ("", "page"),
    ],
)  # fmt: skip
def test_the_site_of_a_page_is_the_host_of_the_address_it_declares(head, site):
    assert training_page(Source.from_text(f"{head}<p>a"), "a", name="page").site == site


def test_the_site_of_a_page_of_many_attributes_is_read_within_seconds():
    html = "rel=canonical " * 200_000
    start = time.process_time()
    assert training_page(Source.from_text(html), "a", name="page").site == "page"
    assert time.process_time() - start < 5


@pytest.mark.slow
def test_one_and_two_threads_train_the_same_model_to_the_byte(lightgbm):
    some = pages(16, sites=4)
    one, scores = train(some, {}, threads=1, parts=2, rounds=5)
    two, _ = train(some, {}, threads=2, parts=2, rounds=5)
    assert one.data == two.data
    assert len(scores[""].f1) == 16


def test_a_trained_model_finds_the_content_of_an_unseen_page(lightgbm):
    model, _ = train(pages(24), {}, parts=2, rounds=20)
    again = of_bytes(model.data, "model")
    html, gold = made_up(1000)
    source = Source.from_text(html)
    unseen = training_page(source, gold, name="unseen")
    assert unseen.f1(again.predict(source).choice.is_kept) > 0.9


def test_too_few_pages_are_refused_with_a_sentence(lightgbm):
    with pytest.raises(InputError, match="at least 10 pages with text and gold, got 3"):
        train(pages(3), {})


@pytest.mark.slow
def test_each_data_set_is_scored_separately(lightgbm):
    some = [replace(page, dataset="ab"[k % 2]) for k, page in enumerate(pages(20, sites=4))]
    model, scores = train(some, {}, parts=2, rounds=5)
    assert {name: len(own.f1) for name, own in scores.items()} == {"a": 10, "b": 10}
    assert {name: own.sites for name, own in scores.items()} == {"a": 2, "b": 2}
    assert set(model.card["scores"]) == {"measure", "by_data"}


@pytest.mark.slow
def test_a_page_is_weighted_by_its_importance(lightgbm):
    some = pages(12)
    half = [replace(page, importance=0.5) for page in some]
    assert half[0].weight.sum() == pytest.approx(0.5)
    odd = [replace(page, share=1 - page.share, importance=1e-3) for page in pages(12)]
    model, _ = train([*some, *odd], {}, parts=2, rounds=20)
    html, gold = made_up(1000)
    source = Source.from_text(html)
    assert training_page(source, gold, name="unseen").f1(model.predict(source).choice.is_kept) > 0.9


def test_pages_of_one_site_give_a_model_without_scores(lightgbm):
    model, scores = train(pages(10, sites=1), {}, rounds=5)
    assert not scores
    assert model.mixture.forest.roots.size == 5
    assert model.card["nets"] == len(model.mixture.nets) == 2
