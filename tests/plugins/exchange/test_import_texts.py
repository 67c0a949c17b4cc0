"""Spans of text of other tools, made after their specifications."""

import json

import pytest

from annotate.plugins.exchange.imports import MarkFile, recognise_format
from engine.errors import InputError
from tests.annotate.pages import page_of, row_of
from tests.plugins.exchange.mark_files import BODY, TEXT, box_of, imported, quotes, span


@pytest.fixture(scope="module")
def page():
    return page_of(BODY, url="https://example.org/story.html")


def test_spans_of_label_studio_become_ranges_of_text(page, tmp_path):
    value = {
        "start": "/div[2]/p[1]/text()[1]", "end": "/div[2]/p[1]/text()[1]", "startOffset": 4,
        "endOffset": 9, "text": "ferry", "hypertextlabels": ["Article"],
    }  # fmt: skip
    choice = {"type": "choices", "from_name": "c", "value": {"choices": ["Good"]}}
    dot = {"type": "keypointlabels", "value": {"x": 1, "y": 1, "keypointlabels": ["Dot"]}}
    task = {
        "id": 3,
        "data": {"note": "<p>x</p>", "source": "/data/upload/3/1f2e3d4c-story.html"},
        "annotations": [{"result": [span(**value), choice, dot]}],
        "predictions": [{"result": [span(**value)]}],
    }
    marks, account = imported(page, tmp_path, "label-studio", [task])
    assert quotes(page, marks) == ["ferry"]
    assert marks[0].type == "Article"
    assert account.as_json()["passed over"] == {
        "a choice about the whole page": 1,
        "a point has no area": 1,
        "a prediction, not an annotation": 1,
    }


def test_a_span_over_several_text_nodes_is_read_whole(page, tmp_path):
    value = {
        "start": "/div[2]/p[2]/text()[1]", "end": "/div[2]/p[2]/b[1]/text()[1]",
        "startOffset": 4, "endOffset": 4, "text": "the town", "hypertextlabels": ["Article"],
    }  # fmt: skip
    task = {"data": {"html": "story.html"}, "annotations": [{"result": [span(**value)]}]}
    marks, _ = imported(page, tmp_path, "label-studio", [task])
    assert quotes(page, marks) == ["the town"]


def test_json_min_and_csv_exports_of_label_studio_are_read(page, tmp_path):
    nodes = page.rendered()
    x, y, width, height = box_of(page, "one")
    box = {"x": 100 * x / nodes.width, "y": 100 * y / nodes.height,
           "width": 100 * width / nodes.width, "height": 100 * height / nodes.height,
           "rectanglelabels": ["Article"]}  # fmt: skip
    small = [{"id": 1, "image": "story.png", "label": [box], "annotator": 1, "annotation_id": 9}]
    marks, account = imported(page, tmp_path, "label-studio", small)
    assert [(mark.type, mark.targets[0].row) for mark in marks] == [
        ("Article", row_of(nodes, "one"))
    ]
    cell = json.dumps([box]).replace('"', '""')
    table = f'annotation_id,annotator,id,image,label\n9,1,1,story.png,"{cell}"\n'
    marks, account = imported(page, tmp_path, "label-studio", table, "story.csv")
    assert account.sentence() == "1 mark found: 1 taken"


def test_a_list_of_unrelated_objects_is_refused(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('[{"shop": "apples"}, 3]', "utf-8")
    assert recognise_format(path) is None
    with pytest.raises(InputError, match="no task in it has data"):
        MarkFile(path, "label-studio")


def test_spans_of_doccano_become_ranges_of_text(page, tmp_path):
    lines = "".join(
        json.dumps(each) + "\n"
        for each in (
            {"id": 1, "text": TEXT, "label": [[19, 24, "Boat"], [900, 990, "Far"]],
             "meta": {"page": "story.html"}},
            {"id": 2, "text": "x", "label": ["news"]},
        )
    )  # fmt: skip
    marks, account = imported(page, tmp_path, "doccano", lines, "story.jsonl")
    assert quotes(page, marks) == ["ferry"]
    assert account.found == 3
    assert account.passed["a class of the whole text"] == 1


def test_text_bound_annotations_of_brat_become_ranges_of_text(page, tmp_path):
    (tmp_path / "story.txt").write_text(TEXT)
    content = "T1\tBoat 19 24\tferry\nT2\tTwo 4 9;10 14\tx\nR1\tOn Arg1:T1\n#1\tNote T1\tx\n"
    marks, account = imported(page, tmp_path, "brat", content, "story.ann")
    assert quotes(page, marks)[0] == "ferry"
    assert account.found == 4
    assert account.passed["a relation"] == account.passed["a note"] == 1


def test_spans_of_webanno_tsv_join_their_tokens(page, tmp_path):
    content = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n\n#Text=the ferry came back\n"
        "1-1\t0-3\tthe\t_\t\n1-2\t4-9\tferry\tBoat[1]\t\n1-3\t10-14\tcame\tBoat[1]\t\n"
        "1-4\t15-19\tback\tMove\t\n"
    )
    marks, account = imported(page, tmp_path, "webanno-tsv", content, "story.tsv")
    assert [mark.type for mark in marks] == ["Boat", "Move"]
    assert quotes(page, marks) == ["ferry came", "back"]
    assert account.found == 2


def test_layers_of_webanno_tsv_are_read_from_separate_columns(page, tmp_path):
    content = (
        "#FORMAT=WebAnno TSV 3.2\n#T_SP=ner.NamedEntity|identifier|value\n#T_SP=custom.Plain|\n"
        "#T_CH=coref.Link|relation|type\n#T_RL=custom.Rel|label|BT_custom.Span\n\n\n"
        "#Text=\U0001f6a2the ferry came\n"
        "1-1\t0-2\t\U0001f6a2\t_\t_\t_\t_\t_\t_\t_\t\n"
        "1-2\t2-5\tthe\t*[1]\tBig\\|boat[1]\t_\t_\t_\t_\t_\t\n"
        "1-3\t6-11\tferry\t*[1]|*[2]\tBig\\|boat[1]|Part[2]\t*\t*->1-1\t_\t_\t_\t\n"
        "1-4\t12-16\tcame\t_\t_\t_\t_\t_\tgoes\t1-3\t\n"
    )
    marks, account = imported(page, tmp_path, "webanno-tsv", content, "story.tsv")
    assert [mark.type for mark in marks] == ["Big|boat", "Part", ""]
    assert quotes(page, marks) == ["the ferry", "ferry", "ferry"]
    assert account.passed == {"a link of Link": 1, "a link of Rel": 1}


def test_a_uima_annotation_is_typed_by_a_feature_of_any_name(page, tmp_path):
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "the ferry came"},
        {"%ID": 2, "%TYPE": "custom.Span", "@sofa": 1, "begin": 4, "end": 9, "Mood": "glad"},
        {"%ID": 3, "%TYPE": "custom.Rel", "@sofa": 1, "begin": 4, "end": 9, "@Governor": 2},
    ]
    content = {"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": {}}
    marks, account = imported(page, tmp_path, "uima-xmi", content)
    assert [(mark.type, *quotes(page, [mark])) for mark in marks] == [("glad", "ferry")]
    assert account.passed == {"a relation": 1}


def test_older_forms_of_doccano_are_read(page, tmp_path):
    span = {"start_offset": 19, "end_offset": 24, "label": 3}
    lines = [{"text": TEXT, "annotations": [span], "meta": {"page": "story.html"}},
             {"data": TEXT, "label": [[19, 24, "Boat"]], "filename": "story.html"}]  # fmt: skip
    marks, _ = imported(page, tmp_path, "doccano", lines)
    assert [mark.type for mark in marks] == ["class 3", "Boat"]


def test_offsets_of_uima_xmi_are_counted_in_utf_16(page, tmp_path):
    content = """<?xml version="1.0"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI"
    xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///custom.ecore">
    <custom:Span xmi:id="8" sofa="1" begin="7" end="12" label="Boat"/>
    <cas:Sofa xmi:id="1" sofaNum="1" mimeType="text" sofaString="&#x1F6A2; the ferry came"/>
    </xmi:XMI>"""
    marks, _ = imported(page, tmp_path, "uima-xmi", content, "story.xmi")
    assert [mark.type for mark in marks] == ["Boat"]
    assert quotes(page, marks) == ["ferry"]
