"""Process that learns drafts: measures pages, counts confirmed marks, drafts the open page.

Only pages that this annotator changed here and that have no unconfirmed draft are learned from,
pages of the same site first. Pages kept free of drafts, control pages and quiz pages are measured
and never learned from.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from annotate.datasets.case_files import PageFiles
from annotate.datasets.readers import page_at
from annotate.datasets.site_pages import address_of
from annotate.marks.drafts import is_unassisted
from annotate.marks.gold import MAIN
from annotate.marks.learned.bias import MeasuredPage, measure_bias
from annotate.marks.learned.learned_drafts import LearnedDraft, learned_drafts
from annotate.marks.learned.memory import Lesson, lesson, memory_of
from annotate.marks.learned.offers import Offer, list_shipped, offer
from annotate.workspace.annotators import is_control
from annotate.workspace.workspace import Workspace, page_key
from engine.archive import unpack
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from engine.processes.worker_process import Handler, Send
from engine.web.worker_browser import open_browser

if TYPE_CHECKING:
    from engine.page_cache import Snapshots
    from engine.web.headless import Browser

_MOST_OFFERS = 4

MOST = 60
"""Largest number of measured pages; those of the site come first."""

FIRST, THEN = 3, 1
"""Number of pages learned before a page is drafted, and at a time afterwards."""


@dataclass(frozen=True)
class DraftingPage:
    """Page with the location of its included gold."""

    document: Document
    files: PageFiles | None = None

    @property
    def key(self) -> str:
        return page_key(self.document)

    @property
    def site(self) -> str:
        """Name of the page's site."""
        own = self.files.site_name if self.files is not None else ""
        return own or urlsplit(address_of(self.document)).netloc or self.document.host


@dataclass(frozen=True)
class DraftingOrder:
    """Request to learn from pages and to draft one.

    Attributes:
        workspace, annotator: The marks to learn from.
        pages: Listed pages, those of the site first; others of the workspace follow.
        share: Share of the pages kept free of drafts, 0 to 1.
        target: The page to be drafted; None for none.
        packed: The target as rendered on screen.
    """

    workspace: Path
    annotator: str
    pages: tuple[DraftingPage, ...]
    share: float
    target: DraftingPage | None = None
    packed: bytes = b""


@dataclass(frozen=True)
class DraftingAnswer:
    """Result of a `DraftingOrder`.

    Attributes:
        drafts: Drafts for the target, on its rows on screen.
        pages: Number of pages learned from.
        seconds: Time to count them again.
        left: Number of pages not measured yet.
        measured: Measured pages, in the order they were worked on.
    """

    drafts: tuple[LearnedDraft, ...]
    pages: int
    seconds: float
    left: int
    measured: tuple[MeasuredPage, ...]


@dataclass(frozen=True, eq=False)
class _Known:
    digest: str
    site: str
    page: MeasuredPage
    lesson: Lesson | None  # None for a page that is only measured


def _unlisted(key: str) -> DraftingPage | None:
    """Return a page of the workspace that is not listed; None if it cannot be read."""
    try:
        files = page_at(key)
        return DraftingPage(files.document(), files)
    except PageletError:
        return None


@contextmanager
def drafting_worker(_: Send, folder: Path) -> Iterator[Handler]:
    """Answer a `DraftingOrder` with a `DraftingAnswer`."""
    with open_browser() as browser:
        from engine.page_cache import Snapshots
        from engine.web.renderer import renderer_name  # Qt

        yield _Learner(Snapshots(folder, renderer_name()), browser).answer


class _Learner:
    def __init__(self, snapshots: "Snapshots", browser: "Browser") -> None:
        self._snapshots, self._browser = snapshots, browser
        self._models = list_shipped()
        self._offers: dict[str, tuple[str, Offer]] = {}  # by address: digest of the page, offer
        self._known: dict[str, _Known] = {}

    def answer(self, order: DraftingOrder) -> DraftingAnswer:
        own = order.target.key if order.target is not None else ""
        at_once = FIRST if own else THEN
        with Workspace.reading(order.workspace, order.annotator) as workspace:
            waiting = self._waiting(workspace, order, own)
            for page, digest in waiting[:at_once]:
                self._learn(workspace, page, digest, order.share)
        left = max(len(waiting) - at_once, 0)
        began = time.perf_counter()
        known = self._known.items()
        lessons = [each.lesson for key, each in known if each.lesson and key != own]
        memory = memory_of(lessons)
        seconds = time.perf_counter() - began
        drafts: tuple[LearnedDraft, ...] = ()
        if order.target is not None:
            offered = self._offered(order.target, unpack(order.packed))
            drafts = learned_drafts(offered, memory, sorted(memory.levels) or (MAIN, 1, 2))
        pages = tuple(sorted((each.page for each in self._known.values()), key=lambda p: p.made))
        return DraftingAnswer(drafts, len(lessons), seconds, left, pages)

    def _waiting(
        self, workspace: Workspace, order: DraftingOrder, own: str
    ) -> list[tuple[DraftingPage, str]]:
        """Return pages whose marks changed since they were measured, and their digests."""
        digests = workspace.gold_digests()
        self._known = {key: each for key, each in self._known.items() if key in digests}
        listed = {page.key: page for page in order.pages}
        result = []
        for key in [*(key for key in listed if key in digests), *sorted(digests.keys() - listed)]:
            known = self._known.get(key)
            if key == own or (known is not None and known.digest == digests[key]):
                continue
            page = listed.get(key) or _unlisted(key)
            # None is fetched from the web for this.
            if page and (not page.document.is_live or page.document.address in self._offers):
                result.append((page, digests[key]))
        return result[:MOST]

    def _learn(self, workspace: Workspace, page: DraftingPage, digest: str, share: float) -> None:
        offered, key = self._offered(page), page.key
        gold = workspace.load_gold(key, offered.nodes)
        is_free = is_unassisted(key, share)
        is_measured = is_free or is_control(workspace.store, workspace.annotator, key)
        if gold.unconfirmed() or not gold.marks:
            self._known.pop(key, None)  # a page is learned from when all its drafts are confirmed
            return
        about = measure_bias(offered, gold, workspace.history(key), key, is_free=is_free)
        taught = None if is_measured else lesson(offered, gold)
        self._known[key] = _Known(digest, page.site, about, taught)

    def _offered(self, page: DraftingPage, shown: Page | None = None) -> Offer:
        """Return possible marks of a page, as on screen or rendered here."""
        address = page.document.address
        known = self._offers.pop(address, None)
        if shown is None and known is None:
            shown = self._snapshots.find(page.document)
            if shown is None:
                shown = self._browser.capture(page.document)
                self._snapshots.keep(page.document, shown)
        if known is None or (shown is not None and known[0] != shown.digest):
            assert shown is not None
            known = shown.digest, offer(shown, page.site, self._models)
        self._offers[address] = known
        while len(self._offers) > _MOST_OFFERS:
            self._offers.pop(next(iter(self._offers)))
        return known[1]
