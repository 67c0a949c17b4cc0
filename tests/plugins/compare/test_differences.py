"""Differences between two texts."""

import pytest

from algorithms.core.batch import Run, RunStatus
from annotate.plugins.compare.differences import ChangeKind, text_change


def ok(text):
    return Run(RunStatus.OK if text else RunStatus.EMPTY, text=text)


FAILED = Run(RunStatus.FAILED, "out of order")


def test_texts_that_differ_only_in_white_space_are_no_change():
    assert text_change(ok("a  b\nc"), ok("a b c")) is None
    assert text_change(FAILED, FAILED) is None
    assert text_change(ok(""), ok(" ")) is None


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (ok("a b c"), FAILED, ChangeKind.FAILS),
        (FAILED, ok("a b c"), ChangeKind.RUNS),
        (FAILED, ok(""), ChangeKind.RUNS),
        (ok("a b c"), ok(""), ChangeKind.EMPTY),
        (ok(""), ok("a b c"), ChangeKind.NOT_EMPTY),
        (ok("a b c"), ok("a c"), ChangeKind.LOST),
        (ok("a c"), ok("a b c"), ChangeKind.GAINED),
        (ok("a b c"), ok("a x c"), ChangeKind.REPLACED),
        (ok("a b c"), ok("c a b"), ChangeKind.ORDER),
        (ok("a b, c"), ok("a b. c"), ChangeKind.SIGNS),
    ],
)
def test_each_kind_of_change_is_recognised(before, after, kind):
    assert text_change(before, after).kind is kind


def test_the_longest_lost_passage_is_listed_first():
    change = text_change(ok("one x two three four y five"), ok("x y six"))
    assert change.lost[0] == "two three four"
    assert (change.words_lost, change.words_gained) == (5, 1)


def test_texts_too_long_to_align_are_compared_as_bags(monkeypatch):
    monkeypatch.setattr("annotate.plugins.compare.differences._MOST_CELLS", 3)
    change = text_change(ok("a b c"), ok("a c d"))
    assert (change.lost, change.gained) == (("b",), ("d",))
