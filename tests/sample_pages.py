"""The sample pages that come with Pagelet, rendered once a test run, with the gold beside them."""

import fcntl
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

import resources
from annotate.datasets.opening import open_pages
from annotate.marks.gold import Gold
from engine.page import Page
from engine.page_cache import Snapshots

CORPUS = resources.path("corpus")


@dataclass(frozen=True, eq=False)
class Sample:
    """One page, its gold, and what a user is told of that."""

    page: Page
    gold: Gold
    problems: tuple[str, ...]


def capture_samples(kept: Path | None = None) -> dict[str, Sample]:
    """Return the sample pages by name, some 7 s, or those that another process has kept."""
    from engine.web.renderer import renderer_name  # Qt, which collecting tests does not need
    from engine.web.worker_browser import LateBrowser

    result = {}
    snapshots = kept and Snapshots(kept, renderer_name())
    with LateBrowser() as browser:
        for files in open_pages(CORPUS).files:
            document = files.document()
            page = snapshots.find(document) if snapshots else None
            if page is None:
                page = browser.capture(document)
                if snapshots:
                    snapshots.keep(document, page)
            result[document.path.split("/")[0]] = Sample(page, *files.shown(page))
    return result


def digest_of_samples() -> str:
    """Return one SHA-256 of all files of the sample pages, gold included."""
    total = hashlib.sha256()
    for path in sorted(path for path in CORPUS.rglob("*") if path.parent != CORPUS):
        if path.is_file():
            name = path.relative_to(CORPUS).as_posix().encode()
            total.update(hashlib.sha256(name).digest())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


@pytest.fixture(scope="session")
def sample_pages(qapp, tmp_path_factory):
    """The sample pages by name; processes that share the tests render them once."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return capture_samples()
    with (folder.parent / "sample pages.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # else those that begin together all render
        return capture_samples(folder.parent / "sample pages")
