"""A type checker sees the types of what ``import pagelet`` offers, as installed."""

import re
import subprocess
import sys
from pathlib import Path

import pagelet
import pytest

FACADE = Path(pagelet.__file__).parents[1]
REPOSITORY = Path(__file__).resolve().parents[2]
GUIDE = REPOSITORY / "resources/docs/guide.md"
PACKAGES = ("gui", "annotate", "algorithms", "engine", "resources")

MISTAKES = """\
import pagelet

page = pagelet.open("page.html", varaint="dom")  # wrong
page = pagelet.open("page.html")
page.run("bte").text.words  # wrong
pagelet.opne("page.html")  # wrong
number: int = page.title  # wrong
cases = pagelet.dataset("d")
pagelet.evaluate(cases, "bte", word_unit="syllables")  # wrong
page.run("bte").score("a text")["cs"].recal  # wrong
results = pagelet.evaluate(cases, ["bte"], jobs="2")  # wrong
results = pagelet.evaluate(cases, ["bte"])
results.frame("panda")  # wrong
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What mypy prints of the mistakes and of the guide, elsewhere than in this repository.

    It follows the .pth file of the installation, and sees types only where py.typed lies.
    """
    folder = tmp_path_factory.mktemp("types")
    (folder / "mistakes.py").write_text(MISTAKES)
    lines = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    (folder / "guide.py").write_text("".join(lines))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "mistakes.py", "guide.py"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_each_package_says_that_it_has_types():
    for folder in (*(REPOSITORY / name for name in PACKAGES), FACADE / "pagelet"):
        assert (folder / "py.typed").is_file()


@pytest.mark.slow
def test_a_type_checker_finds_every_mistake_in_what_uses_pagelet(said):
    lines = {
        int(number) for number in re.findall(r"^mistakes\.py:(\d+): error", said, re.MULTILINE)
    }
    assert lines == {n for n, line in enumerate(MISTAKES.splitlines(), 1) if "# wrong" in line}, (
        said
    )


@pytest.mark.slow
def test_the_python_lines_of_the_guide_have_no_type_errors(said):
    assert "guide.py" not in said, said
