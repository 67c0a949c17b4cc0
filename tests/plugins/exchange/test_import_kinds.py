"""What files of other tools say twice, in several ways, or not of gold: kinds of complaints."""

import json
import re
from unicodedata import normalize

import pytest

from annotate.marks.gold import Gold, Mark, MarkState, Target
from annotate.plugins.exchange.imports import (
    KNOWN,
    READERS,
    Imported,
    MarkFile,
    account_of,
    fresh_marks,
)
from engine.account import Account
from engine.document import Document
from engine.errors import InputError
from tests.annotate.pages import page_of
from tests.plugins.exchange.mark_files import BODY, TEXT, annotation, coco, imported, quotes

URL = "https://example.org/story.html"


@pytest.fixture(scope="module")
def page():
    return page_of(BODY, url=URL)


def _imported(*marks):
    account = Account("mark")
    account.take(sum(mark.state is MarkState.EXACT for mark in marks))
    account.move("") if any(mark.state is MarkState.MOVED for mark in marks) else None
    return Imported(Gold(tuple(marks)), (), 0, 0, account)


def test_marks_of_one_id_at_two_places_are_two():
    one, two = Mark("a", 1, (Target(3),), "Ad"), Mark("a", 1, (Target(5),), "Ad")
    result = _imported(one, two)
    first, second = fresh_marks(result, Gold())
    assert (first.targets, second.targets) == (one.targets, two.targets)
    assert first.id == "a" != second.id
    again = _imported(two)
    assert fresh_marks(again, Gold((one,)))[0].id != "a"
    assert (again.account.taken, again.account.passed[KNOWN]) == (1, 0)


def test_only_a_mark_of_the_same_place_level_and_type_is_there_already():
    there = Mark("x", 1, (Target(3),), "Ad")
    result = _imported(Mark("a", 1, (Target(3),), "Ad"), Mark("b", 2, (Target(3),), "Ad"))
    assert [mark.id for mark in fresh_marks(result, Gold((there,)))] == ["b"]
    assert (result.account.taken, result.account.passed[KNOWN]) == (1, 1)


def test_a_mark_of_other_words_that_moved_onto_another_is_to_be_confirmed():
    exact = Mark("a", 1, (Target(3),), "Ad")
    moved = Mark("b", 1, (Target(3),), "Ad", MarkState.MOVED, quote="Alder")
    assert len(fresh_marks(_imported(exact, moved), Gold())) == 2


@pytest.mark.parametrize("sources", [("story.png", "other.png"), ("story.png", "story.png")])
def test_pictures_of_one_id_and_several_names_are_unclear(page, tmp_path, sources):
    content = coco(page, bbox=[0, 0, 9, 9])
    content["images"] = [{"id": 0, "file_name": name} for name in sources]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    passed = account_of(path, "coco").passed
    assert passed == ({"the file has several images 0": 1} if len(set(sources)) > 1 else {})


def test_segments_of_a_panoptic_annotation_are_marks(page, tmp_path):
    segments = [{"id": n, "category_id": 0, "bbox": [0, 10 * n, 9, 9]} for n in (1, 2, 3)]
    content = coco(page)
    content["annotations"] = [{"image_id": 0, "segments_info": segments}]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    assert account_of(path, "coco").taken == 3


def _brat(tmp_path, text, line):
    (tmp_path / "story.txt").write_bytes(text.encode())
    (tmp_path / "story.ann").write_text(line)
    file = MarkFile(tmp_path, "brat")
    return lambda page: file.marks("story", page).gold.marks


@pytest.mark.parametrize(
    ("ends", "counted"), [("\n", 0), ("\r\n", 0), ("\r\n", 2)], ids=["lf", "one", "two"]
)
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_words_that_a_file_states_tell_how_it_counts_line_ends(page, tmp_path, ends, counted, bom):
    at = TEXT.index("town") + counted
    marks = _brat(
        tmp_path, bom + TEXT.replace("\n", ends), f"T1\tAd {at} {at + 4}\ttown\n"
    )(page)  # fmt: skip
    assert (quotes(page, marks), marks[0].state) == (["town"], MarkState.EXACT)


def test_words_at_no_counting_of_their_positions_are_to_be_confirmed(page, tmp_path):
    (mark,) = _brat(tmp_path, TEXT, "T1\tAd 1 4\tthe\n")(page)  # there are several
    assert (quotes(page, [mark]), mark.state) == (["the"], MarkState.MOVED)
    (mark,) = _brat(tmp_path, TEXT, "T1\tAd 1 5\ttown\n")(page)  # the only one
    assert (quotes(page, [mark]), mark.state) == (["town"], MarkState.EXACT)


@pytest.mark.parametrize(
    "said", [{"answer": "reject"}, {"answer": "ignore"}, {"status": "discarded"}]
)
def test_what_an_annotator_turned_down_is_no_gold(page, tmp_path, said):
    spans = [{"start": 19, "end": 24, "label": "Ad"}]
    rows = [{"text": TEXT, "spans": spans, "url": URL} | each for each in ({}, said)]
    lines = "\n".join(map(json.dumps, rows))
    marks, account = imported(page, tmp_path, "doccano", lines, "out.jsonl")
    ((key, value),) = said.items()
    assert quotes(page, marks) == ["ferry"]
    assert account.passed == {f"its {key} is {value}: it is no gold": 1}


def test_what_a_reviewer_rejected_is_no_gold(page, tmp_path):
    value = {"start": 19, "end": 24, "text": "ferry", "labels": ["Ad"]}
    result = [{"id": "a", "type": "labels", "value": value}]
    made = [{"result": result}, {"result": result, "reviews": [{"accepted": False}]}]
    task = {"id": 1, "data": {"text": TEXT, "page": URL}, "annotations": made}
    marks, account = imported(page, tmp_path, "label-studio", [task])
    assert quotes(page, marks) == ["ferry"]
    assert account.passed == {"its annotation was rejected by a reviewer": 1}


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\u0085", "\x1c"])
def test_lines_end_only_where_files_end_them(tmp_path, sign):
    page = page_of(f"<p>the ferry{sign}and the quay</p>".replace("\x1c", " "), URL)
    text = f"the ferry{sign}and the quay"
    row = {"text": text, "label": [[18, 22, "Ad"]], "url": URL}
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for _ in range(2))
    marks, account = imported(page, tmp_path, "doccano", lines, "a.jsonl")
    assert (quotes(page, marks), account.found) == (["quay", "quay"], 2)
    table = 'filename,region_shape_attributes,region_attributes\nstory.png,"{""name"":""rect"",'
    table += f'""x"":0,""y"":0,""width"":9,""height"":9}}","{{""type"":""A{sign}d""}}"\n'
    path = tmp_path / "a.csv"
    path.write_text(table, "utf-8")
    (box,) = MarkFile(path, "via")._file.boxes["story.png"]
    assert box.type.startswith("A")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "windows-1252", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_that_a_spreadsheet_saved_again_are_read(page, tmp_path, encoding, separator):
    shape = json.dumps({"name": "rect", "x": 1, "y": 2, "width": 9, "height": 9})
    rows = [
        ("filename", "region_shape_attributes", "region_attributes"),
        ("story.png", shape, json.dumps({"type": "Fußzeile"}, ensure_ascii=False)),
    ]
    cells = (['"' + cell.replace('"', '""') + '"' for cell in row] for row in rows)
    path = tmp_path / "a.csv"
    path.write_bytes("".join(separator.join(row) + "\r\n" for row in cells).encode(encoding))
    file = MarkFile(path, "via")
    assert [box.type for box in file._file.boxes["story.png"]] == ["Fußzeile"]


def _yolo(tmp_path, *lines, names="names:\n  0: Ad   # at the top\n  1: 'B'\n"):
    (tmp_path / "data.yaml").write_text(names)
    (tmp_path / "story.txt").write_text("\n".join(lines))
    file = MarkFile(tmp_path / "story.txt", "yolo")
    boxes = file._file.boxes.get("story", [])
    return [(box.type, *(round(n, 3) for n in box.box)) for box in boxes], file.account.passed


@pytest.mark.parametrize(
    "line",
    ["0 .5 .5 .2 .1", "0 .5 .5 .2 .1 .97", "0 .5 .5 .2 .1 .97 14", "0.0 .5 .5 .2 .1",
     "0 0,5 0,5 0,2 0,1", "0, .5, .5, .2, .1", "0 .4 .45 .6 .45 .6 .55 .4 .55",
     "0 .4 .45 .6 .45 .6 .55 .4 .55 .91", "  0   .5 .5\t.2 .1  "],
)  # fmt: skip
def test_what_a_detector_adds_to_a_line_is_no_coordinate(tmp_path, line):
    assert _yolo(tmp_path, line) == ([("Ad", 40, 45, 20, 10)], {})


def test_one_odd_line_of_yolo_costs_only_itself(tmp_path):
    boxes, passed = _yolo(
        tmp_path, "0 .5 .5 .2 .1", "x", "0 a b c d", "0 10 20 300 40", "7 0 0 1 1"
    )
    assert boxes == [("Ad", 40, 45, 20, 10)]
    assert passed == {
        "it is no line of YOLO: a class and numbers": 2,
        "its numbers are no fractions of a picture's width and height": 1,
        "the file of names has no class 7": 1,
    }


def test_points_of_a_body_behind_a_box_are_not_its_corners(tmp_path):
    names = "kpt_shape: [2, 3]\nnames: ['Ad', B]\n"
    line = "0 .5 .5 .2 .1 .1 .1 2 .9 .9 2"
    assert _yolo(tmp_path, line, names=names) == ([("Ad", 40, 45, 20, 10)], {})


def test_tokens_and_sentences_are_counted_though_nobody_marked_them(tmp_path):
    kinds = [("seg:Token", 0, 3), ("seg:Token", 4, 9), ("seg:Sentence", 0, 9), ("ner:Name", 4, 9)]
    items = [f'<{k} xmi:id="{n}" sofa="9" begin="{a}" end="{b}"/>' for n, (k, a, b) in
             enumerate(kinds)]  # fmt: skip
    path = tmp_path / "a.xmi"
    path.write_text(
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
        f'xmlns:seg="http:///seg.ecore" xmlns:ner="http:///ner.ecore">{"".join(items)}'
        '<cas:Sofa xmi:id="9" sofaString="the ferry"/></xmi:XMI>'
    )
    account = account_of(path, "uima-xmi")
    assert (account.found, account.taken) == (4, 1)
    assert account.passed == {"Token, which nobody marked": 2, "Sentence, which nobody marked": 1}


@pytest.mark.parametrize("sign", ["\u200f", "\u200e", "\u00ad", "\u2067", "\ufeff"])
def test_signs_that_nobody_sees_do_not_make_a_mark_wait(tmp_path, sign):
    page = page_of(f"<p>{sign}the fer{sign}ry and the quay{sign}.</p>", URL)
    quote = {"type": "TextQuoteSelector", "exact": "ferry and", "prefix": "the ", "suffix": " the"}
    (mark,), account = imported(page, tmp_path, "webannotation", annotation(quote))
    assert (account.taken, quotes(page, [mark])) == (1, [f"fer{sign}ry and"])


def _named(tmp_path, *names, pages):
    content = {"images": [{"id": n, "file_name": name} for n, name in enumerate(names)],
               "categories": [{"id": 0, "name": "Ad"}], "annotations": [
                   {"id": n, "image_id": n, "category_id": 0, "bbox": [0, 0, 9, 9]}
                   for n, _ in enumerate(names)]}  # fmt: skip
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    own = {Document(f"/pages/{name}", f"file:///pages/{name}"): name for name in pages}
    found, unclear = MarkFile(path, "coco").named(own)
    return {own[document]: name for document, name in found.items()}, unclear


def test_names_match_in_both_forms_of_their_letters(tmp_path):
    one, other = (normalize(form, "Fähre Süd") for form in ("NFC", "NFD"))
    for form in (one, other):
        found, _ = _named(tmp_path, f"{one}.png", pages=[f"{form}.html", "x.html"])
        assert found == {f"{form}.html": f"{one}.png"}
    found, unclear = _named(tmp_path, f"{one}.png", pages=[f"{other}.html", f"{one}.html"])
    assert (found, unclear) == ({f"{one}.html": f"{one}.png"}, {})


def test_a_name_is_that_of_the_one_page_it_fits_best(tmp_path):
    pages = ["a/index.html", "b/index.html"]
    found, unclear = _named(tmp_path, "shots/b/index.png", "shots/a/index.png", pages=pages)
    assert found == {"a/index.html": "shots/a/index.png", "b/index.html": "shots/b/index.png"}
    found, unclear = _named(tmp_path, "index.png", pages=pages)
    assert (found, list(unclear)) == ({}, ["index.png"])
    assert unclear["index.png"].startswith("several pages fit its name: a/index.html and b/")


def test_marks_of_one_page_under_several_addresses_all_come_in(page, tmp_path):
    addresses = [URL, URL.replace("https", "http"), f"{URL}#top", f"{URL}#!/two"]
    items = [
        annotation({"type": "TextQuoteSelector", "exact": words})
        for words in ("ferry came", "town", "nine years", "Ferry and quay")
    ]
    for each, address in zip(items, addresses, strict=True):
        each["target"]["source"] = address
    marks, _ = imported(page, tmp_path, "webannotation", items)
    assert quotes(page, marks) == ["ferry came", "town", "nine years"]


@pytest.mark.parametrize(
    "data",
    [{"shot": "story.png"}, {"note": "a b", "pictures": ["x.png", "story.png"]},
     {"meta": {"of": URL}}, {"image": "/data/upload/1/1a2b3c4d-story.png"}],
)  # fmt: skip
def test_the_page_of_a_task_is_found_under_any_key_of_its_data(page, tmp_path, data):
    value = {"x": 1, "y": 2, "width": 9, "height": 9, "rectanglelabels": ["Ad"]}
    made = [{"result": [{"id": "a", "type": "rectanglelabels", "value": value}]}]
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"id": 1, "data": data, "annotations": made}]))
    file = MarkFile(path, "label-studio")
    assert file.name_of("story.html", Document(URL, "story.html")) is not None


@pytest.mark.parametrize("content", [[{"a": 1}], [1], [{"data": 3}], {"a": [{}]}, [[]], "x", 3])
@pytest.mark.parametrize("key", sorted(READERS))
def test_what_is_something_else_is_refused_or_named_in_words(tmp_path, content, key):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    try:
        said = " ".join(account_of(path, key).passed)
    except InputError as error:
        said = str(error)
    assert said
    assert not re.search(r"Error|object has no|not subscriptable|unpack|NoneType", said)
