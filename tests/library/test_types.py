"""Test that type checkers see the types of the installed package."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pagelet
import pytest

FACADE = Path(pagelet.__file__).parents[1]
REPOSITORY = Path(__file__).resolve().parents[2]
GUIDE = REPOSITORY / "resources/docs/how-to/python.md"
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


CHECKERS = {
    "mypy": ["--strict", "--config-file="],
    "pyright": [],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write the mistakes and the guide's lines to a folder outside the repository.

    A type checker follows the .pth file of the installation, and sees types only where py.typed
    lies.
    """
    folder = tmp_path_factory.mktemp("types")
    (folder / "mistakes.py").write_text(MISTAKES)
    lines = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    (folder / "guide.py").write_text("".join(lines))
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.11"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return folder


@pytest.fixture(scope="module", params=CHECKERS)
def printed(request, folder):
    """Return a type checker's output for the mistakes and the guide."""
    checker = request.param
    pytest.importorskip(checker)
    if checker == "pyright" and shutil.which("node") is None:
        pytest.skip("pyright needs node, of Debian's package nodejs")
    words = [*CHECKERS[checker], "mistakes.py", "guide.py"]
    if checker == "pyright":  # it looks for the packages of the Python that it is told
        words = ["--pythonpath", sys.executable, *words]
    done = subprocess.run(
        [sys.executable, "-m", checker, *words],
        cwd=folder, capture_output=True, text=True, check=False,
        env=os.environ | {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    return done.stdout


def errors(printed, file):
    """Return the lines of a file in which a checker reports errors."""
    result = re.findall(rf"{re.escape(file)}:(\d+):(?:\d+ -)? error", printed)
    return {int(number) for number in result}


def test_each_package_has_a_py_typed_file():
    for folder in (*(REPOSITORY / name for name in PACKAGES), FACADE / "pagelet"):
        assert (folder / "py.typed").is_file()


@pytest.mark.slow
def test_type_checkers_find_every_planted_mistake(printed):
    planted = {n for n, line in enumerate(MISTAKES.splitlines(), 1) if "# wrong" in line}
    assert errors(printed, "mistakes.py") == planted, printed


@pytest.mark.slow
def test_the_python_lines_of_the_guide_have_no_type_errors(printed):
    assert errors(printed, "guide.py") == set(), printed
