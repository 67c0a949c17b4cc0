"""Test rules of imports that the contracts of pyproject.toml cannot check."""

import ast
import re
import tomllib
from pathlib import Path

from algorithms.plugins.site.methods import DETECTORS
from gui.window.features import FEATURES

TOP = Path(__file__).parent.parent


def imported(path):
    """Return pairs of a module that a file imports and a name it imports from it."""
    result = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            result |= {(node.module, name.name) for name in node.names}
        elif isinstance(node, ast.Import):
            result |= {(name.name, "") for name in node.names}
    return result


def test_the_import_contract_of_detectors_lists_all_of_them():
    settings = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (alone,) = (each for each in contracts if each["name"].startswith("Detectors of templates"))
    made_by = (getattr(entry.on_site, "func", entry.on_site) for entry in DETECTORS)
    assert sorted(alone["modules"]) == sorted({extract.__module__ for extract in made_by})


def test_every_feature_is_listed_by_the_name_of_its_folder():
    declared = {path.parent.name for path in (TOP / "gui" / "features").glob("*/feature.py")}
    assert len(declared) >= 15
    added = {path.parent.name for path in (TOP / "gui" / "plugins").rglob("feature.py")}
    assert sorted(feature.name for feature in FEATURES) == sorted(declared | added)


def test_queries_have_no_numbered_placeholders():
    """Python 3.14 refuses a sequence of values for them, and all values are given as sequences."""
    for file in sorted(file for top in ("annotate", "gui") for file in (TOP / top).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.search(r"= \?\d", node.value), f"{file.name}:{node.lineno}"
