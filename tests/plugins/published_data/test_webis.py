"""Pages of Webis-WebSeg-20 are found, rendered with recorded boxes, and read with gold."""

import json
import pickle
from dataclasses import replace

import cv2
import numpy as np
import pytest

from algorithms.measures.bcubed import score_bcubed
from algorithms.measures.block_comparison import BlockComparison
from algorithms.results import Block, Segmentation
from annotate.datasets.opening import list_documents
from annotate.marks import gold_file
from annotate.plugins.published_data import webis
from annotate.plugins.published_data.webis_nodes import paths_of, rows_by_path, with_boxes
from annotate.plugins.published_data.webis_writer import whole_boxes, write_page
from engine.edges import edge_masks
from engine.errors import InputError
from resources import __file__ as resources_file
from tests.annotate.pages import page_of, row_of

SIZE = (100, 100)


def rectangle(left, top, right, bottom):
    return [[[[left, top], [left, bottom], [right, bottom], [right, top], [left, top]]]]


def boxed_page(body, **boxes):
    """Return a page whose elements have the boxes given by their ids; all others have none."""
    page = page_of(body)
    nodes = page.rendered()
    rows = np.array([row_of(nodes, name) for name in boxes], dtype=np.int32)
    corners = np.array(list(boxes.values()), dtype=np.float64).reshape(-1, 4)
    return replace(page, nodes=with_boxes(nodes, rows, corners, SIZE))


PAGE = boxed_page(
    "<div id=a><p id=b>one</p><p id=c>two</p></div><div id=d>three</div>",
    a=(0, 0, 100, 60), b=(0, 0, 100, 40), c=(0, 40, 100, 60), d=(0, 60, 100, 100),
)  # fmt: skip


def blocks_of(page, *named):
    """Return a segmentation of blocks given as (level, type, id, id, ...)."""
    nodes = page.rendered()
    made = [
        Block(tuple(sorted(row_of(nodes, name) for name in names)), level, kind)
        for level, kind, *names in named
    ]
    made.sort(key=lambda block: (block.rows[0], block.level))
    return Segmentation(nodes, tuple(made))


def described(segmentation):
    nodes = segmentation.nodes
    return [
        (block.level, block.type, *(nodes.attributes[row].get("id", "?") for row in block.rows))
        for block in segmentation.blocks
    ]


def draw_edges(folder, masks):
    for name, mask in masks.items():
        picture = np.where(mask, 255, 0).astype(np.uint8)
        assert cv2.imwrite(str(folder / f"screenshot-edges-{name}.png"), picture)


@pytest.fixture
def folder(tmp_path):
    """Write the page above with its gold; return the folder."""
    gold = blocks_of(PAGE, (1, "Content", "a"), (2, "Title", "b"), (1, "", "d"))
    path = tmp_path / "000007"
    assert write_page(path, PAGE, {"majority-vote": gold}) == ()
    return path


def with_segments(folder, file="ground-truth.json", **segmentations):
    content = {"id": folder.name, "width": 100, "height": 100, "segmentations": segmentations}
    (folder / file).write_text(json.dumps(content))
    (folder / f"{file}.meta.json").unlink(missing_ok=True)


# Folders


def test_pages_are_found_by_folder_names_of_six_digits(tmp_path):
    for name in ("000002", "000001", "12", "notes"):
        write_page(tmp_path / "000000", PAGE, {})
        (tmp_path / "000000").rename(tmp_path / name)
    (tmp_path / "000003").mkdir()
    assert webis.is_webis(tmp_path)
    assert [page.name for page in webis.pages(tmp_path)] == ["000001", "000002"]
    assert [page.name for page in webis.pages(tmp_path / "000001")] == ["000001"]
    assert webis.is_webis(tmp_path / "000001")
    assert not webis.is_webis(tmp_path / "000003")
    assert not webis.is_webis(tmp_path / "nothing")
    assert pickle.loads(pickle.dumps(webis.WebisPage(tmp_path / "12"))).name == "12"


def test_a_page_is_opened_as_a_document_without_root_and_scripts(folder):
    document = webis.WebisPage(folder).document()
    assert document.root is None
    assert not document.scripts
    assert document.viewport[0] == 1366
    assert document.title == "000007"
    assert document.receive().charset == "utf-8"
    assert document.read().decode() == PAGE.source("dom").html
    (folder / "dom.html").write_bytes(b"<meta charset=windows-1252><p>caf\xe9")
    assert webis.WebisPage(folder).document().receive().charset == ""  # the page knows better
    (folder / "dom.html").unlink()
    with pytest.raises(InputError, match=r"cannot read .*dom\.html"):
        webis.WebisPage(folder).document().receive()


def test_a_written_page_has_the_published_format(folder):
    assert (folder / "nodes.csv").read_text().splitlines()[:3] == [
        "left,bottom,right,top,xpath",
        "0,60,100,0,/HTML[1]/BODY[1]/DIV[1]",
        "0,40,100,0,/HTML[1]/BODY[1]/DIV[1]/P[1]",
    ]
    assert (folder / "nodes-texts.csv").read_text() == "xpath,ncharacter,text\n"
    content = json.loads((folder / "ground-truth.json").read_text())
    assert list(content) == ["id", "width", "height", "segmentations"]
    assert (content["id"], content["width"], content["height"]) == ("000007", 100, 100)
    assert len(content["segmentations"]["majority-vote"]) == 3
    first = content["segmentations"]["majority-vote"][0]
    assert sorted(map(tuple, first[0][0])) == [(0, 0), (0, 0), (0, 60), (100, 0), (100, 60)]


def test_lengths_of_texts_are_counted_with_collapsed_white_space(tmp_path):
    page = page_of("<p>  three\n  small words, </p>")
    write_page(tmp_path / "000001", page, {})
    assert (tmp_path / "000001" / "nodes-texts.csv").read_text() == (
        'xpath,ncharacter,text\n/HTML[1]/BODY[1]/P[1]/text()[1],18,"three small words,"\n'
    )


def test_writing_to_a_folder_of_another_name_or_to_a_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="must be six digits"):
        write_page(tmp_path / "page", PAGE, {})
    (tmp_path / "000001").write_text("a file in the way")
    with pytest.raises(InputError, match="cannot write to"):
        write_page(tmp_path / "000001", PAGE, {})


# Boxes


def test_recorded_boxes_replace_those_of_the_rendering(folder):
    rendered = page_of("<div id=a><p id=b>one</p><p id=c>two</p></div><div id=d>three</div>")
    page = webis.WebisPage(folder).laid_out(rendered)
    assert page.notes == ()
    assert np.array_equal(page.rendered().rect, PAGE.rendered().rect)
    assert np.array_equal(page.rendered().visible, PAGE.rendered().visible)
    assert (page.rendered().width, page.rendered().height) == SIZE
    assert page.digest == rendered.digest


def test_recorded_nodes_that_are_not_in_the_dom_are_counted_in_a_note(folder):
    rendered = page_of("<div id=a><p id=b>one</p></div><div id=d>three</div>")
    page = webis.WebisPage(folder).laid_out(rendered)
    assert page.notes == ("1 of 4 recorded nodes are not in dom.html and were left out",)


@pytest.mark.parametrize("size", [("1366", 900), (0, 900), (True, -1), (10**9, 10**9)])
def test_an_implausible_page_size_is_replaced_by_the_extent_of_the_boxes(folder, size):
    width, height = size
    content = {"id": "000007", "width": width, "height": height, "segmentations": {}}
    (folder / "ground-truth.json").write_text(json.dumps(content))
    nodes = webis.WebisPage(folder).laid_out(PAGE).rendered()
    assert (nodes.width, nodes.height) == (1366, 100)


def test_a_page_without_recorded_boxes_keeps_the_rendered_boxes(folder):
    (folder / "nodes.csv").unlink()
    page = webis.WebisPage(folder).laid_out(PAGE)
    assert page.rendered() is PAGE.rendered()
    assert "no nodes.csv" in page.notes[0]


# Gold


def test_gold_is_read_with_its_levels_types_and_nodes(folder):
    result = webis.WebisPage(folder).gold(PAGE)
    assert result.problems == ()
    assert described(result.segmentation) == [
        (1, "Content", "a"), (2, "Title", "b"), (1, "", "d"),
    ]  # fmt: skip


def test_segments_without_the_meta_file_have_level_1_and_no_type(folder):
    (folder / "ground-truth.json.meta.json").unlink()
    result = webis.WebisPage(folder).gold(PAGE)
    assert described(result.segmentation) == [(1, "", "a"), (1, "", "b"), (1, "", "d")]


def test_a_meta_file_with_other_nodes_is_reported_and_not_used(folder):
    path = folder / "ground-truth.json.meta.json"
    path.write_text(path.read_text().replace("/P[1]", "/P[9]"))
    result = webis.WebisPage(folder).gold(PAGE)
    assert described(result.segmentation) == [(1, "Content", "a"), (2, "Title", "b"), (1, "", "d")]
    assert "found by its shape" in result.problems[0]
    path.write_text('{"format": "another"}')
    with pytest.raises(InputError, match="does not say what the segments are"):
        webis.WebisPage(folder).gold(PAGE)


def test_segments_that_become_no_block_are_reported_with_the_reason(folder):
    with_segments(
        folder,
        vote=[
            rectangle(0, 60, 100, 100),
            rectangle(2, 61, 99, 99),
            rectangle(40, 70, 50, 80),
            [[[[1, 2]]]],
            [],
        ],
    )
    result = webis.WebisPage(folder).gold(PAGE)
    assert described(result.segmentation) == [(1, "", "d")]
    assert result.problems == (
        "segment 2 is left out: it holds the same nodes as segment 1",
        "segment 3 is left out: it holds no node of the page",
        "segment 4 is left out: a ring needs at least three points [x, y]",
        "segment 5 is left out: it holds no node of the page",
    )


def test_a_segmentation_is_read_by_its_file_and_name(folder):
    drawn = {"ann": [rectangle(0, 1, 99, 39)], "bob": [rectangle(0, 38, 100, 62)]}
    with_segments(folder, "annotations.json", **drawn)
    page = webis.WebisPage(folder)
    assert described(page.gold(PAGE, "annotations.json", "ann").segmentation) == [(1, "", "b")]
    assert described(page.gold(PAGE, "annotations.json", "bob").segmentation) == [(1, "", "c")]
    with pytest.raises(InputError, match="has no segmentation of its own; choose from ann, bob"):
        page.gold(PAGE, "annotations.json")
    with pytest.raises(InputError, match="has no segmentation eve; choose from ann, bob"):
        page.gold(PAGE, "annotations.json", "eve")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no json", "is not a segmentation"),
        ("[]", "expected an object"),
        ("{}", "expected lists of segments"),
        ('{"segmentations": {"a": 1}}', "expected lists of segments"),
    ],
)
def test_damaged_gold_is_refused_with_the_reason(folder, content, said):
    (folder / "ground-truth.json").write_text(content)
    with pytest.raises(InputError, match=said):
        webis.WebisPage(folder).gold(PAGE)


def test_a_page_without_a_ground_truth_file_has_no_gold(folder):
    (folder / "ground-truth.json").unlink()
    with pytest.raises(InputError, match=r"has no ground-truth\.json"):
        webis.WebisPage(folder).gold(PAGE)


def test_elements_of_the_extended_variant_are_found_by_their_hyu_index(tmp_path):
    page = boxed_page(
        "<div id=a hyu=3><p id=b hyu=4>one</p></div><div id=d hyu=5>two</div>",
        a=(0, 0, 100, 60), b=(0, 0, 100, 60), d=(0, 60, 100, 100),
    )  # fmt: skip
    folder = tmp_path / "000001"
    write_page(folder, page, {})
    polygon = {"type": "Polygon", "coordinates": rectangle(0, 0, 100, 60)[0]}
    below = rectangle(0, 60, 100, 100)
    content = {
        "id": "000001",
        "width": 100,
        "height": 100,
        "segmentations": {
            "ann": [
                {"polygon": polygon, "tagType": "header"},
                {"polygon": below, "tagType": "footer"},
            ],
            "bob": [],
        },
        "nodes": {
            "ann": [{"hyuIndex": 4, "tagType": "header"}, {"hyuIndex": 99, "tagType": "footer"}],
            "bob": [{"hyuIndex": 5, "tagType": "main content"}],
        },
    }
    (folder / "annotations_FC.json").write_text(json.dumps(content))
    ann, bob = (
        webis.WebisPage(folder).gold(page, "annotations_FC.json", n) for n in ("ann", "bob")
    )
    assert described(ann.segmentation) == [(1, "header", "b"), (1, "footer", "d")]
    assert described(bob.segmentation) == [(1, "main content", "d")]


# Measures

VECTORS = {
    "split": ([(0, 0, 100, 50), (0, 50, 100, 100)], [(0, 0, 100, 100)], (1, 0.5, 0.666667)),
    "shifted border": (
        [(0, 0, 60, 100), (60, 0, 100, 100)],
        [(0, 0, 50, 100), (50, 0, 100, 100)],
        (0.833333, 0.84, 0.836653),
    ),
    "nested": (
        [(0, 0, 100, 100), (0, 0, 100, 40)],
        [(0, 0, 100, 40), (0, 40, 100, 100)],
        (0.44, 1, 0.611111),
    ),
    "partial": ([(0, 0, 50, 100)], [(0, 0, 100, 100)], (1, 0.25, 0.4)),
    "disjoint": ([(0, 0, 50, 50)], [(50, 50, 100, 100)], (0, 0, 0)),
}


@pytest.mark.parametrize("case", VECTORS)
def test_worked_examples_of_b_cubed_are_reproduced_from_a_folder(case, tmp_path):
    """measures.md#test-vectors."""
    ours, theirs, expected = VECTORS[case]
    every = list(dict.fromkeys([*ours, *theirs]))
    boxes = {f"n{k}": corners for k, corners in enumerate(every)}
    page = boxed_page("".join(f"<div id={name}></div>" for name in boxes), **boxes)
    folder = tmp_path / "000001"
    write_page(folder, page, {})
    with_segments(folder, vote=[rectangle(*corners) for corners in theirs])
    with_segments(folder, "mine.json", mine=[rectangle(*corners) for corners in ours])
    read = webis.WebisPage(folder)
    result = score_bcubed(
        read.gold(page, "mine.json").segmentation, read.gold(page).segmentation, "pixels"
    )
    assert (result.precision, result.recall, result.f1) == pytest.approx(expected, abs=1e-6)


def test_published_edges_are_read_and_missing_ones_are_computed(folder):
    read = webis.WebisPage(folder)
    assert read.edges() == {}
    picture = np.full((100, 100, 3), 255, dtype=np.uint8)
    picture[20:60, 30:80] = (200, 30, 40)
    cv2.imwrite(str(folder / "screenshot.png"), picture[:, :, ::-1])
    made = edge_masks(picture)
    assert np.array_equal(read.picture(), picture)
    assert all(np.array_equal(read.edges()[name], made[name]) for name in ("fine", "coarse"))
    published = {name: ~mask for name, mask in made.items()}
    draw_edges(folder, published)
    assert all(np.array_equal(read.edges()[name], published[name]) for name in published)


def test_an_invisible_block_is_reported_and_gets_no_segment(tmp_path):
    page = boxed_page("<div id=a></div><div id=z></div>", a=(0, 0, 10, 10))
    gold = blocks_of(page, (1, "", "z"), (1, "Header", "a"))
    problems = write_page(tmp_path / "000001", page, {"majority-vote": gold})
    assert problems == ("majority-vote: block 2 is invisible and gets no segment",)
    result = webis.WebisPage(tmp_path / "000001").gold(page)
    assert described(result.segmentation) == [(1, "Header", "a")]


# Whole pages


@pytest.fixture(scope="module")
def browser(qapp):
    from engine.web.headless import Browser

    with Browser() as browser:
        yield browser


CORPUS = list_documents(resources_file.replace("__init__.py", "corpus"), problems=[])
SAMPLE = [
    pytest.param(d, id=d.path, marks=() if d.path.startswith("cookie") else pytest.mark.slow)
    for d in CORPUS
    if d.path.startswith(("news", "cookie", "table2000", "script"))
]


@pytest.mark.web
@pytest.mark.parametrize("document", SAMPLE)
def test_a_page_that_is_written_and_read_again_has_the_same_scores(document, browser, tmp_path):
    page = browser.capture(document)
    masks = browser.edges(page)
    marked = gold_file.read(gold_file.gold_path(document.root / document.path), page.rendered())
    first = marked.as_segmentation(page)
    # Recorded boxes have whole pixels; frames have no paths.
    page = replace(page, nodes=with_boxes(page.rendered(), *whole_boxes(page.rendered())))
    gold = Segmentation(page.rendered(), first.blocks)
    mine = Segmentation(page.rendered(), tuple(b for b in gold.blocks if b.level == 2))

    folder = tmp_path / "000001"
    write_page(folder, page, {"majority-vote": gold, "mine": mine})
    draw_edges(folder, masks)
    read = webis.WebisPage(folder)
    again = read.laid_out(browser.capture(read.document()))
    assert again.notes == ()
    result, ours = (read.gold(again, name=name).segmentation for name in ("", "mine"))
    edges = read.edges()
    paths, there = paths_of(page.rendered()), rows_by_path(again.rendered())
    rows = [tuple(sorted(there[paths[row]] for row in b.rows)) for b in gold.blocks]
    assert [(b.rows, b.level, b.type) for b in result.blocks] == [
        (at, b.level, b.type) for at, b in zip(rows, gold.blocks, strict=True)
    ]
    for atoms in ("pixels", "nodes", "chars"):
        before, after = score_bcubed(mine, gold, atoms), score_bcubed(ours, result, atoms)
        assert (after.precision, after.recall) == same(before)
    for name in masks:
        assert np.array_equal(edges[name], masks[name])
        before = BlockComparison(mine, gold, edges=masks).on_edges(name, "all")
        after = BlockComparison(ours, result, edges=edges).on_edges(name, "all")
        assert (after.precision, after.recall) == same(before)

    # By their shapes alone: the same pixels, and all nodes within them.
    each = {str(k): Segmentation(again.rendered(), (b,)) for k, b in enumerate(result.blocks)}
    write_page(folder, again, each)
    (folder / "ground-truth.json.meta.json").unlink()
    for name, alone in each.items():
        drawn = read.gold(again, name=name).segmentation
        assert score_bcubed(drawn, alone, "pixels").f1 == pytest.approx(1.0)
        assert (seen_in(drawn) >= seen_in(alone)).all()


def same(score):
    """Precision and recall; the last digit depends on the order in which items are added up."""
    return pytest.approx((score.precision, score.recall), rel=1e-12)


def seen_in(segmentation):
    """Return which visible rows are in any block."""
    nodes = segmentation.nodes
    inside = np.zeros(len(nodes), dtype=bool)
    for block in segmentation.blocks:
        for row in block.rows:
            inside[row : nodes.end[row]] = True
    return inside & nodes.visible
