"""Numbers of other tools' mark files: whatever one is replaced by, nothing but a sentence comes.

The independent truth is the file itself: a mark at a number that is none is told, not raised.
"""

import json
import re

import pytest

from annotate.plugins.exchange.imports import MarkFile
from engine.document import Document
from engine.errors import PageletError
from tests.oracles.test_numbers_of_files import ODD
from tests.plugins.exchange.marks_in import page_with

TEXT = "the ferry came back this morning after nine years\nand the town stood on the quay"
BOX = "<object><name>Ad</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>90</xmax><ymax>20</ymax>"
COCO = {
    "images": [{"id": 1, "file_name": "story.html", "width": 1366, "height": 768}],
    "categories": [{"id": 1, "name": "Ad"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 900, 60],
                     "area": 54000, "iscrowd": 0, "segmentation": [[0, 0, 900, 0, 900, 60]]}],
}  # fmt: skip
LABELME = {
    "version": "5", "imagePath": "story.png", "imageHeight": 768, "imageWidth": 1366,
    "shapes": [{"label": "Ad", "shape_type": "rectangle", "points": [[0, 0], [900, 60]]}],
}  # fmt: skip
STUDIO = [{
    "id": 1, "data": {"html": "story.html"},
    "annotations": [{"id": 1, "result": [
        {"id": "a", "type": "rectanglelabels", "from_name": "l", "to_name": "p",
         "original_width": 1366, "original_height": 768,
         "value": {"x": 1.5, "y": 2.5, "width": 50, "height": 9, "rotation": 0,
                   "rectanglelabels": ["Ad"]}},
        {"id": "b", "type": "hypertextlabels", "from_name": "l", "to_name": "p",
         "value": {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 4,
                   "endOffset": 9, "globalOffsets": {"start": 4, "end": 9},
                   "hypertextlabels": ["Ad"]}}]}],
}]  # fmt: skip
ANNOTATION = {
    "@context": "http://www.w3.org/ns/anno.jsonld", "type": "Annotation", "id": "a",
    "target": {"source": "https://example.org/story.html",
               "selector": [{"type": "TextPositionSelector", "start": 4, "end": 9},
                            {"type": "FragmentSelector", "value": "xywh=0,0,900,60"}]},
}  # fmt: skip
VIA = {"story.png9": {
    "filename": "story.png", "size": 9, "file_attributes": {},
    "regions": [{"shape_attributes": {"name": "rect", "x": 0, "y": 0, "width": 900, "height": 60},
                 "region_attributes": {"label": "Ad"}}],
}}  # fmt: skip
FILES = {
    "coco": ("a.json", COCO),
    "labelme": ("story.json", LABELME),
    "label-studio": ("a.json", STUDIO),
    "webannotation": ("a.json", ANNOTATION),
    "via": ("a.json", VIA),
    "doccano": ("a.jsonl", {"id": 1, "text": TEXT, "label": [[4, 9, "Ad"]]}),
    "yolo": ("story.txt", "0 0.5 0.5 0.25 0.125"),
    "brat": ("story.ann", "T1\tAd 4 9\tferry\n"),
    "voc": ("story.xml", ("<annotation><filename>story.png</filename><size><width>1366</width>"
            f"<height>768</height></size>{BOX}</object></annotation>")),
    "cvat": ("a.xml", ('<annotations><image id="0" name="story.png" width="1366" height="768">'
             '<box label="Ad" xtl="0" ytl="0" xbr="900" ybr="60" rotation="0"/>'
             "</image></annotations>")),
}  # fmt: skip


def mutants(text):
    """Yield a text with each of its numbers replaced by what no number of its kind is."""
    for number in re.finditer(r"(?<![\w.])-?\d+(\.\d+)?(?![\w.])", text):
        for odd in ODD:
            plain = odd.strip('"') if text[number.start() - 1 : number.start()] in '",=>' else odd
            yield text[: number.start()] + plain + text[number.end() :]


def failures(key, folder, page, reader=MarkFile):
    """Return what a reader raised that is no sentence, by the text that was put in; the count."""
    name, content = FILES[key]
    whole = content if isinstance(content, str) else json.dumps(content)
    (folder / "story.txt").write_text(TEXT)
    document, found, count = Document("https://example.org/story.html", "story.html"), {}, 0
    for text in mutants(whole):
        (folder / name).write_text(text)
        count += 1
        try:
            file = reader(folder / name, key)
            called = file.name_of("story.html", document)
            if called is not None:
                file.marks(called, page)
        except PageletError as error:
            if len(str(error)) > 1000 or "\n" in str(error):
                found[text] = str(error)
        except Exception as error:  # noqa: BLE001  (the finding)
            found[text] = f"{type(error).__name__}: {error}"
    return found, count


@pytest.mark.parametrize("key", FILES)
def test_numbers_of_a_mark_file_are_taken_or_told(tmp_path, key):
    found, count = failures(key, tmp_path, page_with(TEXT))
    print(key, count, "texts", len(found), "found")
    assert count >= 2 * len(ODD)
    assert not found, {text[:300]: why[:200] for text, why in list(found.items())[:3]}


def test_the_oracle_finds_a_reader_that_trusts_its_file(tmp_path):
    class Trusting(MarkFile):
        def __init__(self, path, key):
            super().__init__(path, key)
            width, height = json.loads(path.read_text())["shapes"][0]["points"][1]
            self.account.take(int(width) * int(height))

    found, _ = failures("labelme", tmp_path, page_with(TEXT), Trusting)
    raised = {why.partition(":")[0] for why in found.values()}
    assert {"ValueError", "OverflowError", "TypeError"} & raised
