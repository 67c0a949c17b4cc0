"""The sample pages that come with Pagelet, rendered once a test run, with the gold beside them."""

import hashlib
from dataclasses import dataclass

import pytest

import resources
from annotate.datasets.opening import open_pages
from annotate.marks.gold import Gold
from engine.page import Page

CORPUS = resources.path("corpus")


@dataclass(frozen=True, eq=False)
class Sample:
    """One page, its gold, and what a user is told of that."""

    page: Page
    gold: Gold
    problems: tuple[str, ...]


def capture_samples() -> dict[str, Sample]:
    """Return the sample pages by name.  Some 7 s."""
    from engine.web.headless import Browser  # Qt, which collecting tests does not need

    result = {}
    with Browser() as browser:
        for files in open_pages(CORPUS).files:
            document = files.document()
            page = browser.capture(document)
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
def sample_pages(qapp):
    """The sample pages by name."""
    return capture_samples()
