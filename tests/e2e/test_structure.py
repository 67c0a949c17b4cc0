"""Test main content as Markdown and HTML, by the command and in Python."""

import json

import pagelet
import pytest

from gui.cli.main import main

PAGE = """<html><body><base href="https://tea.example/"><h1>Tea</h1>
<ul><li>hot<li><a href="/black">black</a></ul><script>x()</script></body></html>"""
MARKDOWN = "# Tea\n\n- hot\n- [black](https://tea.example/black)"
HTML = (
    '<h1>Tea</h1>\n<ul><li>hot</li>\n<li><a href="https://tea.example/black">black</a></li>\n</ul>'
)


@pytest.fixture
def page(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    return str(file)


def test_a_page_is_printed_as_markdown_and_as_clean_html(page, capsys):
    for form, printed in (("markdown", MARKDOWN), ("html", HTML), ("text", "Tea\nhot\nblack")):
        assert main(["extract", "plain", page, "--format", form]) == 0
        assert capsys.readouterr().out == f"{printed}\n"


def test_json_has_only_the_requested_forms(page, capsys):
    for words in (["--json"], ["--format", "json"]):
        assert main(["extract", "plain", page, *words, "--with", "html,markdown"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["markdown"], answer["html"]) == (MARKDOWN, HTML)
    assert main(["extract", "plain", page, "--json"]) == 0
    assert "markdown" not in json.loads(capsys.readouterr().out)


def test_a_run_in_python_has_markdown_and_html(page):
    run = pagelet.open(page).run("plain")
    assert (run.markdown, run.html) == (MARKDOWN, HTML)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--with", "markdown"], "--with adds to JSON or to columns"),
        (["--with", "mardown", "--json"], "unknown form 'mardown'; did you mean markdown?"),
        (["--format", "parquet"], "--format parquet is for many pages"),
    ],
)
def test_invalid_forms_are_refused_in_one_sentence(page, capsys, words, sentence):
    assert main(["extract", "plain", page, *words]) == 2
    assert sentence in capsys.readouterr().err
