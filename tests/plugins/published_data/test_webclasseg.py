"""Pages of WebClasSeg-25 have the segments of each annotator, found by the number of an element."""

import json
from email.message import EmailMessage

import pytest

from annotate.datasets.readers import read_dataset
from engine.errors import InputError
from tests.annotate.pages import page_of, row_of

BODY = (
    '<div id=top hyu="3"><p id=name hyu="4">Town hall</p></div>'
    '<div id=main hyu="7">Open <b hyu="5">today</b></div><div id=end hyu="9">Imprint</div>'
)
BOX = [[0, 0], [100, 0], [100, 60], [0, 60]]


def segment(kind, number):
    return {"polygon": BOX, "tagType": kind, "hyuIndex": number}


def entry(name, key, *segments):
    return {
        "id": name, key: list(segments), "digilog_annotation": [segment("2", 9)],
        "screenshot_size": {"height": 60, "width": 100}, "screenshot_file": "66ff.png",
        "topic": "municipality", "url": "https://town.example/", "language": "en",
    }  # fmt: skip


ENTRIES = [
    entry("66ff_ann", "annotation_fc", segment("header", 3), segment("maincontent", 7)),
    entry("66ff_bob", "annotation", segment("footer", 9), segment("image", 41), segment("nav", 9)),
]


@pytest.fixture
def release(tmp_path):
    message = EmailMessage()
    message["Snapshot-Content-Location"] = "https://town.example/"
    message["MIME-Version"] = "1.0"
    message.make_related()
    part = EmailMessage()
    part.set_content(f"<!doctype html><body hyu=11>{BODY}", "html")
    part["Content-Location"] = "https://town.example/"
    message.attach(part)
    (tmp_path / "mhtml").mkdir()
    (tmp_path / "mhtml/66ff.mhtml").write_bytes(message.as_bytes())
    (tmp_path / "annotations.json").write_text(json.dumps(ENTRIES))
    return tmp_path


def files_of(folder):
    return {name: files[""] for name, files in read_dataset(folder).pages}


def described(files, page):
    blocks = files.blocks(lambda: page).blocks
    return [(blocks.nodes.attributes[b.rows[0]]["id"], b.level, b.type) for b in blocks.blocks]


def test_each_annotator_of_a_page_is_a_case_with_its_elements_as_blocks(release):
    page, files = page_of(BODY), files_of(release)
    assert list(files) == ["66ff_ann", "66ff_bob"]
    assert described(files["66ff_ann"], page) == [("top", 1, "header"), ("main", 1, "maincontent")]
    assert files["66ff_ann"].blocks(lambda: page).texts == [("Town hall", 1), ("Open today", 1)]
    targets = [mark.targets[0].row for mark in files["66ff_ann"].marks(page).marks]
    assert targets == [row_of(page.rendered(), name) for name in ("top", "main")]
    assert files["66ff_ann"].page_type() == "municipality"


def test_segments_without_their_element_or_on_one_twice_are_reported(release):
    page, files = page_of(BODY), files_of(release)["66ff_bob"]
    assert described(files, page) == [("end", 1, "footer")]
    assert files.problems(lambda: page) == (
        "image is left out: no element has the number 41",
        "nav is left out: it is the same element as footer",
    )
    assert files.marked() == {(1, "footer"), (1, "image"), (1, "nav")}


def test_a_changed_segment_changes_the_gold(release):
    before = files_of(release)["66ff_ann"].gold_bytes()
    changed = entry("66ff_ann", "annotation_fc", segment("header", 4), segment("maincontent", 7))
    (release / "annotations.json").write_text(json.dumps([changed, ENTRIES[1]]))
    again = files_of(release)["66ff_ann"]
    assert again.gold_bytes() != before
    assert described(again, page_of(BODY))[0] == ("name", 1, "header")


def test_entries_without_a_page_are_reported(release):
    extra = entry("77aa_ann", "annotation_fc", segment("header", 3))
    (release / "annotations.json").write_text(json.dumps([*ENTRIES, extra]))
    dataset = read_dataset(release)
    assert len(dataset.pages) == 2
    assert dataset.problems == ("annotations.json names 77aa_ann, which has no page",)


def test_entries_without_an_id_or_with_one_twice_are_reported(release):
    nameless = entry("", "annotation_fc", segment("header", 3))
    (release / "annotations.json").write_text(json.dumps([*ENTRIES, nameless, ENTRIES[0]]))
    dataset = read_dataset(release)
    assert len(dataset.pages) == 2
    assert dataset.problems == (
        "annotations.json: an entry has no id",
        "annotations.json has 66ff_ann twice; the first is read",
    )


def test_segments_by_an_older_name_are_read_beside_an_empty_newer_one(release):
    both = entry("66ff_ann", "annotation", segment("header", 3)) | {"annotation_fc": None}
    (release / "annotations.json").write_text(json.dumps([both]))
    assert described(files_of(release)["66ff_ann"], page_of(BODY)) == [("top", 1, "header")]


def test_folders_of_the_evaluation_code_are_read_too(tmp_path):
    folder = tmp_path / "66ff"
    folder.mkdir()
    (folder / "dom.html").write_text(f"<!doctype html><body>{BODY}")
    nodes = {
        "ann.fitted": [{"tagType": "header", "hyuIndex": 4}],
        "bob.fitted": [{"tagType": "footer", "hyuIndex": 9}],
    }
    content = {"id": "66ff", "height": 60, "width": 100, "segmentations": {}, "nodes": nodes}
    (folder / "annotations_FC.json").write_text(json.dumps(content))
    for path in (tmp_path, folder):
        files, page = files_of(path), page_of(BODY)
        assert described(files["66ff_ann.fitted"], page) == [("name", 1, "header")]
        assert described(files["66ff_bob.fitted"], page) == [("end", 1, "footer")]


@pytest.mark.parametrize("content", ["[]", "{}", '[{"id": "1_a"}]', "no JSON"])
def test_unrelated_annotation_files_are_not_read(tmp_path, content):
    (tmp_path / "annotations.json").write_text(content)
    with pytest.raises(InputError, match="is not a data set"):
        read_dataset(tmp_path)


@pytest.mark.web
def test_mhtml_pages_are_rendered_2560_px_wide(release, browser):
    files = files_of(release)["66ff_ann"]
    page = browser.capture(files.document())
    assert described(files, page) == [("top", 1, "header"), ("main", 1, "maincontent")]
    nodes = page.rendered()
    assert nodes.rect[row_of(nodes, "top")][2] > 2000
