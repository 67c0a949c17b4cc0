"""Packages of npm as methods; the registry is needed once for each version."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from algorithms.core.attempt import attempt
from algorithms.plugins.external import npm_packages
from algorithms.plugins.external.npm_packages import npm_recipe
from annotate.evaluation.store.predictions import PredictedPage, write_package
from annotate.plugins.compare.bisect import position_of, versions_of
from annotate.plugins.external.sides import chosen_side
from engine.errors import InputError
from engine.page import Page
from engine.processes.foreign import close_workers
from engine.processes.isolation import isolation_problem
from engine.source import Source
from tests.e2e.test_evaluate import evaluate, rows

PROSE = "The council said that the old bridge over the river would be closed until spring. "
CARD = (
    '<div class=tsingle><div><a href="/{0}"><img src="/{0}.jpg" width=300 height=200></a></div>'
    "<div>{1} of the bridge, seen from the bank of the river</div></div>"
)
PAGE = (
    f"<!DOCTYPE html><title>Bridge</title><article><h1>Bridge</h1><p>{PROSE * 8}</p>"
    f"<div class=tmulti><div class=trow>{CARD.format(1, 'Northern arch')}"
    f"{CARD.format(2, 'Southern arch')}</div></div>"
    f"<p>{PROSE * 4}</p><p>The street keeps its name until today. {PROSE * 3}</p></article>"
)
"""A row of pictures within an article, as in illustrated encyclopedias."""

OWN = """// package: turndown
// answers: text
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import TurndownService from "turndown";
export default async (html) => {
  if (html.includes("hang")) for (;;) {}
  if (html.includes("exit")) process.exit(7);
  if (html.includes("fetch")) await fetch("http://127.0.0.1/");
  if (html.includes("home")) return fs.readFileSync(html.match(/home (\\S+) /)[1], "utf-8");
  if (html.includes("process")) return execFileSync("hostname", {encoding: "utf-8"});
  return new TurndownService().turndown(html);
};
"""


UNGUARDED = ("node", str(Path(npm_packages.__file__).parent / "npm/serve.mjs"))
"""Node without isolation, which a test of it must notice."""


@pytest.fixture(scope="module")
def node():
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node.js and npm are not installed")
    yield
    close_workers()


def recipe(*words):
    try:
        return npm_recipe(*words)
    except InputError as error:
        if "cannot be reached" in str(error):
            pytest.skip("the npm registry cannot be reached")
        raise


def result_of(entry, html, seconds=20.0):
    return attempt(
        entry, Page("p", Source.from_text(html)), entry.params(seconds=seconds), "original"
    )


def test_a_missing_node_is_one_sentence(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="is not installed, and packages of npm need it: install"):
        chosen_side("npm:defuddle==0.19.4")


def test_a_package_without_an_adapter_is_one_sentence():
    with pytest.raises(InputError, match="how left-pad extracts is not known: add an adapter"):
        chosen_side("npm:left-pad==1.3.0")
    with pytest.raises(InputError, match="names no package of npm: expected"):
        chosen_side("npm:../secret==1")


@pytest.mark.slow
def test_the_version_that_loses_an_article_after_its_pictures_is_found(node):
    """Defuddle before 0.19.2 took a row of pictures for related posts, and removed what follows."""
    before, after = (recipe(f"npm:defuddle=={v}").entry(v) for v in ("0.19.1", "0.19.2"))
    lost, kept = (result_of(each, PAGE).result.text for each in (before, after))
    assert "keeps its name" in kept
    assert "keeps its name" not in lost
    versions = versions_of("npm:defuddle")
    assert position_of(versions, "0.19.1") < position_of(versions, "0.19.2")


@pytest.mark.slow
def test_an_own_adapter_fails_visibly_and_has_no_network(node, tmp_path: Path, monkeypatch):
    (tmp_path / "own.mjs").write_text(OWN)
    (tmp_path / ".npmrc").write_text("registry=http://127.0.0.1:9/")
    monkeypatch.chdir(tmp_path)
    entry = recipe("npm:turndown==7.2.0", "own.mjs").entry("own")
    assert "a word" in result_of(entry, "<p>a word</p>").result.text
    assert "no network" in result_of(entry, "<p>fetch</p>").error
    assert "ended with status 7" in result_of(entry, "<p>exit</p>").error
    assert result_of(entry, "<p>hang</p>", 1.0).timed_out
    assert "a word" in result_of(entry, "<p>a word</p>").result.text


@pytest.mark.slow
@pytest.mark.parametrize("system", [True, False], ids=["namespaces", "Node alone"])
def test_a_package_reads_no_file_of_the_home_folder(node, tmp_path, monkeypatch, system):
    (tmp_path / "own.mjs").write_text(OWN)
    (tmp_path / "key").write_text("secret")
    page = f"<p>home {tmp_path / 'key'} secret</p>"
    entry = recipe("npm:turndown==7.2.0", str(tmp_path / "own.mjs")).entry("own")
    monkeypatch.setenv("HOME", str(tmp_path))
    if not system:
        monkeypatch.setattr(npm_packages, "isolation_problem", lambda: "switched off")
    close_workers()
    assert "restricted" in result_of(entry, page).error
    assert "restricted" in result_of(entry, "<p>process</p>").error
    close_workers()
    monkeypatch.setattr(npm_packages, "_node_words", lambda folder: UNGUARDED)
    assert result_of(entry, page).result.text == "secret"
    close_workers()


@pytest.mark.slow
def test_a_linked_node_below_the_home_folder_starts_isolated(node, tmp_path, monkeypatch, caplog):
    """As version managers lay it out: the command is a link into a folder of the version."""
    real = Path(shutil.which("node")).resolve()
    version = tmp_path / "versions" / "v1" / "bin"
    version.mkdir(parents=True)
    os.link(real, version / "node") if _is_beside(real, version) else shutil.copy(real, version)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "node").symlink_to(version / "node")
    (tmp_path / "own.mjs").write_text(OWN)
    (tmp_path / "key").write_text("secret")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    words = npm_packages._node_words(tmp_path)
    assert str(version / "node") in words
    if not isolation_problem():
        assert words[0] == "unshare"
        assert "not isolated" not in caplog.text
    done = subprocess.run(
        [*words[: words.index(str(version / "node")) + 1], "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("v")


def _is_beside(one: Path, other: Path) -> bool:
    return one.stat().st_dev == other.stat().st_dev


@pytest.mark.slow
def test_evaluate_scores_packages_of_npm_beside_other_methods(node, tmp_path: Path):
    """A hanging page is a failed result; a second run takes all results from the first."""
    (tmp_path / "own.mjs").write_text(OWN)
    own, old = f"npm:turndown==7.2.0 {tmp_path / 'own.mjs'}", "npm:defuddle==0.19.1"
    recipe(old), recipe(*own.split())
    text = PROSE * 4
    pages = [
        PredictedPage(name, f"<p>{text}{word}</p>".encode(), text, {"encoding": "utf-8"})
        for name, word in (("one", ""), ("two", "hang"))
    ]
    write_package(tmp_path / "bridges.zip", "bridges", pages)
    words = (
        tmp_path / "bridges.zip", "--methods", f"{own},{old},bte", "--out", tmp_path / "out",
        "--set", f"{own}.seconds=2", "--predictions",
    )  # fmt: skip
    done = evaluate(*words)
    assert done.returncode == 0, done.stderr
    assert "1 timed out: took longer than 2 s" in done.stdout
    found = {(r["method"], r["page"]): r["value"] for r in rows(tmp_path / "out/scores.csv")}
    assert float(found[own, "one"]) == float(found["bte", "one"]) == 1.0
    assert {key for key, value in found.items() if not value} == {(own, "two")}
    again = evaluate(*words, "--resume")
    assert again.stdout == done.stdout
