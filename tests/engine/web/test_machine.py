"""Test machines with little or no shared memory."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from engine.web import profile
from tests.every_command import PAGE, ROOT

SMALL = 'mount -t tmpfs -o size=64k none /dev/shm && exec "$@"'


def own_mounts(*words, **options):
    """Run a command in a mount namespace where `/dev/shm` has 64 kB."""
    command = ["unshare", "--mount", "sh", "-c", SMALL, "sh", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_chromium_gets_a_flag_where_shared_memory_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(profile, "_SHARED", tmp_path / "missing")
    monkeypatch.setattr(sys, "platform", "linux")
    assert profile.shared_memory_flags() == ("--disable-dev-shm-usage",)


@pytest.mark.web
@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("unshare") is None or own_mounts("true").returncode != 0,
    reason="mounts a file system of its own",
)
def test_a_page_is_rendered_with_64_kb_of_shared_memory():
    command = [sys.executable, str(ROOT / "annotate" / "facade" / "pagelet_command.py")]
    # Not in the tests' own folder: that may lie in the memory that is mounted over.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        page = Path(folder) / "index.html"
        page.write_text(PAGE, encoding="utf-8")
        done = own_mounts(
            *command, "extract", "plain", "--input", "dom", str(page), cwd=folder, timeout=100
        )
    assert done.returncode == 0, done.stderr
    assert "word1 word2" in done.stdout
