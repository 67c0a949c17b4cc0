"""Agreement of annotators on one page, and where they disagree."""

from dataclasses import astuple, replace

import numpy as np
import pytest

from algorithms.measures.agreement import cohen_kappa, krippendorff_alpha
from annotate.marks.gold import MAIN, Gold, Mark, Target, new_id
from annotate.plugins.team_work.agreement import (
    DIAL,
    NO_BLOCK,
    added_confusion,
    heat,
    page_agreement,
)
from gui.plugins.team_work.agreement_command import as_json, as_table
from tests.annotate.pages import page_of, row_of, text_row

BODY = (
    "<div id=top><p id=menu>home news about</p></div>"
    "<div id=body><p id=one>the ferry came back</p><p id=two>after nine long years</p></div>"
)


@pytest.fixture
def page():
    return page_of(BODY)


def gold_of(page, *marks):
    nodes = page.rendered()
    return Gold(
        tuple(
            Mark(new_id(), level, (Target(row_of(nodes, name)),), kind)
            for level, name, kind in marks
        )
    )


def test_equal_marks_of_two_annotators_agree_in_full(page):
    marks = [(MAIN, "body", ""), (1, "top", "Header"), (1, "body", "Content"), (2, "one", "")]
    result = page_agreement(page, {"a": gold_of(page, *marks), "b": gold_of(page, *marks)})
    assert result.annotators == ("a", "b")
    for each in (*result.main.values(), *result.blocks.values()):
        assert astuple(each) == (1.0, 1.0, 1.0, 1.0)
    assert set(result.f1.values()) == {1.0}
    assert result.dial() == (1.0,) * len(DIAL)


def test_agreement_on_unmarked_levels_is_nan(page):
    header = gold_of(page, (1, "top", "Header"))
    result = page_agreement(page, {"a": header, "b": gold_of(page, (1, "body", "Content"))})
    for each in (*result.main.values(), result.blocks[2, "nodes"], result.blocks[2, "chars"]):
        assert np.isnan(astuple(each)).all()
    assert np.isnan([result.f1["2"], result.maximum["2"], *result.dials["2"]]).all()
    assert not np.isnan(
        [result.f1["1"], result.f1["all"], *result.dial(), *result.dials["1"]]
    ).any()
    content = gold_of(page, (MAIN, "body", ""))
    result = page_agreement(page, {"a": content, "b": content})
    assert result.main["chars"].alpha == 1.0
    assert np.isnan([*result.f1.values(), *result.maximum.values(), *result.dial()]).all()
    for each in result.blocks.values():
        assert np.isnan(astuple(each)).all()


def test_a_mark_of_only_one_annotator_is_a_disagreement(page):
    result = page_agreement(page, {"a": gold_of(page, (MAIN, "body", "")), "b": Gold()})
    assert result.main["nodes"].cohen == 0.0
    assert result.main["nodes"].alpha < 0.5


def test_tables_and_json_leave_out_undefined_values(page):
    marks = gold_of(page, (1, "top", "Header"))
    only_blocks = page_agreement(page, {"a": marks, "b": marks})
    all_alone = page_agreement(page, {"a": Gold(), "b": Gold()})
    lines = as_table({"blocks": only_blocks, "nothing": all_alone}).splitlines()
    cells = {line.split("  ")[0]: line.split()[-8:] for line in lines[:4]}
    known = [*["–"] * 3, *["1.000"] * 4]
    assert (cells["blocks"], cells["mean of 2"]) == ([*known, "0"], [*known, "0.0"])
    assert cells["nothing"] == [*["–"] * 7, "0"]
    assert "0.0%: 1.000" in "".join(lines)
    assert "0.0%" not in as_table({"nothing": all_alone})
    (data,) = as_json({"blocks": only_blocks})
    assert data["main"]["chars"] == dict.fromkeys(("cohen", "fleiss", "alpha", "ac1"))
    assert data["b3_f1"] == {"all": 1.0, "1": 1.0, "2": None}
    assert data["dial"][0] == {"share": 0.0, "b3_f1": 1.0, "level 1": 1.0, "level 2": None}


def test_kappa_on_main_content_is_computed_over_texts(page):
    ours, theirs = gold_of(page, (MAIN, "body", "")), gold_of(page, (MAIN, "one", ""))
    nodes = page_agreement(page, {"a": ours, "b": theirs}).main["nodes"]
    # Of three texts they agree on two; chance is 2/3 * 1/3 + 1/3 * 2/3 = 4/9.
    assert nodes.cohen == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))


def test_another_type_on_the_same_block_lowers_alpha_but_not_f(page):
    ours, theirs = gold_of(page, (1, "body", "Content")), gold_of(page, (1, "body", "Sidebar"))
    result = page_agreement(page, {"a": ours, "b": theirs})
    assert result.f1["1"] == 1.0
    assert result.blocks[1, "nodes"].alpha < 0.5


def test_a_finer_cut_lowers_f_but_not_the_larger_of_precision_and_recall(page):
    coarse = gold_of(page, (1, "body", "Content"))
    fine = gold_of(page, (1, "one", "Content"), (1, "two", "Content"))
    result = page_agreement(page, {"a": coarse, "b": fine})
    assert result.f1["1"] < 1.0
    assert result.maximum["1"] == 1.0


def test_heat_is_high_where_annotators_differ(page):
    ours, theirs = gold_of(page, (MAIN, "body", "")), gold_of(page, (MAIN, "one", ""))
    warm = heat(page, {"a": ours, "b": theirs})
    nodes = page.rendered()
    assert warm[row_of(nodes, "two")] == 1.0
    assert warm[row_of(nodes, "one")] == 0.0
    assert warm[row_of(nodes, "top")] == 0.0
    assert 0.0 < warm[row_of(nodes, "body")] < 1.0
    assert np.all((warm >= 0) & (warm <= 1))


def test_fleiss_kappa_and_alpha_are_computed_for_three_annotators(page):
    golds = {
        "a": gold_of(page, (MAIN, "body", "")),
        "b": gold_of(page, (MAIN, "body", "")),
        "c": gold_of(page, (MAIN, "one", "")),
    }
    main = page_agreement(page, golds).main["nodes"]
    assert 0.0 < main.fleiss < 1.0
    assert 0.0 < main.alpha < 1.0


def part_of(page, words, start, end):
    """Return gold with a part of a text as main content."""
    row = text_row(page.rendered(), words)
    return Gold((Mark(new_id(), MAIN, (Target(row, start, end),)),))


def test_disjoint_halves_of_a_paragraph_have_negative_agreement():
    page = page_of("<p>the ferry came back after nine long years away</p>")
    golds = {"a": part_of(page, "ferry", 0, 19), "b": part_of(page, "ferry", 19, 46)}
    result = page_agreement(page, golds)
    text = "the ferry came back after nine long years away"
    halves = [
        np.array([0 <= at < 19 for at in range(46)]),
        np.array([at >= 19 for at in range(46)]),
    ]
    rated = np.array([not each.isspace() for each in text])
    ours, theirs = (half[rated].astype(int) for half in halves)
    assert result.main["chars"].cohen == pytest.approx(cohen_kappa(ours, theirs))
    assert result.main["chars"].alpha == pytest.approx(krippendorff_alpha([ours, theirs]))
    assert result.main["chars"].cohen < 0
    assert result.main["nodes"].cohen < 0
    assert heat(page, golds)[text_row(page.rendered(), "ferry")] == 1.0


def test_overlapping_parts_agree_by_their_shared_characters():
    page = page_of("<p>aaaa bbbb cccc dddd</p><p>eeee</p>")
    golds = {"a": part_of(page, "aaaa", 0, 9), "b": part_of(page, "aaaa", 5, 14)}
    result = page_agreement(page, golds)
    ours, theirs = [1, 1, 0, 0, 0], [0, 1, 1, 0, 0]
    assert result.main["chars"].cohen == pytest.approx(cohen_kappa(ours, theirs))
    # A text node weighs one, divided among its parts by their characters.
    weights = [0.25, 0.25, 0.25, 0.25, 1.0]
    assert result.main["nodes"].cohen == pytest.approx(cohen_kappa(ours, theirs, weights))
    assert heat(page, golds)[text_row(page.rendered(), "aaaa")] == pytest.approx(0.5)


def test_a_text_marked_whole_and_in_part_agrees_by_its_characters():
    page = page_of("<p id=one>aaaa bbbb</p><p>cccc dddd</p>")
    result = page_agreement(
        page, {"a": gold_of(page, (MAIN, "one", "")), "b": part_of(page, "aaaa", 0, 4)}
    )
    assert result.main["chars"].cohen == pytest.approx(cohen_kappa([1, 1, 0, 0], [1, 0, 0, 0]))


def test_the_dial_is_nan_for_shares_above_all_blocks(page):
    nodes = page.rendered()
    rect = nodes.rect.copy()
    rect[0] = (0, 0, 1000, 100)
    large = replace(page, nodes=replace(nodes, rect=rect))
    marks = gold_of(large, (1, "top", "Header"))  # 100 x 10 px: 1 % of the page
    dial = page_agreement(large, {"a": marks, "b": marks}).dial()
    assert [not np.isnan(value) for value in dial] == [share <= 0.01 for share in DIAL]
    assert "15.0%: –" in as_table({"page": page_agreement(large, {"a": marks, "b": marks})})


def test_a_pair_without_marks_is_left_out_of_the_mean(page):
    marks = gold_of(page, (1, "top", "Header"), (MAIN, "body", ""))
    result = page_agreement(page, {"a": marks, "b": Gold(), "c": Gold()})
    assert result.f1["1"] == 0.0
    assert result.main["chars"].cohen == 0.0


def test_types_given_to_the_same_text_are_counted_by_characters(page):
    anna = gold_of(page, (1, "top", "Header"), (1, "body", "Content"))
    ben = gold_of(page, (1, "top", "Menu"), (1, "one", "Content"))
    result = page_agreement(page, {"a": anna, "b": ben})
    assert result.confusion == {
        1: {("Header", "Menu"): 13, ("Content", "Content"): 16, (NO_BLOCK, "Content"): 18},
        2: {},
    }
    added = added_confusion([result.confusion[1], {("Menu", "Header"): 7}])
    assert added["Header", "Menu"] == 20
    table = as_table({"p": result}).splitlines()
    start = table.index("types of level 1, one annotator beside another, % of characters")
    header = next(line.split() for line in table[start:] if line.startswith("Header"))
    assert header == ["Header", "·", "·", "·", "27.7"]  # beside Content, no block, Header, Menu
    (data,) = as_json({"p": result})
    assert {"types": ["Header", "Menu"], "characters": 13} in data["confusion"]["level 1"]


def test_types_beside_a_reviewers_say_who_gave_which_and_add_up_to_a_hundred(page):
    known = gold_of(page, (1, "top", "Header"), (1, "body", "Content"))
    anna = gold_of(page, (1, "top", "Menu"), (1, "body", "Content"))
    found = page_agreement(page, {"known": known, "anna": anna}, of_known=True)
    assert ("Menu", "Header") in found.confusion[1]  # the annotator's first
    turned = page_agreement(page, {"known": anna, "anna": known}, of_known=True)
    assert ("Menu", "Header") not in turned.confusion[1]
    table = as_table({"p": found}, {"anna": [found]}).splitlines()
    start = next(k for k, line in enumerate(table) if line.startswith("types of level 1"))
    assert "annotator's in lines" in table[start]
    rows = [line.split()[1:] for line in table[start + 2 : start + 5]]
    cells = [float(cell) for row in rows for cell in row if cell not in ("·", "block")]
    assert sum(cells) == pytest.approx(100, abs=0.2)
