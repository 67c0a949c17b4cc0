"""Boxes of other tools, made after their specifications: marks read and marks passed over."""

import json
import random

import numpy as np
import pytest

from annotate.plugins.exchange.imports import MarkFile, recognise_format
from annotate.plugins.exchange.reading import brush_box, run_length_box
from engine.errors import InputError
from tests.annotate.pages import page_of, row_of
from tests.plugins.exchange.mark_files import BODY, box_of, coco, imported, quotes


@pytest.fixture(scope="module")
def page():
    return page_of(BODY, url="https://example.org/story.html")


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
    assert recognise_format(tmp_path) == "yolo"


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
    assert recognise_format(folder) == "labelme"
    file = MarkFile(folder, "labelme")
    assert [(name, file.count(name)) for name in file.names] == [("list.png", 1), ("story.png", 1)]
    assert file.account.passed == {"a file that is not of labelme": 1}
