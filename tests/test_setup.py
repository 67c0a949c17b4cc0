"""Test how ./run and ./test look for Python before they install anything."""

import contextlib
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[1]
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")


def shell(line, **variables):
    done = subprocess.run(
        ["sh", "-euc", f". ./.setup; {line}"],
        cwd=ROOT, env=os.environ | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout


def program(path, script):
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_each_python_that_starts_is_listed_once(tmp_path):
    versions = tmp_path / "pyenv" / "versions"
    program(versions / "3.11.0" / "bin" / "python", "echo pyenv: version not installed; exit 127")
    first = program(versions / "3.12.0" / "bin" / "python", f'exec "{sys.executable}" "$@"')
    program(versions / "3.13.0" / "bin" / "python", f'exec "{sys.executable}" "$@"')
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "sh").symlink_to("/bin/sh")
    listed = shell(
        f"PATH={empty}; every_python", PYENV_ROOT=str(tmp_path / "pyenv"),
        XDG_DATA_HOME=str(empty),
    )  # fmt: skip
    assert listed.splitlines() == [f"{HERE} {first}"]


def test_pythons_on_the_path_and_of_uv_are_listed(tmp_path):
    other = program(tmp_path / "bin" / "python3.11", f'exec "{sys.executable}" "$@"')
    uv = tmp_path / "data" / "uv" / "python" / "cpython-3.11.9-linux" / "bin" / "python3"
    program(uv, f'exec "{sys.executable}" "$@"')
    none = {"PYENV_ROOT": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    assert shell(f"PATH={tmp_path}; every_python", **none) == f"{HERE} {uv}\n"
    line = f"PATH={tmp_path / 'bin'}; every_python"
    assert shell(line, **none) == f"{HERE} {Path(other).name}\n"


def test_locked_packages_support_the_python_of_debian_12():
    oldest = "3.11.2"
    refused = []
    for line in (ROOT / ".locked").read_text("utf-8").splitlines():
        name, _, version = line.partition(";")[0].strip().partition("==")
        with contextlib.suppress(PackageNotFoundError):
            about = metadata(name)
            needed = SpecifierSet(about.get("Requires-Python", ""))
            if about["Version"] == version and not needed.contains(oldest):
                refused.append(line)
    assert refused == []
