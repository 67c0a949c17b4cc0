"""What the import contracts of pyproject.toml cannot find out by themselves."""

import ast
import re
import tomllib
from pathlib import Path

from algorithms.templates.catalogue import DETECTORS

TOP = Path(__file__).parent.parent


def imported(path):
    """The modules a file imports, with what it takes out of them: pairs of names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {(node.module, name.name) for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {(name.name, "") for name in node.names}
    return found


def test_the_contract_that_detectors_stand_alone_lists_all_of_them():
    settings = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (alone,) = (each for each in contracts if each["name"].startswith("Detectors of templates"))
    made_by = (entry.on_site for entry in DETECTORS)
    assert sorted(alone["modules"]) == sorted({extract.__module__ for extract in made_by})


def test_no_dock_imports_another():
    folder = TOP / "gui" / "docks"
    docks = set()
    for path in folder.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            bases = node.bases if isinstance(node, ast.ClassDef) else ()
            if any(isinstance(base, ast.Name) and base.id == "PanelDock" for base in bases):
                docks.add((".".join(path.relative_to(TOP).with_suffix("").parts), node.name))
    assert len(docks) >= 14
    modules = {module for module, _ in docks}
    for path in folder.rglob("*.py"):
        for module, name in imported(path):
            assert module not in modules, f"{path.name} imports {module}"
            assert f"{module}.{name}" not in modules, f"{path.name} imports {module}.{name}"


def test_no_query_numbers_its_placeholders():
    """Python 3.14 refuses a sequence of values for them, and all values are given as sequences."""
    for file in sorted(file for top in ("annotate", "gui") for file in (TOP / top).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.search(r"= \?\d", node.value), f"{file.name}:{node.lineno}"
