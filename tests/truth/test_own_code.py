"""Test that the recomputation shares no code with Pagelet and equals published examples."""

import ast
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from tests.truth import own_blocks, own_text
from tests.typed_commands import ROOT

HERE = Path(__file__).parent
ALLOWED = {"tests.truth", "tests.typed_commands", "tests.outside"}


def imported(path: Path) -> set[str]:
    """The modules a file imports; what it takes out of a package counts as a module, too."""
    result = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            result |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            result |= {each.name for each in node.names}
        elif isinstance(node, ast.Name):
            assert node.id not in ("__import__", "exec", "eval"), path
    return result


def of_pagelet() -> set[str]:
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    modules = {path.stem for path in (ROOT / "annotate" / "facade").rglob("*.py")}
    return folders | modules | {"pagelet"}


def test_the_recomputation_does_not_import_pagelet():
    assert of_pagelet() >= {"gui", "annotate", "algorithms", "engine", "pagelet"}
    files = [
        *HERE.glob("*.py"),
        ROOT / "tests" / "typed_commands.py",
        ROOT / "tests" / "outside.py",
    ]
    assert len(files) > 6
    for path in files:
        for name in imported(path):
            assert name.partition(".")[0] not in of_pagelet() | {"importlib"} or (
                path.name == "outside.py" and name.startswith("importlib")
            ), f"{path.name} imports {name}"
            if name.startswith("tests."):
                assert ".".join(name.split(".")[:2]) in ALLOWED, f"{path.name} imports {name}"


@pytest.mark.parametrize(
    ("measure", "precision", "recall", "value"),
    [
        ("cs", 0.760, 0.864, 0.809),
        ("ws", 0.714, 0.833, 0.769),
        ("bow", 0.714, 0.833, 0.769),
        ("sow", 0.714, 1.0, 0.833),
        ("cleaneval", None, None, 0.625),
    ],
)
def test_scores_of_texts_equal_the_published_example(measure, precision, recall, value):
    gold, text = "the cat sat on the mat", "home the cat sat on a mat"
    result = own_text.MEASURES[measure](gold, text, "characters")
    assert result == pytest.approx((precision, recall, value), abs=5e-4)


def test_the_longest_common_subsequence_equals_a_brute_force_search():
    random = Random(7)
    for _ in range(60):
        left, right = ("".join(random.choices("abc", k=random.randrange(9))) for _ in "lr")
        tried = {
            "".join(each) for size in range(len(left) + 1) for each in combinations(left, size)
        }
        other = {
            "".join(each) for size in range(len(right) + 1) for each in combinations(right, size)
        }
        assert own_text.longest_common(left, right) == max(map(len, tried & other))


PAGE = (0, 0, 100, 100)


@pytest.mark.parametrize(
    ("predicted", "gold", "precision", "recall", "value"),
    [
        ([(0, 0, 100, 50), (0, 50, 100, 100)], [PAGE], 1, 0.5, 0.667),
        ([(0, 0, 60, 100), (60, 0, 100, 100)], [(0, 0, 50, 100), (50, 0, 100, 100)],
         0.833, 0.840, 0.837),
        ([PAGE, (0, 0, 100, 40)], [(0, 0, 100, 40), (0, 40, 100, 100)], 0.44, 1, 0.611),
        ([(0, 0, 50, 100)], [PAGE], 1, 0.25, 0.4),
        ([(0, 0, 50, 50)], [(50, 50, 100, 100)], 0, 0, 0),
    ],
)  # fmt: skip
def test_b_cubed_equals_the_published_examples(predicted, gold, precision, recall, value):
    result = own_blocks.b_cubed(own_blocks.cells(gold, predicted, PAGE))
    assert result == pytest.approx((precision, recall, value), abs=5e-4)


def test_scores_of_partitions_equal_the_published_example():
    table = Counter({(0, 0): 5000, (1, 0): 1000, (1, 1): 4000})
    assert own_blocks.rand_and_information(table) == pytest.approx((0.640, 0.619, 0.619), abs=5e-4)
