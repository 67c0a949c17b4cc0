"""Test changed user methods, runs in which every page failed, and JSON output."""

import json

import pytest

from tests.e2e.test_changed_methods import METHOD, change
from tests.plugins.archives.warc_files import records, write_warc
from tests.typed_commands import typed


@pytest.fixture
def method(tmp_path):
    path = tmp_path / "methods" / "mine.py"
    path.parent.mkdir()
    (path.parent / "rules.py").write_text("FAILS = False\n")
    path.write_text(METHOD)
    return path


@pytest.mark.slow
def test_rows_of_changed_code_are_not_mixed_with_old_ones(method, tmp_path):
    archive = write_warc(tmp_path / "a.warc.gz", records(2))
    words = ["extract", method, "--in", archive, "--out", tmp_path / "out", "--format", "jsonl"]
    words += ["--jobs", "1", "--beside", "none"]
    assert typed(*words).returncode == 0
    assert typed(*words, "--resume").returncode == 0
    change(method, "np.ones", "np.zeros")
    refused = typed(*words, "--resume")
    assert refused.returncode == 2
    assert "rows of another extraction (version of the method)" in refused.stderr
    replaced = typed(*words, "--replace", "--json")
    assert json.loads(replaced.stdout)["counts"] == {"empty": 3}
