"""The numbers of the Evaluate view: stored, listed, sorted, offered and copied."""

import csv
import io
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.batch import RunStatus
from algorithms.measures.prf import Score
from annotate.evaluation.run.run_progress import RunProgress
from annotate.evaluation.tables.axes import ListedPage
from annotate.evaluation.tables.result_table import (
    EMPTY,
    FAILED,
    OK,
    SKIPPED,
    TIMED_OUT,
    Results,
    Stale,
)
from gui.features.evaluate import cell_text
from gui.features.evaluate.arrangement import DELTA, Arrangement
from gui.features.evaluate.columns import column_of, columns_of, layers_for, offer, pages_of
from gui.features.evaluate.filtering import (
    EVERY,
    ComparedPair,
    PageFilter,
    Sort,
    order_pages,
    select_pages,
)
from gui.features.evaluate.measures import KINDS, MEASURES, USUAL, measure
from gui.features.evaluate.run_state import Request, RunState, duration, progress_words
from gui.state.layers import GOLD_1, GOLD_2, GOLD_MAIN, default_layers, method_layer
from gui.widgets.color_scale import color_scale
from gui.widgets.theme import contrast
from tests.features.evaluate.scored import (
    COLUMNS,
    DATASET,
    METHODS,
    PAGES,
    STORIES,
    column,
    failed,
    rows,
)
from tests.gui.parts import DOCUMENTS

WS = measure("extraction", "ws")
SHOWN = {kind: measure(kind, USUAL[kind]) for kind in KINDS}
PLAIN, BTE, DSC, LQF, WEBTERRAIN = range(len(METHODS))
ALL = np.arange(len(PAGES))


@pytest.fixture
def table():
    made = Results(PAGES, COLUMNS)
    for name in STORIES:
        made.take(rows(name))
    return made


@pytest.fixture
def shown(table):
    made = Arrangement()
    made.table = table
    made.types = (frozenset(),) * len(PAGES)
    made.want(COLUMNS, KINDS)
    made.arrange()
    return made


def table_of(values):
    """Return a table of one method with a page per value; None means no score."""
    made = Results([ListedPage("d", str(k), str(k)) for k in range(len(values))], COLUMNS[:1])
    for page, value in enumerate(values):
        first = rows("ferry.html")[0]
        run = replace(first.run, dataset="d", page=str(page))
        row = replace(first, run=run, measure="ws", score=Score(value))
        made.take([row])
    return made


def value_in(found, key, name):
    return next(r.score.value for r in found if (r.run.method, r.measure) == (key, name))


# storing -----------------------------------------------------------------------------------
def test_every_number_of_every_row_is_kept_to_the_last_digit(table):
    for page, name in enumerate(STORIES):
        for row in rows(name):
            position = table.column(column(row.run.method))
            of = measure(table.columns[position].kind, row.measure)
            for part in ("value", "precision", "recall"):
                remaining = table.value(of, page, position, part)
                assert getattr(row.score, part) == (None if math.isnan(remaining) else remaining)


def test_rows_of_a_page_that_is_not_in_the_table_change_nothing(table):
    before = table.status.copy()
    gone = [replace(row, run=replace(row.run, page="elsewhere.html")) for row in rows("ferry.html")]
    assert table.take(gone) == ()
    assert (table.status == before).all()


def test_a_new_run_replaces_the_scores_of_its_cell_only(table):
    table.take(failed("owl.html", "bte", RunStatus.TIMED_OUT, "took 120 s"))
    owl = list(STORIES).index("owl.html")
    assert table.status[owl, BTE] == TIMED_OUT
    assert math.isnan(table.value(WS, owl, BTE))
    assert table.reason(owl, BTE, WS) == "took 120 s"
    assert table.status[owl, PLAIN] == OK
    table.take(rows("owl.html"))
    assert table.status[owl, BTE] == OK
    assert table.reason(owl, BTE, WS) == ""


def test_the_mean_excludes_failures_and_counts_failures_and_zeros(table):
    table.take(failed("owl.html", "dsc", RunStatus.FAILED, "crashed"))
    table.take(failed("ferry.html", "dsc", RunStatus.SKIPPED, "no gold"))
    mean = table.mean(WS, DSC, ALL)
    scored = ["mill.html", "kettle.html", "comet.html"]
    values = [float(value_in(rows(name), "dsc", "ws")) for name in scored]
    assert mean.value == pytest.approx(sum(values) / 3)
    assert (mean.scored, mean.zeros) == (3, values.count(0.0))
    assert (mean.failures, mean.skipped) == (1, 1)


def test_a_pooled_measure_is_computed_from_mean_precision_and_mean_recall(table):
    shingles = measure("extraction", "shingles")
    parts = [table.values(shingles, PLAIN, part) for part in ("precision", "recall")]
    p, r = (float(np.nanmean(part)) for part in parts)
    assert table.mean(shingles, PLAIN, ALL).value == pytest.approx(2 * p * r / (p + r))


@given(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=12))
def test_a_mean_ignores_missing_scores(values):
    made = table_of(values)
    there = [value for value in values if value is not None]
    mean = made.mean(WS, 0, np.arange(len(values)))
    assert mean.scored == len(there)
    assert mean.value == (pytest.approx(math.fsum(there) / len(there)) if there else None)


# listing and sorting -------------------------------------------------------------------------
def names(found):
    return [name for name, is_listed in zip(STORIES, found, strict=True) if is_listed]


def test_pages_are_filtered_by_words_status_score_and_type_of_block(table):
    every = tuple(range(len(METHODS)))
    types = [frozenset({"Menu"}) if p.name == "mill.html" else frozenset() for p in PAGES]

    def found(**asked):
        return names(select_pages(table, every, SHOWN, PageFilter(**asked), types))

    assert found() == list(STORIES)
    assert found(words=("kett",)) == ["kettle.html"]
    assert found(type="Menu") == ["mill.html"]
    assert found(status=EMPTY) == ["mill.html", "kettle.html"]
    assert found(status=EMPTY, of=COLUMNS[PLAIN]) == []
    assert found(of=COLUMNS[DSC], low=0.5) == ["ferry.html", "owl.html", "comet.html"]
    assert found(of=COLUMNS[PLAIN], high=0.8) == ["kettle.html"]
    assert found(of=EVERY, low=0.7) == []  # no block of WebTerrain equals one of the gold


def test_a_score_range_applies_to_every_method_that_has_run(table):
    table.status[:, WEBTERRAIN] = 0
    result = select_pages(table, range(len(METHODS)), SHOWN, PageFilter(of=EVERY, low=0.7))
    expected = [
        name
        for name in STORIES
        if all(float(value_in(rows(name), key, "ws")) >= 0.7 for key in METHODS[:4])
    ]
    # A method that has not run has no score, so its pages stay listed.
    assert names(result) == expected


def test_a_score_range_applies_to_the_difference_of_compared_methods(table):
    pair = ComparedPair(BTE, PLAIN)
    result = select_pages(table, (BTE, PLAIN), SHOWN, PageFilter(low=0.1), pair=pair)
    gaps = {n: abs(float(value_in(rows(n), "bte", "ws")) - float(value_in(rows(n), "plain", "ws")))
            for n in STORIES}  # fmt: skip
    assert names(result) == [name for name, gap in gaps.items() if gap >= 0.1]
    assert 0 < len(names(result)) < len(STORIES)


@given(st.lists(st.sampled_from([None, 0.0, 0.25, 1.0]), min_size=1, max_size=12), st.booleans())
def test_pages_without_a_score_come_last_in_both_orders(values, down):
    made = table_of(values)
    order = order_pages(made, np.arange(len(values)), SHOWN, Sort(COLUMNS[0], down))
    got = [values[row] for row in order]
    there = [value for value in got if value is not None]
    assert there == sorted(there, reverse=down)
    assert got == there + [None] * (len(got) - len(there))
    assert sorted(order.tolist()) == list(range(len(values)))


def test_the_largest_difference_comes_first_and_bars_share_a_round_scale(shown):
    shown.compare(ComparedPair(BTE, DSC))
    shown.arrange()
    assert shown.columns[:3] == (BTE, DELTA, DSC)
    sizes = [abs(shown.value(int(page), DELTA)) for page in shown.order]
    assert sizes == sorted(sizes, reverse=True)
    assert shown.full_bar == 1.0  # the largest difference here is 1
    assert shown.value(int(shown.order[0]), DELTA) == pytest.approx(1.0)


def test_hidden_columns_are_neither_compared_nor_sorted_by(shown):
    shown.compare(ComparedPair(BTE, DSC))
    shown.want(COLUMNS, ("segmentation",))
    shown.arrange()
    assert shown.columns == (WEBTERRAIN,)
    shown.want(COLUMNS, KINDS)
    shown.sort_by = Sort(COLUMNS[BTE])
    shown.want([c for c in COLUMNS if c != COLUMNS[BTE]], KINDS)
    assert shown.sort_by == Sort()


# words and colours ---------------------------------------------------------------------------
def test_a_cell_shows_its_score_or_the_status_of_its_run(shown):
    kettle, mill = (list(STORIES).index(name) for name in ("kettle.html", "mill.html"))
    assert cell_text.words(shown, kettle, PLAIN) == "0.769"
    assert cell_text.words(shown, mill, DSC) == "empty"
    assert "It found nothing" in cell_text.tip(shown, mill, DSC)
    shown.table.take(failed("owl.html", "lqf", RunStatus.FAILED, "no memory"))
    owl = list(STORIES).index("owl.html")
    assert cell_text.words(shown, owl, LQF) == "failed"
    assert cell_text.tip(shown, owl, LQF).endswith("Failed: no memory")
    shown.table.take(failed("owl.html", "bte", RunStatus.SKIPPED, "no gold"))
    assert cell_text.words(shown, owl, BTE) == "skipped"
    assert shown.table.status[owl, BTE] == SKIPPED
    assert shown.table.status[owl, LQF] == FAILED


def test_a_tool_tip_shows_how_much_of_gold_and_extract_is_on_the_page(shown):
    owl = list(STORIES).index("owl.html")
    assert "on the page" not in cell_text.tip(shown, owl, BTE)
    part = [
        replace(row, run=replace(row.run, gold_on_page=0.9996, extract_on_page=0.5))
        for row in rows("owl.html", ("bte",))
    ]
    shown.table.take(part)
    tip = cell_text.tip(shown, owl, BTE).splitlines()
    assert "99.9 % of the gold is on the page" in tip
    assert "50.0 % of the extract is on the page" in tip


def test_the_tool_tip_of_a_column_defines_words_in_scripts_without_spaces(shown):
    assert "Words: each character of Chinese" in cell_text.column_tip(shown, BTE)
    assert "Words:" not in cell_text.column_tip(shown, WEBTERRAIN)


def test_copied_cells_keep_every_digit(shown):
    text = cell_text.as_text(shown, range(len(PAGES)), range(len(METHODS)))
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["page", *(f"{c.method} ({c.input}) {SHOWN[c.kind].key}" for c in COLUMNS)]
    for line in lines[1:]:
        result = rows(line[0])
        for key, cell in zip(METHODS, line[1:], strict=True):
            assert float(cell) == value_in(result, key, "ws" if key != "webterrain" else "fuzzy")


def lightness(color):
    """Return the lightness of a colour in OKLab, 0 to 1 (B. Ottosson, 2020)."""
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    cones = np.array([
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ])  # fmt: skip
    return np.cbrt(cones @ linear) @ (0.2104542553, 0.7936177850, -0.0040720468)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_colour_scale_is_monotonic_even_and_readable(name):
    grounds = [lightness(ground) for ground, _ in color_scale(name)]
    steps = np.diff(grounds)
    assert (steps < 0).all() if name == "light" else (steps > 0).all()
    assert abs(steps).max() < 2.5 * abs(steps).mean()
    assert (
        min(contrast(ground.name(), text_color.name()) for ground, text_color in color_scale(name))
        >= 4.5
    )


def test_all_measures_have_a_name_and_a_definition():
    for kind in KINDS:
        assert USUAL[kind] in {of.key for of in MEASURES[kind]}
        assert len({of.key for of in MEASURES[kind]}) == len(MEASURES[kind])
        assert all(of.name and len(of.definition) > 10 for of in MEASURES[kind])


# runs and layers ---------------------------------------------------------------------------
def test_the_run_button_offers_missing_changed_or_all_pages():
    made = Results(PAGES, COLUMNS)
    every = tuple(range(len(PAGES)))
    first, *rest = COLUMNS
    assert offer(Results(), COLUMNS).request is None
    assert offer(made, ()).request is None
    assert offer(made, COLUMNS).request == Request(every, COLUMNS)
    for name in list(STORIES)[:3]:
        made.take(rows(name))
    left = offer(made, COLUMNS)
    assert (left.words, left.request) == ("Go on: 2 pages left", Request((3, 4), COLUMNS))
    for name in list(STORIES)[3:]:
        made.take([r for r in rows(name) if r.run.method != first.method])
    assert offer(made, COLUMNS).request == Request((3, 4), (first,))
    for name in STORIES:
        made.take(rows(name))
    assert offer(made, COLUMNS).words == "Run again"
    new = column("ccb")
    assert offer(made, (*COLUMNS, new)).request == Request(every, (new,))
    made.mark_stale(1, Stale.GOLD)
    changed = offer(made, COLUMNS)
    assert (changed.words, changed.request) == ("Run 1 changed page", Request((1,), COLUMNS))
    assert rest


def test_a_page_counts_as_done_when_all_its_inputs_are_done():
    run_state = RunState(Request((0, 1), COLUMNS))
    run_state.add((DATASET, "ferry.html", "dom"))
    assert run_state.done == 0
    run_state.add((DATASET, "mill.html", "dom"))
    run_state.add((DATASET, "ferry.html", "rendered"))
    assert run_state.done == 1
    assert run_state.progress(RunProgress(3, 4, 2.0, 0.5, ("bte mill.html for 1 s",))) == 0.75
    assert run_state.state == RunProgress(1, 2, 1.0, 0.5, ("bte mill.html for 1 s",))
    run_state.end("", was_stopped=True)
    assert run_state.words == "Stopped after 1 page"


def test_progress_shows_pages_speed_and_time_left():
    words = progress_words(RunProgress(7, 90, 1.25, 200.0))
    assert words == "7 of 90 pages  ·  1.2 pages/s  ·  3 min left"
    assert progress_words(RunProgress(0, 90, 0.0, None)) == "0 of 90 pages"
    assert [duration(s) for s in (4.2, 600, 7200)] == ["4 s", "10 min", "2.0 h"]


def test_columns_follow_the_layers_and_their_parameters():
    layers = default_layers()
    methods = [layer for layer in layers if not layer.is_gold]
    assert [c.method for c in columns_of(layers, None)] == [layer.key for layer in methods]
    chosen = columns_of(layers, ["bte", "terrain"])
    assert chosen[0] == column_of(next(layer for layer in layers if layer.key == "bte"))
    assert chosen[1] == column_of(method_layer("terrain"))


def drawn(layers):
    return {layer.key for layer in layers if layer.visible}


def test_a_cell_shows_only_its_method_and_the_gold_of_its_kind():
    layers = default_layers()
    result = layers_for(layers, [column("bte")], WS)
    assert drawn(result) == {GOLD_MAIN, "bte"}
    fuzzy = measure("segmentation", "fuzzy")
    assert drawn(layers_for(layers, [column("vips")], fuzzy)) == {GOLD_1, GOLD_2, "vips"}
    level_2 = layers_for(layers, [column("vips")], measure("segmentation", "fuzzy-2"))
    assert drawn(level_2) == {GOLD_2, "vips"}
    assert next(layer for layer in level_2 if layer.key == "vips").level == 2
    both = layers_for(layers, [column("bte"), column("ccb")], WS)
    assert drawn(both) == {GOLD_MAIN, "bte", "ccb"}  # CCB had no layer
    assert {layer.key for layer in both} == {layer.key for layer in layers} | {"ccb"}


def test_a_method_is_shown_with_the_parameters_it_was_scored_with():
    layer = method_layer("bte")
    other = type(layer.params)(**{**layer.params.as_dict(), "tag_cost": 3.5})
    scored = column_of(method_layer("bte").__class__(
        **{**layer.__dict__, "params": other, "source": "original"}
    ))  # fmt: skip
    (shown_,) = (x for x in layers_for(default_layers(), [scored], WS) if x.key == "bte")
    assert (shown_.params, shown_.source) == (other, "original")


def test_pages_with_the_same_path_get_distinct_names():
    twice = (DOCUMENTS[0], DOCUMENTS[0], DOCUMENTS[1])
    result = pages_of(twice, ["a", "b", "c"], DATASET)
    assert len({page.name for page in result}) == 3
