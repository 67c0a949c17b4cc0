"""Installed libraries as methods; each test runs for those that are installed."""

import subprocess
import sys
from pathlib import Path

import pytest

from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.plugins.external import libraries
from algorithms.plugins.external.libraries import find_installed
from engine.page import Page
from engine.processes.foreign import close_workers
from engine.source import Source

ROOT = Path(libraries.__file__).resolve().parents[3]
METHODS = {entry.key: entry for entry in find_installed()}
EACH = pytest.mark.parametrize("key", METHODS or [pytest.param("none", marks=pytest.mark.skip)])

SENTENCES = """\
The ferry came back this morning after nine long years away from the harbour, and the whole town \
stood on the quay to watch it turn into the stream without a sound.
Nobody had told the captain that there would be music, so he waited behind the bar until the band \
had finished, and only then did he let the first of the passengers go ashore.
It is the same ship, said the mayor, but it has a new engine, and it will be in the harbour twice \
a day from now on, except on those days when the ice is too thick for it.
""".splitlines()
STORY = f"<p>{' '.join(SENTENCES)}</p>" + "".join(f"<p>{line}</p>" for line in SENTENCES)
PAGE = (
    "<!doctype html><html lang=en><head><title>The ferry is back</title></head><body>"
    "<ul class=nav><li><a href=/>Home</a></li><li><a href=/n>Contact us</a></li></ul>"
    f"<article><h1>The ferry is back</h1>{STORY}</article>"
    "<div class=footer><a href=/i>Imprint</a> <a href=/t>Terms of service</a></div></body></html>"
)


@pytest.fixture(autouse=True, scope="module")
def _end_workers():
    yield
    close_workers()


def run(key, html, **values):
    entry = METHODS[key]
    page = Page("page", Source.from_text(html))
    return page, attempt(entry, page, entry.params(**values), "original")


@EACH
def test_a_library_extracts_the_story_and_its_text_is_found_on_the_page(key):
    page, outcome = run(key, PAGE)
    assert outcome.status is OutcomeStatus.OK, outcome.error
    result = outcome.result
    assert SENTENCES[1] in " ".join(result.text.split())
    assert "Imprint" not in result.text
    assert result.unmapped == 0
    marked = page.original.text_of(result.spans)
    assert SENTENCES[0] in marked
    assert "Imprint" not in marked
    assert 0 < outcome.seconds < 20


@EACH
@pytest.mark.parametrize(
    "html",
    ["", "<p></p>", "<", "\0", "\ud800 lone", "<div>" * 3000 + "deep", "<p>漢字かな交じり文",
     '<?xml version="1.0" encoding="latin-1"?><html><body><p>words</p></body></html>'],
)  # fmt: skip
def test_odd_pages_give_a_result_or_a_failure_with_a_reason(key, html):
    _, outcome = run(key, html)
    assert outcome.status in (OutcomeStatus.OK, OutcomeStatus.EMPTY, OutcomeStatus.FAILED)
    if outcome.status is OutcomeStatus.FAILED:
        assert outcome.error
        assert "\n" not in outcome.error


@EACH
def test_a_library_is_listed_with_its_version(key):
    assert any(character.isdigit() for character in METHODS[key].version)
    assert METHODS[key].cite
    assert METHODS[key].summary


@pytest.mark.skipif("trafilatura" not in METHODS, reason="trafilatura is not installed")
def test_a_library_that_timed_out_runs_on_the_next_page():
    run("trafilatura", PAGE)
    _, late = run("trafilatura", PAGE.replace("</article>", STORY * 3000), seconds=0.05)
    assert late.status is OutcomeStatus.FAILED
    assert late.timed_out
    assert late.error == "took longer than 0.05 s"
    assert run("trafilatura", PAGE)[1].status is OutcomeStatus.OK


@pytest.mark.skipif("justext" not in METHODS, reason="jusText is not installed")
def test_justext_uses_the_language_of_the_page_by_default():
    korean = PAGE.replace("lang=en", "lang=ko")
    english = run("justext", PAGE)[1].result.text
    assert len(run("justext", korean)[1].result.text) < len(english)
    assert run("justext", korean, language="English")[1].result.text == english
    failed = run("justext", PAGE, language="Klingon")[1]
    assert failed.error == "ValueError: jusText has no words of the language 'Klingon'"


@pytest.mark.skipif("boilerpy3" not in METHODS, reason="boilerpy3 is not installed")
def test_boilerpy3_selects_its_extractor_by_a_parameter():
    everything = run("boilerpy3", PAGE, rules="KeepEverything")[1].result.text
    assert "Imprint" in everything


@pytest.mark.slow
@pytest.mark.skipif(not METHODS, reason="no library is installed")
def test_libraries_are_not_imported_in_the_process_of_pagelet():
    code = f"""
import sys
from algorithms.core.catalogue import available, method
from algorithms.core.attempt import attempt
from engine.page import Page
from engine.source import Source
page = Page("page", Source.from_text({PAGE!r}))
for key in {list(METHODS)!r}:
    assert attempt(method(key), page, method(key).params(), "original").result
foreign = {{"trafilatura", "readability", "resiliparse", "justext", "boilerpy3", "newspaper",
           "goose3"}} & {{name.partition(".")[0] for name in sys.modules}}
assert not foreign, foreign
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_missing_libraries_are_skipped_without_warnings(monkeypatch, recwarn, capfd):
    def version(name):
        raise libraries.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(libraries.metadata, "version", version)
    assert find_installed() == ()
    assert not recwarn.list
    assert capfd.readouterr() == ("", "")
