"""Triage: predictions without gold, and the order of work by them."""

import csv
import json

import numpy as np
import pytest

from algorithms.core.catalogue import method
from algorithms.measures.text import score_text
from algorithms.results import everything, nothing
from algorithms.triage.prediction import (
    Expected,
    Prediction,
    agreement,
    calibration,
    expected_f1,
    kept_share,
    predict,
    unlikeness,
    with_bounds,
)
from annotate.evaluation.run.triage import pages_of, warning_of, worst_of
from engine.source import Source
from gui.cli.main import main

ARTICLE = "".join(
    f"<p>The council said on day {n} that the old bridge over the river would be closed for "
    "repairs until spring, and that nobody had been asked before.</p>"
    for n in range(12)
)
MENU = "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(40))
PAGE = (
    f"<title>Bridge</title><nav><ul>{MENU}</ul></nav><article><h1>Bridge closed</h1>{ARTICLE}"
    f"</article><footer><ul>{MENU}</ul></footer>"
)


def _expected(*chances: float) -> Expected:
    chance = np.array(chances)
    return Expected(chance, np.full(chance.size, 10.0), (chance > 0.5).astype(float), {})


def test_the_expected_f1_of_a_certain_page_is_its_f1():
    page = _expected(1.0, 1.0, 0.0, 0.0)
    assert expected_f1(page, np.array([1.0, 1.0, 0.0, 0.0])) == pytest.approx(1, abs=1e-3)
    assert expected_f1(page, np.ones(4)) == pytest.approx(2 / 3, abs=1e-3)
    assert expected_f1(page, np.array([0.0, 0.0, 1.0, 1.0])) == pytest.approx(0, abs=1e-3)
    assert expected_f1(page, np.array([1.0, 1.0, 0.0, 0.0]), 20) == pytest.approx(2 / 3, abs=1e-3)


def test_an_uncertain_page_has_a_lower_expected_f1():
    kept = np.array([1.0, 1.0, 0.0, 0.0])
    sure, unsure = (
        expected_f1(_expected(0.99, 0.99, 0.01, 0.01), kept),
        expected_f1(_expected(0.6, 0.6, 0.4, 0.4), kept),
    )
    assert unsure < 0.7 < sure


def test_bounds_enclose_the_prediction_and_are_wider_where_gleaner_judges_itself():
    for f1 in np.linspace(0, 1, 21):
        for agreed in (1.0, 0.95, 0.3):
            known = with_bounds(float(f1), agreed)
            assert 0 <= known.low <= known.f1 <= known.high <= 1
    own, other = with_bounds(0.7, 1.0), with_bounds(0.7, 0.3)
    assert own.high - own.low > other.high - other.low
    assert (np.diff(calibration().low, axis=1) >= 0).all()
    assert (np.diff(calibration().high, axis=1) >= 0).all()


def test_no_upper_bound_is_1_whatever_is_predicted():
    """One odd page among the lowest predictions must not bound all others."""
    for agreed in (1.0, 0.95, 0.3):
        assert with_bounds(0.5, agreed).high < 0.985
        assert with_bounds(0.9, agreed).high < 0.999
    assert with_bounds(0.5, 1.0).high < with_bounds(0.9, 1.0).high


def test_an_empty_extraction_is_predicted_0_with_bounds_0_and_1():
    assert with_bounds(0.0, 1.0) == Prediction(0.0, 0.0, 1.0)


def test_agreement_is_f1_of_what_both_keep():
    words = np.array([10.0, 10.0, 20.0])
    assert agreement(np.array([1.0, 1, 0]), np.array([1.0, 1, 0]), words) == 1
    assert agreement(np.array([1.0, 0, 0]), np.array([0.0, 1, 0]), words) == 0
    assert agreement(np.array([1.0, 1, 0]), np.array([1.0, 0, 0]), words) == pytest.approx(2 / 3)
    assert agreement(np.zeros(3), np.zeros(3), words) == 1


def test_the_article_alone_is_predicted_better_than_the_whole_page_and_nothing_worst():
    source = Source.from_text(PAGE)
    own = method("gleaner").on_source(source, method("gleaner").params())
    best, whole, none = (
        predict(source, each) for each in (own, everything(source), nothing(source))
    )
    assert best.f1 > whole.f1 > none.f1
    assert best.f1 > 0.9
    assert none.f1 == pytest.approx(0)
    assert kept_share(source, everything(source)).tolist() == [1.0] * len(kept_share(source, own))
    assert 0 <= unlikeness(source) <= 1


def test_prediction_reads_no_gold_and_agrees_with_it_on_a_plain_page():
    source = Source.from_text(PAGE)
    own = method("gleaner").on_source(source, method("gleaner").params())
    gold = everything(Source.from_text(f"<h1>Bridge closed</h1>{ARTICLE}"))
    assert abs(predict(source, own).f1 - score_text(own, gold).bow.f1) < 0.1


@pytest.fixture
def folder(tmp_path):
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "article.html").write_text(PAGE)
    (pages / "links.html").write_text(f"<title>Links</title><ul>{MENU}</ul><p>Some words.</p>")
    (pages / "empty.html").write_text("<title>Nothing</title>")
    return pages


def _triage(folder, out, *more):
    return main(["triage", str(folder), "--jobs", "1", "--out", str(out), "--no-cache", *more])


def test_triage_lists_pages_without_gold_the_doubtful_before_the_clear(folder, tmp_path, capsys):
    assert _triage(folder, tmp_path / "out", "--methods", "gleaner,bte") == 0
    printed = capsys.readouterr().out
    rows = list(csv.DictReader((tmp_path / "out" / "triage.csv").read_text().splitlines()))
    pages = list(dict.fromkeys(row["page"] for row in rows))
    assert pages[-1] == "article.html"
    assert pages.index("links.html") < pages.index("article.html")
    clear = next(row for row in rows if (row["page"], row["method"]) == ("article.html", "gleaner"))
    assert float(clear["low"]) <= float(clear["predicted_f1"]) <= float(clear["high"])
    assert clear["f1"] == "", "there is no gold"
    assert "Mark these first, of 3 pages" in printed
    assert "probably bad" in printed


def test_pages_that_teach_most_or_differ_most_can_come_first(folder, tmp_path, capsys):
    keys = {"teaches": ("undecided", True), "unusual": ("unlike", True),
            "disagreement": ("agreement", False)}  # fmt: skip
    for order, (key, is_most) in keys.items():
        assert _triage(folder, tmp_path / "out", "--resume", "--json", "--order", order) == 0
        rows = json.loads(capsys.readouterr().out)
        known = [row[key] for row in rows if row[key] is not None]
        assert known == sorted(known, reverse=is_most), order
        assert len(known) >= 2, order


def test_triage_resumes_without_running_anything_again(folder, tmp_path, capsys):
    assert _triage(folder, tmp_path / "out") == 0
    before = (tmp_path / "out" / "triage.csv").read_bytes()
    scores = (tmp_path / "out" / "scores.csv").read_bytes()
    capsys.readouterr()
    assert _triage(folder, tmp_path / "out", "--resume", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["page"] for row in rows} == {"article.html", "links.html", "empty.html"}
    assert (tmp_path / "out" / "scores.csv").read_bytes() == scores, "times would differ"
    assert (tmp_path / "out" / "triage.csv").read_bytes() == before


def test_triage_lists_the_real_f1_of_pages_with_gold(tmp_path, capsys):
    package = tmp_path / "package"
    package.mkdir()
    (package / "a.html").write_text(PAGE)
    (package / "a.txt").write_text(
        "Bridge closed " + ARTICLE.replace("<p>", " ").replace("</p>", " ")
    )
    (package / "a.json").write_text('{"url": "http://a.example/"}')
    (package / "package.json").write_text("{}")
    assert _triage(package, tmp_path / "out", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["f1"] > 0.9
    assert row["predicted_f1"] > 0.9


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--first", "0"], "--first must be at least 1, got 0"),
        (["--methods", "terrain"], "terrain gives blocks: name methods that extract text"),
        (["--methods", "nope"], "nope"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(folder, tmp_path, capsys, more, words):
    assert _triage(folder, tmp_path / "out", *more) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_pages_without_marks_are_not_rendered_to_read_gold(folder):
    for _, files in pages_of(str(folder)).pages:
        assert files[""].text(lambda: pytest.fail("rendered")) is None


def test_the_warning_counts_bad_pages_and_names_the_worst():
    assert warning_of(1, 0, []) == ""
    worst = worst_of([(0.9, "a"), (0.61, "b"), (0.2, "c"), (0.5, "d"), (0.65, "e")])
    text = warning_of(5, 4, worst)
    assert text == "4 of 5 pages probably below .7: c (0.20), d (0.50), b (0.61), …"
    assert warning_of(5, 4, worst, 2) == f"{text}; 2 pages without words or result: no prediction"
    assert warning_of(1, 0, [], 1) == "1 page without words or result: no prediction"
