"""What some tests read and a clone does not hold: data sets, hostile pages, scorers, suites.

By default these are the folders ``datasets``, ``hostile``, ``bench``, ``suites`` and ``field`` of a
folder ``shared`` beside the clone.  PAGELET_DATA names the data sets; the others are beside those;
PAGELET_HOSTILE and PAGELET_SCORERS name them one by one.  A test that wants what is not
there is skipped, and says which variable to set: contributing.md#data-beside-a-clone.
"""

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

_DATASETS = Path(__file__).resolve().parents[2] / "shared" / "datasets"


def datasets_folder() -> Path:
    """Where data sets with gold are looked for."""
    return Path(os.environ.get("PAGELET_DATA") or _DATASETS)


def hostile_folder() -> Path:
    """Where pages made to break a browser are looked for."""
    return Path(os.environ.get("PAGELET_HOSTILE") or datasets_folder().parent / "hostile")


def suites_folder() -> Path:
    """Where test suites of other projects are looked for (`README.md` there)."""
    return datasets_folder().parent / "suites"


def field_folder() -> Path:
    """Where inputs of complaints of other tools' users are looked for, a folder each."""
    return datasets_folder().parent / "field"


def scorer_script(name: str) -> Path:
    """The script ``name`` (score_text, score_blocks) of a scorer that shares no code with Pagelet.

    The test is skipped where there is none.
    """
    folder = Path(os.environ.get("PAGELET_SCORERS") or datasets_folder().parent / "bench")
    path = folder / f"{name}.py"
    if not path.is_file():
        pytest.skip(f"no independent scorer: set PAGELET_SCORERS to the folder of {name}.py")
    return path


def load_scorer(name: str) -> ModuleType:
    """The scorer ``name`` as a module of its own, new at each call; else the test is skipped."""
    spec = importlib.util.spec_from_file_location(name, scorer_script(name))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def datasets() -> Path:
    """The folder of real pages with gold; the test is skipped where there is none."""
    folder = datasets_folder()
    if not folder.is_dir():
        pytest.skip("no data sets: set PAGELET_DATA to the folder that holds kreuzer-random")
    return folder


@pytest.fixture(scope="session")
def hostile() -> Path:
    """The folder of hostile pages; the test is skipped where there is none."""
    folder = hostile_folder()
    if not folder.is_dir():
        pytest.skip("no hostile pages: set PAGELET_HOSTILE to the folder that holds them")
    return folder


@pytest.fixture(scope="session")
def suites() -> Path:
    """The folder of other projects' test suites; the test is skipped where there is none."""
    folder = suites_folder()
    if not folder.is_dir():
        pytest.skip("no suites of other projects: set PAGELET_DATA to a folder beside them")
    return folder


@pytest.fixture(scope="session")
def field() -> Path:
    """The folder of complaints' inputs; the test is skipped where there is none."""
    folder = field_folder()
    if not folder.is_dir():
        pytest.skip("no inputs of complaints: set PAGELET_DATA to a folder beside them")
    return folder
