"""Segmenters on the thesis' random pages, scored from outside.

Every active page is rendered 1024 px wide in three variants: as saved (``html``), its DOM as
published (``dom``), and the DOM the annotators saw (``repaired``).  Each has a test module of its
own, so that they run side by side.
"""

import io
import json
import sys
from contextlib import redirect_stdout
from functools import cache
from unittest.mock import patch

import pytest

from algorithms.core.catalogue import method
from algorithms.results import Segmentation
from annotate.datasets.opening import list_documents
from tests.outside import load_scorer

SETTINGS = {
    "webterrain": {},
    "webterrain, headers apart": {"merge_headers": False},
    "vips, one round": {"pdoc": 1, "separators": False},
    "vips, rules alone": {"separators": False},
    "vips": {},
    "page-segmenter": {},
    "block-fusion": {},
    "fe-blocks": {},
    "id-blocks": {},
    "terrain": {},
}

BETWEEN = {"webterrain": 0.3, "vips": 0.3}
"""F by exact match above which the DOM gets, and pages as saved do not."""


def figures_of(variant, settings, datasets, folder):
    """Return retrieved blocks per page, and exact and fuzzy P, R and F, by setting.

    Args:
        variant: One of the three.
        settings: Those of `SETTINGS` that are asked.
        datasets: The folder of data sets.
        folder: Where predictions may be written.
    """
    from engine.web.headless import Browser

    score = _scorer()
    root = datasets / "kreuzer-random"
    predictions = {setting: {} for setting in settings}
    with Browser() as browser:
        for document in list_documents(root, variant=variant, problems=[]):
            page = browser.capture(document)
            for setting in settings:
                entry = method(setting.split(",")[0])
                result = entry.run(page, entry.params(**SETTINGS[setting]), "rendered")
                assert isinstance(result, Segmentation)
                position = (document.root / document.path).relative_to(root.resolve())
                name = position.as_posix().replace(".dom.html", ".html")
                name = name.replace(".blocks.html", ".html")
                predictions[setting][name] = [
                    [result.text_of(block), block.level] for block in result.blocks
                ]
    results = {}
    for setting, pages in predictions.items():
        assert len(pages) == 78
        file = folder / "predictions.json"
        file.write_text(json.dumps(pages), "utf-8")
        printed = score(root, file)
        retrieved = float(printed[0].split("retrieved ")[1].split(",")[0])
        exact, fuzzy = ([float(x) for x in line.split()[2::2]] for line in printed[1:3])
        results[setting] = {"retrieved": retrieved, "exact": exact, "fuzzy": fuzzy}
    print("\n" + as_table(variant, results))
    return results


def _scorer():
    """Return a call of the scorer's command: data set and predictions → the lines it prints.

    It caches comparisons of texts and the gold of pages for other settings.
    """
    scorer = load_scorer("score_blocks")
    scorer.alike, scorer.gold = cache(scorer.alike), cache(scorer.gold)

    def score(root, predictions):
        words = ["score_blocks", str(root), str(predictions)]
        with patch.object(sys, "argv", words), redirect_stdout(io.StringIO()) as printed:
            scorer.main()
        return printed.getvalue().splitlines()

    return score


def as_table(variant, figures):
    """Return all figures as text; ``-s`` shows it."""
    names = "retrieved  exact P  R      F       fuzzy P  R      F"
    lines = [f"{variant:<28} {names}"]
    for setting, result in figures.items():
        exact, fuzzy = ("  ".join(f"{x:.3f}" for x in result[k]) for k in ("exact", "fuzzy"))
        lines.append(f"{setting:<28}{result['retrieved']:>10.2f}  {exact}   {fuzzy}")
    return "\n".join(lines)


def check_webterrain(figures, low, high):
    """methods.md#webterrain: the literal reading, give or take .04; joining headers costs 0 to .03.

    ``low`` and ``high`` are what F is known to lie between.
    """
    joined, apart = (
        figures[setting]["fuzzy"][2] for setting in ("webterrain", "webterrain, headers apart")
    )
    for each in (joined, apart):
        assert low - 0.04 <= each <= high + 0.04
    assert -0.01 <= apart - joined <= 0.04


def check_vips(figures, least):
    """Assert that VIPS with separators keeps its gain, and is no worse than its rules alone."""
    assert figures["vips"]["fuzzy"][2] >= least
    assert figures["vips"]["fuzzy"][2] >= figures["vips, rules alone"]["fuzzy"][2]


def check_thesis(figures, retrieved, page_segmenter, block_fusion):
    """Tables 7.1 to 7.4.

    PageSegmenter: F within .05, blocks retrieved within 15 %.  BlockFusion: F by exact match within
    .04; its fuzzy scores lost blocks on the way back.
    """
    result = figures["page-segmenter"]
    assert result["fuzzy"][2] == pytest.approx(page_segmenter, abs=0.05)
    assert result["retrieved"] == pytest.approx(retrieved, rel=0.15)
    assert figures["block-fusion"]["exact"][2] == pytest.approx(block_fusion, abs=0.04)
