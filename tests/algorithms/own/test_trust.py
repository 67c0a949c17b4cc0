"""Trust in code is trust in what its file holds."""

import pytest

from algorithms.own.trusted_code import change_of, is_trusted, trust


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


def test_what_changed_is_told_by_file_and_lines(folder):
    trust(folder, "m.py")
    assert not change_of(folder, "m.py")
    (folder / "m.py").write_text("a = 1\nb = 2\nc = 3\n")
    assert change_of(folder, "m.py") == "m.py: 2 lines added, 0 removed"
    assert not change_of(folder, "other.py")


@pytest.mark.parametrize("code", ["m.py", "m:run", "m.py@HEAD", "m.py k=3"])
def test_modules_that_a_file_imports_are_trusted_with_it(folder, code):
    (folder / "m.py").write_text("def run():\n    from near import far\n")
    (folder / "near").mkdir()
    (folder / "near" / "__init__.py").write_text("")
    (folder / "near" / "far.py").write_text("from . import deep\n")
    (folder / "near" / "deep.py").write_text("x = 1\ny = 2\n")
    (folder / "stranger.py").write_text("")
    trust(folder, code)
    (folder / "stranger.py").write_text("not imported")
    assert is_trusted(folder, code)
    (folder / "near" / "deep.py").write_text("x = 1\ny = 3\n")
    assert not is_trusted(folder, code)
    assert change_of(folder, code) == "near/deep.py: 1 line added, 1 removed"
    (folder / "near" / "deep.py").unlink()
    assert change_of(folder, code) == "near/deep.py is gone"


@pytest.mark.parametrize("text", ["def (", "\0", "(" * 5000, "import m", "import json, near.no"])
def test_code_that_cannot_run_is_trusted_by_its_content(folder, text):
    (folder / "m.py").write_text(text)
    trust(folder, "m.py")
    assert is_trusted(folder, "m.py")
    (folder / "m.py").write_text(text + "#")
    assert change_of(folder, "m.py") == "m.py: 1 line added, 1 removed"


def test_trust_that_was_written_otherwise_asks_again(folder, tmp_path):
    for stored in ("[]", '{"a": []}', f'{{"{folder}": {{"m.py": [{{"m.py": "../../x"}}]}}}}'):
        (tmp_path / "settings").mkdir(exist_ok=True)
        (tmp_path / "settings" / "trusted.json").write_text(stored)
        assert not is_trusted(folder, "m.py")
        assert not change_of(folder, "m.py")


def test_a_file_too_large_to_be_read_is_never_trusted(folder, monkeypatch):
    trust(folder, "m.py")
    monkeypatch.setattr("algorithms.own.trusted_code._MOST_BYTES", 2)
    assert not is_trusted(folder, "m.py")
    trust(folder, "m.py")
    assert not is_trusted(folder, "m.py")
