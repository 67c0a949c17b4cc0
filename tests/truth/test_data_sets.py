"""Test recomputed figures on a few pages of each data set beside the clone."""

import csv

import pytest

from tests.outside import datasets_folder
from tests.truth import own_text
from tests.truth.conftest import Evaluation, command
from tests.truth.own_layout import Layout
from tests.truth.test_areas import compare_rects, segmented
from tests.truth.test_evaluation import compare_summary, compare_texts

TEXTS = ("wcxb/dev", "article-benchmark-sample", "packages", "sites")
PAGES = 4

pytestmark = [pytest.mark.data, pytest.mark.long]


def places(name: str) -> list:
    """A data set, or those that a folder of them holds."""
    folder = datasets_folder() / name
    if not folder.exists():
        pytest.skip(f"no data set {name}: set PAGELET_DATA to the folder that holds it")
    if name in ("packages", "sites"):
        return [path for path in sorted(folder.iterdir()) if path.suffix in (".zip", "")][:2]
    return [folder]


@pytest.mark.parametrize("name", TEXTS)
def test_scores_of_texts_in_a_sample_equal_the_recomputed_ones(name, tmp_path):
    for number, index in enumerate(places(name)):
        folder = tmp_path / str(number)
        command(
            "evaluate", index, "--out", folder, "--methods", "bte,cetr-km", "--input", "original",
            "--measures", "all-text", "--predictions", "--report", "none", "--jobs", "1",
            "--sample", PAGES,
        )  # fmt: skip
        evaluation = Evaluation(folder)
        evaluation.gold_texts.update(packaged(index, evaluation))
        compared = compare_texts(evaluation, *own_text.MEASURES)
        assert compared.figures > PAGES
        assert compared.different == []
        assert compare_summary(evaluation).different == []


def packaged(place, evaluation) -> dict:
    """Gold of a data set that is a package: beside its pages, and not written again."""
    if place.suffix != ".zip":
        return {}
    import zipfile

    with zipfile.ZipFile(place) as package:
        return {
            (row["dataset"], row["page"]): package.read(f"{row['page']}.txt").decode()
            for row in evaluation.rows
            if f"{row['page']}.txt" in package.namelist()
        }


@pytest.mark.web
@pytest.mark.parametrize("method", ["page-segmenter", "block-fusion"])
def test_boxes_of_blocks_leave_out_hidden_nodes(method, tmp_path):
    """One in five blocks of page-segmenter began at (0, 0), for a hidden node in it."""
    (site,) = (path for path in places("kreuzer-random")[0].iterdir() if "citylemon" in path.name)
    (page,) = site.rglob("index.html")
    cache = tmp_path / "cache"
    command(
        "evaluate", site, "--out", tmp_path / "out", "--methods", method, "--input", "repaired",
        "--report", "none", "--jobs", "1", "--cache", cache,
    )  # fmt: skip
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8", newline="") as file:
        assert {row["status"] for row in csv.DictReader(file)} == {"ok"}
    (snapshot,) = cache.glob("*/*.page")
    layout = Layout(snapshot)
    blocks = segmented(method, page, "--variant", "repaired")
    compared = compare_rects(layout, blocks)
    assert compared.figures == 4 * len(blocks) > 100
    assert compared.different == []
    hidden = [path for block in blocks for path in block["path"]
              if layout.boxes[layout.row_of[path]] is None]  # fmt: skip
    assert hidden
