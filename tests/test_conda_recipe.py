"""The recipe of conda asks for what the wheel asks for."""

import re
import tomllib
from pathlib import Path

import yaml

from resources.documentation import ROOT

NAMES = {
    "PySide6": "pyside6",
    "matplotlib": "matplotlib-base",
    "opencv-python-headless": "py-opencv",
}


def as_conda(requirement):
    """Return a requirement as conda-forge calls it: the name, a blank, the versions."""
    name, versions = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()
    return f"{NAMES.get(name, name)} {versions}"


def test_the_recipe_of_conda_agrees_with_the_project():
    whole = tomllib.loads(Path(ROOT.parent, "pyproject.toml").read_text("utf-8"))
    project = whole["project"]
    recipe = yaml.safe_load((ROOT / "conda/recipe.yaml").read_text("utf-8"))
    assert recipe["package"] == {name: project[name] for name in ("name", "version")}
    assert recipe["about"]["summary"] == project["description"]
    assert recipe["about"]["license"] == project["license"]
    python = f"python {project['requires-python']}"
    wanted = list(map(as_conda, project["dependencies"]))
    browser = wanted[0].replace("pyside6", "qt6-webengine")
    assert recipe["requirements"]["run"] == [python, wanted[0], browser, *wanted[1:]]
    builds = list(map(as_conda, whole["build-system"]["requires"]))
    assert recipe["requirements"]["host"] == [python, "pip", *builds]
    scripts = [f"{name} = {target}" for name, target in project["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts
