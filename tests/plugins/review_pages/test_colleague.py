"""A colleague's answers count as those of an annotator: in agreement, and in Review."""

import json

import pytest
from PySide6.QtCore import Qt

from annotate.library.page_cases import dataset
from annotate.plugins.review_pages.review_folder import write_review
from annotate.plugins.review_pages.review_page import review_pages
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from gui.plugins.review_pages.controller import ReviewPagesController
from gui.plugins.team_work.review.panel import ReviewDock
from gui.plugins.team_work.review.state import ReviewState
from tests.gui.annotated import gold_of, mark_as
from tests.gui.parts import press
from tests.hand import Hand
from tests.plugins.review_pages.reviewed import answers_file
from tests.typed_commands import typed

pytestmark = [pytest.mark.web, pytest.mark.slow]

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
FIVE = "".join(f"<p id={name}>{name * 10}</p>" for name in "abcde")
"""Each paragraph has ten letters."""


def test_agreement_and_review_take_the_colleague_as_an_annotator(window, qtbot, tmp_path):
    """Anna: main a and b, header c.  Ben: a is right, d instead of b, the header is wrong.

    Of 50 letters the two agree on main for 30 (a, c, e), and each has 20: by chance .4² + .6² =
    .52, so kappa is (.6 - .52) / (1 - .52); AC1 has chance 2 · .4 · .6 = .48, so (.6 - .48) / .52.
    On the header they agree for 40 of 50: by chance .2 · 0 + .8 · 1, so kappa is 0.
    Alpha for main: .4 differ, by chance 2 · 40 · 60 of 100 · 99 pairs of the 100 ratings.
    """
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(FIVE, "five.html")
    workspace = window.workbench.workspace
    mark_as(window, "Anna", gold_of(hand, [(1, "Header", "#c")], ["#a", "#b"]))
    ruth = workspace.annotator
    workspace.work_as(annotators.annotators(workspace.store)[-1])
    pages = review_pages(dataset(workspace.path), jobs=2)
    workspace.work_as(ruth)
    annotators.change(workspace.store, ruth, "Ruth", Role.REVIEWER)
    written = write_review(tmp_path / "review.html", "Five", pages, ["Anna"])
    (page,) = pages
    header, a, b = page.layers[0].records
    (fourth,) = (n for n, block in enumerate(page.targets) if "p[4]" in block["targets"][0]["path"])
    log = [
        (a["id"], "right", -1, ""), (b["id"], "instead", fourth, ""),
        (header["id"], "wrong", -1, ""),
    ]  # fmt: skip
    (tmp_path / "answers.json").write_text(answers_file(written, page, log))
    window.workbench.get(ReviewPagesController).merge(str(tmp_path / "answers.json"))

    (found,) = json.loads(typed("agreement", str(workspace.path), "--json").stdout)
    assert found["annotators"] == ["Anna", "Ben"]
    main, headers = found["main"]["chars"], found["types"]["level 1, Header"]
    assert (main["cohen"], main["ac1"]) == pytest.approx([(0.6 - 0.52) / 0.48, 0.12 / 0.52])
    assert main["alpha"] == pytest.approx(1 - 0.4 / (2 * 40 * 60 / (100 * 99)))
    assert headers["cohen"] == 0
    assert found["confusion"]["level 1"] == [{"types": ["no block", "Header"], "characters": 10}]

    press(hand, Qt.Key.Key_R, CTRL_SHIFT)
    qtbot.waitUntil(lambda: bool(window.session.get(ReviewState).items))
    assert window.panel(ReviewDock).entries() == [
        "not marked by all, main content: Anna: marked · Ben: –",
        "not marked by all, level 1: Anna: Header · Ben: –",
        "not marked by all, main content: Anna: – · Ben: marked",
    ]
