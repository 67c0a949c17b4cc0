"""What Pagelet writes and prints, as files: one evaluation of the bundled pages for all tests here.

Nothing in this folder imports Pagelet (test_own_code.py): it is run as a command.
"""

import csv
import fcntl
import json
import os
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from tests.truth.own_layout import Layout, layouts
from tests.typed_commands import ROOT, typed

CORPUS = ROOT / "resources" / "corpus"
METHODS = "bte,ccb,cetr-km,terrain,webterrain"


def command(*arguments, **options) -> str:
    """What a command prints; the test fails with its words where it does."""
    done = typed(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass
class Evaluation:
    """The files of an evaluation, read without any of Pagelet's code."""

    folder: Path
    cache: Path | None = None

    @cached_property
    def layouts(self) -> dict[str, Layout]:
        """SHA-256 of a document → its rendering."""
        assert self.cache is not None
        return layouts(self.cache)

    @cached_property
    def rows(self) -> list[dict[str, str]]:
        return self._read("scores.csv")

    @cached_property
    def summary(self) -> list[dict[str, str]]:
        return self._read("summary.csv")

    def _read(self, name: str) -> list[dict[str, str]]:
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    @cached_property
    def gold_texts(self) -> dict[tuple[str, str], str]:
        """Data set and page → gold text, from the packages beside the predictions."""
        result = {}
        for path in (self.folder / "predictions").glob("*.zip"):
            with zipfile.ZipFile(path) as package:
                for name in package.namelist():
                    if name.endswith(".txt"):
                        result[path.stem, name.removesuffix(".txt")] = package.read(name).decode()
        return result

    @cached_property
    def predictions(self) -> dict[tuple[str, str, str], dict]:
        """Data set, method and page → text, or texts of blocks with their levels."""
        result = {}
        for path in (self.folder / "predictions").glob("*/*.json"):
            content = json.loads(path.read_text(encoding="utf-8"))
            method = path.stem.partition("--")[0]
            for page, returned in content.get("output", content).items():
                result[path.parent.name, method, page] = returned
        return result


def _shared(tmp_path_factory) -> Path:
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def _once(tmp_path_factory, name: str, *arguments) -> Path:
    """The folder a command wrote, once for all processes that share the tests."""
    base, folder = tmp_path_factory.getbasetemp(), _shared(tmp_path_factory) / name
    with folder.with_suffix(".lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            made = base / f"{name}.part"
            command(*arguments, "--out", made)
            made.rename(folder)
    return folder


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory) -> Evaluation:
    """Methods of text and of blocks on the bundled pages, all measures, with what they returned."""
    cache = _shared(tmp_path_factory) / "snapshots"
    folder = _once(
        tmp_path_factory, "evaluated", "evaluate", CORPUS, "--methods", METHODS, "--predictions",
        "--report", "tables", "--measures", "all-text,all-blocks", "--cache", cache, "--jobs", "1",
    )  # fmt: skip
    return Evaluation(folder, cache)


@pytest.fixture(scope="session")
def exported_gold(tmp_path_factory) -> Path:
    """The bundled pages as they were rendered, as files."""
    return _once(tmp_path_factory, "exported", "export", CORPUS, "--format", "kreuzer")
