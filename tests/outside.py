"""What some tests read and a clone does not hold: data sets, hostile pages, independent scorers.

By default these are the folders ``datasets``, ``hostile`` and ``bench`` of a folder ``shared``
beside the clone.  PAGELET_DATA names the data sets, and then the two others are looked for beside
those; PAGELET_HOSTILE and PAGELET_SCORERS name them one by one.  A test that wants what is not
there is skipped, and says which variable to set: contributing.md#what-lies-beside-a-clone.
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
