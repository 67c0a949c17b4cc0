"""A file is written whole or stays as it was."""

import pytest

from engine.errors import InputError
from engine.whole_file import atomic_write


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "page.json"
    made.write_text("old")
    return made


def test_what_was_written_beside_takes_the_place(path):
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
def test_what_breaks_off_leaves_the_old_file_and_nothing_else(path, error):
    with pytest.raises(type(error)):
        break_off(path, error)
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_full_disk_is_a_sentence(path):
    with pytest.raises(InputError, match=r"cannot write .*page\.json: No space left"):
        break_off(path, OSError(28, "No space left on device"))
    assert path.read_text() == "old"


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path):
    path = tmp_path / "none" / "page.json"
    with (
        pytest.raises(InputError, match="No such file or directory"),
        atomic_write(path) as beside,
    ):
        beside.write_text("new")
