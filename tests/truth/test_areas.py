"""Test positional scores of blocks, recomputed from snapshots, gold and ``pagelet segment``."""

import json
from functools import partial

import pytest

from tests.truth import own_blocks
from tests.truth.compared import Comparison
from tests.truth.conftest import CORPUS, METHODS, Evaluation, command
from tests.truth.own_layout import Block, Layout
from tests.truth.own_statistics import number

LEVELS = ("", "-1", "-2")


def gold_blocks(layout: Layout, page: str) -> list[tuple[Block, int]]:
    """Rows and level of the blocks of a gold file."""
    gold = json.loads((CORPUS / page).with_suffix(".gold.json").read_text(encoding="utf-8"))
    return _by_path(
        layout,
        (
            ([target["path"] for target in mark["targets"]], mark["level"])
            for mark in gold["marks"]
            if mark["level"]
        ),
    )


def segmented(method: str, place, *flags) -> list[dict]:
    return json.loads(command("segment", method, place, *flags))


def _by_path(layout: Layout, blocks) -> list[tuple[Block, int]]:
    return [(tuple(layout.row_of[path] for path in paths), level) for paths, level in blocks]


def own_scores(layout: Layout, gold: list[Block], predicted: list[Block]) -> dict:
    """Measure → value, or precision, recall and value."""
    counts = len(gold), len(predicted)
    atoms = {
        "pixels": layout.pixels(gold, predicted),
        "nodes": layout.nodes(gold, predicted, "nodes"),
        "chars": layout.nodes(gold, predicted, "chars"),
        "words": layout.nodes(gold, predicted, "words"),
    }
    result: dict = {}
    for kind in ("pixels", "nodes", "chars"):
        shares = own_blocks.b_cubed(atoms[kind])
        result[f"b3-{kind}"] = shares
        result[f"b3-{kind}-max"] = max(shares.precision, shares.recall)
    for kind in ("pixels", "words"):
        table = own_blocks.partitions(atoms[kind], counts, layout.weight_of_all(kind))
        names = f"ari-{kind}", f"nmi-{kind}", f"nmi-{kind}-arithmetic"
        result |= dict(zip(names, own_blocks.rand_and_information(table), strict=True))
    result["iou-50"] = own_blocks.iou(atoms["pixels"], counts, 0.5)
    result["iou-75"] = own_blocks.iou(atoms["pixels"], counts, 0.75)
    return result


def compare_areas(rows: list[dict], layout: Layout, gold, predicted) -> Comparison:
    """The rows of one page and method against what lies where."""
    compared = Comparison()
    by_measure = {row["measure"]: row for row in rows}
    for level in LEVELS:
        chosen = [
            [block for block, of in blocks if level in ("", f"-{of}")]
            for blocks in (gold, predicted)
        ]
        for measure, own in own_scores(layout, *chosen).items():
            row = by_measure[f"{measure}{level}"]
            note = partial(_note, compared, (row["method"], row["page"], row["measure"]), row)
            if isinstance(own, own_blocks.Shares):
                for name in ("precision", "recall", "value"):
                    note(name, getattr(own, name))
            else:
                note("value", own)
    return compared


def _note(compared: Comparison, where: tuple, row: dict, name: str, own: float) -> None:
    compared.note((*where, name), number(row[name]), own)


def compare_rects(layout: Layout, blocks: list[dict]) -> Comparison:
    """The box of each block: the smallest around those of its nodes that have an area."""
    compared = Comparison()
    for block in blocks:
        boxes = [layout.rect[layout.row_of[path]] for path in block["path"]]
        seen = [(x, y, x + wide, y + high) for x, y, wide, high in boxes if wide > 0 and high > 0]
        left, top = (min((box[side] for box in seen), default=0.0) for side in (0, 1))
        right, bottom = (max((box[side] for box in seen), default=0.0) for side in (2, 3))
        own = left, top, right - left, bottom - top
        for name, data, mine in zip("xywh", block["rect"], own, strict=True):
            compared.note((block["path"], name), data, round(mine, 2))
    return compared


def compare_page(evaluated: Evaluation, page: str, method: str) -> Comparison:
    rows = [row for row in evaluated.rows if (row["page"], row["method"]) == (page, method)]
    layout = evaluated.layouts[rows[0]["page_hash"]]
    blocks = segmented(method, CORPUS / page)
    predicted = _by_path(layout, ((block["path"], block["level"]) for block in blocks))
    written = evaluated.predictions["corpus", method, page]
    assert [level for _, level in written] == [level for _, level in predicted]
    compared = compare_rects(layout, blocks)
    assert compared.figures == 4 * len(blocks)
    assert compared.different == []
    return compare_areas(rows, layout, gold_blocks(layout, page), predicted)


@pytest.mark.web
@pytest.mark.parametrize(
    ("page", "method"), [("news", "webterrain"), ("shop", "terrain"), ("minified", "webterrain")]
)
def test_scores_of_areas_and_nodes_equal_the_recomputed_ones(evaluated, page, method):
    compared = compare_page(evaluated, f"{page}/index.html", method)
    assert compared.figures == 3 * (3 * 4 + 2 * 3 + 2 * 3)
    assert compared.different == []


@pytest.mark.web
@pytest.mark.slow
def test_scores_of_areas_and_nodes_are_correct_on_every_bundled_page(evaluated):
    pages = sorted({row["page"] for row in evaluated.rows})
    methods = sorted({"webterrain", "terrain"} & set(METHODS.split(",")))
    result = [compare_page(evaluated, page, method) for page in pages for method in methods]
    assert sum(each.figures for each in result) == 15 * 2 * 72
    assert [difference for each in result for difference in each.different] == []


def test_a_box_one_pixel_taller_changes_the_score(evaluated):
    page = "news/index.html"
    row = next(row for row in evaluated.rows if row["page"] == page and row["method"] == "terrain")
    layout = evaluated.layouts[row["page_hash"]]
    gold = [block for block, _ in gold_blocks(layout, page)]
    before = own_scores(layout, gold, gold[1:])
    seen = max(row for row in gold[1] if layout.boxes[row])
    left, top, right, bottom = layout.boxes[seen]
    try:
        layout.boxes[seen] = left, top, right, bottom + 1
        assert own_scores(layout, gold, gold[1:])["b3-pixels"] != before["b3-pixels"]
    finally:
        layout.boxes[seen] = left, top, right, bottom
