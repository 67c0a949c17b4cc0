"""Test rules of imports that the contracts of pyproject.toml cannot check."""

import ast
import re
from pathlib import Path

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


_PURE = ("extraction", "segmentation", "signals", "templates", "measures", "structure", "learning")
_IMPURE = {"socket", "ssl", "http", "requests", "time", "datetime", "random", "subprocess"}


def impurities(path):
    """Return imports of network, clock, chance and processes, and generators without a seed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {module for module, name in imported(path) if module}
    modules |= {f"{module}.{name}" for module, name in imported(path)}
    found = sorted(each for each in modules if each.split(".")[0] in _IMPURE)
    found += sorted(each for each in modules if each == "urllib.request")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            found += ["default_rng()"] if ast.unparse(node.func).endswith("default_rng") else []
    return found


def test_methods_and_measures_use_no_network_clock_process_or_unseeded_chance(tmp_path):
    planted = tmp_path / "planted.py"
    planted.write_text("import time\nfrom urllib import request\nnp.random.default_rng()\n")
    assert impurities(planted) == ["time", "time.", "urllib.request", "default_rng()"]
    folders = [TOP / "algorithms" / name for name in _PURE]
    folders += [TOP / "algorithms" / "plugins" / name for name in ("baselines", "site")]
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    assert len(files) > 100
    assert {file.name: impurities(file) for file in files if impurities(file)} == {}


def test_no_dialog_is_modal():
    modal = re.compile(r"QMessageBox|setModal|(?:Window|Application)Modal|dialog\.exec\(")
    assert modal.search("dialog.exec()")
    for file in sorted((TOP / "gui").rglob("*.py")):
        assert not modal.search(file.read_text(encoding="utf-8")), file
