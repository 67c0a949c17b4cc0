"""Test that names are unique and plurals built by one function."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from resources.documentation import read_page

TOP = Path(__file__).parent.parent


def _modules():
    for package in ("gui", "annotate", "algorithms", "engine", "resources"):
        yield from (TOP / package).rglob("*.py")


def _names(path):
    """Yield the names of a module's classes and aliases of types, private ones too."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            is_type = isinstance(node.value, ast.Subscript | ast.BinOp | ast.Name | ast.Attribute)
            if is_type and isinstance(target, ast.Name) and _is_camel(target.id):
                yield target.id


def _is_camel(name):
    bare = name.lstrip("_")
    return bare[:1].isupper() and not bare.isupper()


def test_classes_and_type_aliases_have_unique_names_in_their_package():
    positions = defaultdict(set)
    for path in _modules():
        for name in _names(path):
            package = str(path.parent.relative_to(TOP))
            positions[package, name.lstrip("_")].add(path.name)
    assert len(positions) > 900
    assert {name: sorted(files) for name, files in positions.items() if len(files) > 1} == {}


def test_modules_have_unique_names_in_their_top_package():
    """Except those that every feature has; contributing.md lists them."""
    listed = set(re.findall(r"^\| `(\w+)\.py` \|", read_page("contributing.md"), re.MULTILINE))
    assert {"feature", "controller", "panel", "view", "state"} <= listed
    modules = defaultdict(list)
    for path in _modules():
        is_listed = path.stem in listed and (path.parent / "feature.py").exists()
        if not is_listed and not path.stem.startswith("__"):
            relative = path.relative_to(TOP)
            modules[relative.parts[0], path.stem].append(relative.as_posix())
    assert len(modules) > 700
    assert [sorted(paths) for paths in modules.values() if len(paths) > 1] == []


def test_plurals_are_built_only_by_the_plural_function():
    by_hand = re.compile(r"""(['"])e?s\1 (?:\*|if) |\bif .* else (['"])e?s\2""")
    result = {
        f"{path.relative_to(TOP)}: {line.strip()}"
        for path in _modules()
        if path != TOP / "engine/words.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if by_hand.search(line)
    }
    assert result == set(), "use engine.words.plural"
