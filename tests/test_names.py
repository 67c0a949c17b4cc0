"""The house keeps its words: one name stands for one thing."""

import ast
from collections import defaultdict
from pathlib import Path

TOP = Path(__file__).parent.parent


def test_each_public_class_has_a_name_of_its_own():
    places = defaultdict(set)
    for package in ("gui", "annotate", "algorithms", "engine", "resources"):
        for path in (TOP / package).rglob("*.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].add(str(path.relative_to(TOP)))
    assert len(places) > 300
    assert {name: sorted(files) for name, files in places.items() if len(files) > 1} == {}
