"""The house keeps its words: one name stands for one thing."""

import ast
import re
from collections import defaultdict
from pathlib import Path

TOP = Path(__file__).parent.parent


def _modules():
    for package in ("gui", "annotate", "algorithms", "engine", "resources"):
        yield from (TOP / package).rglob("*.py")


def test_each_public_class_has_a_name_of_its_own():
    places = defaultdict(set)
    for path in _modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(str(path.relative_to(TOP)))
    assert len(places) > 300
    assert {name: sorted(files) for name, files in places.items() if len(files) > 1} == {}


def test_no_plural_is_made_by_hand():
    by_hand = re.compile(r"""(['"])e?s\1 (?:\*|if) |\bif .* else (['"])e?s\2""")
    found = {
        f"{path.relative_to(TOP)}: {line.strip()}"
        for path in _modules()
        if path != TOP / "engine/words.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if by_hand.search(line)
    }
    assert found == set(), "use engine.words.plural"
