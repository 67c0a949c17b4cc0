"""Test pagelet-source, the packages without Qt for machines that only read sources."""

import csv
import gzip
import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from engine.errors import NO_QT

pytest.importorskip("hatchling", reason="hatchling builds the wheel")

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "source_only"
WITH_QT = ("pyside6", "shiboken6", "pyqtgraph", "pygments")
"""What it goes without; pygments colours the Source panel."""

PAGE = "<!doctype html><title>Tea</title><nav>Menu</nav><p>Tea is a drink of hot water and leaves."


def project(folder):
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


def test_dependencies_are_those_of_pagelet_without_qt():
    whole, source = project(ROOT), project(FOLDER)
    assert source["version"] == whole["version"]
    assert source["requires-python"] == whole["requires-python"]
    assert source["classifiers"] == whole["classifiers"]
    group = "pagelet.plugins"
    assert source["entry-points"][group] == whole["entry-points"][group]
    assert set(source["dependencies"]) == {
        each for each in whole["dependencies"] if not each.lower().startswith(WITH_QT)
    }
    for name, needs in source["optional-dependencies"].items():
        assert needs == whole["optional-dependencies"][name]


def test_the_wheel_has_all_resources_except_the_built_documentation(tmp_path):
    resources = tmp_path / "resources"
    for name in ("site/index.html", "sql/1.sql", "source_only/pyproject.toml"):
        (resources / name).parent.mkdir(parents=True)
        (resources / name).write_text("")
    spec = importlib.util.spec_from_file_location("hook", FOLDER / "hook.py")
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    build_data = {"force_include": {}}
    root = resources / "source_only"
    hook.ResourcesHook(str(root), {}, None, None, str(root), "wheel").initialize("", build_data)
    included = set(build_data["force_include"].values())
    assert included == {"resources/sql", "resources/source_only"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a function that runs the command of pagelet-source, installed without Qt."""
    folder = tmp_path_factory.mktemp("source")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist"],
        cwd=FOLDER, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    site = folder / "site"
    with zipfile.ZipFile(next((folder / "dist").iterdir())) as wheel:
        assert not [name for name in wheel.namelist() if "__pycache__" in name]
        wheel.extractall(site)
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        name = each.name.lower()
        if not name.startswith((*WITH_QT, "pagelet", "_pagelet")) and not name.endswith(".pth"):
            (site / each.name).symlink_to(each)
    (folder / "page.html").write_text(PAGE)

    def run(*words):
        home = {"HOME": str(folder), "PYTHONPATH": str(site)}
        base = getattr(sys, "_base_executable", sys.executable)  # it has no packages of its own
        return subprocess.run(
            [base, "-m", "pagelet_command", *words],
            cwd=folder, env={"PATH": os.environ["PATH"], **home},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


@pytest.mark.slow
def test_extract_and_why_work_with_methods_that_read_the_source(run):
    done = run("extract", "bte", "page.html")
    assert (done.returncode, done.stdout.strip()) == (0, "Tea is a drink of hot water and leaves.")
    done = run("why", "bte", "page.html", "--text", "hot water")
    assert (done.returncode, done.stderr) == (0, "")
    assert "bte: kept" in done.stdout


@pytest.mark.slow
def test_an_evaluation_scores_sources_and_skips_inputs_that_need_rendering(run, tmp_path):
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "tea.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    gold = {"tea": {"articleBody": "Tea is a drink of hot water and leaves.", "url": ""}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(gold))
    out = str(tmp_path / "out")
    words = ["--methods", "bte", "--input", "original,dom", "--jobs", "1", "--out", out]
    done = run("evaluate", str(tmp_path), *words)
    assert done.returncode == 0, done.stderr
    assert "without pictures of pages: Qt is not installed" in done.stderr
    rows = list(csv.DictReader((tmp_path / "out" / "scores.csv").read_text().splitlines()))
    reasons = {row["input"]: (row["status"], row["reason"]) for row in rows}
    assert reasons["original"] == ("ok", "")
    assert "install pagelet in place of pagelet-source" in reasons["dom"][1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("segment", "webterrain", "page.html"),
        ("extract", "bte", "--input", "dom", "page.html"),
        ("picture", "page.html", "bte", "--out", "page.svg"),
        ("page.html",),
    ],
)
def test_commands_that_need_a_browser_are_refused_in_one_sentence(run, words):
    done = run(*words)
    assert done.returncode == 1
    sentence = f"pagelet: {NO_QT}"
    assert done.stderr.splitlines() == [sentence]
