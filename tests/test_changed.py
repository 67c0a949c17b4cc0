"""Which tests ``./test changed`` chooses."""

import pytest

from tests.changed import reached


@pytest.mark.slow
def test_a_change_reaches_the_tests_that_import_it_through_others():
    chosen = reached({"annotate/plugins/museum/status.py"})
    assert "tests/plugins/museum/test_museum.py" in chosen
    assert "tests/gui/window/test_window.py" in chosen
    assert "tests/features/checks/test_checks.py" not in chosen


def test_a_changed_test_and_a_changed_resource_are_reached():
    assert reached({"tests/test_imports.py"}) == ["tests/test_imports.py"]
    assert "tests/test_docs.py" in reached({"resources/docs/changelog.md"})
    assert reached({"README.md"}) == []
