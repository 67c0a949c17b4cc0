"""All formats of marks: files with parts removed, files read twice, files without pages."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from annotate.plugins.exchange.imports import (
    NAMES,
    READERS,
    MarkFile,
    fresh_marks,
    recognise_format,
)
from gui.cli.main import main
from tests.annotate.pages import page_of
from tests.plugins.exchange.mark_files import (
    BODY,
    QUOTE,
    TEXT,
    XPATH,
    annotation,
    box_of,
    coco,
    refined,
    span,
)

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def page():
    return page_of(BODY, url="https://example.org/story.html")


def samples(page):
    x, y, width, height = box_of(page, "one")
    box = {"x": 1, "y": 2, "width": 9, "height": 9, "rectanglelabels": ["Ad"]}
    return {
        "coco": coco(page, bbox=[x, y, width, height], iscrowd=0, area=3.0),
        "labelme": {"imagePath": "story.png", "flags": {}, "shapes": [
            {"label": "Ad", "shape_type": "circle", "points": [[1, 2], [3, 4]], "flags": {}},
            {"label": "Ad", "points": [[1, 2], [3, 9]], "description": "/html[1]"}]},
        "label-studio": [{"id": 1, "data": {"image": "story.png"}, "annotations": [{"result": [
            {"id": "a", "type": "rectanglelabels", "original_width": 9, "original_height": 9,
             "value": box}, span(start="/p[1]", end="/p[1]", startOffset=0, endOffset=2,
                                 text="ho", hypertextlabels=["Ad"])]}]}],
        "via": {"a": {"filename": "story.png", "regions": [
            {"shape_attributes": {"name": "circle", "cx": 1, "cy": 2, "r": 3},
             "region_attributes": {"type": "Ad"}}]}},
        "doccano": [{"id": 1, "text": TEXT, "label": [[0, 5, "Ad"]]},],
        "webannotation": {"@context": "http://www.w3.org/ns/anno.jsonld", "type": "AnnotationPage",
                          "items": [annotation(XPATH, QUOTE, id="urn:a"),
                                    annotation(refined(XPATH, QUOTE), id="urn:b")]},
    }  # fmt: skip


def places(content, above=()):
    if isinstance(content, dict | list):
        for key in content if isinstance(content, dict) else range(len(content)):
            yield (*above, key)
            yield from places(content[key], (*above, key))


def changed(content, place, how):
    copy = json.loads(json.dumps(content))
    above = copy
    for key in place[:-1]:
        above = above[key]
    key = place[-1]
    if how == "out":
        del above[key]
    elif isinstance(above, list):
        above.append(above[key])
    else:
        above[f"{key}-2"] = above[key]
        if how == "renamed":
            del above[key]
    return copy


def test_files_with_removed_doubled_or_renamed_parts_are_accounted_for(page, tmp_path):
    tried, unknown = 0, []
    for key, content in samples(page).items():
        for place in places(content):
            for how in ("out", "doubled", "renamed"):
                path = tmp_path / "story.json"
                path.write_text(json.dumps(changed(content, place, how)), "utf-8")
                tried += 1
                if recognise_format(path) != key:
                    unknown.append((key, how, place))
                    continue
                file = MarkFile(path, key)  # no recognised file is refused
                found = file.account.found
                for name in file.names:
                    result = file.marks(name, page)
                    assert result.account.found == file.count(name)
                    found += result.account.found
                assert found or how == "out", (key, how, place)
    assert tried > 300
    # A file that is not recognised has lost all parts of its marks.
    assert all(how != "doubled" and len(place) <= 2 for _, how, place in unknown), unknown
    assert len(unknown) < 12


def test_importing_a_file_again_adds_nothing_and_reports_it(page, tmp_path):
    path = tmp_path / "story.json"
    path.write_text(json.dumps(coco(page, bbox=box_of(page, "one"))), "utf-8")
    file = MarkFile(path, "coco")
    first = file.marks("story.png", page)
    again = file.marks("story.png", page)
    assert fresh_marks(again, first.gold) == ()
    assert again.account.sentence() == "1 mark found: 0 taken; 1 passed over: there already"


def test_every_mark_format_has_a_name_a_reader_and_a_row_in_the_guide():
    guide = (ROOT / "resources" / "docs" / "plugins" / "exchange.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|", guide, re.MULTILINE)
    assert list(NAMES) == list(READERS) == rows


def test_importing_a_file_without_pages_exits_with_status_1(tmp_path, capsys):
    empty = {
        "a.zip": zip_of({"notes.txt": "Tea"}),
        "a.mhtml": b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\n'
        b"Content-Type: image/png\nContent-Location: http://a.example/a.png\n\nTea\n--b--\n",
        "a.har": b'{"log": {"version": "1.2", "creator": {}, "entries": []}}',
    }
    for name, data in empty.items():
        (tmp_path / name).write_bytes(data)
        assert main(["import", str(tmp_path / name), "--out", str(tmp_path / "o.wacz")]) == 1
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "taken" not in said or "0 taken" in said
    assert main(["import", str(tmp_path / "a.mhtml"), "--out", "o.wacz", "--json"]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    assert report["account"]["found"] == 1
    assert report["account"]["passed over"] == {"part of no page": 1}


def zip_of(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, text in members.items():
            package.writestr(name, text)
    return out.getvalue()
