"""Pictures of a report: a page that hangs costs only its own picture."""

import subprocess
import sys

import pytest

from algorithms.core.batch import Setup
from algorithms.core.catalogue import method
from annotate.datasets.readers import read_dataset
from annotate.evaluation.report.pictures import PictureRequest
from annotate.evaluation.store.predictions import PredictedPage, write_package
from engine.errors import InputError
from gui.pictures import drawers
from gui.pictures.drawers import draw_pictures
from tests.children import living

pytestmark = pytest.mark.web

STORY = "The ferry came back this morning after nine long years away."
HANGS = "<script>for (;;);</script>"


def test_importing_the_drawers_does_not_load_qt():
    code = "import sys, gui.pictures.drawers; assert 'PySide6' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def wanted(tmp_path, *pages):
    path = tmp_path / "ferries.zip"
    made = [PredictedPage(f"p{k}", html.encode(), STORY, {}) for k, html in enumerate(pages)]
    write_package(path, "ferries", made)
    setup = Setup("plain", method("plain").params(), "original")
    cases = read_dataset(path).cases(["original"])
    return [PictureRequest(case.key, "plain", case.files, setup, "", "") for case in cases]


@pytest.mark.slow
def test_a_page_that_hangs_costs_only_its_own_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(drawers, "_PAGE_S", 1.0)
    monkeypatch.setattr(drawers, "_PICTURE_S", 7.0)
    good = f"<p>{STORY}</p>"
    before = living()
    result = draw_pictures(wanted(tmp_path, good, HANGS, good), tmp_path / "pictures", 1)
    assert {key[1] for key, _ in result.files} == {"p0", "p2"}
    assert all(path.stat().st_size > 1000 for path in result.files.values())
    ((position, why),) = result.problems.items()
    assert (position[0][1], why) == ("p1", "drawing took more than 8 s")
    assert living() == before


def test_drawing_can_be_stopped(tmp_path):
    asked = wanted(tmp_path, HANGS)
    result = draw_pictures(asked, tmp_path / "pictures", 1, on_progress=lambda _: False)
    assert result.problems == {asked[0].picture_key: "drawing was stopped before"}


def test_an_unwritable_folder_raises_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write to"):
        draw_pictures(wanted(tmp_path, STORY), tmp_path / "file" / "pictures", 1)
