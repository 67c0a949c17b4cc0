"""Fixtures are laid out as the projects do, and fail against the installed packages."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms.plugins.external.npm_packages import NpmRecipe
from annotate.plugins.external.sides import chosen_side
from annotate.plugins.reduce.project_fixture import name_of, project_files, texts_of
from annotate.plugins.reduce.question import ShownProperty
from engine.errors import InputError
from engine.processes.foreign import close_workers
from tests.typed_commands import typed

SAID = [
    f"The {who} said that the old bridge over the river would be closed until {when}, and that "
    f"nobody in the town had been asked before it was decided in the {where} on Monday evening."
    for who, when, where in (
        ("council", "spring", "town hall"),
        ("mayor", "summer", "library"),
        ("police", "autumn", "old school"),
    )
]
PAGE = (
    f"<!DOCTYPE html><html><head><title>Bridge</title></head><body><div><p>{SAID[0]}</p>"
    f"<p>{SAID[1]}</p><div class=sidebar><p>It is after nine years of repairs.</p></div>"
    f"<p>{SAID[2]}</p></div></body></html>"
)
LOST = ("after", "nine", "years", "of", "repairs")
KEPT = ("closed", "until", "summer")
NAME = "after-nine-years-of-repairs"

COMPARED = """
import {Readability} from "@mozilla/readability";
import {JSDOM} from "jsdom";
import {readFileSync} from "node:fs";
const [source, expected] = process.argv.slice(2).map((path) => readFileSync(path, "utf-8").trim());
const {document} = new JSDOM(source, {url: "http://fakehost/test/page.html"}).window;
const {content} = new Readability(document, {classesToPreserve: ["caption"]}).parse();
const nodes = (node) => node.nodeType === 3
  ? (node.textContent.trim() ? [node.textContent.replace(/\\s+/g, " ").trim()] : [])
  : [node.localName + JSON.stringify([...node.attributes ?? []].map((a) => [a.name, a.value])),
     ...[...node.childNodes].flatMap(nodes)];
const [one, other] = [content, expected].map((html) => nodes(new JSDOM(html).window.document.body));
process.exit(JSON.stringify(one) === JSON.stringify(other) ? 0 : 1);
"""
"""Compares node by node, as the project's test/test-readability.js does."""


@pytest.fixture(scope="module")
def node():
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node.js and npm are not installed")
    yield "node"
    close_workers()


def question(method, words, shows="lost"):
    side = chosen_side(method)
    return ShownProperty(
        shows, side.entry.key, side.params.as_dict(), words, recipe=side.entry.recipe
    )


def written(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("shows", "words"), [("lost", LOST), ("kept", KEPT)])
def test_a_fixture_of_trafilatura_fails_until_its_words_are_right(tmp_path, shows, words):
    pytest.importorskip("trafilatura")
    opposite = {"lost": ("kept", KEPT), "kept": ("lost", LOST)}[shows]
    for asked, page, status in ((shows, words, 1), (shows, opposite[1], 0)):
        # What is not lost is not asked for: the same test of words that are right passes.
        files = project_files("trafilatura", question("trafilatura", page, asked), PAGE)
        (name,) = files
        assert name == f"tests/{name_of(page).replace('-', '_')}_tests.py"
        file = written(tmp_path, files) / name
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null",
             file], capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert ran.returncode == status, ran.stdout + ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("shows", "words"), [("lost", LOST), ("kept", KEPT)])
def test_a_fixture_of_readability_fails_and_differs_in_its_words_alone(
    tmp_path, node, shows, words
):
    asked = question("npm:@mozilla/readability==0.6.0", words, shows)
    folder = f"test/test-pages/{name_of(words)}"
    files = project_files("readability", asked, PAGE)
    assert [*files] == [
        f"{folder}/{name}" for name in ("source.html", "expected.html", "expected-metadata.json")
    ]
    about = json.loads(files[f"{folder}/expected-metadata.json"])
    assert {*about} >= {
        "title", "byline", "dir", "lang", "excerpt", "siteName", "readerable"
    }  # fmt: skip
    assert (about["title"], about["excerpt"]) == ("Bridge", SAID[0])
    expected = files[f"{folder}/expected.html"]
    assert expected.startswith('<div id="readability-page-1" class="page">')
    script = Path(asked.recipe.folder) / f"compared-{tmp_path.parent.name}.mjs"
    script.write_text(COMPARED, "utf-8")
    try:
        written(tmp_path, files)
        words = [node, script, tmp_path / folder / "source.html", tmp_path / "expected.html"]
        block = "<p>It is after nine years of repairs.</p>"
        after, gone = f"<p>{SAID[1]}</p>", f"<p>{SAID[0]}</p>"
        right = expected.replace(block, "") if shows == "lost" else expected.replace(
            gone, gone + after)  # fmt: skip
        assert right != expected
        for text, status in ((expected, 1), (right, 0)):
            (tmp_path / "expected.html").write_text(text, "utf-8")
            ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
            assert ran.returncode == status, ran.stderr
    finally:
        script.unlink()
    if shows == "lost":
        assert expected.index(SAID[1]) < expected.index(block) < expected.index(SAID[2])


@pytest.mark.slow
def test_a_fixture_of_defuddle_is_a_page_and_markdown_with_its_metadata(node):
    asked = question("npm:defuddle==0.19.4", LOST)
    files = project_files("defuddle", asked, PAGE)
    assert [*files] == [
        f"tests/fixtures/general--{NAME}.html",
        f"tests/expected/general--{NAME}.md",
    ]
    _, about, markdown = files[f"tests/expected/general--{NAME}.md"].split("```", 2)
    assert [*json.loads(about.removeprefix("json"))] == ["title", "author", "site", "published"]
    lines = markdown.strip().split("\n\n")
    assert lines == [SAID[0], SAID[1], "It is after nine years of repairs.", SAID[2]]


@pytest.mark.slow
def test_the_command_writes_a_fixture_and_a_report(tmp_path):
    pytest.importorskip("trafilatura")
    page = tmp_path / "page.html"
    page.write_text(PAGE, "utf-8")
    told = ("--lost", " ".join(LOST), "--for", "trafilatura", "--out", tmp_path / "checkout")
    done = typed("reduce", "trafilatura", page, *told, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    file = tmp_path / "checkout" / "tests" / "after_nine_years_of_repairs_tests.py"
    assert "after nine years of repairs" in file.read_text("utf-8")
    report = (tmp_path / "checkout" / "report.md").read_text("utf-8")
    assert "trafilatura 2" in report
    assert "Expected:" in report
    assert "Actual:" in report
    assert f"    pytest tests/{file.name}" in report
    done = typed("reduce", "bte", page, "--lost", "closed until", *told[2:], "--any-cause")
    assert done.returncode == 2
    done = typed("reduce", "bte", page, "--fails", "--for", "trafilatura")
    assert (done.returncode, "--for needs --lost or --kept" in done.stderr) == (2, True)


def test_a_fixture_needs_the_package_of_its_project():
    names = {"readability": "npm:@mozilla/readability", "defuddle": "npm:defuddle"}
    for project, method in (names | {"trafilatura": "trafilatura"}).items():
        with pytest.raises(InputError, match=f"name {method} as the method"):
            project_files(project, ShownProperty("lost", "bte", {}, LOST), PAGE)
    other = NpmRecipe("", "", "text", "turndown 7.2.0")
    with pytest.raises(InputError, match="of its own package"):
        project_files("defuddle", ShownProperty("lost", "x", {}, LOST, recipe=other), PAGE)
    assert name_of(("Über", "9", "日本")) == "ber-9"
    assert name_of(("日本",)) == "words"


def test_the_expected_text_is_without_the_line_of_kept_words():
    expected, actual = texts_of(ShownProperty("kept", "plain", {}, LOST), PAGE)
    assert "nine years" in actual
    assert [line for line in expected.split("\n") if line] == SAID
