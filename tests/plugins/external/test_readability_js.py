"""Readability.js as a method, tested with another script of that name and class.

The class below keeps the longest paragraph.  PAGELET_READABILITY_JS names a folder of the real
package for the last test.
"""

import os
from pathlib import Path

import pytest

from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.explain.differences import words_kept
from algorithms.plugins.external.declared import read_declared
from algorithms.plugins.external.readers import method_of
from engine.errors import InputError
from engine.page import Page
from engine.processes.foreign import close_workers
from engine.source import Source
from resources import path as corpus

pytestmark = pytest.mark.web

LONG = "The ferry came back this morning after nine long years away from the harbour."
SCRIPT = """
function Readability(doc, options) {
  this.doc = doc;
  this.options = options;
}
Readability.prototype.parse = function () {
  if (this.doc === document) throw new Error("not a copy");
  const paragraphs = [...this.doc.querySelectorAll("p")];
  if (paragraphs.some((p) => p.textContent === "hang")) for (;;) {}
  if (paragraphs.some((p) => p.textContent === "throw")) throw new Error("no article here");
  const fit = paragraphs.filter((p) => p.textContent.length >= this.options.charThreshold);
  this.doc.body.remove();
  if (!document.body) throw new Error("the page itself has changed");
  if (!fit.length) return null;
  const best = fit.reduce((a, b) => (b.textContent.length > a.textContent.length ? b : a));
  return {content: best.outerHTML};
};
if (typeof module === "object") module.exports = Readability;
"""


@pytest.fixture(scope="module")
def entry(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    (folder / "Readability.js").write_text(SCRIPT, "utf-8")
    (folder / "package.json").write_text('{"version": "9.8.7"}')
    yield method_of("readability-js", folder)
    close_workers()


def run(entry, html, **values):
    page = Page("page", Source.from_text(html))
    return attempt(entry, page, entry.params(**values), "original")


def test_the_script_parses_a_copy_of_the_page_without_its_scripts(entry):
    html = f"<p>menu</p><p>{LONG} caf&eacute; 猫</p><script>document.body.textContent = ''</script>"
    outcome = run(entry, html, characters=20)
    assert outcome.status is OutcomeStatus.OK, outcome.error
    assert outcome.result.text == f"{LONG} café 猫"
    assert outcome.result.source.text_of(outcome.result.spans) == f"{LONG} café 猫"
    assert outcome.result.unmapped == 0
    assert 0 <= outcome.seconds < 5
    assert run(entry, html).status is OutcomeStatus.EMPTY  # 500 characters are required by default


@pytest.mark.slow
def test_a_script_that_throws_or_hangs_fails_and_the_next_page_works(entry):
    assert "no article here" in run(entry, "<p>throw</p>").error
    late = run(entry, "<p>hang</p>", seconds=4.0)
    assert (late.timed_out, late.error) == (True, "took longer than 4 s")
    assert run(entry, f"<p>{LONG}</p>", characters=20).status is OutcomeStatus.OK


def test_readability_js_is_declared_by_the_folder_of_its_package(entry, tmp_path, monkeypatch):
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path))
    package = tmp_path / "node_modules" / "readability"
    package.mkdir(parents=True)
    file = tmp_path / "methods.toml"
    file.write_text('[readability-js]\npackage = "node_modules/readability"\n')
    methods, problems = read_declared()
    assert not methods
    assert "must be the folder that holds Readability.js" in problems[0]
    (package / "Readability.js").write_text(SCRIPT)
    assert [m.version for m in read_declared()[0]] == ["@mozilla/readability (version unknown)"]
    assert entry.version == "@mozilla/readability 9.8.7"
    file.write_text("[readability-js]\n")
    assert "package is missing" in read_declared()[1][0]
    file.write_text(f'[readability-js]\npackage = "{"x" * 4000}"\n')
    assert "File name too long" in read_declared()[1][0]
    with pytest.raises(InputError, match="package must be"):
        method_of("readability-js", tmp_path / "nowhere")


@pytest.mark.skipif(
    "PAGELET_READABILITY_JS" not in os.environ, reason="PAGELET_READABILITY_JS names no package"
)
def test_the_real_package_extracts_the_story():
    real = method_of("readability-js", Path(os.environ["PAGELET_READABILITY_JS"]))
    story = f"<p>{LONG} And, it was said, with music, with flags, and with a speech.</p>" * 8
    html = f"<ul><li><a href=/>Home</a></ul><article>{story}</article><footer>Imprint</footer>"
    outcome = run(real, html)
    assert outcome.status is OutcomeStatus.OK, outcome.error
    assert outcome.result.text.count(LONG) == 8
    assert "Imprint" not in outcome.result.text


TALKING = """
function Readability(doc) { this.doc = doc; this.log = () => {}; }
Readability.prototype._removeAndGetNext = function (node) { node.remove(); return null; };
Readability.prototype.parse = function () {
  this.log("Starting grabArticle loop");
  this.log("Removing unlikely candidate - menu");
  this._removeAndGetNext(this.doc.querySelector("ul"));
  const story = this.doc.querySelector("div"), links = this.doc.querySelector("section");
  this.log("Candidate:", story, "with score 41.5");
  this.log("Cleaning Conditionally", links);
  this.log("Checks failed", ["Suspiciously short. (linkDensity=0.712345)"]);
  links.remove();
  return {content: story.outerHTML};
};
"""
MESSAGES = (
    f"<ul><li>home and more</ul><div><p>{LONG}</p><section>read this now</section></div><p>foot"
)


def test_log_messages_of_readability_js_become_its_trace(tmp_path):
    (tmp_path / "Readability.js").write_text(TALKING, "utf-8")
    entry = method_of("readability-js", tmp_path)
    source = Source.from_text(MESSAGES)
    result = entry.on_source(source, entry.params())
    trace = entry.trace_source(source, entry.params())
    assert (trace.kept == words_kept(result)).all()
    words = list(source.words)
    assert trace.decisions(words.index("home"))[-1].sentence == (
        "dropped: removed: unlikely candidate - menu"
    )
    text = [each.sentence for each in trace.decisions(words.index("read"))]
    assert text == [
        "kept: candidate, its score 41.5",
        "dropped: outside the article it chose",
        "dropped: removed: checks failed: Suspiciously short. (linkDensity=0.71)",
    ]
    assert trace.decisions(words.index("ferry"))[-1].sentence == "kept: in the article it chose"
    assert trace.decisions(words.index("foot"))[-1].sentence == (
        "dropped: outside the article it chose"
    )


DEFUDDLE = """
var Defuddle = function (doc, options) { this.doc = doc; this.options = options; };
Defuddle.prototype.parse = function () {
  const removals = [...this.doc.querySelectorAll("ul, section")].map((node) => ({
    step: "removeBySelector", selector: node.localName, text: node.textContent.trim(),
  }));
  for (const node of this.doc.querySelectorAll("ul, section")) node.remove();
  const debug = this.options.debug ? {removals} : undefined;
  return {content: this.doc.querySelector("div").outerHTML, debug};
};
"""


def test_removals_of_defuddle_become_its_trace(tmp_path, monkeypatch):
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path))
    package = tmp_path / "defuddle"
    (package / "dist").mkdir(parents=True)
    (package / "dist" / "index.js").write_text(DEFUDDLE, "utf-8")
    (tmp_path / "methods.toml").write_text('[defuddle]\npackage = "defuddle"\n')
    (entry,), problems = read_declared()
    assert problems == ()
    source = Source.from_text(MESSAGES)
    outcome = attempt(entry, Page("page", source), entry.params(), "original")
    assert outcome.result.text == LONG
    trace = entry.trace_source(source, entry.params())
    assert (trace.kept == words_kept(outcome.result)).all()
    last = trace.decisions(list(source.words).index("home"))[-1]
    assert last.sentence == "dropped: removed: removeBySelector, ul"


@pytest.mark.skipif(
    "PAGELET_READABILITY_JS" not in os.environ, reason="PAGELET_READABILITY_JS names no package"
)
def test_the_trace_of_the_real_package_matches_its_result():
    entry = method_of("readability-js", Path(os.environ["PAGELET_READABILITY_JS"]))
    for name in ("news", "forum", "blog"):
        source = Source.from_bytes((corpus("corpus") / name / "index.html").read_bytes())
        trace = entry.trace_source(source, entry.params())
        assert (trace.kept == words_kept(entry.on_source(source, entry.params()))).all()
        assert any("removed: " in each.sentence(0) for each in trace.steps)
