"""A researcher's method in one file: the template works, and errors are reported."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import resources
from algorithms.core.catalogue import available, method, named_method
from algorithms.own import method_files
from engine.errors import InputError, MethodError
from engine.page import Page
from engine.source import Source

TEMPLATE = resources.path("plugins/template.py")
LONG = "one two three four five six seven eight nine ten eleven twelve thirteen"
PAGE = Page("x", original=Source.from_text(f"<p>{LONG}</p><a href=x>short link</a>"))


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
def file(tmp_path) -> Path:
    return Path(shutil.copy(TEMPLATE, tmp_path / "long_texts.py"))


def save(file: Path, before: str, after: str) -> None:
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")
    method_files.refresh()


def test_a_file_dropped_into_the_settings_folder_is_a_method_like_the_others(settings, file):
    (settings / "methods").mkdir(parents=True)
    shutil.copy(file, settings / "methods" / "long_texts.py")
    method_files.refresh()
    assert "long-texts" in [entry.key for entry in available()]
    assert method("long-texts").run(PAGE, method("long-texts").params(), "original").text == LONG
    (settings / "methods" / "long_texts.py").unlink()
    method_files.refresh()
    with pytest.raises(InputError):
        method("long-texts")


def test_a_file_named_after_others_were_read_is_a_method(file):
    method_files.files()
    method_files.name(file)
    assert method("long-texts").version.startswith(file.name)


def test_a_saved_change_is_used_in_the_next_run(file):
    named_method(str(file))
    save(file, "param(12,", "param(1,")
    entry = method("long-texts")
    assert entry.run(PAGE, entry.params(), "original").text == f"{LONG}\nshort link".replace(
        "\n", "\n"
    )


def test_a_file_saved_twice_in_a_second_runs_as_it_is_now(file, monkeypatch):
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    os.utime(file, (1e9, 1e9))
    named_method(str(file))
    save(file, "param(12,", "param(21,")  # of the same size
    os.utime(file, (1e9, 1e9))
    method_files.refresh()
    assert method("long-texts").run(PAGE, method("long-texts").params(), "original").text == ""
    assert not (file.parent / "__pycache__").exists()


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("@dataclass(frozen=True)", "@dataclass(frozen=True", "SyntaxError: '(' was never closed"),
        ("METHOD = Method(", "METHOD = Mehtod(", "NameError: name 'Mehtod' is not defined"),
        ("METHOD = Method(", "THING = Method(", "long_texts.py has no METHOD"),
        ("import numpy as np", "import sys; sys.exit(3)", "SystemExit"),
        pytest.param('    key="long-texts",', '    kye="long-texts",', "'kye'", marks=SLOW),
        pytest.param('output="extraction",', 'output="extracts",', "got 'extracts'", marks=SLOW),
    ],
)  # fmt: skip
def test_a_broken_file_remains_a_method_that_reports_its_error(file, before, after, says):
    known = named_method(str(file))
    save(file, before, after)
    entry = method("long-texts")
    assert entry.params is known.params
    with pytest.raises(MethodError) as error:
        entry.run(PAGE, entry.params(), "original")
    assert says in str(error.value)
    assert str(error.value).startswith("long_texts.py")
    save(file, after, before)
    assert method("long-texts").run(PAGE, method("long-texts").params(), "original").text == LONG


def test_an_error_during_a_run_is_reported_with_its_line(file):
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if "np.zeros" in text)
    named_method(str(file))
    save(file, "np.zeros", "np.zros")
    with pytest.raises(MethodError, match=f"long_texts.py, line {line}: AttributeError"):
        method("long-texts").run(PAGE, method("long-texts").params(), "original")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        named_method(str(tmp_path / "none.py"))


def test_the_template_is_printed_as_it_is():
    words = [sys.executable, "-m", "gui.cli.main", "methods", "--template"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == TEMPLATE.read_text("utf-8")


@pytest.mark.slow
def test_the_command_line_takes_a_file_for_a_method(file, tmp_path):
    page = tmp_path / "site" / "page.html"
    page.parent.mkdir()
    page.write_text(f"<p>{LONG}</p><a href=x>short link</a>")
    words = [sys.executable, "-m", "gui.cli.main"]
    done = subprocess.run([*words, "extract", str(file), str(page)], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, LONG)
    named = [*words, "extract", "--method-file", str(file), "long-texts", str(page)]
    done = subprocess.run([*named, "--set", "words=2"], capture_output=True, text=True)
    assert done.stdout.split("\n")[0] == LONG
    assert "short link" in done.stdout
    file.write_text("oops(\n")
    done = subprocess.run([*words, "extract", str(file), str(page)], capture_output=True, text=True)
    assert done.returncode != 0
    assert "long_texts.py, line 1: SyntaxError" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_version_is_that_of_the_code_and_of_what_it_imports(file):
    (file.parent / "my_rules.py").write_text("LEAST = 3\n", "utf-8")
    save(file, "import numpy as np", "import my_rules\nimport numpy as np")
    first = named_method(str(file)).version
    assert first.startswith("long_texts.py ")
    (file.parent / "my_rules.py").write_text("LEAST = 40\n", "utf-8")
    (changed,) = method_files.refresh()
    assert changed.entry.version != first
    (file.parent / "my_rules.py").write_text("LEAST = 3\n", "utf-8")
    method_files.refresh()
    assert named_method(str(file)).version == first


def test_a_method_written_before_signals_had_their_name_runs_as_before(file):
    save(file, "from algorithms.signals.stretches", "from algorithms.features.stretches")
    entry = named_method(str(file))
    assert entry.run(PAGE, entry.params(), "original").text == LONG
