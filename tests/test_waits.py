"""Test that tests wait for signals and conditions, not for a fixed time."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TIMED = {
    "tests/engine/web/alone.py": "nothing tells that a page sends no more",
    "tests/fuzz/hostile_table.py": "nothing tells that a process leaves none behind",
    "tests/annotate/archives/frozen/test_damage.py": "kills at times that are given",
    "tests/plugins/crawl/test_crawl.py": "servers that answer byte by byte",
    "tests/e2e/test_kill_window.py": "kills at times that are given",
    "tests/gui/core/test_beside_others.py": "nothing tells that a page is not tried again",
}
"""Files that let a time go by, and why."""


def fixed_waits(source: str) -> list[int]:
    """Return the lines where a test waits for a fixed time.

    What looks again and again (``while``) waits for a condition; functions within a function play
    a server, a worker or a method that takes its time; who sleeps a minute plays one that hangs.
    """
    lines: list[int] = []

    def visit(node: ast.AST, *, depth: int, is_looking: bool) -> None:
        if isinstance(node, ast.FunctionDef):
            depth, is_looking = depth + 1, False
        elif isinstance(node, ast.While):
            is_looking = True
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            is_sleep = name in ("time.sleep", "sleep") and depth < 2 and not is_looking
            is_sleep = is_sleep and "60" not in ast.unparse(node)
            if is_sleep or name.endswith(("qtbot.wait", ".qWait", ".qSleep")):
                lines.append(node.lineno)
        for child in ast.iter_child_nodes(node):
            visit(child, depth=depth, is_looking=is_looking)

    visit(ast.parse(source), depth=0, is_looking=False)
    return lines


def test_only_listed_tests_wait_for_a_fixed_time():
    result = {
        path.relative_to(TESTS.parent).as_posix(): lines
        for path in sorted(TESTS.rglob("*.py"))
        if "bench" not in path.relative_to(TESTS).parts
        if (lines := fixed_waits(path.read_text("utf-8")))
    }
    assert {name: lines for name, lines in result.items() if name not in TIMED} == {}
    assert result.keys() >= TIMED.keys()


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def test(qtbot):\n    qtbot.wait(50)", [2]),
        ("def test(hand):\n    hand.qtbot.wait(50)", [2]),
        ("def test():\n    for k in range(3):\n        time.sleep(0.1)", [3]),
        ("def test():\n    while not path.exists():\n        time.sleep(0.1)", []),
        ("def test():\n    def slow(page):\n        time.sleep(60)\n    run(slow)", []),
        ("def test(qtbot):\n    while busy():\n        qtbot.wait(50)", [3]),
    ],
)
def test_fixed_waits_are_found(source, lines):
    assert fixed_waits(source) == lines
