"""Test that the Python lines of the guide run as a script with the described results."""

import json
import os
import re
import shutil
import subprocess
import sys

import pagelet
import pytest

from resources.documentation import read_page

LINES = "".join(
    re.findall(r"^```python\n(.*?)^```", read_page("python.md"), re.DOTALL | re.MULTILINE)
)
ANSWERS = """
import json
rows, mine = results.frame("numpy"), pagelet.score_texts(cases, texts, "mine").frame("numpy")
difference, = results.compare("vips", "webterrain")
print(json.dumps({
    "methods": sorted(set(rows["method"].tolist())),
    "failed": sorted(set(rows["reason"].tolist())),
    "blocks": len(run.blocks),
    "score": cases[0].page.run("bte").score()["cs"].recall,
    "lines": [len(line) > 80 for line in page.run(long_lines).text.splitlines()],
    "compared": [difference.a, difference.b, difference.pages],
    "worst": [len(results.worst(number)) for number in (1, 3)],
    "best": sorted(results.oracle()[0].choice),
    "read": pagelet.read("folder").frame("numpy")["value"].tolist() == rows["value"].tolist(),
    "mine": [mine["method"].tolist(), mine["status"].tolist()],
}))
"""
"""Prints what the names hold that the guide's lines leave."""


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a page and the data set that the guide names."""
    for name in ("blog", "search"):
        shutil.copytree(pagelet.samples() / name, tmp_path / "kreuzer-random" / name)
    shutil.copy(pagelet.samples() / "blog" / "index.html", tmp_path / "page.html")
    return tmp_path


@pytest.mark.slow
@pytest.mark.web
def test_the_python_lines_of_the_guide_run_as_a_script(folder):
    (folder / "guide.py").write_text(LINES + ANSWERS)
    done = subprocess.run(
        [sys.executable, "guide.py"],
        cwd=folder, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    answers = json.loads(done.stdout)
    assert answers["methods"] == ["vips", "webterrain"]
    assert answers["failed"] == [""]
    assert answers["blocks"] > 3
    assert answers["score"] > 0.3
    assert answers["lines"]
    assert all(answers["lines"])
    assert answers["compared"] == ["vips", "webterrain", 2]
    assert answers["best"] == ["blog/index.html", "search/index.html"]
    assert answers["worst"] == [2, 4]  # of each method; it has two pages
    assert answers["read"]
    assert answers["mine"] == [["mine"] * 8, ["ok"] * 8]
    assert {path.name for path in (folder / "folder").iterdir()} >= {"report.html", "scores.csv"}
