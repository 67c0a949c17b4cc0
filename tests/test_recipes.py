"""Follow the recipes of the documentation exactly, all in one copy of the clone."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import InputError
from gui.cli.new import run, steps_of, write
from resources.documentation import ROOT as RESOURCES
from resources.documentation import read_page

TOP = RESOURCES.parent
FOLDERS = ("gui", "annotate", "algorithms", "engine", "resources", "tests")
RECIPES = sorted(file.stem for file in (RESOURCES / "docs" / "recipes").glob("*.md"))
_STARTS = ("./run", "./test", ".venv/bin/", "pagelet", "pip", "mkdir", "touch", "echo")


def commands_of(recipe: str) -> list[str]:
    """Return the lines of a recipe's blocks that are commands."""
    lines = re.findall(r"^ {4}(\S.*)$", read_page(f"{recipe}.md"), re.MULTILINE)
    return [line for line in lines if line.startswith(_STARTS)]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    copy = tmp_path_factory.mktemp("recipes") / "clone"
    copy.mkdir()
    for name in (
        *FOLDERS,
        "README.md",
        "LICENSE",
        "pyproject.toml",
        "run",
        "test",
        ".setup",
        ".locked",
    ):
        if name not in FOLDERS:
            shutil.copy(TOP / name, copy)
            continue
        built = ["site"] if name == "resources" else []
        ignored = shutil.ignore_patterns("__pycache__", *built)
        shutil.copytree(TOP / name, copy / name, ignore=ignored)
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=copy, check=True)
    (copy / ".venv").symlink_to(sys.prefix)
    return copy


@pytest.fixture
def follow(clone, tmp_path):
    """Run a command of a recipe: in the clone, or in a folder where packages are made."""
    binaries, packages = tmp_path / "bin", tmp_path / "packages"
    binaries.mkdir()
    python = f'#!/bin/sh\nexec "{sys.executable}" '
    for name, words in {"pagelet": "-m pagelet_command", "pip": "-m pip"}.items():
        (binaries / name).write_text(f'{python}{words} "$@"\n')
        (binaries / name).chmod(0o755)
    paths = [clone, clone / "annotate" / "facade", packages]
    own = {
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(tmp_path),
        "PIP_TARGET": str(packages),
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it as the option, turned round
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }

    def run(line: str, *, within: Path) -> str:
        line = re.sub(r"^\./run\b", "pagelet", line)
        line = re.sub(r"^\./test\b", ".venv/bin/python -m pytest -q -p no:cacheprovider", line)
        done = subprocess.run(
            ["sh", "-c", line], cwd=within, env=os.environ | own, capture_output=True, text=True,
            timeout=280, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    return run


@pytest.mark.slow
@pytest.mark.flaky(reruns=0)  # its files would be there already
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_works_when_followed_exactly(recipe, clone, follow, tmp_path):
    lines = commands_of(recipe)
    assert len(lines) >= 3
    in_clone = lines[0].startswith("./run")
    outputs = [follow(line, within=clone if in_clone else tmp_path) for line in lines]
    if recipe == "plugin":
        assert outputs[-2:] == ["THE FERRY IS BACK.!!!\n", "BACK.\n"]
    if recipe == "reader":
        assert re.search(r"plain .*1\.000", outputs[-1])


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_written_for_another_name(recipe, tmp_path):
    steps = steps_of(recipe, "blue-whale")
    assert any(not step.above for step in steps)
    for step in steps:
        if step.above:
            path = tmp_path / step.path
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TOP / step.path, path)
    written = write(steps, tmp_path)
    texts = "".join(path.read_text() for path in written)
    assert "blue_whale" in texts or "blue-whale" in texts
    example = re.search(rf"new {recipe} ([\w-]+)", read_page(f"{recipe}.md"))[1]
    for step in steps:
        for form in (example, example.replace("-", "_"), example.title().replace("-", "")):
            assert form not in step.text
            assert form not in step.path
        if step.path.endswith(".py") and not step.above:
            compile(step.text, step.path, "exec")
    with pytest.raises(InputError, match="is there already: choose another name"):
        write(steps, tmp_path)


@pytest.mark.parametrize(
    ("kind", "name"), [("method", "class"), ("plugin", "json"), ("reader", "engine")]
)
def test_a_name_that_python_has_is_refused(kind, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="Python has that word or package already"):
        run(kind, name)
    assert list(tmp_path.iterdir()) == []
