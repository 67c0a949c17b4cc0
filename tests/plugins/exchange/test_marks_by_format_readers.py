"""What a file of marks says, by its format's own reader: XML by lxml, JSON by json, YAML by PyYAML.

As users of other tools report: XML in another encoding than UTF-8 (convert2Yolo #21, voc2coco #4),
JSON as PowerShell writes it, class names with commas and quotes (yolov5 #7049, ultralytics PR
23754, supervision #156), turned boxes (cvat #4745), ids that pandas wrote, one damaged file in a
folder.
"""

import json
import re
import time

import cv2
import numpy as np
import pytest
import yaml
from lxml import etree

from annotate.plugins.exchange import box_readers, class_names
from annotate.plugins.exchange.imports import READERS, account_of, recognise_format
from annotate.plugins.exchange.reading import read_raw

LABEL = "Größe é"
VOC = (
    "<annotation><filename>p.png</filename><size><width>100</width><height>80</height></size>"
    "<object><name>{}</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax>"
    "</bndbox></object></annotation>"
)
CVAT = (
    '<annotations><version>1.1</version><image id="0" name="p.png" width="100" height="80"><box '
    'label="{}" xtl="1" ytl="1" xbr="9" ybr="9"/></image></annotations>'
)
XMI = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
    'xmlns:custom="http:///custom.ecore"><cas:Sofa xmi:id="1" sofaString="one two"/>'
    '<custom:Span xmi:id="2" sofa="1" begin="0" end="3" value="{}"/></xmi:XMI>'
)
BOX = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 8, 8]}
COCO = {"images": [{"id": 1, "file_name": "p.png", "width": 100, "height": 80}],
        "categories": [{"id": 1, "name": LABEL}], "annotations": [BOX]}  # fmt: skip
LABELME = {"version": "5", "flags": {}, "imagePath": "p.png", "imageData": None, "imageHeight": 80,
           "imageWidth": 100, "shapes": [{"label": LABEL, "shape_type": "rectangle", "flags": {},
                                          "points": [[1, 1], [9, 9]]}]}  # fmt: skip
SPANS = {"text": "one two", "label": [[0, 3, LABEL]], "id": 1}
STUDIO = [{"id": 1, "data": {"text": "one two"}, "annotations": [{"result": [
    {"id": "a", "type": "labels", "value": {"start": 0, "end": 3, "text": "one",
                                            "labels": [LABEL]}}]}]}]  # fmt: skip
_JSONS = {"coco": COCO, "labelme": LABELME, "doccano": SPANS, "label-studio": STUDIO}
_XMLS = {"voc": VOC, "cvat": CVAT, "uima-xmi": XMI}


def labels(path, key):
    """Return the labels of a file's marks, by Pagelet."""
    file = READERS[key](path)
    boxes = [each.type for boxes in file.boxes.values() for each in boxes]
    return boxes + [each.type for texts in file.texts.values() for each in texts]


@pytest.mark.parametrize("key", _XMLS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "gb18030"])
def test_xml_is_read_in_the_encoding_that_it_declares(tmp_path, key, encoding):
    path = tmp_path / "a.xml"
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>\n{_XMLS[key].format(LABEL)}'
    path.write_bytes(text.encode(encoding))
    told = " ".join(etree.parse(path).xpath("//text() | //@*"))
    assert LABEL in told
    assert labels(path, key) == [LABEL]
    assert recognise_format(path) == key


@pytest.mark.parametrize("key", _JSONS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_json_is_read_in_any_encoding_of_its_standard(tmp_path, key, encoding):
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps(_JSONS[key], ensure_ascii=False).encode(encoding))
    assert json.loads(path.read_bytes()) == _JSONS[key]
    assert labels(path, key) == [LABEL]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_json_with_a_byte_order_mark_is_recognised_and_counted(tmp_path, encoding):
    for key, content in _JSONS.items():
        path = tmp_path / f"{key}.json"
        path.write_bytes(json.dumps(content).encode(encoding))
        assert recognise_format(path) == key
        assert account_of(path, key).taken == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_text_for_positions_keeps_its_byte_order_mark(tmp_path, encoding, mark):
    path = tmp_path / "a.txt"
    path.write_bytes(f"{mark}one\r\ntwo".encode(encoding))
    assert read_raw(path, "brat") == f"{mark}one\r\ntwo"


_SETTINGS = {
    "commas and quotes": "nc: 3\nnames: [\"header, top\", 'it''s # one', \"Stra\\u00dfe\"]\n",
    "over lines": "train: a\nnames: ['header',  # the first\n  'main', # the text\n\n  foot,\n]\n",
    "numbered in braces": 'names: {0: a, 1: "b, c", 2: d e}\nnc: 3\n',
    "one a line": "names:\n- \"a: b\"   # c\n- &x main\n- 'don''t'\n- c#\n# d\n\n- e, f\nnc: 5\n",
    "numbered, indented": "path: x  # names:\nnames:\n  0: he\n  '1': [a]\n  2: \"q\"  # r\n",
    "a list that begins below": "names:\n  [a, b,\n   c]\nkpt_shape: [17, 3]\n",
    "quoted key": '"names": [a#b, c d , e]\n',
}


def _by_yaml(text):
    names = yaml.safe_load(text)["names"]
    items = names.items() if isinstance(names, dict) else enumerate(names)
    return {str(k): v if isinstance(v, str) else f"[{', '.join(v)}]" for k, v in items}


@pytest.mark.parametrize("text", _SETTINGS.values(), ids=list(_SETTINGS))
def test_names_of_classes_are_those_that_yaml_has(text):
    assert class_names.names_in_yaml(text) == _by_yaml(text)


@pytest.mark.parametrize("start", ["names: ", "names: [a", "names:\n- a\n"])
def test_reading_is_linear_in_the_length_of_comments(start):
    for lines in (16, 10_000):
        begun = time.process_time()
        class_names.names_in_yaml(start + "# " * lines + "\n- a")
        class_names.names_in_yaml(start + " # a  \n" * lines + "x")
        assert time.process_time() - begun < 1


def test_the_oracle_finds_a_comma_that_parts_a_name(monkeypatch):
    parting = re.compile(r"\s*()([^,\]]+)[,\]]")
    monkeypatch.setattr(class_names, "_IN_BRACKETS", parting)
    text = _SETTINGS["commas and quotes"]
    assert class_names.names_in_yaml(text) != _by_yaml(text)


def _turned(folder, degrees):
    """Return the ends of a box of CVAT, of COCO, of an ellipse, and of the first and last drawn."""
    path = folder / "a.xml"
    path.write_text(
        '<annotations><image id="0" name="p.png" width="1000" height="800"><box label="h" xtl="100"'
        f' ytl="200" xbr="300" ybr="240" rotation="{degrees}"/><ellipse label="e" cx="400" cy="300"'
        f' rx="90" ry="30" rotation="{degrees}"/></image></annotations>'
    )
    coco = folder / "a.json"
    turned = {**BOX, "bbox": [100, 200, 200, 40], "attributes": {"rotation": degrees}}
    coco.write_text(json.dumps({**COCO, "annotations": [turned]}))
    box, ellipse = (each.box for each in READERS["cvat"](path).boxes["p.png"])
    (other,) = (each.box for each in READERS["coco"](coco).boxes["p.png"])
    corners = cv2.boxPoints(((200.0, 220.0), (200.0, 40.0), degrees))
    arc = cv2.ellipse2Poly((400, 300), (90, 30), round(degrees), 0, 360, 1)
    return *map(_ends, (box, other, ellipse)), _around(corners), _around(arc)


@pytest.mark.parametrize("degrees", [0, 30.0, 90.0, 135.5, 359.0])
def test_a_turned_shape_gets_the_box_around_it(tmp_path, degrees):
    box, other, ellipse, drawn, arc = _turned(tmp_path, degrees)
    assert box == other == pytest.approx(drawn, abs=0.01)
    assert ellipse == pytest.approx(arc, abs=1.5)


def test_the_oracle_finds_a_box_that_is_not_turned(tmp_path, monkeypatch):
    monkeypatch.setattr(box_readers, "turned", lambda box, degrees: box)
    box, _, _, drawn, _ = _turned(tmp_path, 30.0)
    assert box != pytest.approx(drawn, abs=0.01)


def _ends(box):
    x, y, width, height = box
    return [x, y, x + width, y + height]


def _around(points):
    return [*np.min(points, axis=0).tolist(), *np.max(points, axis=0).tolist()]


def test_ids_that_a_table_made_fractions_of_are_the_same(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**COCO, "annotations": [{**BOX, "image_id": 1.0}]}))
    assert labels(path, "coco") == [LABEL]


def test_a_value_of_any_kind_is_a_type_of_via(tmp_path):
    path = tmp_path / "a.json"
    shape = {"name": "rect", "x": 1, "y": 1, "width": 5, "height": 5}
    values = [3, ["x", "y"], {"a": False, "b": True}, "c", True, 0, [0], False, 0.0]
    regions = [{"shape_attributes": shape, "region_attributes": {"type": v}} for v in values]
    path.write_text(json.dumps({"p.png1": {"filename": "p.png", "size": 1, "regions": regions}}))
    assert labels(path, "via") == ["3", "x", "b", "c", "True", "0", "0", "", "0.0"]


def test_a_damaged_file_in_a_folder_costs_itself_alone(tmp_path):
    for key, good, bad in (
        ("brat", {"a.txt": b"one two", "a.ann": b"T1\tX 0 3\tone\n"},
         {"b.txt": "über".encode("latin-1"), "b.ann": b"T1\tX 0 4\tuber\n"}),
        ("yolo", {"a.txt": b"0 .5 .5 .1 .1", "classes.txt": b"a"}, {"b.txt": b"0 .5 .5 .1 .1\xe9"}),
    ):  # fmt: skip
        folder = tmp_path / key
        folder.mkdir()
        for name, data in (good | bad).items():
            (folder / name).write_bytes(data)
        account = account_of(folder, key)
        assert (account.taken, account.passed.total()) == (1, 1)
        assert "cannot be read" in next(iter(account.passed))
