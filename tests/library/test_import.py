"""Test that ``import pagelet`` is quick, loads no Qt and refuses foreign packages."""

import subprocess
import sys
from pathlib import Path

import pagelet
import pytest
from pagelet.neighbours import NAMES, foreign

FACADE = Path(pagelet.__file__).parents[1]
REPOSITORY = Path(__file__).resolve().parents[2]


def python(code, *paths, cwd):
    words = f"import sys; sys.path[:0] = {[str(path) for path in paths]!r}\n{code}"
    return subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, cwd=cwd, check=False
    )


def test_every_public_name_exists():
    assert set(pagelet.__all__) == set(pagelet._WHERE)
    for name in pagelet.__all__:
        assert getattr(pagelet, name) is not None
    assert set(pagelet.__all__) <= set(dir(pagelet))


def test_importing_and_extracting_load_no_qt(tmp_path):
    code = (
        "import pagelet\n"
        "page = pagelet.open(b'<p>Tea is a drink of hot water and leaves.')\n"
        "assert 'hot water' in page.run('bte').text\n"
        "assert not [name for name in sys.modules if 'PySide' in name]\n"
    )
    done = python(code, REPOSITORY, FACADE, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_importing_loads_nothing_but_the_standard_library(tmp_path):
    code = "import pagelet; print([n for n in ('numpy', 'lxml', 'engine') if n in sys.modules])"
    assert python(code, REPOSITORY, FACADE, cwd=tmp_path).stdout.strip() == "[]"


def test_own_packages_are_not_reported_as_foreign():
    assert foreign() == {}


def test_importing_beside_a_foreign_package_names_it_and_the_remedy(tmp_path):
    for name in NAMES:
        other = tmp_path / name
        (other / name).mkdir(parents=True)
        (other / name / "__init__.py").write_text("")
        done = python("import pagelet", other, REPOSITORY, FACADE, cwd=tmp_path)
        assert done.returncode == 1
        stderr = done.stderr.splitlines()[-1]
        assert f"needs its own: {name} ({other / name / '__init__.py'})" in stderr
        assert "an environment of its own" in stderr


def test_a_foreign_module_imported_before_is_noticed(tmp_path):
    (tmp_path / "engine.py").write_text("")
    code = f"import engine; sys.path.remove({str(tmp_path)!r}); import pagelet"
    done = python(code, tmp_path, REPOSITORY, FACADE, cwd="/")
    assert "needs its own: engine (" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["engine", "gui"])
def test_the_doctor_names_a_foreign_package_and_the_remedy(tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    code = "import pagelet_command as c; sys.argv = ['pagelet', 'doctor']; sys.exit(c.main())"
    done = python(code, tmp_path, REPOSITORY, FACADE, cwd="/")
    assert done.returncode == 1
    first, mend = done.stdout.splitlines()[:2]
    assert first == "FIX   Packages: not all are Pagelet's own"
    assert f"needs its own: {name} ({tmp_path / name / '__init__.py'})" in mend
    assert "an environment of its own" in mend
