"""Export of a workspace: pages have unique names, and an empty export is refused."""

import json

import pytest

from annotate.datasets.case_files import WorkspaceFiles
from annotate.datasets.cases import page_names
from annotate.datasets.readers import document_of, page_at, read_dataset
from annotate.marks.gold import MAIN, Gold, Mark, Target, new_id
from annotate.plugins.exchange.all_pages import read_marked, workspace_files, write_pages
from annotate.plugins.exchange.formats import FORMATS, format_of
from annotate.workspace.workspace import Workspace, page_key
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from engine.words import plural
from tests.annotate.pages import page_of, row_of

SITES = ("harbour", "library", "town hall")


def body(site):
    return f"<div id=top>menu of the {site}</div><div id=body><p>news of the {site}</p></div>"


def rendered(document):
    """Return the page as it would be rendered, without a browser."""
    made = page_of(body(document.full_path.split("/")[-2]), url=document.address)
    return Page(made.url, Source.from_bytes(document.read()), made.dom, made.nodes)


def saved_sites(folder, levels):
    """Save a page ``index.html`` for each site; mark it in a workspace on these levels."""
    path = folder / "work.pagelet"
    with Workspace.open(path) as workspace:
        for site in SITES:
            file = folder / "sites" / site / "index.html"
            file.parent.mkdir(parents=True)
            file.write_text(f"<!doctype html><title>{site}</title>{body(site)}", encoding="utf-8")
            document = page_at(str(file)).document()
            nodes = rendered(document).rendered()
            marks = [Mark(new_id(), level, (Target(row_of(nodes, "body")),)) for level in levels]
            workspace.add_pages([document])
            workspace.load_gold(page_key(document), nodes)
            workspace.save_gold(page_key(document), Gold(tuple(marks)), nodes, "mark")
    return path


def exported(path, key, out):
    pages = read_marked(workspace_files(path), rendered, pytest.fail)
    return write_pages(format_of(key), pages, out)


@pytest.mark.parametrize("key", [entry.key for entry in FORMATS])
def test_pages_of_one_file_name_do_not_overwrite_each_other(key, tmp_path):
    path = saved_sites(tmp_path, (MAIN, 1))
    summary = exported(path, key, tmp_path / "out")
    written = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert summary.startswith(f"3 pages in {plural(len(written), 'file')} below")
    text = "".join(
        [file.read_bytes().decode("utf-8", "replace") + str(file) for file in written]
        if key != "package"
        else [name for name, _ in read_dataset(written[0]).pages]
    )
    if key in ("gold", "labelme", "webannotation", "text", "kreuzer", "csv", "coco", "package"):
        assert all(site.replace(" ", "-") in text or site in text for site in SITES)


def test_each_page_is_written_to_a_file_with_its_own_gold(tmp_path):
    path = saved_sites(tmp_path, (1,))
    exported(path, "gold", tmp_path / "out")
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == [
        "harbour-index.gold.json", "library-index.gold.json", "town-hall-index.gold.json",
    ]  # fmt: skip
    for site, name in zip(SITES, names, strict=True):
        assert site in json.dumps(json.loads((tmp_path / "out" / name).read_text("utf-8")))


def test_pages_of_one_file_name_are_named_by_folder_in_a_data_set(tmp_path):
    dataset = read_dataset(saved_sites(tmp_path, (1,)))
    assert sorted(name for name, _ in dataset.pages) == [f"{site}/index.html" for site in SITES]
    assert all(isinstance(files[""], WorkspaceFiles) for _, files in dataset.pages)


def test_page_names_are_as_short_as_they_can_be_and_unique(tmp_path):
    path = saved_sites(tmp_path, (1,))
    with Workspace.reading(path) as workspace:
        documents = [document_of(entry) for entry in workspace.pages()]
    assert page_names(documents[:1]) == ("index.html",)
    assert page_names(documents) == tuple(f"{site}/index.html" for site in SITES)
    assert page_names([documents[0]] * 2) == (
        documents[0].full_path.strip("/"), f"{documents[0].full_path.strip('/')} (2)",
    )  # fmt: skip


def test_names_that_give_the_same_file_name_are_numbered(tmp_path):
    path = saved_sites(tmp_path, (1,))
    twin = tmp_path / "sites" / "town-hall" / "index.html"
    twin.parent.mkdir()
    twin.write_text(f"<!doctype html>{body('town-hall')}", encoding="utf-8")
    with Workspace.open(path) as workspace:
        document = page_at(str(twin)).document()
        nodes = rendered(document).rendered()
        workspace.add_pages([document])
        workspace.load_gold(page_key(document), nodes)
        gold = Gold((Mark(new_id(), 1, (Target(row_of(nodes, "top")),)),))
        workspace.save_gold(page_key(document), gold, nodes, "mark")
    summary = exported(path, "gold", tmp_path / "out")
    assert summary.startswith("4 pages in 4 files below")
    assert len(list((tmp_path / "out").iterdir())) == 4
    assert (tmp_path / "out" / "town-hall-index-2.gold.json").is_file()


@pytest.mark.parametrize("key", [entry.key for entry in FORMATS if entry.wants == "main content"])
def test_a_text_format_refuses_pages_without_main_content(key, tmp_path):
    path = saved_sites(tmp_path, (1,))
    with pytest.raises(InputError, match="nothing was written: no page has main content"):
        exported(path, key, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_pages_without_main_content_are_counted_as_left_out(tmp_path):
    path = saved_sites(tmp_path, (1,))
    pages = read_marked(workspace_files(path), rendered, pytest.fail)
    nodes = pages[0].page.rendered()
    main = Mark(new_id(), MAIN, (Target(row_of(nodes, "body")),))
    pages[0] = type(pages[0])(
        pages[0].name, pages[0].document, pages[0].page, Gold((*pages[0].gold.marks, main))
    )
    summary = write_pages(format_of("text"), pages, tmp_path / "out")
    assert summary.startswith("1 page in 1 file below")
    assert summary.endswith("2 pages without main content left out")
