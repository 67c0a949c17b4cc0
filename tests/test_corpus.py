"""Test that the sample corpus is complete, self-contained and rendered correctly."""

import codecs
import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.etree
import lxml.html
import pytest

import resources
from annotate.datasets.opening import list_documents
from engine.encoding import decode
from engine.web.headless import Browser

CORPUS = resources.path("corpus")
PAGES = json.loads((CORPUS / "corpus.json").read_text("utf-8"))["pages"]
FILES = [CORPUS / page["file"] for page in PAGES]
IDS = [page["id"] for page in PAGES]

MADE_BY_PAGELET = (".gold.json",)
LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "input": "src"}
KINDS = {".css", ".gif", ".html", ".jpg", ".js", ".png", ".svg"}


def encoding_of(data: bytes) -> str:
    """Return the encoding a page declares; browsers read ISO-8859-1 as windows-1252."""
    result = re.search(rb'charset=["\']?([\w-]+)', data[:1024])
    assert result, "a page of the corpus declares its encoding"
    name = result.group(1).decode("ascii").lower()
    return "windows-1252" if name == "iso-8859-1" else name


def html_of(file: Path) -> str:
    data = file.read_bytes()
    return data.decode(encoding_of(data))


def css_addresses(css: str) -> list[str]:
    """Return the addresses that a style sheet loads."""
    return re.findall(r"url\(\s*[\"']?([^\"')]+)", css) + re.findall(
        r"@import\s+[\"'](\S+?)[\"']", css
    )


def loaded_by(file: Path) -> list[tuple[str, Path]]:
    """Return what a page loads: each address, and the file it is relative to."""
    tree = lxml.html.document_fromstring(html_of(file))
    result = []
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        name = LOADED.get(element.tag) or ("href" if element.tag == "link" else "")
        for key in (name, "background"):
            if key and element.get(key):
                result.append((element.get(key), file))
        result += [(a, file) for a in css_addresses(element.get("style") or "")]
        if element.tag == "style":
            result += [(a, file) for a in css_addresses(element.text or "")]
    for address, _ in list(result):
        target = file.parent / unquote(address)
        if target.suffix == ".css" and target.is_file():
            result += [(a, target) for a in css_addresses(target.read_text("utf-8"))]
        elif target.suffix == ".js" and target.is_file():
            quoted = re.findall(r'"([\w/.-]+\.(?:svg|jpg|png|gif))"', target.read_text("utf-8"))
            result += [(a, file) for a in quoted]
        elif target.suffix == ".html" and target.is_file():
            result += loaded_by(target)
    return result


def files_of(page: Path) -> list[Path]:
    return [
        f for f in page.parent.rglob("*") if f.is_file() and not f.name.endswith(MADE_BY_PAGELET)
    ]


def test_the_list_names_every_page_once_and_describes_it():
    folders = {f.parent.name for f in CORPUS.glob("*/index.html")}
    assert {page["id"] for page in PAGES} == folders
    assert len(PAGES) == len(folders) >= 12
    for page in PAGES:
        assert set(page) >= {"id", "file", "title", "kind", "shows"}
        assert page["file"] == f"{page['id']}/index.html"
        assert 40 < len(page["shows"]) < 400


def test_the_program_finds_all_pages():
    assert [document.path for document in list_documents(CORPUS)] == [p["file"] for p in PAGES]


@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_a_page_is_valid_in_the_encoding_it_declares(file):
    data = file.read_bytes()
    text = html_of(file)
    assert not data.startswith(codecs.BOM_UTF8)
    assert "\ufffd" not in text
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text)
    assert decode(data)[0].replace("\r\n", "\n") == text.replace("\r\n", "\n")


def test_the_page_of_the_2000s_is_encoded_in_windows_1252():
    data = (CORPUS / "table2000" / "index.html").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        data.decode("utf-8")
    assert b"iso-8859-1" in data
    assert b"\x84Elfriede\x93" in data  # quotation marks only windows-1252 has


def test_the_minified_page_is_one_line():
    assert len((CORPUS / "minified" / "index.html").read_text("utf-8").splitlines()) == 1


def test_the_scripted_page_has_hardly_any_text_before_its_script_runs():
    tree = lxml.html.document_fromstring(html_of(CORPUS / "script" / "index.html"))
    assert len(" ".join(tree.find("body").text_content().split())) < 80


@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_pages_load_only_files_in_their_own_folder(file):
    loaded = loaded_by(file)
    assert loaded
    for address, beside in loaded:
        assert not urlsplit(address).scheme, f"{beside.name} loads {address}"
        assert not address.startswith("/")
        target = (beside.parent / unquote(urlsplit(address).path)).resolve()
        assert target.is_relative_to(file.parent.resolve()), f"{beside.name} loads {address}"
        assert target.is_file(), f"{beside.name} loads {address}, which is not there"


@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_every_file_in_a_folder_is_used_by_its_page(file):
    used = {(beside.parent / unquote(a)).resolve() for a, beside in loaded_by(file)}
    assert {f.resolve() for f in files_of(file)} - used == {file.resolve()}


@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_links_lead_to_an_anchor_or_to_an_example_domain(file):
    tree = lxml.html.document_fromstring(html_of(file))
    names = {e.get("id") for e in tree.iter() if isinstance(e.tag, str)}
    for element in tree.iter("a", "form", "area"):
        address = element.get("href") or element.get("action") or "#"
        parts = urlsplit(address)
        if address.startswith("#"):
            assert address == "#" or address[1:] in names, address
        elif parts.scheme == "mailto":
            assert parts.path.endswith(".example"), address
        else:
            assert parts.scheme in ("http", "https"), address
            assert (parts.hostname or "").endswith(".example"), address


@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_scripts_and_pictures_fetch_nothing(file):
    for path in files_of(file):
        assert path.suffix in KINDS, path
        if path.suffix == ".js":
            assert not re.search(
                r"\b(fetch|XMLHttpRequest|import\(|https?:)", path.read_text("utf-8")
            )
        if path.suffix == ".svg":
            root = lxml.etree.fromstring(path.read_bytes())
            for element in root.iter():
                for name, value in element.attrib.items():
                    if name.endswith("href"):
                        assert value.startswith("#"), path
            assert b"<script" not in path.read_bytes()


@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_pages_and_their_files_have_limited_sizes(file):
    assert 300 < file.stat().st_size < 60_000
    for path in files_of(file):
        assert 0 < path.stat().st_size <= 60_000, path
    assert sum(path.stat().st_size for path in files_of(file)) < 300_000


@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_ids_and_classes_do_not_reveal_the_gold(file):
    tree = lxml.html.document_fromstring(html_of(file))
    for element in tree.iter():
        if isinstance(element.tag, str):
            names = f"{element.get('id') or ''} {element.get('class') or ''}".lower()
            assert not re.search(r"gold|main-?content|level-?[12]|block-?type", names), names


@pytest.fixture(scope="module")
def browser(qapp):
    with Browser() as browser:
        yield browser


@pytest.mark.web
@pytest.mark.parametrize("document", list_documents(CORPUS), ids=IDS)
def test_a_page_is_rendered_without_missing_or_refused_requests(browser, document):
    page = browser.capture(document)
    gate = browser.view.gate
    assert (gate.missing, gate.refused) == (0, 0)
    assert not page.notes
    width, height, text, broken = browser.run(
        """[document.documentElement.scrollWidth, document.documentElement.scrollHeight,
            document.body.innerText.length,
            [...document.images].filter(i => !i.naturalWidth).map(i => i.src)]"""
    )
    assert broken == []
    assert width <= page.viewport[0]
    assert 1200 <= height <= 5500
    assert 1500 <= text <= 12_000
    assert page.title
