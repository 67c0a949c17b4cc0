"""Test ``pagelet evaluate`` as a user types it, and its numbers by an independent scorer."""

import re
from pathlib import Path

import pytest

from algorithms.plugins.external.libraries import find_installed
from annotate.evaluation.store.predictions import PredictedPage, write_package
from tests.e2e.test_evaluate import MENU, STORY, evaluate, rows
from tests.outside import load_scorer

NAMES = {"cs": "CS", "ws": "WS", "bow": "BoW", "sow": "SoW"}


@pytest.fixture
def package(tmp_path):
    """Return a package of two pages: a story with a menu, and a page without text."""
    path = tmp_path / "ferries.zip"
    pages = [
        PredictedPage("one", f"{MENU}<p>{STORY}</p>".encode(), STORY, {"encoding": "utf-8"}),
        PredictedPage("two", b"<img src=x.png>", "", {"encoding": "utf-8"}),
    ]
    write_package(path, "ferries", pages)
    return path


def by_our_words(scorer):
    """Set the scorer's definition of words to ours: marks without a letter are no words.

    The article benchmark's runs of four words cut words at marks and at soft hyphens, too.
    """
    theirs = scorer.shingles
    scorer.PLAIN = re.compile(rf"\w[\w{scorer.MARKS}]*")
    scorer.TOK["gottron"] = scorer.PLAIN.findall
    scorer.shingles = lambda text, n=4: theirs(scorer.norm(text), n)
    return scorer


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("corpus", ["article-benchmark-sample", "packages/readability-pages.zip"])
def test_an_independent_scorer_gives_the_same_numbers(datasets, tmp_path, corpus):
    scorer = by_our_words(load_scorer("score_text"))
    fast = {"readability-lxml", "resiliparse", "boilerpy3"}
    keys = ["plain", "bte", "accb", *(m.key for m in find_installed() if m.key in fast)]
    done = evaluate(
        datasets / corpus, "--methods", ",".join(keys), "--measures", "text,shingles,identical",
        "--predictions", "--out", tmp_path, "--jobs", "2", "--word-unit", "clauses",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    name = Path(corpus).stem
    package = tmp_path / "predictions" / f"{name}.zip"
    files = sorted((tmp_path / "predictions" / name).glob("*.json"))
    assert len(files) == len(keys)
    gold = scorer.Package(package if package.is_file() else datasets / corpus)
    theirs = {}
    for file in files:
        run = scorer.load(file)
        theirs[run["name"]] = scorer.score(gold, run, gold.docs)[0]
    compared = 0
    for row in rows(tmp_path / "summary.csv"):
        result = theirs[f"{row['method']}--{row['input']}"]
        ours = float(row["value_failed_as_empty"])
        if row["measure"] == "shingles":
            expected = result["shingle"]["F1"]
        elif row["measure"] == "identical":
            expected = result["shingle"]["acc"]
        else:
            expected = result[NAMES[row["measure"]]]["F1"]
            if row["failed"] == row["timed out"] == "0":
                deviation = result[NAMES[row["measure"]]]["sd"]
                assert float(row["deviation"]) == pytest.approx(deviation, abs=1e-9)
        assert ours == pytest.approx(expected, abs=1e-9), row
        compared += 1
    assert compared == len(keys) * 6
