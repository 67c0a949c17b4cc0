"""Freezing of the open page into a file beside the workspace, with its marks, in the background."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Signal

from annotate.archives.frozen.capturing import Way, freeze_elsewhere
from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.archives.frozen.verifying import verify
from annotate.archives.frozen.wacz import SUFFIX
from annotate.datasets.case_files import BesideFiles
from annotate.datasets.opening import note_copy
from annotate.marks.gold import Gold
from annotate.workspace.page_tags import put_tags, tags_of
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import convert_os_error
from engine.nodes import NodeTable
from engine.web import profile
from engine.words import plural
from gui.core.workbench import Workbench
from gui.widgets.jobs import JobLine, QueuedCall


@dataclass(frozen=True)
class _FreezeOrder:
    """Page being frozen, with its nodes and marks at the time of the request."""

    document: Document
    nodes: NodeTable
    gold: Gold
    out: Path


class FreezingController(QObject):
    """Freezes the open page, and verifies frozen pages against their recorded state."""

    frozen = Signal(object, object)  # the frozen document, its original
    verified = Signal(str, object)  # the file's path; Certificate

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._workspace = workbench.workspace
        self.frozen.connect(workbench.navigation.open_frozen)
        self._under_way: set[str] = set()
        self._line = JobLine(self)
        self._calls: list[QueuedCall] = []
        self._clicks: list[str] = []  # XPaths of elements to click before the open page is frozen
        session.open.document_changed.connect(lambda: self._clicks.clear())

    def click_first(self) -> None:
        """Add the framed element to the clicks made before freezing, or remove it."""
        session = self._session
        page, row = session.open.page, session.selection.candidate
        if page is None:
            return
        nodes = page.rendered()
        if row < 0 or nodes.is_text[row] or nodes.frame[row]:
            session.messages.say(
                "frame the element to click before freezing first, such as a banner's button"
            )
            return
        path = nodes.path(row)
        if path in self._clicks:
            self._clicks.remove(path)
        else:
            self._clicks.append(path)
        count = len(self._clicks)
        session.messages.say(
            f"{plural(count, 'click')} before the page is frozen: Ctrl+Alt+F freezes it"
            if count
            else "nothing is clicked before the page is frozen"
        )

    def freeze(self) -> None:
        """Freeze the open page into a file of the workspace's folder, and add it to the list."""
        session = self._session
        document, page = session.open.document, session.open.page
        if document is None or page is None:
            return
        key = page_key(document)
        if isinstance(document.store, FrozenFile):
            session.messages.say("this page is frozen already")
            return
        if key in self._under_way:
            session.messages.say("this page is being frozen")
            return
        with session.messages.errors():
            out = self._target(page.title or document.name)
            order = _FreezeOrder(document, page.rendered(), session.open.gold, out)
            no_sandbox = os.environ.get("QTWEBENGINE_DISABLE_SANDBOX") == "1"
            way = Way(document.is_live and profile.is_online(), document.is_near, no_sandbox)
            session.messages.say("the page is being frozen; go on meanwhile")
            work = partial(freeze_elsewhere, document, out, way, tuple(self._clicks))
            self._start(key, work, partial(self._on_frozen, order), "not frozen")

    def verify(self) -> None:
        """Verify the open frozen page in a fresh process, and show the result."""
        document = self._session.open.document
        store = None if document is None else document.store
        if not isinstance(store, FrozenFile) or str(store.path) in self._under_way:
            return
        path = str(store.path)
        work = partial(verify, store.path)
        self._start(path, work, partial(self.verified.emit, path), "not verified")

    def stop(self) -> None:
        """Ignore later answers: a page being frozen becomes a file, but joins no list."""
        for call in self._calls:
            call.on_done = None
        self._calls = []

    def _start(
        self,
        key: str,
        work: Callable[[], Certificate],
        on_done: Callable[[Certificate], None],
        failed: str,
    ) -> None:
        """Freeze or verify the page of ``key``; ``failed`` precedes the reason of a failure."""

        def answer(value: Certificate | Exception) -> None:
            self._calls.remove(call)
            self._under_way.discard(key)
            if isinstance(value, Exception):
                self._session.messages.say(f"{failed}: {value}")
            else:
                on_done(value)

        self._under_way.add(key)
        call = self._line.start(work, answer)
        self._calls.append(call)

    def _target(self, title: str) -> Path:
        folder = self._workspace.path.with_name(f"{self._workspace.path.stem}.pages")
        with convert_os_error(f"make {folder}"):
            folder.mkdir(exist_ok=True)
        base = re.sub(r"[^\w.-]+", "-", title).strip("-.")[:60] or "page"
        out, number = folder / f"{base}{SUFFIX}", 1
        while out.exists():
            number += 1
            out = folder / f"{base}-{number}{SUFFIX}"
        return out

    def _on_frozen(self, order: _FreezeOrder, certificate: Certificate) -> None:
        session = self._session
        with session.messages.errors():
            file = FrozenFile(order.out)
            document = file.document()
            self._workspace.add_pages([document])
            left = self._take_marks(order, file, document)
            stands_for = not left and order.document in session.documents
            if stands_for:
                note_copy(self._workspace, order.document, order.out)
                before = self._workspace.page(page_key(order.document))
                if before is not None:
                    self._workspace.set_status(page_key(document), before.status)
                if tags := tags_of(self._workspace).get(page_key(order.document)):
                    put_tags(self._workspace, {page_key(document): tags})
            documents = list(session.documents)
            position = documents.index(order.document) + 1 if order.document in documents else 0
            # One row, counted once; a page that keeps its marks stays beside the frozen one.
            documents[position - stands_for : position] = [document]
            files = dict(session.files)
            own = [files.get(page_key(each)) or BesideFiles(each) for each in documents]
            session.set_documents(documents, own, session.no_pages)
            session.messages.say(f"frozen: {certificate.summary}{left}")
            self.frozen.emit(document, order.document)

    def _take_marks(self, order: _FreezeOrder, file: FrozenFile, document: Document) -> str:
        """Copy the marks to the frozen page; return a note for the user, or ""."""
        if not order.gold.marks:
            return ""
        nodes, before = file.reference().rendered(), order.nodes
        same = np.array_equal(nodes.parent, before.parent) and all(
            nodes.name_of(row) == before.name_of(row) for row in range(len(nodes))
        )
        if not same:
            return "; its marks stay on the page it was made from, which has changed since"
        key = page_key(document)
        self._workspace.load_gold(key, nodes)
        self._workspace.save_gold(key, order.gold, nodes, "freeze")
        return ""
