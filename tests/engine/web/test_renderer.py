"""Test the renderer's name, which is cached and kept up to date."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from engine.web.renderer import renderer_name
print(renderer_name())
print("PySide6.QtWebEngineCore" in sys.modules)
"""


def asked(cache):
    """Return the name a new process gives, and whether it loaded the browser engine."""
    out = subprocess.run(
        [sys.executable, "-P", "-c", CODE], env=os.environ | {"XDG_CACHE_HOME": str(cache)},
        capture_output=True, text=True, check=True, cwd=Path(__file__).resolve().parents[3],
        timeout=60,
    ).stdout.split("\n")  # fmt: skip
    return out[0], out[1] == "True"


def noted_in(cache):
    return cache / "pagelet" / "engine.json"


@pytest.mark.skipif(sys.platform != "linux", reason="uses the cache folder of Linux")
def test_the_engine_is_loaded_only_when_its_library_has_changed(tmp_path):
    first, loaded = asked(tmp_path)
    assert first.startswith("QtWebEngine 6.")
    assert loaded
    again, loaded = asked(tmp_path)
    assert (again, loaded) == (first, False)
    of_another = json.loads(noted_in(tmp_path).read_text())
    of_another["library"][-1] += 1  # its bytes
    noted_in(tmp_path).write_text(json.dumps(of_another | {"engine": "QtWebEngine 5"}))
    assert asked(tmp_path) == (first, True)


@pytest.mark.parametrize("damaged", ["", "[]", "\x00"])
def test_a_damaged_cache_of_the_name_is_rewritten(tmp_path, damaged):
    first, _ = asked(tmp_path)
    noted_in(tmp_path).write_text(damaged)
    assert asked(tmp_path) == (first, True)
    assert asked(tmp_path) == (first, False)


def test_the_renderer_is_named_without_a_writable_cache(tmp_path):
    (tmp_path / "pagelet").write_text("a file where a folder should be")
    name, loaded = asked(tmp_path)
    assert name.startswith("QtWebEngine 6.")
    assert loaded
