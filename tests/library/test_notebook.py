"""Test that all cells of the documentation's notebook run."""

import ast
import json

import pytest

from resources import path

NOTEBOOK = path("docs/segmenters.ipynb")


@pytest.mark.web
@pytest.mark.long
def test_the_notebook_runs_and_shows_its_table_and_pages(capsys):
    pytest.importorskip("pandas")
    shown = []
    names = {"display": shown.append}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            _run("".join(cell["source"]), names, shown)
    cases, result, table, wins, *pages = shown
    assert len(cases) == 15
    assert "best of each page" in result._repr_html_()
    assert set(table["method"]) == {"block-fusion", "page-segmenter", "vips", "webterrain"}
    assert sum(wins.values()) == 15
    assert len(pages) == 3
    assert all("data:image/jpeg" in page._repr_html_() for page in pages)
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.web
@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_the_notebook_runs_in_a_kernel(tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    pictures = [
        output.data["text/html"]
        for output in notebook.cells[-1].outputs
        if output.output_type == "display_data"
    ]
    assert len(pictures) == 3
    assert all("<svg" in picture and "<script" not in picture for picture in pictures)
    nbformat.write(notebook, tmp_path / "executed.ipynb")


def _run(source, names, shown):
    """Run a cell and show the value of its last line."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
        if value is not None:
            shown.append(value)
