"""A model of pagelet train is a separate method next to the one it was trained for."""

import os
import pickle
import shutil
from pathlib import Path

import pytest

import resources
from algorithms.core.batch import Setup
from algorithms.core.catalogue import available, method, named_method, problems
from algorithms.own import method_files
from engine.errors import InputError, MethodError
from engine.page import Page
from engine.source import Source
from gui.cli.main import main
from tests.outside import hostile_folder

TEXT = "The ferry was late that day, and nobody in the harbour knew why it took so long. " * 6
HTML = f"<title>Late</title><ul><li><a href=/>Home</a></ul><article><p>{TEXT}</article>"
PAGE = Page("x", original=Source.from_text(HTML))


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    """Return separate settings, without any named file."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    monkeypatch.delenv(method_files.NAMED, raising=False)
    method_files.refresh()
    yield tmp_path / "settings"
    os.environ.pop(method_files.NAMED, None)
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "nothing"))
    method_files.refresh()


@pytest.fixture
def file(tmp_path):
    return shutil.copy(resources.path("gleaner/model.npz"), tmp_path / "My work.npz")


def test_it_has_a_key_a_name_and_the_parameters_without_the_model(file):
    entry = named_method(str(file))
    assert (entry.key, entry.name) == ("gleaner-my-work", "Gleaner: My work")
    assert list(entry.params.specs()) == ["guideline", "least"]
    assert entry.version.startswith("My work.npz ")
    assert entry.key in [each.key for each in available()]


def test_a_model_file_extracts_and_explains_like_gleaner_with_that_model(file):
    entry, gleaner = named_method(str(file)), method("gleaner")
    own = entry.run(PAGE, entry.params(), "original")
    assert own.text.split() == TEXT.split()
    assert own.text == gleaner.run(PAGE, gleaner.params(model=str(file)), "original").text
    nothing = entry.run(PAGE, entry.params(least=1000.0), "original")
    assert nothing.text  # the likeliest text is kept if less than the least is expected
    trace = entry.trace(PAGE, entry.params(), "original")
    assert "weaker without its length" in trace.decisions(20)[-1].sentence


def test_a_model_of_blocks_reads_the_rendered_page(tmp_path):
    file = shutil.copy(resources.path("terrain-learned/model.npz"), tmp_path / "blocks.npz")
    entry = named_method(str(file))
    assert (entry.key, entry.output) == ("terrain-learned-blocks", "segmentation")
    assert entry.inputs == ("rendered",)
    assert "model" not in entry.params.specs()


def test_a_model_in_the_settings_folder_is_a_method_until_it_is_deleted(settings, file):
    (settings / "methods").mkdir(parents=True)
    shutil.copy(file, settings / "methods" / "gleaner-harbour.npz")
    method_files.refresh()
    setup = Setup("gleaner-harbour", method("gleaner-harbour").params(least=5.0), "original")
    assert pickle.loads(pickle.dumps(setup)).params.least == 5
    (settings / "methods" / "gleaner-harbour.npz").unlink()
    method_files.refresh()
    with pytest.raises(InputError):
        method("gleaner-harbour")


def test_a_file_that_is_not_a_model_is_refused(tmp_path):
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(MethodError, match=r"bad\.npz: it holds no model of pagelet train"):
        named_method(str(bad))


def test_a_model_is_not_a_method_until_it_is_named(file):
    with pytest.raises(InputError, match="name it with --method-file"):
        method(str(file))


def test_the_extract_command_accepts_a_model_file_as_a_method(file, tmp_path, capsys):
    page = tmp_path / "page.html"
    page.write_text(HTML, "utf-8")
    assert main(["extract", str(file), str(page)]) == 0
    assert capsys.readouterr().out.split() == TEXT.split()


@pytest.mark.parametrize("name", ["gleaner-forest_roots-big.npz", "gleaner-npy-token-head.npz"])
def test_hostile_models_are_reported_in_the_settings_folder_and_by_path(settings, name, capsys):
    sample = hostile_folder() / "others2" / "models" / name
    if not sample.is_file():
        pytest.skip("no damaged models: set PAGELET_HOSTILE to the folder of others2")
    (settings / "methods").mkdir(parents=True)
    shutil.copy(sample, settings / "methods" / name)
    method_files.refresh()
    assert main(["methods"]) == 0
    capsys.readouterr()
    assert f"{name}: it " in " ".join(problems())
    page = settings / "page.html"
    page.write_text(HTML, "utf-8")
    assert main(["extract", str(sample), str(page)]) in (1, 2)
    assert f"{name}: it " in capsys.readouterr().err


def test_a_named_pipe_is_skipped_in_the_settings_folder_and_refused_by_path(settings, capsys):
    (settings / "methods").mkdir(parents=True)
    pipe = settings / "methods" / "pipe.npz"
    os.mkfifo(pipe)
    method_files.refresh()
    assert "pipe" not in [each.key for each in available()]
    assert main(["methods", "--method-file", str(pipe)]) == 2
    assert "pipe.npz: it is not a file" in capsys.readouterr().err


def test_a_model_of_the_same_time_and_size_is_read_again(file):
    file = Path(file)
    before = named_method(str(file))
    state = file.stat()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 255
    file.write_bytes(data)
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    method_files.refresh()
    with pytest.raises(MethodError, match="or is damaged"):
        method(before.key).run(PAGE, before.params(), "original")
