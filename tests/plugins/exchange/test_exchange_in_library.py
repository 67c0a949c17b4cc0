"""Every format: marks after a round trip, losses, and pages without traces of Pagelet."""

import json
import re
from dataclasses import replace

import pytest

from annotate.datasets.opening import open_pages
from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Target, new_id
from annotate.plugins.exchange import annotations, block_html
from annotate.plugins.exchange.drawn_boxes import PictureBox, marks_at
from annotate.plugins.exchange.formats import FORMATS, format_of, losses
from annotate.plugins.exchange.imports import MarkFile
from annotate.plugins.exchange.marked_page import MarkedPage, blocks_of
from engine import geometry
from engine.document import Document
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from tests.annotate.pages import page_of, row_of, text_row

BODY = (
    "<div id=top><p id=menu>home news about</p></div>"
    "<div id=body><h1 id=title>Ferry &amp; quay</h1><p id=one>the ferry came back this morning "
    "after nine years</p><p id=two>and the town stood on the quay to watch it</p></div>"
    "<div id=foot><p>all rights reserved</p></div>"
)


@pytest.fixture
def marked(tmp_path):
    file = tmp_path / "pages" / "story.html"
    file.parent.mkdir()
    file.write_text(f"<!doctype html><title>Ferry</title>{BODY}", encoding="utf-8")
    [document] = open_pages(file).documents
    made = page_of(BODY, url=document.address)
    page = Page(made.url, Source.from_bytes(file.read_bytes()), made.dom, made.nodes, title="Ferry")
    nodes = page.rendered()
    text = text_row(nodes, "the ferry came back")
    gold = Gold(
        (
            Mark(new_id(), MAIN, (Target(row_of(nodes, "title")),)),
            Mark(new_id(), MAIN, (Target(text, 4, 9),)),
            Mark(new_id(), 1, (Target(row_of(nodes, "top")),), "Header"),
            Mark(new_id(), 1, (Target(row_of(nodes, "body")),), "Content"),
            Mark(new_id(), 2, (Target(row_of(nodes, "menu")),), "Link list"),
            Mark(
                new_id(), 2, (Target(row_of(nodes, "one")), Target(row_of(nodes, "two"))), "Article"
            ),
        )
    )
    return MarkedPage("story.html", document, page, gold)


def _known(gold):
    return {(m.id, m.level, m.type, m.targets, m.state) for m in gold.marks}


@pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.key)
def test_every_format_writes_files_and_declares_its_losses(entry, marked, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    written = entry.write([marked], out)
    assert written
    assert all(path.exists() for path in written)
    assert entry.loses or entry.key == "gold"
    assert not list(out.rglob("*.part"))


def test_marks_survive_a_round_trip_through_web_annotations(marked, tmp_path):
    [path] = annotations.write([marked], tmp_path)
    read = MarkFile(path, "webannotation")
    name = read.name_of("story.html", marked.document)
    assert name is not None
    back = read.marks(name, marked.page)
    assert back.problems == ()
    assert _known(back.gold) == _known(marked.gold)


def test_a_web_annotation_has_all_four_selectors(marked, tmp_path):
    [path] = annotations.write([marked], tmp_path)
    items = json.loads(path.read_text("utf-8"))["items"]
    part = items[1]["target"]["selector"]
    kinds = {selector["type"] for selector in part}
    assert kinds == {
        "XPathSelector", "TextQuoteSelector", "TextPositionSelector", "RangeSelector",
    }  # fmt: skip
    quote = next(selector for selector in part if selector["type"] == "TextQuoteSelector")
    assert quote["exact"] == "ferry"


@pytest.mark.parametrize(
    "exact", ["and the town stood on the quay", " and the town stood on the quay\n"]
)
def test_a_mark_is_found_by_its_quote_alone(exact, marked, tmp_path):
    content = {
        "type": "Annotation",
        "id": "https://example.org/a1",
        "body": {"type": "TextualBody", "purpose": "classifying", "value": "Header"},
        "target": {
            "source": marked.page.url,
            "selector": {"type": "TextQuoteSelector", "exact": exact},
        },
    }
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps(content), "utf-8")
    result = MarkFile(path, "webannotation").marks(marked.page.url, marked.page).gold.marks[0]
    assert result.type == "Header"
    assert result.state is not MarkState.LOST


@pytest.mark.parametrize("key", ["coco", "labelme", "label-studio"])
def test_boxes_are_imported_as_blocks_of_equal_level_type_and_box(key, marked, tmp_path):
    [path] = format_of(key).write([marked], tmp_path)
    read = MarkFile(path, key)
    name = read.name_of("story.html", marked.document)
    back = read.marks(name, marked.page)
    expected = [(mark.level, mark.type, box) for mark, box in blocks_of(marked)]
    nodes = marked.page.rendered()
    result = [
        (mark.level, mark.type, geometry.union(nodes.rect[[t.row for t in mark.targets]]).tolist())
        for mark in back.gold.marks
    ]
    assert back.problems == ()
    assert [each[:2] for each in result] == [each[:2] for each in expected]
    for (*_, ours), (*_, theirs) in zip(expected, result, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-3)


def test_a_box_that_fits_no_element_is_reported(marked):
    marks, problems, _ = marks_at(
        marked.page.rendered(), [PictureBox(1, "Ad", (5.0, 3.0, 2.0, 2.0))], (1366, 768)
    )
    assert marks == []
    assert "no element of the page fits the box of Ad" in problems[0]


def test_block_html_marks_elements_and_wraps_neighbours(marked):
    html, problems = block_html.marked_html(marked)
    assert problems == ()
    assert '<div data-block="1" data-block-type="Header" id="top"><p data-block="2"' in html
    assert '<div data-block="2" data-block-type="Article"><p' in html
    assert 'data-block-type="LinkList"' in html
    without = re.sub(r' data-block(-type)?="[^"]*"', "", html)
    assert without.replace("<div><p", "<p").count("</p>") == marked.page.dom.html.count("</p>")


def test_block_html_reports_each_block_that_it_cannot_write():
    page = page_of("<p>Tea <b id=b>is</b><i id=i>hot</i></p><div id=d>Milk</div>")
    rows = {name: row_of(page.rendered(), name) for name in "bid"}
    blocks = ((1, "d"), (2, "d"), (2, "bi"), (1, ""))
    marks = tuple(
        Mark(new_id(), level, tuple(Target(rows[name]) for name in names), "Ad")
        for level, names in blocks
    )
    marked = MarkedPage("tea", Document("tea.html", "pagelet://local/tea.html"), page, Gold(marks))
    html, problems = block_html.marked_html(marked)
    assert html.count("data-block=") == 1
    assert {each.split(" is ", 1)[1][:20] for each in problems} == {
        "the element of anoth",
        "made of nodes in a p",
    }
    assert len(problems) == 2


def test_block_html_has_no_trace_of_pagelet(marked, tmp_path):
    for path in block_html.write([marked], tmp_path):
        assert b"agelet" not in path.read_bytes().replace(str(tmp_path).encode(), b"")


def test_an_orphaned_mark_is_left_out_and_reported_as_a_loss(marked, tmp_path):
    lost = Mark(new_id(), 2, (), "Ad", MarkState.LOST, "Buy a boat")
    more = MarkedPage(marked.name, marked.document, marked.page, Gold((*marked.gold.marks, lost)))
    [path] = annotations.write([more], tmp_path)
    read = MarkFile(path, "webannotation")
    assert _known(read.marks(read.names[0], marked.page).gold) == _known(marked.gold)
    assert losses(format_of("webannotation"), more) == ("1 mark is not found on this page",)
    assert losses(format_of("gold"), more) == ()


def test_marks_of_pictures_without_text_survive_a_round_trip(tmp_path):
    page = page_of("<p>Boats</p><img src=boat.png><img src=quay.png>", url="https://example.org/")
    rows = [row for row in range(len(page.rendered())) if page.rendered().name_of(row) == "img"]
    gold = Gold(tuple(Mark(new_id(), 2, (Target(row),), "Image") for row in rows))
    [document] = [Document("https://example.org/", "https://example.org/")]
    marked = MarkedPage("boats.html", document, page, gold)
    [path] = annotations.write([marked], tmp_path)
    read = MarkFile(path, "webannotation")
    assert _known(read.marks(read.names[0], page).gold) == _known(gold)


def test_block_html_is_read_as_a_data_set(marked, tmp_path):
    format_of("kreuzer").write([marked], tmp_path / "out")
    opened = open_pages(tmp_path / "out")
    assert len(opened.files) == 1
    assert {level for level, _ in opened.files[0].marked()} == {1, 2}


@pytest.mark.parametrize("key", ["cleaneval", "benchmark", "wcxb", "package", "webmainbench"])
def test_exported_texts_are_read_as_a_data_set_with_the_same_gold(key, marked, tmp_path):
    out = tmp_path / "out"
    format_of(key).write([marked], out)
    opened = open_pages({"package": out / "package.zip"}.get(key, out))
    assert len(opened.files) == 1
    text = opened.files[0].text(lambda: marked.page)
    assert text.split() == marked.text.split()


def test_a_file_of_another_format_is_refused(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{}", "utf-8")
    for key in ("coco", "labelme", "label-studio", "webannotation"):
        with pytest.raises(InputError):
            MarkFile(path, key)


ODD = (None, True, -1, 1e999, float("nan"), 10**400, "", "x", [], [1, [2]], {}, {"a": {}})


@pytest.mark.parametrize("key", ["coco", "labelme", "label-studio", "webannotation"])
def test_files_with_any_odd_value_are_read_or_refused(key, marked, tmp_path):
    [path] = format_of(key).write([marked], tmp_path)
    whole = path.read_text("utf-8")
    refused = accounted = 0
    for position in _places(json.loads(whole)):
        for odd in ODD:
            content = json.loads(whole)
            _at(content, position[:-1])[position[-1]] = odd
            path.write_text(json.dumps(content), "utf-8")
            try:
                read = MarkFile(path, key)
                count = read.account.found
                for name in read.names:
                    result = read.marks(name, marked.page)
                    count += result.account.found
                    for mark in result.gold.marks:
                        assert mark.targets or mark.state is MarkState.LOST
                accounted += count >= 3
            except InputError:
                refused += 1
    assert refused <= len(ODD)
    assert accounted > 3 * len(ODD)


def _places(content, above=()):
    """Yield positions in a JSON document as keys from the top; of lists only the first item."""
    if isinstance(content, dict | list):
        for key in content if isinstance(content, dict) else range(len(content))[:1]:
            yield (*above, key)
            yield from _places(content[key], (*above, key))


def _at(content, place):
    for key in place:
        content = content[key]
    return content


def test_an_unknown_format_is_refused_with_the_closest_name():
    with pytest.raises(InputError, match="did you mean coco"):
        format_of("coko")


def _target_rows(gold):
    """Return level, type and targets of blocks, sorted; their ids depend on the tool."""
    return sorted((m.level, m.type, m.targets) for m in gold.marks if m.level != MAIN)


@pytest.mark.parametrize("key", ["coco", "labelme", "label-studio"])
def test_nested_nodes_with_equal_boxes_are_matched_by_their_paths(key, tmp_path):
    page = page_of("<div id=a><div id=b><p id=c>the ferry came back</p></div></div>")
    nodes = page.rendered()
    rect = nodes.rect.copy()
    rect[[row_of(nodes, name) for name in "abc"]] = (10, 10, 300, 40)
    page = replace(page, nodes=replace(nodes, rect=rect))
    marks = [
        Mark(new_id(), level, (Target(row_of(nodes, name)),), kind)
        for name, level, kind in (("b", 1, "Content"), ("c", 2, "Article"))
    ]
    document = Document("https://example.org/", "https://example.org/")
    [path] = format_of(key).write(
        [MarkedPage("x.html", document, page, Gold(tuple(marks)))], tmp_path
    )
    read = MarkFile(path, key)
    back = read.marks(read.name_of("x.html", document), page)
    assert _target_rows(back.gold) == _target_rows(Gold(tuple(marks)))
    assert (back.by_path, back.by_box) == (2, 0)


def test_a_moved_box_takes_precedence_over_its_path(marked, tmp_path):
    [path] = format_of("coco").write([marked], tmp_path)
    content = json.loads(path.read_text("utf-8"))
    nodes = marked.page.rendered()
    moved = content["annotations"][0]
    assert moved["xpaths"] == [nodes.path(row_of(nodes, "top"))]
    moved["bbox"] = nodes.rect[row_of(nodes, "two")].tolist()
    path.write_text(json.dumps(content), "utf-8")
    back = MarkFile(path, "coco").marks("story.html", marked.page)
    assert back.gold.marks[0].targets == (Target(row_of(nodes, "two")),)
    assert back.by_box == 1


@pytest.mark.parametrize("key", ["coco", "labelme", "label-studio"])
def test_boxes_on_a_screenshot_at_double_scale_match_the_same_nodes(key, marked, tmp_path):
    [path] = format_of(key).write([marked], tmp_path)
    content = json.loads(path.read_text("utf-8"))
    if key == "coco":
        for image in content["images"]:
            image.update(width=2 * image["width"], height=2 * image["height"])
        for each in content["annotations"]:
            each["bbox"] = [2 * number for number in each["bbox"]]
            del each["xpaths"]
    elif key == "labelme":
        content["imageWidth"], content["imageHeight"] = (
            2 * content["imageWidth"], 2 * content["imageHeight"],
        )  # fmt: skip
        for shape in content["shapes"]:
            shape["points"] = [[2 * x, 2 * y] for x, y in shape["points"]]
            shape["description"] = "looks fine /to me"
    else:
        for item in content[0]["annotations"][0]["result"]:
            item["original_width"] *= 2
            item["original_height"] *= 2
            del item["meta"]
    path.write_text(json.dumps(content), "utf-8")
    read = MarkFile(path, key)
    back = read.marks(read.name_of("story.html", marked.document), marked.page)
    assert back.problems == ()
    assert _target_rows(back.gold) == _target_rows(marked.gold)


@pytest.mark.parametrize(
    "name",
    [
        "1a2b3c4d-story.png",
        "/data/upload/3/1a2b3c4d-story.png",
        "/data/local-files/?d=shots/story.png",
        "https://example.org/shots/story.jpeg",
        "..\\shots\\story.png",
    ],
)
def test_pictures_renamed_by_label_studio_are_matched_with_their_page(name, marked, tmp_path):
    [path] = format_of("label-studio").write([marked], tmp_path)
    content = json.loads(path.read_text("utf-8"))
    content[0]["data"] = {"image": name}
    path.write_text(json.dumps(content), "utf-8")
    assert MarkFile(path, "label-studio").name_of("story.html", marked.document) == name
    assert MarkFile(path, "label-studio").name_of("other.html", Document("x", "y")) is None


def test_web_annotations_name_the_page_without_its_folder(marked, tmp_path):
    [path] = annotations.write([marked], tmp_path)
    text = path.read_text("utf-8")
    assert str(tmp_path) not in text
    assert json.loads(text)["items"][0]["target"]["source"] == "story.html"
    before = tmp_path / "before.json"
    before.write_text(text.replace('"story.html"', json.dumps(marked.document.address)), "utf-8")
    for file in (path, before):
        read = MarkFile(file, "webannotation")
        name = read.name_of("story.html", marked.document)
        assert _known(read.marks(name, marked.page).gold) == _known(marked.gold)


@pytest.mark.web
@pytest.mark.parametrize("key", ["coco", "labelme", "label-studio"])
def test_blocks_of_the_sample_pages_are_imported_on_the_same_nodes(key, sample_pages, tmp_path):
    count = 0
    for name, sample in sample_pages.items():
        document = Document("", "")
        page = MarkedPage(f"{name}/index.html", document, sample.page, sample.gold)
        (tmp_path / name).mkdir()
        [path] = format_of(key).write([page], tmp_path / name)
        read = MarkFile(path, key)
        back = read.marks(read.name_of(page.name, document), sample.page)
        assert _target_rows(back.gold) == _target_rows(
            Gold(tuple(mark for mark, _ in blocks_of(page)))
        )
        assert (back.by_box, back.problems) == (0, ())
        count += back.by_path
    assert count > 200


@pytest.mark.parametrize("key", ["webannotation", "coco", "labelme", "label-studio", "csv"])
def test_unsure_marks_are_flagged_and_imported_as_unsure(key, marked, tmp_path):
    flagged = [mark.with_(is_unsure=mark.type == "Header") for mark in marked.gold.marks]
    marked = replace(marked, gold=Gold(tuple(flagged)))
    [path] = format_of(key).write([marked], tmp_path)
    assert path.read_text("utf-8").replace('"unsure":', "").count("unsure") + path.read_text(
        "utf-8"
    ).count('"unsure": true') == (2 if key == "csv" else 1)
    if key == "csv":
        return
    read = MarkFile(path, key)
    back = read.marks(read.name_of("story.html", marked.document), marked.page).gold
    assert {mark.type: mark.is_unsure for mark in back.marks if mark.level} == {
        "Header": True, "Content": False, "Link list": False, "Article": False,
    }  # fmt: skip
