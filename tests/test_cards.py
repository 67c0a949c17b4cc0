"""Test that the page on models and data agrees with their cards."""

import json
import re

import pytest

import resources
from resources.documentation import read_page

PAGE = read_page("cards.md")


def section(name):
    return re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)[1]


def card(name):
    return json.loads(resources.path(name).joinpath("model.card.json").read_text("utf-8"))


def short(score):
    return f"{score:.3f}".lstrip("0")


@pytest.mark.parametrize("name", ["gleaner", "terrain-learned"])
def test_pages_gold_and_licence_agree_with_the_card(name):
    text, there = section(name), card(name)
    assert f"{there['pages']:,}" in text
    for each in there["data"]:
        assert f"{each['pages']:,}" in text
    assert there["licence"] in text
    assert there["guideline"].partition(", as ")[0] in text


def test_scores_agree_with_the_cards():
    gleaner = card("gleaner")["scores"]["by_data"]["wcxb"]
    for score in (gleaner["f1"], *gleaner["by_type"].values()):
        assert short(score) in section("gleaner")
    terrain = card("terrain-learned")["scores"]
    for score in (*terrain["f"].values(), terrain["types"]["right"]):
        assert short(score) in section("terrain-learned")


def test_the_documented_counts_of_sample_and_calibration_pages_are_current():
    calibration = json.loads(resources.path("triage").joinpath("calibration.json").read_text())
    assert f"{calibration['pages']:,} pages" in section("Predictions without gold")
    corpus = json.loads(resources.path("corpus").joinpath("corpus.json").read_text("utf-8"))
    assert f"{len(corpus['pages'])} pages" in section("Sample pages")


def test_the_citation_has_the_version_of_the_package():
    cited = resources.path("paper").joinpath("CITATION.cff").read_text("utf-8")
    project = resources.path("..").joinpath("pyproject.toml").read_text("utf-8")
    version = re.search(r'^version = "(.+)"$', project, re.MULTILINE)[1]
    assert f"version: {version}\n" in cited
