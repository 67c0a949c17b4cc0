"""Test that XHTML is read as XML by every reader, and as HTML with a note if ill-formed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.archives.frozen import warc_writing
from engine import xhtml
from engine.fetch import Received
from engine.saved import WebExchange
from engine.source import Source
from engine.web.headless import Browser
from gui.cli.main import main

STRICT = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
)
ROOT = '<html xmlns="http://www.w3.org/1999/xhtml">'
PAGE = (
    f'<?xml version="1.0"?><?xml-stylesheet href="a>b.css"?>{STRICT}{ROOT}<head><title/>'
    "<script src='a.js'/><style/></head><body><h1>Tide&nbsp;tables</h1><div/><textarea/>"
    "<p>First &eacute;t&eacute; &lt;b&gt; <![CDATA[a < b & c]]> end.<br/>Next</p><a id='x'/>"
    "<script><![CDATA[ x = '</p>' ]]></script><p>Last</p></body></html>"
)
TEXT = "Tide tables\nFirst été <b> a < b & c end.\nNext\nLast"


def source_of(text, charset=""):
    return Source.of(Received(text.encode(charset or "utf-8"), charset, is_xml=True))


def test_empty_elements_cdata_and_references_are_read_as_xml():
    source = source_of(PAGE)
    assert source.text.replace("\u00a0", " ") == TEXT
    assert source.encoding_notes == ()
    assert source.title == ""


@pytest.mark.parametrize(("markup", "text"), [
    (f"{ROOT}<p>a<b/>b</p></html>", "ab"),
    (f"{ROOT}<p>x</p><!--> --><p>y</p></html>", "x\ny"),
    ('<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:p>a</h:p></h:html>', "a"),
    (f'<!DOCTYPE html [<!ENTITY tea "hot <b>tea</b>">]>{ROOT}<p>&tea;.</p></html>', "hot tea."),
    (f"{ROOT}<metadata xmlns:dc='urn:dc'><dc:title>T</dc:title></metadata><p>p</p></html>", "Tp"),
])  # fmt: skip
def test_xml_constructs_unknown_to_html_keep_their_text(markup, text):
    source = source_of(markup)
    assert "".join(source.text.split()) == "".join(text.split())
    assert source.encoding_notes == ()


@pytest.mark.parametrize(("markup", "said"), [
    (PAGE.replace("</h1>", ""), "line 1, column"),
    (PAGE.replace(STRICT, ""), "undefined entity"),
    (PAGE.replace(ROOT, "<html>"), "not <html> in the namespace"),
    (f"{ROOT}<p>tea &amp cups</p></html>", "not well-formed"),
])  # fmt: skip
def test_ill_formed_xhtml_is_read_as_html_with_a_note(markup, said):
    source = source_of(markup)
    assert said in source.encoding_notes[0]
    assert "read as HTML" in source.encoding_notes[0]
    assert "Last" in source.text or "cups" in source.text


def test_exponential_entities_are_refused():
    bomb = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    source = source_of(f'<!DOCTYPE html [<!ENTITY e0 "tea">{bomb}]>{ROOT}<p>&e11;</p></html>')
    assert "not well-formed" in source.encoding_notes[0]


def test_the_xml_declaration_sets_the_encoding():
    page = f'<?xml version="1.0" encoding="iso-8859-1"?>{ROOT}<p>été</p></html>'
    source = Source.of(Received(page.encode("latin-1"), is_xml=True))
    assert (source.text, source.encoding) == ("été", "windows-1252")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40))
def test_any_text_is_read_back_unchanged(text):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    reading = xhtml.read(f"{ROOT}<p>{escaped}</p></html>")
    if not reading.note:
        assert (
            Source.from_text(reading.html).text.split()
            == Source.from_text(f"<p>{escaped}</p>").text.split()
        )


def in_warc(folder):
    fields = (("Content-Type", "application/xhtml+xml; charset=utf-8"),)
    sent = (WebExchange("http://a.example/", 200, fields, PAGE.encode()),)
    path = folder / "a.warc.gz"
    path.write_bytes(warc_writing.write(sent, "2026-01-01T00:00:00Z", "test", "x")[0])
    return path


def in_har(folder):
    content = {"mimeType": "application/xhtml+xml", "text": PAGE}
    entry = {"request": {"url": "https://a.example/"},
             "response": {"status": 200, "content": content}}  # fmt: skip
    path = folder / "a.har"
    path.write_text(json.dumps({"log": {"entries": [entry]}}))
    return path


def in_mhtml(folder):
    path = folder / "a.mhtml"
    path.write_text(
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="B"\r\n\r\n--B\r\n'
        "Content-Type: application/xhtml+xml; charset=utf-8\r\nContent-Location: https://a.example/"
        f"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{PAGE}\r\n--B--\r\n"
    )
    return path


def in_file(folder):
    path = folder / "a.xhtml"
    path.write_text(PAGE)
    return path


DOORS = [in_warc, in_har, in_mhtml, in_file]


@pytest.mark.parametrize("make", DOORS)
def test_archives_and_files_of_xhtml_are_read_as_xml(tmp_path, make, capsys):
    path = make(tmp_path)
    assert main(["extract", "plain", str(path)]) == 0
    assert capsys.readouterr().out.strip().replace("\u00a0", " ") == TEXT


def test_extract_of_a_whole_archive_reads_xhtml_as_xml(tmp_path):
    out = tmp_path / "out"
    archive = str(in_warc(tmp_path))
    assert main(["extract", "plain", "--in", archive, "--out", str(out), "--format", "jsonl"]) == 0
    (row,) = map(json.loads, next(out.glob("shard-*")).read_text().splitlines())
    assert row["text"].replace("\u00a0", " ") == TEXT


@pytest.mark.web
@pytest.mark.parametrize("markup", [PAGE, PAGE.replace("</h1>", "")])
def test_the_rendered_page_has_the_text_of_the_source(tmp_path, qapp, markup):
    from annotate.datasets.opening import open_document

    path = tmp_path / "a.xhtml"
    path.write_text(markup)
    with Browser() as browser:
        page = browser.capture(open_document(path))
    assert page.dom.text.replace("\u00a0", " ") == TEXT
    assert page.original.text == page.dom.text
    assert bool(page.notes) == (markup != PAGE)
