"""Files of random marks in every form that a tool writes: each mark comes in where it is.

A file is damaged in ways that must not matter: line ends, byte order marks, lines in another order,
ids that are all the same, separators of lines inside a text.
"""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Target
from annotate.marks.page_text import page_text
from annotate.plugins.exchange.formats import format_of
from annotate.plugins.exchange.imports import KNOWN, MarkFile, fresh_marks
from annotate.plugins.exchange.marked_page import MarkedPage
from engine.document import Document
from tests.annotate.pages import page_of
from tests.oracles.mark_peers import marks_in, stated_in
from tests.plugins.exchange.marks_in import Said, bring, page_with, problems, stored

ANY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

pytestmark = pytest.mark.slow

WORDS = st.lists(
    st.text("abcxyzäöéשל\U0001f6a2\u2028\u0085\u200f\u00ad\u3042", min_size=1, max_size=6)
    .filter(lambda word: len(word.replace("\u200f", "").replace("\u00ad", "").split()) == 1),
    min_size=2, max_size=6,
)  # fmt: skip
LINES = st.lists(WORDS.map(" ".join), min_size=1, max_size=4)


@dataclass(frozen=True)
class Marked:
    """A text in lines, with spans of whole words: start and end in the text, label."""

    text: str
    spans: list[tuple[int, int, str]]


@st.composite
def marked(draw):
    text = "\n".join(draw(LINES))
    ends = [at for at in range(len(text) + 1) if text[at - 1 : at].isspace() or not text[:at]]
    spans = []
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.sampled_from(ends))
        stop = min((at for at in range(start, len(text)) if text[at].isspace()), default=len(text))
        if stop > start:
            spans.append((start, stop, draw(st.sampled_from(["Ad", "Header"]))))
    return Marked(text, spans)


def _doccano(folder, marks, draw):
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    rows = [
        {"id": 1, "text": marks.text, "label": [list(span) for span in marks.spans]},
        {"id": 1, "text": marks.text, "label": []},
    ]
    as_prodigy = [
        {"text": marks.text, "answer": answer,
         "spans": [{"start": a, "end": b, "label": c, "text": marks.text[a:b]}
                   for a, b, c in marks.spans]}
        for answer in ("accept", "reject")
    ]  # fmt: skip
    rows = draw(st.permutations(draw(st.sampled_from([rows, as_prodigy]))))
    path = folder / "spans.jsonl"
    bom = draw(st.sampled_from(["", "\ufeff"]))
    text = bom + ends.join(json.dumps(row, ensure_ascii=False) for row in rows) + ends
    path.write_bytes(text.encode())
    return path, "doccano"


def _brat(folder, marks, draw):
    ends, counted = draw(st.sampled_from([("\n", 1), ("\r\n", 1), ("\r\n", 2)]))
    bom = draw(st.sampled_from(["", "\ufeff"]))
    wide = draw(st.booleans())

    def at(offset):
        before = marks.text[:offset].replace("\n", "\r\n" if counted == 2 else "\n")
        return len(before.encode("utf-16-le")) // 2 if wide else len(before)

    own = draw(st.sampled_from(["T1", "T{}"]))
    lines = [
        f"{own.format(n)}\t{label} {at(a)} {at(b)}\t{marks.text[a:b]}"
        for n, (a, b, label) in enumerate(marks.spans, start=1)
    ]
    lines = draw(st.permutations([*lines, "#1\tAnnotatorNotes T1\tsure?"]))
    (folder / "pier.txt").write_bytes((bom + marks.text.replace("\n", ends)).encode())
    (folder / "pier.ann").write_bytes((bom + ends.join(lines) + ends).encode())
    return folder, "brat"


def _quotes(folder, marks, draw):
    own = draw(st.sampled_from(["a1", "urn:x:{}"]))
    items = [
        {"id": own.format(n), "type": "Annotation", "body": [
            {"type": "TextualBody", "purpose": "classifying", "value": label}],
         "target": {"source": "https://example.org/story.html", "selector": {
             "type": "TextQuoteSelector", "exact": marks.text[a:b],
             "prefix": marks.text[max(a - 30, 0) : a], "suffix": marks.text[b : b + 30]}}}
        for n, (a, b, label) in enumerate(marks.spans)
    ]  # fmt: skip
    path = folder / "anno.json"
    bom = draw(st.sampled_from(["", "\ufeff"]))
    path.write_text(bom + json.dumps({"type": "AnnotationPage", "items": items}), "utf-8")
    return path, "webannotation"


def _xmi(folder, marks, draw):
    def at(offset):
        return len(marks.text[:offset].encode("utf-16-le")) // 2  # as Java counts

    ends = [("seg:Token", a, b, "") for a, b, _ in marks.spans]
    ends += [("ner:NamedEntity", a, b, f' value="{label}"') for a, b, label in marks.spans]
    ends += [("custom:Note", at_, at_, "") for at_ in draw(st.sampled_from([[], [0]]))]
    items = [
        f'<{kind} xmi:id="{n}" sofa="9999" begin="{at(a)}" end="{at(b)}"{more}/>'
        for n, (kind, a, b, more) in enumerate(draw(st.permutations(ends)), start=1)
    ]
    numbers = " ".join(str(n) for n in range(1, len(items) + 1))
    text = "".join(f"&#{ord(sign)};" for sign in marks.text)
    path = folder / "cas.xmi"
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI" '
        'xmlns:cas="http:///uima/cas.ecore" xmlns:seg="http:///org/seg.ecore" '
        'xmlns:ner="http:///org/ner.ecore" xmlns:custom="http:///org/custom.ecore" '
        f'xmi:version="2.0">{"".join(items)}<cas:Sofa xmi:id="9999" sofaNum="1" '
        f'sofaID="_InitialView" mimeType="text" sofaString="{text}"/>'
        f'<cas:View sofa="9999" members="{numbers}"/></xmi:XMI>',
        "utf-8",
    )
    return path, "uima-xmi"


def _tsv(folder, marks, draw):
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    lines = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=org.Block|value", "", ""]
    for number, line in enumerate(marks.text.split("\n"), start=1):
        start = sum(len(each) + 1 for each in marks.text.split("\n")[: number - 1])
        lines += ["", f"#Text={line}"]
        for place, word in enumerate(line.split(" "), start=1):
            labels = [label for a, _, label in marks.spans if a == start]
            stacked = [f"{label}[{start}{n}]" for n, label in enumerate(labels)]
            cell = "|".join(stacked if len(stacked) > 1 else labels) or "_"
            units = [
                len(marks.text[:x].encode("utf-16-le")) // 2 for x in (start, start + len(word))
            ]
            lines.append(f"{number}-{place}\t{units[0]}-{units[1]}\t{word}\t{cell}\t")
            start += len(word) + 1
    path = folder / "story.tsv"
    path.write_bytes((ends.join(lines) + ends).encode())
    return path, "webanno-tsv"


@given(st.data(), marked(), st.sampled_from([_doccano, _brat, _quotes, _xmi, _tsv]))
@ANY
def test_every_mark_of_a_text_is_accounted_for_and_stored_on_the_words_it_states(data, marks, how):
    page = page_with(marks.text)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "marks")
        folder.mkdir()
        path, key = how(folder, marks, data.draw)
        workspace = Path(name, "w.pagelet")
        said = bring(path, page, workspace, key)
        records = stored(workspace)
        assert problems(said, records, marks_in(path, key), stated_in(path, key)) == []
        again = bring(path, page, workspace, key)
        assert (again.taken, again.moved, stored(workspace)) == (0, 0, records)
    # What is gold stands where the file says it is, not on the same words elsewhere.
    text = page_text(page.rendered()).text
    wanted = {(_place(marks.text, a), label) for a, b, label in marks.spans}
    for record in records:
        event(f"{key}: {'waits' if record.get('moved') else 'gold'}")
        if not record.get("moved"):
            start = record["targets"][0]["position"][0]
            assert (_place(text, start), record["type"]) in wanted


def _place(text, at):
    """Return how many signs that show stand before a place."""
    return len("".join(text[:at].replace("\u200f", "").replace("\u00ad", "").split()))


BODY = (
    "<div id=a><h1>Ferry and quay</h1><p>the ferry came <b>back</b> this morning</p></div>"
    "<div id=b><p>and the town stood on the quay</p><ul><li>one<li>two</ul></div>"
    "<p id=c>and the town stood on the quay</p>"
)


def _csv(rows):
    return "".join(";".join('"' + c.replace('"', '""') + '"' for c in row) + "\r\n" for row in rows)


def _box_files(boxes, size):
    """Return name, text and format of boxes (label, x, y, width, height) as each tool has them."""
    across, down = size
    rects = [{"name": "rect", "x": x, "y": y, "width": w, "height": h} for _, x, y, w, h in boxes]
    regions = [
        {"shape_attributes": rect, "region_attributes": {"type": label}}
        for rect, (label, *_) in zip(rects, boxes, strict=True)
    ]
    head = ["filename", "region_shape_attributes", "region_attributes"]
    rows = [["story.png", *map(json.dumps, each.values())] for each in regions]
    yield "via.json", json.dumps({"x": {"filename": "story.png", "regions": regions}}), "via"
    yield "via.csv", _csv([head, *rows]), "via"
    yield "labelme.json", json.dumps({"imagePath": "story.png", "shapes": [
        {"label": label, "shape_type": "rectangle", "points": [[x, y], [x + w, y + h]]}
        for label, x, y, w, h in boxes]}), "labelme"  # fmt: skip
    labels = sorted({label for label, *_ in boxes})
    marks = [
        {"id": 7, "image_id": 0, "category_id": labels.index(label), "bbox": [x, y, w, h]}
        for label, x, y, w, h in boxes
    ]
    yield "a.coco.json", json.dumps({"images": [{"id": 0, "file_name": "story.png"}],
        "categories": [{"id": n, "name": label} for n, label in enumerate(labels)],
        "annotations": marks}), "coco"  # fmt: skip
    yield "voc.xml", "<annotation><filename>story.png</filename>" + "".join(
        f"<object><name>{label}</name><bndbox><xmin>{x}</xmin><ymin>{y}</ymin><xmax>{x + w}</xmax>"
        f"<ymax>{y + h}</ymax></bndbox></object>" for label, x, y, w, h in boxes
    ) + "</annotation>", "voc"  # fmt: skip
    yield "cvat.xml", "<annotations><version>1.1</version><image name='story.png'>" + "".join(
        f"<box label='{label}' xtl='{x}' ytl='{y}' xbr='{x + w}' ybr='{y + h}'/>"
        for label, x, y, w, h in boxes
    ) + "</image></annotations>", "cvat"  # fmt: skip
    yield "story.txt", "".join(
        f"{labels.index(label)} {(x + w / 2) / across:.7f} {(y + h / 2) / down:.7f} "
        f"{w / across:.7f} {h / down:.7f}{more}\r\n"
        for (label, x, y, w, h), more in zip(boxes, ["", " .9", " .9 3"] * len(boxes), strict=False)
    ), "yolo"  # fmt: skip


@given(st.data())
@settings(ANY, max_examples=15)
def test_boxes_of_each_tool_are_counted_and_stored(data):
    page = page_of(BODY, url="https://example.org/story.html")
    nodes = page.rendered()
    shown = [row for row in range(len(nodes)) if nodes.area[row] > 0 and not nodes.is_text[row]]
    rows = data.draw(st.lists(st.sampled_from(shown), min_size=1, max_size=5))
    labels = [data.draw(st.sampled_from(["Ad", "Header"])) for _ in rows]
    boxes = [(label, *nodes.rect[row].tolist()) for label, row in zip(labels, rows, strict=True)]
    bom = data.draw(st.sampled_from(["", "\ufeff"]))
    with tempfile.TemporaryDirectory() as name:
        for number, (file, text, key) in enumerate(_box_files(boxes, (nodes.width, nodes.height))):
            folder = Path(name, str(number))
            folder.mkdir()
            path = folder / file
            path.write_bytes((bom + text).encode())
            said = bring(path, page, folder / "w.pagelet", key)
            peer = marks_in(path, key)
            assert peer == len(boxes)
            assert problems(said, stored(folder / "w.pagelet"), peer, None) == [], key
            assert said.taken + said.passed.get(KNOWN, 0) == peer, key


@st.composite
def gold_of(draw, nodes, whole_only):
    rows = [row for row in range(len(nodes)) if nodes.text[row].strip() or nodes.area[row] > 0]
    content = page_text(nodes).content
    marks = []
    for number in range(draw(st.integers(1, 6))):
        row = draw(st.sampled_from([r for r in rows if not nodes.is_text[r] or content[r]]))
        level = draw(st.sampled_from([1, 2] if whole_only else [MAIN, 1, 2]))
        target = Target(row)
        if (
            nodes.is_text[row]
            and not whole_only
            and len(nodes.text[row]) > 3
            and draw(st.booleans())
        ):
            start = draw(st.integers(0, len(nodes.text[row]) - 2))
            end = draw(st.integers(start + 1, len(nodes.text[row]) - 1))
            if nodes.text[row][start:end].strip():
                target = Target(row, start, end)
        kind = "" if level == MAIN else draw(st.sampled_from(["Ad", "Header"]))
        marks.append(Mark(f"m{number}", level, (target,), kind))
    places = {(mark.level, mark.type, mark.targets): mark for mark in marks}
    return Gold(tuple(places.values()))


def _places(marks):
    return sorted((mark.level, mark.type, mark.targets) for mark in marks)


@given(st.data(), st.sampled_from(["webannotation", "coco", "labelme", "label-studio"]))
@ANY
def test_marks_that_each_exporter_writes_come_back_to_the_same_places(data, key):
    page = page_of(BODY, url="https://example.org/story.html")
    nodes = page.rendered()
    is_boxes = key != "webannotation"
    gold = data.draw(gold_of(nodes, is_boxes))
    document = Document(page.url, page.url)
    shown = MarkedPage("story.html", document, page, gold)
    with tempfile.TemporaryDirectory() as name:
        chosen = format_of(key)
        [path] = chosen.write(chosen.usable([shown]), Path(name))
        content = path.read_text("utf-8")
        path.write_bytes(
            (data.draw(st.sampled_from(["", "\ufeff"])) + content).replace(
                "\n", data.draw(st.sampled_from(["\n", "\r\n"]))
            ).encode()
        )  # fmt: skip
        file = MarkFile(path, key)
        called = file.name_of("story.html", document)
        result = file.marks(called, page)
        back = fresh_marks(result, Gold())
        assert _places(back) == _places(gold.marks)
        assert all(mark.state is MarkState.EXACT for mark in back)
        # On the page that has them already nothing is new, whatever ids it has.
        result = file.marks(called, page)
        assert fresh_marks(result, Gold(tuple(back))) == ()
        assert result.account.passed[KNOWN] == len(gold.marks)
        assert Said.of(result.account.as_json()).marks == marks_in(path, key)
