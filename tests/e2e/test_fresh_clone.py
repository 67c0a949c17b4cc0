"""Test that ./run sets up a fresh clone once and then runs the command."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def bare_environment():
    """Return the environment without this test run's virtual environment."""
    remaining = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    here = str(ROOT / ".venv" / "bin")
    remaining["PATH"] = os.pathsep.join(p for p in remaining["PATH"].split(os.pathsep) if p != here)
    return remaining


def run(clone, *words, timeout):
    return subprocess.run(
        ["./run", *words],
        cwd=clone,
        env=bare_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@pytest.mark.long
@pytest.mark.web
def test_run_in_a_fresh_clone_sets_up_once_and_renders(tmp_path):
    clone = tmp_path / "clone"
    source = ROOT if (ROOT / ".git").exists() else None
    if source is None:
        pytest.skip("not a git checkout: nothing to clone")
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{source}", clone], check=True)
    page = clone / "hello.html"
    page.write_text("<title>t</title><p>hello from a fresh clone", encoding="utf-8")

    first = run(clone, "extract", "plain", "hello.html", "--input", "dom", timeout=600)
    assert first.returncode == 0, first.stderr
    assert first.stdout.strip() == "hello from a fresh clone"
    assert "Setting Pagelet up" in first.stderr
    assert (clone / ".venv").is_dir()

    second = run(clone, "extract", "plain", "hello.html", timeout=60)
    assert second.returncode == 0, second.stderr
    assert "Setting" not in second.stderr
    untracked = subprocess.run(
        ["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True
    ).stdout.split()
    assert untracked == ["??", "hello.html"], "set-up leaves files that git does not ignore"
