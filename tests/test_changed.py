"""Test which tests ``./test changed`` chooses."""

import pytest

from tests.changed import reached


@pytest.mark.slow
def test_a_change_reaches_tests_that_import_it_indirectly():
    chosen = reached({"annotate/plugins/museum/status.py"})
    assert "tests/plugins/museum/test_museum.py" in chosen
    assert "tests/gui/window/test_window.py" in chosen
    assert "tests/features/checks/test_checks.py" not in chosen


def test_changed_tests_and_resources_reach_their_tests():
    assert reached({"tests/test_imports.py"}) == ["tests/test_imports.py"]
    assert "tests/test_docs.py" in reached({"resources/docs/changelog.md"})
    assert reached({"README.md"}) == []
