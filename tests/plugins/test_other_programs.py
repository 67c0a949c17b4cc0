"""Each row of the page on other programs, with a file made after that program's specification."""

import gzip
import io
import json
import plistlib
import tempfile
import zipfile
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from annotate.datasets.looking.inspection import look_into
from annotate.datasets.opening import open_pages
from annotate.plugins.exchange.imports import MarkFile
from resources.documentation import read_page

PAGE = "<!doctype html><title>Tea</title><p>Tea is hot and green.</p>"
TEXT = "Tea is hot and green."
SELECTOR = {"type": "TextQuoteSelector", "exact": "hot"}


def warc():
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=True)
    head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    body = PAGE.encode()
    writer.write_record(
        writer.create_warc_record(
            "http://a.example/", "response", io.BytesIO(body), len(body), http_headers=head
        )
    )
    return file.getvalue()


def zipped(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        for name, content in members.items():
            package.writestr(name, content)
    return file.getvalue()


def lz4(made):
    """Return an archive in LZ4, as FastWARC packs it."""
    stream_io = pytest.importorskip("fastwarc.stream_io")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        with path.open("wb") as file, stream_io.Lz4Writer(file) as packed:
            packed.write(gzip.decompress(made()))
        return path.read_bytes()


def wacz():
    listed = '{"format": "json-pages-1.0"}\n{"url": "http://a.example/"}\n'
    return zipped({"datapackage.json": "{}", "archive/data.warc.gz": warc(),
                   "pages/pages.jsonl": listed})  # fmt: skip


def arc():
    answer = f"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}"
    about = "1 0 A\nURL IP-address Archive-date Content-type Archive-length\n"
    return (
        f"filedesc://a.arc 0.0.0.0 20200101000000 text/plain {len(about)}\n{about}\n"
        f"http://a.example/ 1.2.3.4 20200101000000 text/html {len(answer)}\n{answer}\n"
    )


MHTML = (
    "From: <Saved by Blink>\r\nSnapshot-Content-Location: http://a.example/\r\n"
    'MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n'
    '\tboundary="x"\r\n\r\n--x\r\nContent-Type: text/html\r\n'
    f"Content-Location: http://a.example/\r\n\r\n{PAGE}\r\n--x--\r\n"
)
SINGLE_FILE = (
    f"<!doctype html><!--\n Page saved with SingleFile \n url: http://a.example/ \n-->{PAGE}"
)
SAFARI = {
    "WebMainResource": {
        "WebResourceURL": "http://a.example/", "WebResourceData": PAGE.encode(),
        "WebResourceMIMEType": "text/html", "WebResourceTextEncodingName": "UTF-8",
    },
}  # fmt: skip
ENTRY = {
    "request": {"method": "GET", "url": "http://a.example/"},
    "response": {"status": 200, "content": {"mimeType": "text/html", "text": PAGE}, "headers": []},
}
NOT_FOUND = "<html><title>404 Not Found</title><h1>Not Found</h1></html>"

LOST = ENTRY | {"request": {"url": "http://a.example/x"}, "response": {"status": 404}}
ATTACHED = ENTRY | {"response": {"status": 200, "content": {"mimeType": "text/html",
                                                            "_file": "1.html"}}}  # fmt: skip
XHTML = (
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>'
    "<p><![CDATA[Tea is hot]]> and green.</p></body></html>"
)
FRAMES = {"a_files/f.html": "<iframe src=g.html></iframe>", "a_files/g.html": "<p>in a frame"}
MIRROR = {"a.example/index.html": PAGE + "<img src=a.png>", "a.example/b?id=1": PAGE,
          "a.example/a.png": NOT_FOUND, "a.example/x.html": NOT_FOUND}  # fmt: skip
IN_PLACE = "error page in place of a picture"
LISTED = '{"profile": "multi-wacz-package", "resources": [{"path": "b.wacz"}, {"path": "c.wacz"}]}'

PAGES = {
    "any browser, HTML": ({"a": PAGE}, "a", 1),
    "any browser, XHTML": ({"a.xhtml": XHTML}, "a.xhtml", 1),
    "Chrome, Firefox, complete page": ({"a.html": PAGE, **FRAMES}, "", 1),
    "Chrome, Edge, MHTML": ({"a": MHTML}, "a", 1),
    "Firefox with UnMHT, Internet Explorer, MHTML": (
        {"a.mht": MHTML.replace("text/html\r\n", "text/html; charset=utf-8\r\n")}, "a.mht", 1,
    ),
    "SingleFile, HTML": ({"a": SINGLE_FILE}, "a", 1),
    "SingleFile, zip": ({"a": zipped({"index.html": PAGE, "manifest.json": "{}"})}, "a", 1),
    "Safari, webarchive": ({"a": plistlib.dumps(SAFARI, fmt=plistlib.FMT_BINARY)}, "a", 1),
    "Chrome, Firefox, Safari, HAR": (
        {"a": json.dumps({"log": {"entries": [ENTRY, LOST]}})}, "a", 1, "answer with status 404",
    ),
    "Charles, Fiddler, mitmproxy, HAR": (
        {"a": json.dumps({"log": {"pages": [], "entries": [
            {"request": {"url": "http://a.example:443", "method": "CONNECT"},
             "response": {"status": 200, "content": {}}}, ENTRY]}})},
        "a", 1, "without its content",
    ),
    "Playwright, HAR zip": (
        {"a.zip": zipped({"har.har": json.dumps({"log": {"entries": [ATTACHED]}}),
                          "1.html": PAGE})}, "a.zip", 1,
    ),
    "wget, folder": (MIRROR, "", 2, IN_PLACE),
    "HTTrack, folder": (
        {**MIRROR, "index.html": "<html><title>Local index - HTTrack</title>", "hts-log.txt": "x"},
        "", 2, "own list of sites",
    ),
    "wget, Heritrix, warcio, WARC": ({"a": warc()}, "a", 1),
    "crawlers, WARC in LZ4": ({"a.warc.lz4": lz4(warc)}, "a.warc.lz4", 1),
    "Heritrix 1, ARC": ({"a": arc()}, "a", 1, "warcinfo"),
    "Browsertrix, py-wacz, WACZ": ({"a.wacz": wacz()}, "a.wacz", 1),
    "ArchiveWeb.page, replayweb.page, multi-WACZ": (
        {"a.json": LISTED, "b.wacz": wacz()}, "a.json", 1, "c.wacz is named",
    ),
}  # fmt: skip

CVAT = (
    '<annotations><version>1.1</version><image id="0" name="a.png" width="9" height="9">'
    '<box label="X" xtl="0" ytl="0" xbr="9" ybr="9"/></image></annotations>'
)
TSV = (
    "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n\n#Text=Tea is hot\n"
    "1-1\t0-3\tTea\tX\t\n1-2\t4-6\tis\t_\t\n"
)
XMI = (
    '<?xml version="1.0"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI" '
    'xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///custom.ecore">'
    '<custom:Span xmi:id="8" sofa="1" begin="7" end="10" label="X"/>'
    f'<cas:Sofa xmi:id="1" sofaNum="1" mimeType="text" sofaString="{TEXT}"/></xmi:XMI>'
)

VOC = (
    "<annotation><filename>a.png</filename><size><width>9</width><height>9</height></size>"
    "<object><name>X</name><bndbox><xmin>0</xmin><ymin>0</ymin><xmax>9</xmax><ymax>9</ymax></bndbox>"
    "</object></annotation>"
)
LS_TABLE = (
    'annotation_id\tannotator\tbox\tid\timage\n7\t1\t"[{""x"":0,""y"":0,""width"":50,""height"":50,'
    '""rectanglelabels"":[""X""],""original_width"":10,""original_height"":10}]"\t1\ta.png\n'
)
VIA_1 = (
    "#filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,"
    'region_attributes\na.png,1,{},1,0,"{""name"":""rect"",""x"":0,""y"":0,""width"":9,""height"":9}",'
    '"{""type"":""X""}"\n'
)
VIA_3 = (
    '# Exported using VIA\n# ATTRIBUTE = {"1": {"aname": "type", "options": {"0": "X"}}}\n'
    "# CSV_HEADER = metadata_id,file_list,flags,temporal_coordinates,spatial_coordinates,metadata\n"
    '"1_a","[""a.png""]",0,"[]","[2,0,0,9,9]","{""1"":""0""}"\n'
)

MARKS = {
    "COCO, CVAT, Roboflow, COCO JSON": ("a", {
        "images": [{"id": 0, "file_name": "a.png"}], "categories": [{"id": 0, "name": "X"}],
        "annotations": [{"id": 1, "image_id": 0, "category_id": 0, "bbox": [0, 0, 9, 9]}]}),
    "Label Studio, JSON": ("a", [{"id": 1, "data": {"image": "a.png"}, "annotations": [{"result": [
        {"type": "rectanglelabels", "original_width": 10, "original_height": 10, "value": {
            "x": 0, "y": 0, "width": 50, "height": 50, "rectanglelabels": ["X"]}}]}]}]),
    "labelme, JSON": ("a", {
        "imagePath": "a.png", "imageData": None, "imageWidth": 9, "imageHeight": 9,
        "shapes": [{"label": "X", "shape_type": "rectangle", "points": [[0, 0], [9, 9]]}]}),
    "CVAT, XML": ("a", CVAT),
    "VIA, JSON": ("a", {"a.png1": {"filename": "a.png", "size": 1, "regions": [
        {"shape_attributes": {"name": "rect", "x": 0, "y": 0, "width": 9, "height": 9},
         "region_attributes": {"type": "X"}}]}}),
    "Label Studio, CSV, TSV": ("a", LS_TABLE),
    "VIA 1, CSV": ("a", VIA_1),
    "VIA 3, JSON": ("a", {
        "project": {"vid_list": ["1"]}, "config": {}, "view": {"1": {"fid_list": ["1"]}},
        "attribute": {"1": {"aname": "type", "options": {"0": "X"}}},
        "file": {"1": {"fid": "1", "fname": "a.png"}},
        "metadata": {"1_a": {"vid": "1", "xy": [2, 0, 0, 9, 9], "av": {"1": "0"}}}}),
    "VIA 3, CSV": ("a", VIA_3),
    "CVAT, LabelImg, Roboflow, Pascal VOC": ("a", VOC),
    "YOLO, TXT": ("a.txt", "0 0.5 0.5 0.2 0.2\n"),
    "Hypothesis, JSON": ("a", {"total": 1, "rows": [
        {"id": "1", "uri": "http://a.example/", "user": "acct:a@h", "text": "", "tags": [],
         "target": [{"source": "http://a.example/", "selector": [SELECTOR]}]}]}),
    "Web Annotation, JSON-LD": ("a", {
        "@context": "http://www.w3.org/ns/anno.jsonld", "type": "Annotation", "id": "urn:x",
        "target": {"source": "http://a.example/", "selector": SELECTOR}}),
    "brat, ANN": ("a.ann", "T1\tX 7 10\thot\n"),
    "doccano, JSONL": ("a.jsonl", json.dumps({"id": 1, "text": TEXT, "label": [[7, 10, "X"]]})),
    "INCEpTION, WebAnno TSV": ("a", TSV),
    "INCEpTION, UIMA XMI": ("a", XMI),
    "INCEpTION, UIMA JSON": ("a", {"%TYPES": {}, "%VIEWS": {}, "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": TEXT},
        {"%ID": 2, "%TYPE": "custom.Span", "@sofa": 1, "begin": 7, "end": 10, "label": "X"}]}),
}  # fmt: skip


def rows():
    cells = [line.strip("|").split("|") for line in read_page("other-programs.md").splitlines()
             if line.startswith("| ") and not line.startswith("| program")]  # fmt: skip
    return {f"{each[0].strip()}, {each[1].strip()}" for each in cells}


def test_rows_of_the_page_and_files_of_this_test_are_the_same():
    assert rows() == {*PAGES, *MARKS}


@pytest.mark.parametrize("row", PAGES)
def test_pages_of_other_programs_open(tmp_path, row):
    files, name, count, *passed = PAGES[row]
    for file, content in files.items():
        (tmp_path / "in" / file).parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / "in" / file).write_bytes(data)
    path = tmp_path / "in" / name
    assert look_into(path).is_openable
    opened = open_pages(path)
    assert len(opened.documents) == count
    assert all("Tea is hot" in each.read().decode() for each in opened.documents)
    said = [*opened.problems, *(reason for *_, reason in look_into(path).left_out)]
    assert all(any(reason in each for each in said) for reason in passed), said


@pytest.mark.parametrize("row", MARKS)
def test_annotations_of_other_programs_are_recognised_and_read(tmp_path, row):
    name, content = MARKS[row]
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    path.with_suffix(".txt").write_text(path.read_text() if name == "a.txt" else TEXT)
    found = look_into(path)
    assert (found.kind, found.steps[0].deed) == ("annotations", "import"), found.description
    marks = MarkFile(path, found.key)
    assert sum(map(marks.count, marks.names)) == 1, marks.account.sentence()
