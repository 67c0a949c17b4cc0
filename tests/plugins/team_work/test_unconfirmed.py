"""Test marks at a probable position, which are not gold until confirmed."""

import numpy as np

from annotate.marks import gold_file
from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.plugins.team_work.agreement import page_agreement
from annotate.plugins.team_work.shared_pages import marked_pages
from tests.annotate.marks.test_unconfirmed import moved
from tests.annotate.pages import row_of


def test_agreement_ignores_moved_marks():
    page, mark = moved()
    there = Mark("s", MAIN, (Target(row_of(page.rendered(), "b")),))
    alone = page_agreement(page, {"anna": Gold((there,)), "ben": Gold()})
    both = page_agreement(page, {"anna": Gold((there,)), "ben": Gold((mark,))})
    assert np.array_equal(alone.main, both.main)
    assert repr(alone.f1) == repr(both.f1)


def test_an_annotator_with_only_moved_marks_is_left_out(tmp_path):
    page, mark = moved()
    own = Mark("o", MAIN, (Target(row_of(page.rendered(), "b")),))
    for name, marks in (("ann", (own, mark)), ("ben", (mark,))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "story.html").write_text(page.source("dom").html, "utf-8")
        gold_file.write(tmp_path / name / "story.gold.json", page, Gold(marks))
    (shared,) = marked_pages([tmp_path / "ann", tmp_path / "ben"], [])
    golds = shared.golds(page)
    assert {who: len(gold.unconfirmed()) for who, gold in golds.items()} == {"ann": 1}
