"""Test that files are written completely or left unchanged."""

import pytest

from engine.bounded_file import atomic_write
from engine.errors import InputError


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "page.json"
    made.write_text("old")
    return made


def test_a_completed_write_replaces_the_file(path):
    with atomic_write(path) as beside:
        beside.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def break_off(path, error):
    with atomic_write(path) as beside:
        beside.write_text("ne")
        raise error


@pytest.mark.parametrize("error", [ValueError("odd"), KeyboardInterrupt()])
def test_a_write_that_raises_leaves_only_the_old_file(path, error):
    with pytest.raises(type(error)):
        break_off(path, error)
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_full_disk_raises_an_input_error_and_keeps_the_old_file(path):
    with pytest.raises(InputError, match=r"cannot write .*page\.json: No space left"):
        break_off(path, OSError(28, "No space left on device"))
    assert path.read_text() == "old"


def test_writing_to_a_missing_folder_raises_an_input_error(tmp_path):
    path = tmp_path / "none" / "page.json"
    with (
        pytest.raises(InputError, match="No such file or directory"),
        atomic_write(path) as beside,
    ):
        beside.write_text("new")
