"""Test Python functions from HTML to text as methods."""

import os
import pickle
import re
import signal
import time

import pagelet
import pytest

PAGE = b"<title>Tea</title><nav>Menu</nav><p>Tea is a drink of hot water and leaves."
TAG = re.compile("<[^>]+>")


def paragraphs(html: str) -> str:
    """All that stands in paragraphs."""
    return "\n".join(TAG.sub("", part) for part in html.split("<p>")[1:])


def sleeping(html: str) -> str:
    time.sleep(60)
    return html


def numbers(html: str) -> str:
    return len(html)


def ends_itself(_html: str) -> str:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def evaluated():
    cases = pagelet.dataset(pagelet.samples())[:2]
    return pagelet.evaluate(cases, ["plain", paragraphs, lambda _: None])


def test_a_function_runs_on_a_page_and_is_scored():
    run = pagelet.open(PAGE).run(paragraphs)
    assert run.text == "Tea is a drink of hot water and leaves."
    assert run.score("Tea is a drink")["cs"].recall == 1.0
    assert run.setup.entry.summary == "All that stands in paragraphs."


def test_functions_and_methods_are_evaluated_together(evaluated):
    methods = evaluated.summary("numpy")["method"].tolist()
    assert sorted(set(methods)) == ["lambda", "paragraphs", "plain"]
    rows = [row for row in evaluated.rows if row.run.method == "paragraphs"]
    assert {str(row.status) for row in rows} == {"ok"}
    assert {row.run.version for row in rows} == {f"function paragraphs {digest(paragraphs)}"}
    assert {str(row.status) for row in evaluated.rows if row.run.method == "lambda"} == {"empty"}


def digest(function):
    return pagelet.open(PAGE).run(function).setup.entry.version.split()[-1]


@pytest.mark.slow
def test_results_of_functions_are_read_back_from_a_report(evaluated, tmp_path):
    evaluated.report(tmp_path)
    again = pagelet.read(tmp_path)
    assert list(again.rows) == list(evaluated.rows)
    assert again.summary("numpy")["version"].tolist() == (
        evaluated.summary("numpy")["version"].tolist()
    )
    again.report(tmp_path)
    assert not (tmp_path / "scores.before.csv").exists()


def test_a_bundle_shows_results_of_functions(evaluated, tmp_path):
    evaluated.bundle(tmp_path)
    pages = [path.read_text() for path in tmp_path.rglob("*.html")]
    assert sum("<span>paragraphs <kbd>" in page for page in pages) == len(evaluated.cases) == 2


def test_a_bundle_shows_scored_texts(tmp_path):
    cases = pagelet.dataset(pagelet.samples())[:1]
    scored = pagelet.score_texts(cases, {cases[0].name: cases[0].gold.text}, "given")
    index = pickle.loads(pickle.dumps(scored)).bundle(tmp_path)
    pages = [path.read_text() for path in index.parent.rglob("*.html")]
    assert sum("<span>given <kbd>" in page for page in pages) == 1


def test_the_version_changes_with_the_function_and_its_globals():
    def made(code):
        space = {"__name__": __name__}
        exec(code, space)
        return digest(space["extract"])

    one = made("word = 'Tea'\ndef extract(html): return word")
    assert made("word = 'Tea'\ndef extract(html): return word") == one
    assert made("word = 'hot'\ndef extract(html): return word") != one
    assert made("word = 'Tea'\ndef extract(html): return word * 1") != one


@pytest.mark.parametrize(
    ("function", "params", "reason"),
    [
        (sleeping, {"seconds": 0.5}, "took longer than 0.5 s"),
        (numbers, {}, "it must return a string, not a value of type int"),
        (ends_itself, {}, "was ended by SIGKILL"),
        (lambda html: 1 / 0, {}, "ZeroDivisionError"),
    ],
)
def test_failures_of_a_function_raise_method_error_with_the_reason(function, params, reason):
    with pytest.raises(pagelet.MethodError, match=reason):
        pagelet.open(PAGE).run(function, **params)


def plain(html):
    return html


def test_a_function_that_cannot_be_pickled_is_refused(tmp_path):
    with (tmp_path / "text").open("w") as file:
        page, named = pagelet.open(PAGE), lambda _: file.name
        with pytest.raises(pagelet.InputError, match="cannot be handed to another process"):
            page.run(named)


def test_duplicate_names_of_functions_are_refused():
    page, cases = pagelet.open(PAGE), pagelet.dataset(pagelet.samples())[:1]
    with pytest.raises(pagelet.InputError, match="there is a method 'plain' already"):
        page.run(plain)
    with pytest.raises(pagelet.InputError, match="two functions have the name lambda"):
        pagelet.evaluate(cases, [lambda html: html, lambda _: ""])
