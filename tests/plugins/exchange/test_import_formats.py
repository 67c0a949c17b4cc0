"""Files of other tools, made after their specifications: marks read and marks passed over."""

import io
import json
import random
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from annotate.marks.gold import MAIN, MarkState
from annotate.marks.page_text import page_text
from annotate.plugins.exchange.imports import NAMES, READERS, MarkFile, fresh_marks, recognised
from annotate.plugins.exchange.reading import brush_box, run_length_box
from engine.document import Document
from engine.errors import InputError
from gui.cli.main import main
from tests.annotate.pages import page_of, row_of

ROOT = Path(__file__).parents[3]
BODY = (
    "<div id=top><p id=menu>home news about</p></div>"
    "<div id=body><h1 id=title>Ferry and quay</h1><p id=one>the ferry came back this morning "
    "after nine years</p><p id=two>and the <b class=town>town</b> stood on the quay</p></div>"
)
TEXT = "Ferry and quay\nthe ferry came back this morning after nine years\nand the town stood on\n"


@pytest.fixture(scope="module")
def page():
    return page_of(BODY, url="https://example.org/story.html")


def imported(page, tmp_path, key, content, name="story.json"):
    """Return the marks of a file and its account, after recognising its format by content."""
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    assert recognised(path) == key
    file = MarkFile(path, key)
    called = file.name_of("story.html", Document("https://example.org/story.html", "story.html"))
    account = file.account
    marks = ()
    if called is not None:
        result = file.marks(called, page)
        account.add(result.account)
        marks = result.gold.marks
    return marks, account


def quotes(page, marks):
    return [page_text(page.rendered()).quote(mark.targets) for mark in marks]


def box_of(page, name):
    return page.rendered().rect[row_of(page.rendered(), name)].tolist()


# -- boxes


def coco(page, **annotation):
    return {
        "images": [{"id": 0, "file_name": "story.png"}],
        "categories": [{"id": 0, "name": "Article"}],
        "annotations": [{"id": 5, "image_id": 0, "category_id": 0} | annotation],
    }


def corners(box):
    x, y, width, height = box
    return [x, y, x + width, y, x + width, y + height, x, y + height]


def test_a_coco_annotation_without_a_box_is_placed_by_its_polygon(page, tmp_path):
    polygon = [corners(box_of(page, "one"))]
    marks, account = imported(page, tmp_path, "coco", coco(page, segmentation=polygon))
    assert [mark.targets[0].row for mark in marks] == [row_of(page.rendered(), "one")]
    assert account.sentence() == "1 mark found: 1 taken"


def test_incomplete_coco_annotations_are_passed_over_with_reasons(page, tmp_path):
    content = coco(page, bbox=box_of(page, "one"))
    content["annotations"] += [
        {"id": 6, "image_id": 0, "category_id": 0},
        {"id": 7, "image_id": 9, "category_id": 0, "bbox": [0, 0, 5, 5]},
        {"id": 8, "image_id": 0, "category_id": 3, "bbox": [0, 0, 5, 5]},
        {"id": 9, "image_id": 0},
        "odd",
    ]
    _, account = imported(page, tmp_path, "coco", content)
    assert (account.taken, account.found) == (1, 6)
    assert account.passed["it has neither a box nor a segmentation"] == 1
    assert account.passed["the file has no image 9"] == 1
    assert account.passed["the file has no category 3"] == 1


def compressed(runs):
    """Return runs as pycocotools' rleToString writes them."""
    text = ""
    for number, run in enumerate(runs):
        value = run - runs[number - 2] if number > 2 else run
        more = True
        while more:
            code = value & 31
            value >>= 5
            more = value != -1 if code & 16 else value != 0
            text += chr((code | 32 if more else code) + 48)
    return text


def test_masks_of_coco_give_the_bounding_box_of_their_pixels():
    draw = random.Random(3)
    for _ in range(40):
        height, width = draw.randint(1, 30), draw.randint(1, 30)
        mask = np.zeros((height, width), dtype=np.uint8)
        x, y = draw.randrange(width), draw.randrange(height)
        mask[y : y + draw.randint(1, 9), x : x + draw.randint(1, 9)] = 1
        mask[draw.randrange(height), draw.randrange(width)] = 1
        flat = mask.T.ravel()
        edges = np.flatnonzero(np.diff(np.concatenate(([0], flat, [0]))))
        runs = np.diff(np.concatenate(([0], edges))).tolist()
        if flat[-1] == 0:
            runs.append(flat.size - sum(runs))
        rows, columns = np.nonzero(mask)
        expected = (
            columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1,
        )  # fmt: skip
        assert run_length_box(runs, height, width) == expected
        assert run_length_box(compressed(runs), height, width) == expected


@pytest.mark.parametrize("counts", ["", "\x00", "P" * 40, [5, 900], [-1, 3], [12]])
def test_a_damaged_mask_is_refused(counts):
    with pytest.raises(InputError):
        run_length_box(counts, 4, 5)


def packed_brush(alpha):
    """Return a picture as rle-pack writes it, only in runs of equal values."""
    flat = np.zeros((alpha.size, 4), dtype=int)
    flat[:, 3] = alpha.ravel()
    values = flat.ravel().tolist()
    bits = f"{len(values):032b}{7:05b}" + "".join(f"{size - 1:04b}" for size in (3, 4, 8, 16))
    at = 0
    while at < len(values):
        length = 1
        while length < 8 and at + length < len(values) and values[at + length] == values[at]:
            length += 1
        if length > 1:
            bits += f"1{0:02b}{length - 1:03b}{values[at]:08b}"
        else:
            bits += f"0{0:02b}{0:03b}{values[at]:08b}"
        at += length
    bits += "0" * (-len(bits) % 8)
    return [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]


def test_a_brush_of_label_studio_gives_the_bounding_box_of_its_pixels():
    alpha = np.zeros((20, 30), dtype=int)
    alpha[4:9, 7:21] = 255
    assert brush_box(packed_brush(alpha), 30, 20) == (7, 4, 14, 5)
    with pytest.raises(InputError, match="too early"):
        brush_box(packed_brush(alpha)[:-9], 30, 20)


def test_shapes_of_labelme_are_read_and_those_without_area_are_reported(page, tmp_path):
    x, y, width, height = box_of(page, "one")
    shape = {"label": "Article", "flags": {}}
    content = {
        "flags": {"checked": True},
        "imagePath": "story.png",
        "shapes": [
            shape | {"shape_type": "rectangle", "points": [[x + width, y], [x, y + height]]},
            shape | {"shape_type": "circle", "points": [[x, y], [x + 3, y + 4]]},
            shape | {"shape_type": "line", "points": [[x, y], [x + 3, y + 4]]},
            shape | {"shape_type": "point", "points": [[x, y]]},
            {"label": "nothing"},
        ],
    }
    marks, account = imported(page, tmp_path, "labelme", content)
    assert marks[0].targets[0].row == row_of(page.rendered(), "one")
    assert account.found == 6
    assert account.passed["a line has no area"] == account.passed["a point has no area"] == 1
    assert account.passed["a flag of the whole picture"] == 1


def test_regions_of_via_are_read_from_json_and_csv(page, tmp_path):
    x, y, width, height = box_of(page, "one")
    rect = {"name": "rect", "x": x, "y": y, "width": width, "height": height}
    kind = {"type": "Article"}
    point = {"name": "point", "cx": x, "cy": y}
    content = {
        "story.png1": {
            "filename": "story.png",
            "regions": [
                {"shape_attributes": rect, "region_attributes": kind},
                {"shape_attributes": point, "region_attributes": kind},
            ],
        }
    }
    marks, account = imported(page, tmp_path, "via", content)
    assert [mark.type for mark in marks] == ["Article"]
    assert account.sentence() == ("2 marks found: 1 taken; 1 passed over: a point has no area")
    quoted = [json.dumps(each).replace('"', '""') for each in (rect, kind)]
    table = (
        "filename,file_size,region_count,region_id,region_shape_attributes,region_attributes\n"
        f'story.png,9,1,0,"{quoted[0]}","{quoted[1]}"\n'
    )
    marks, _ = imported(page, tmp_path, "via", table, "story.csv")
    assert [mark.type for mark in marks] == ["Article"]


def test_shapes_of_cvat_are_read_and_points_and_tags_are_passed_over(page, tmp_path):
    x, y, width, height = box_of(page, "one")
    content = f"""<?xml version="1.0" encoding="utf-8"?><annotations><version>1.1</version>
    <image id="0" name="story.png" width="0" height="0">
    <box label="Article" xtl="{x}" ytl="{y}" xbr="{x + width}" ybr="{y + height}"/>
    <polygon label="Article" points="{x},{y};{x + width},{y};{x},{y + height}"/>
    <points label="Dot" points="1,2"/><tag label="Story"/></image></annotations>"""
    marks, account = imported(page, tmp_path, "cvat", content, "story.xml")
    assert [mark.type for mark in marks] == ["Article", "Article"]
    assert (account.taken, account.passed.total()) == (2, 2)


@pytest.mark.parametrize("names", ["Menu\nArticle\n", "names: [Menu, 'Article']\n",
                                   "nc: 2\nnames:\n  0: Menu\n  1: Article\n"])  # fmt: skip
def test_labels_of_yolo_are_read_with_their_class_names(names, page, tmp_path):
    nodes = page.rendered()
    x, y, width, height = box_of(page, "one")
    line = [(x + width / 2) / nodes.width, (y + height / 2) / nodes.height,
            width / nodes.width, height / nodes.height]  # fmt: skip
    name = "data.yaml" if "names" in names else "classes.txt"
    (tmp_path / name).write_text(names)
    lines = f"1 {' '.join(map(str, line))}\n7 0.1 0.1 0.1 0.1\nodd\n"
    marks, account = imported(page, tmp_path, "yolo", lines, "story.txt")
    assert [(mark.type, mark.targets[0].row) for mark in marks] == [
        ("Article", row_of(nodes, "one"))
    ]
    assert (account.taken, account.passed.total()) == (1, 2)
    assert recognised(tmp_path) == "yolo"


def test_annotations_of_coco_without_categories_are_named_by_number(page, tmp_path):
    content = coco(page, bbox=box_of(page, "one"))
    del content["categories"]
    marks, _ = imported(page, tmp_path, "coco", content)
    assert [mark.type for mark in marks] == ["class 0"]


def test_a_list_of_unknown_name_is_reported_as_not_read(page, tmp_path):
    content = coco(page, bbox=box_of(page, "one"))
    content["annotation"] = content.pop("annotations")
    _, account = imported(page, tmp_path, "coco", content)
    assert account.sentence() == (
        "1 mark found: 0 taken; 1 passed over: in annotation, which is not read"
    )


def region(page, name, kind, **value):
    nodes = page.rendered()
    x, y, width, height = box_of(page, name)
    box = {"x": 100 * x / nodes.width, "y": 100 * y / nodes.height,
           "width": 100 * width / nodes.width, "height": 100 * height / nodes.height}  # fmt: skip
    return {"id": name, "type": kind, "original_width": nodes.width,
            "original_height": nodes.height, "value": box | value}  # fmt: skip


def test_labels_and_choices_of_a_label_studio_region_are_its_type(page, tmp_path):
    results = [
        region(page, "one", "rectangle"), region(page, "one", "labels", labels=["Article"]),
        region(page, "menu", "rectangle"), region(page, "menu", "choices", choices=["Menu"]),
        region(page, "menu", "textarea", text=["a note"]),
    ]  # fmt: skip
    task = {"id": 1, "data": {"image": "story.png"}, "annotations": [{"result": results}]}
    marks, account = imported(page, tmp_path, "label-studio", [task])
    rows = [(mark.type, mark.targets[0].row) for mark in marks]
    assert rows == [(kind, row_of(page.rendered(), name))
                    for kind, name in (("Article", "one"), ("Menu", "menu"))]  # fmt: skip
    assert account.passed == {"more about a region that is read": 1}


def test_rotated_and_round_shapes_of_label_studio_give_their_bounding_box(page, tmp_path):
    nodes = page.rendered()
    x, y, width, height = box_of(page, "one")
    across, down = 100 / nodes.width, 100 / nodes.height
    turned = region(page, "one", "rectanglelabels", rectanglelabels=["Turned"], rotation=90,
                    x=(x + width) * across, width=height * across, height=width * down)  # fmt: skip
    round_ = region(page, "menu", "ellipselabels", ellipselabels=["Round"])
    x, y, width, height = box_of(page, "menu")
    round_["value"] = {"x": (x + width / 2) * across, "y": (y + height / 2) * down, "rotation": 180,
                       "radiusX": width / 2 * across, "radiusY": height / 2 * down,
                       "ellipselabels": ["Round"]}  # fmt: skip
    task = {"id": 1, "data": {"image": "story.png"}, "annotations": [{"result": [turned, round_]}]}
    marks, _ = imported(page, tmp_path, "label-studio", [task])
    assert [(mark.type, mark.targets[0].row) for mark in marks] == [
        ("Turned", row_of(nodes, "one")), ("Round", row_of(nodes, "menu")),
    ]  # fmt: skip


def test_choices_in_json_min_exports_of_label_studio_are_passed_over(page, tmp_path):
    row = {"image": "story.png", "id": 1, "quality": "Good", "both": {"choices": ["a", "b"]},
           "annotator": 1, "annotation_id": 2, "lead_time": 3.0}  # fmt: skip
    _, account = imported(page, tmp_path, "label-studio", [row])
    assert account.passed == {
        "a plain value: a choice, a note, or data of the task": 1,
        "a choice about the whole page": 1,
    }


def test_a_label_studio_table_with_html_in_its_cells_is_read(page, tmp_path):
    value = {"start": "/div[2]/p[1]/text()[1]", "end": "/div[2]/p[1]/text()[1]", "startOffset": 4,
             "endOffset": 9, "text": "ferry", "hypertextlabels": ["Boat"]}  # fmt: skip
    cells = ["7", "1", f"<html><body>{BODY}</body></html>", "story.html", json.dumps([value])]
    for separator in ",\t":
        row = separator.join('"' + cell.replace('"', '""') + '"' for cell in cells)
        head = separator.join(("annotation_id", "annotator", "html", "url", "label"))
        name = "story.csv" if separator == "," else "story.tsv"
        marks, _ = imported(page, tmp_path, "label-studio", f"{head}\n{row}\n", name)
        assert quotes(page, marks) == ["ferry"]


def test_the_type_of_a_region_of_via_is_its_attribute_named_type(page, tmp_path):
    x, y, width, height = box_of(page, "one")
    rect = {"name": "rect", "x": x, "y": y, "width": width, "height": height}
    attributes = {"quality": {"good": True}, "Type": {"Article": True, "Menu": False}}
    content = {"story.png1": {"filename": "story.png", "regions": {
        "0": {"shape_attributes": rect, "region_attributes": attributes}}}}  # fmt: skip
    marks, _ = imported(page, tmp_path, "via", content)
    assert [mark.type for mark in marks] == ["Article"]


def test_regions_of_via_3_are_typed_by_the_names_of_their_options(page, tmp_path):
    box = box_of(page, "one")
    ring = [value for at in (0, 2, 4, 6) for value in corners(box)[at : at + 2]]
    project = {
        "project": {"vid_list": ["1"]}, "view": {"1": {"fid_list": ["4"]}},
        "file": {"4": {"fid": "4", "fname": "story.png"}},
        "attribute": {"1": {"aname": "note", "options": {}},
                      "2": {"aname": "Section", "options": {"0": "Menu", "1": "Article"}}},
        "metadata": {"1_a": {"vid": "1", "xy": [2, *box], "av": {"1": "x", "2": "1"}},
                     "1_b": {"vid": "1", "xy": [7, *ring], "av": {"2": "0"}},
                     "1_c": {"vid": "1", "xy": [1, 4, 5], "av": {}},
                     "1_d": {"vid": "1", "xy": [], "z": [1, 2], "av": {}}},
    }  # fmt: skip
    marks, account = imported(page, tmp_path, "via", project)
    assert [mark.type for mark in marks] == ["Article", "Menu"]
    assert account.passed == {"a point has no area": 1, "it has no shape": 1}


def test_objects_of_pascal_voc_are_read_unless_deleted(page, tmp_path):
    x, y, width, height = box_of(page, "one")
    ends = {"xmin": x, "ymin": y, "xmax": x + width, "ymax": y + height}
    box = "".join(f"<{name}>{value}</{name}>" for name, value in ends.items())
    ring = corners(box_of(page, "one"))
    points = "".join(f"<pt><x>{ring[at]}</x><y>{ring[at + 1]}</y></pt>" for at in (0, 2, 4, 6))
    content = (
        "<annotation><filename>story.png</filename>"
        f"<object><name>Article</name><bndbox>{box}</bndbox></object>"
        f"<object><name>Old</name><deleted>0</deleted><polygon>{points}</polygon></object>"
        "<object><name>Gone</name><deleted>1</deleted></object><object/></annotation>"
    )
    marks, account = imported(page, tmp_path, "voc", content, "story.xml")
    assert [mark.type for mark in marks] == ["Article", "Old"]
    assert (account.taken, account.found) == (2, 4)


def test_a_folder_of_files_of_one_format_is_read_as_one(page, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    shape = {"label": "Ad", "points": [[1, 2], [30, 40]], "shape_type": "rectangle"}
    for name in ("story", "list"):
        content = {"imagePath": f"{name}.png", "imageData": None, "shapes": [shape]}
        (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")
    (folder / "notes.json").write_text("[1, 2]", "utf-8")
    assert recognised(folder) == "labelme"
    file = MarkFile(folder, "labelme")
    assert [(name, file.count(name)) for name in file.names] == [("list.png", 1), ("story.png", 1)]
    assert file.account.passed == {"a file that is not of labelme": 1}


# -- text


def span(**value):
    return {"id": "s", "from_name": "label", "type": "hypertextlabels", "value": value}


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
    assert recognised(path) is None
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


# -- W3C


def annotation(*selectors, **more):
    return {
        "type": "Annotation",
        "target": {"source": "https://example.org/story.html", "selector": list(selectors)},
    } | more


def refined(selector, by):
    return selector | {"refinedBy": by}


XPATH = {"type": "XPathSelector", "value": "/html/body/div[2]/p"}
QUOTE = {"type": "TextQuoteSelector", "exact": "ferry"}


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (XPATH, "the ferry came back this morning after nine years"),
        ({"type": "XPathSelector", "value": "//p[@id='menu']"}, "home news about"),
        ({"type": "CssSelector", "value": "#two > b.town"}, "town"),
        ({"type": "FragmentSelector", "value": "title"}, "Ferry and quay"),
        ({"type": "FragmentSelector", "value": ":~:text=nine%20years"}, "nine years"),
        (refined(XPATH, QUOTE), "ferry"),
        (refined(XPATH, {"type": "TextPositionSelector", "start": 4, "end": 9}), "ferry"),
        (refined({"type": "CssSelector", "value": "#two"}, {"type": "CssSelector", "value": "b"}),
         "town"),
        ({"type": "RangeSelector", "startSelector": XPATH, "endSelector":
          refined(XPATH, {"type": "TextPositionSelector", "start": 9, "end": 9})}, "the ferry"),
        ({"type": "RangeSelector", "startContainer": "/div[2]/p[2]", "startOffset": 4,
          "endContainer": "/div[2]/p[2]", "endOffset": 12}, "the town"),
    ],
)  # fmt: skip
def test_selectors_of_the_specification_find_their_text(selector, expected, page, tmp_path):
    marks, account = imported(page, tmp_path, "webannotation", annotation(selector))
    assert quotes(page, marks) == [expected]
    assert marks[0].state is MarkState.EXACT
    assert account.taken == 1


def test_a_text_position_without_a_quote_must_be_confirmed(page, tmp_path):
    position = {"type": "TextPositionSelector", "start": 16, "end": 21}
    marks, account = imported(page, tmp_path, "webannotation", annotation(position))
    assert marks[0].state is MarkState.MOVED
    assert (account.taken, account.moved) == (0, 1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (annotation({"type": "SvgSelector", "value": "<svg/>"}), "SvgSelector"),
        (annotation({"type": "DataPositionSelector", "start": 1, "end": 2}), "in bytes"),
        (annotation(target="https://example.org/story.html"), "about the whole page"),
        (annotation(target={"id": "https://example.org/story.html"}), "about the whole page"),
        (annotation(target={"type": "List", "items": ["https://example.org/story.html"]}),
         "about the whole page"),
        (annotation(QUOTE, id=["a", "b"]), "one address"),
        (annotation(QUOTE, id="not a uri"), "one address"),
        (annotation(target=[]), "no target"),
        (annotation({"type": "FragmentSelector"}), "no value"),
        (annotation({"type": "FragmentSelector", "value": "xywh=1,2,3,4"}), "no element"),
    ],
)  # fmt: skip
def test_annotations_that_mark_no_text_are_reported(content, reason, page, tmp_path):
    _, account = imported(page, tmp_path, "webannotation", content)
    assert (account.taken, account.found) == (0, 1)
    assert reason in account.sentence()


def test_rows_of_hypothesis_are_read_and_replies_are_passed_over(page, tmp_path):
    target = {"source": "https://example.org/story.html", "selector": [QUOTE]}
    uri = "https://example.org/story.html"
    content = {
        "total": 2,
        "rows": [
            {"id": "a", "uri": uri, "text": "", "target": [target]},
            {"id": "b", "uri": uri, "references": ["a"], "target": [{"source": uri}]},
        ],
    }
    target["selector"][0] = QUOTE | {"prefix": "the "}
    marks, account = imported(page, tmp_path, "webannotation", content)
    assert [mark.level for mark in marks] == [MAIN]
    assert account.passed["a reply to another annotation"] == 1


def test_a_damaged_selector_does_not_hide_the_others(page, tmp_path):
    broken = {"type": "RangeSelector", "startContainer": 3}
    marks, account = imported(page, tmp_path, "webannotation", annotation(broken, QUOTE))
    assert quotes(page, marks) == ["ferry"]
    assert account.taken == 1


def test_a_quote_without_spaces_between_cells_in_its_context_is_exact(tmp_path):
    page = page_of("<p>x</p><table><tr><td>tea is</td><td>hot and green and bitter</td>"
                   "<td>cake</td></tr></table>", url="https://example.org/story.html")  # fmt: skip
    quote = {"type": "TextQuoteSelector", "exact": "hot and green and bitter",
             "prefix": "x\ntea is", "suffix": "cake"}  # fmt: skip
    marks, account = imported(page, tmp_path, "webannotation", annotation(quote))
    assert marks[0].state is MarkState.EXACT
    assert account.taken == 1


def test_a_similar_or_repeated_quote_without_context_must_be_confirmed(page, tmp_path):
    nearly = {"type": "TextQuoteSelector", "exact": "the ferry came back this evening after nine"}
    twice = {"type": "TextQuoteSelector", "exact": "the"}
    gone = {"type": "TextQuoteSelector", "exact": "an airship landed in the market square at noon"}
    items = [annotation(each) for each in (nearly, twice, gone)]
    marks, account = imported(page, tmp_path, "webannotation", items)
    assert (
        account.sentence() == "3 marks found: 0 taken; 2 to be confirmed; 1 lost: not on the page"
    )
    assert quotes(page, marks)[1] == "the"


def test_offsets_of_range_selectors_are_counted_in_utf_16(tmp_path):
    page = page_of("<p>\U0001f6a2 the ferry and the ferry</p>", "https://example.org/story.html")
    ends = {"startContainer": "/p[1]", "startOffset": 7, "endContainer": "/p[1]", "endOffset": 12}
    range_ = {"type": "RangeSelector"} | ends
    marks, _ = imported(page, tmp_path, "webannotation", annotation(range_, QUOTE))
    assert (quotes(page, marks), marks[0].targets[0].start) == (["ferry"], 6)


@pytest.mark.parametrize(
    "source",
    ["http://example.org/story.html", "https://example.org/story.html#top", "file:///a/story.html"],
)
def test_annotations_match_addresses_with_another_scheme_or_a_fragment(source, page, tmp_path):
    target = {"source": source, "selector": QUOTE}
    _, account = imported(page, tmp_path, "webannotation", annotation(target=target))
    assert account.found == account.taken == 1


def test_annotations_in_json_lines_and_a_single_row_of_hypothesis_are_read(page, tmp_path):
    uri = "https://example.org/story.html"
    row = {"id": "a", "uri": uri, "target": [{"source": uri, "selector": [QUOTE]}]}
    _, account = imported(page, tmp_path, "webannotation", row)
    assert account.taken == 1
    lines = f"{json.dumps(row)}\n{{damaged\n{json.dumps(row)}\n"
    _, account = imported(page, tmp_path, "webannotation", lines, "story.jsonl")
    assert (account.taken, account.found) == (2, 3)


# -- all formats: a part removed, doubled or renamed


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
                if recognised(path) != key:
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
