"""What takes minutes and prints a table runs when its file is named."""

import pytest

NAMES = (
    "test_terrain_ideas.py", "test_bench_templates.py", "test_bench_transfer.py",
    "test_bench_annotator.py", "test_bench_why.py",
)  # fmt: skip


def pytest_collection_modifyitems(config, items):
    for item in items:
        if item.path.name not in NAMES:
            continue
        if not any(item.path.name in word for word in config.args):
            why = f"takes minutes; ./test tests/bench/{item.path.name} -s runs it"
            item.add_marker(pytest.mark.skip(reason=why))
