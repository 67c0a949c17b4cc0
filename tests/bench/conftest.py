"""What takes minutes and prints a table runs when its file is named."""

import pytest


def pytest_collection_modifyitems(config, items):
    for item in items:
        if item.path.name != "test_terrain_ideas.py":
            continue
        if not any(item.path.name in word for word in config.args):
            why = "takes minutes; ./test tests/bench/test_terrain_ideas.py -s runs it"
            item.add_marker(pytest.mark.skip(reason=why))
