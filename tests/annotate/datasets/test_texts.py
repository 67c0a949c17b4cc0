"""The table of data sets with gold text: exactly one reader reads each layout."""

import pickle
import re
import zipfile
from pathlib import Path

import pytest

from annotate.datasets.cases import TEXT
from annotate.datasets.readers import readers
from annotate.datasets.texts import HasSnippets
from engine.errors import InputError
from tests.annotate.datasets.layouts import (
    LAYOUTS,
    PAGE,
    STORY,
    benchmark,
    cleaneval,
    dragnet,
    evaldata,
    l3s_warc,
    lines,
    package_folder,
    package_zip,
    put,
    read_texts,
    wcxb,
    webmainbench,
)

_MARKS = re.compile(rb"x-nc-|__boilernet|__label|cc-select|anno-uid|mark-selected|marked-text")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_is_read_by_one_reader(layout, tmp_path):
    expected, write, name = LAYOUTS[layout]
    path = write(tmp_path)
    assert [reader.name for reader in readers() if reader.matches(path)] == [expected]
    result, pages, problems = read_texts(path)
    assert (result, [page.name for page in pages], problems) == (expected, [name], ())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_page_travels_to_another_process(layout, tmp_path):
    expected, write, _ = LAYOUTS[layout]
    _, (page,), _ = read_texts(write(tmp_path))
    sent = pickle.dumps(page)
    assert len(sent) < 1500  # where things are, not what they say
    arrived = pickle.loads(sent)
    data = arrived.document().receive().data
    assert b"came" in data
    assert b"Home" in data
    text = arrived.text()
    if expected == "trafilatura":
        assert text is None
    elif expected == "L3S-GN1":
        assert text == "Ferry back\nThe ferry came back.\nIt was noon."
    else:
        assert text is not None
        assert " ".join(text.split()) == STORY


@pytest.mark.parametrize("layout", LAYOUTS)
def test_documents_contain_no_annotator_marks(layout, tmp_path):
    _, write, _ = LAYOUTS[layout]
    _, (page,), _ = read_texts(write(tmp_path))
    assert _MARKS.search(page.document().receive().data) is None


def test_the_table_names_each_format_once():
    assert len({reader.name for reader in readers()}) == len(readers())
    texts = {reader.name for reader in readers() if reader.golds == {TEXT}}
    assert {name for name, _, _ in LAYOUTS.values()} == texts


@pytest.mark.parametrize("files", [
    {"corpus.json": '{"pages": []}', "a.html": PAGE},
    {"html/a.html": PAGE},
    {"a.html": PAGE, "notes.txt": "no gold"},
    {"package.json": '{"name": "readability", "version": "1.0.0"}', "index.js": ""},
    {"events.jsonl": '{"what": "html"}\n'},
    {},
])  # fmt: skip
def test_unknown_layouts_are_refused_with_a_link_to_the_documentation(files, tmp_path):
    put(tmp_path, files)
    with pytest.raises(InputError) as raised:
        read_texts(tmp_path)
    message = str(raised.value)
    assert "not a data set with gold in a layout that Pagelet reads; see " in message
    assert len(message.replace(str(tmp_path), "")) < 150


def test_a_folder_of_several_formats_names_the_folders_not_read(tmp_path):
    for write in (cleaneval, dragnet):
        write(tmp_path / write.__name__)
    name, (page,), problems = read_texts(tmp_path)
    assert (name, page.name) == ("CleanEval", "cleaneval/1")
    assert problems == ("dragnet has the layout of Dragnet and is not read: name it by itself",)


def _several(path):
    put(path, {"notes/a.txt": "no data set", "broken/a.html.gz": b"no gzip"})
    for write in (dragnet, benchmark):
        write(path / write.__name__)
    package_zip(path)


@pytest.mark.parametrize(
    ("write", "name", "said"),
    [
        (Path.exists, "gone", "no such file or folder"),
        (lambda path: benchmark(cleaneval(path)), "",
         "layout of article benchmark and of CleanEval: name the"),
        (_several, "", r"name one of benchmark, dragnet, pages\.zip$"),
        (lambda path: put(path, {"original/1.html": PAGE, "gold/2.txt": STORY}), "",
         r"no page with gold: original/1\.html has no gold text"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_data_set_is_refused_with_the_reason(tmp_path, write, name, said):
    write(tmp_path)
    with pytest.raises(InputError, match=said):
        read_texts(tmp_path / name)


def test_the_first_of_pages_with_one_name_is_read(tmp_path):
    about = {"track_id": "a", "html": PAGE, "main_html": "<p>first"}
    put(tmp_path, {"a.jsonl": lines(about, {**about, "main_html": "<p>second"}, about)})
    _, (page,), problems = read_texts(tmp_path)
    assert page.text() == "first"
    assert problems == ("a is the name of 3 pages, of which the first is read",)


def test_only_layouts_with_snippets_have_snippets(tmp_path):
    for write, has in ((wcxb, True), (evaldata, True), (webmainbench, False)):
        folder = tmp_path / write.__name__
        folder.mkdir()
        _, (page,), _ = read_texts(write(folder))
        assert isinstance(page, HasSnippets) == has
        if isinstance(page, HasSnippets):
            assert page.snippets().required == ("ferry came",)
            assert page.snippets().unwanted == ("Home",)


def test_reading_a_page_whose_files_were_deleted_is_refused(tmp_path):
    for layout, (_, write, _) in LAYOUTS.items():
        folder = tmp_path / layout
        folder.mkdir()
        path = write(folder)
        _, (page,), _ = read_texts(path)
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                file.unlink()
        with pytest.raises(InputError):
            page.document().receive()


def test_damaged_zips_and_indexes_are_bad_input(tmp_path):
    damaged = {"a.zip": b"PK\x03\x04 no zip", "b/ground-truth.json": "[1]", "c/evaldata.json": "{",
               "d/package.json": "{"}  # fmt: skip
    put(tmp_path, damaged)
    for name in ("a.zip", "b", "c", "d"):
        with pytest.raises(InputError):
            read_texts(tmp_path / name)
    with zipfile.ZipFile(tmp_path / "e.zip", "w") as empty:
        empty.writestr("readme.md", "nothing")
    with pytest.raises(InputError, match="no page with gold"):
        read_texts(tmp_path / "e.zip")


def test_folders_of_a_warc_file_and_of_json_lines_are_read_as_well(tmp_path):
    for write in (l3s_warc, webmainbench, package_folder):
        folder = tmp_path / write.__name__
        folder.mkdir()
        path = write(folder)
        assert [page.name for page in read_texts(folder)[1]] == [
            page.name for page in read_texts(path)[1]
        ]
