"""Trust in code is trust in what its file holds."""

import pytest

from algorithms.own.settings import is_trusted, trust


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    (tmp_path / "m.py").write_text("a = 1\n")
    return tmp_path


def test_a_file_that_changed_is_not_trusted_until_it_is_as_it_was(folder):
    trust(folder, "m.py")
    assert is_trusted(folder, "m.py")
    (folder / "m.py").write_text("a = 2\n")
    assert not is_trusted(folder, "m.py")
    (folder / "m.py").write_text("a = 1\n")
    assert is_trusted(folder, "m.py")


def test_code_that_is_no_file_is_trusted_by_its_name(folder):
    trust(folder, "module:function")
    assert is_trusted(folder, "module:function")
    assert not is_trusted(folder, "module:other")
