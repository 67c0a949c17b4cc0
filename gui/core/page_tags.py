"""Tags of pages: asked for by name, given to one page or many, and taken back by undo."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject

from annotate.workspace.page_tags import Tags, put_tags
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError
from engine.words import plural
from gui.core.findings import DecideFinding
from gui.core.known_pages import KnownPages
from gui.state.session import Session
from gui.state.undo import WorkHistory
from gui.widgets.quick_pick import Choice, QuickPick

_LONGEST = 40


class PageTags(QObject):
    """Adds and removes tags of pages."""

    def __init__(
        self, session: Session, workspace: Workspace, pages: KnownPages, field: QuickPick
    ) -> None:
        super().__init__(pages)
        self._session, self._workspace = session, workspace
        self._pages, self._field = pages, field

    def ask(self, documents: Sequence[Document]) -> None:
        """Ask for a tag, and add it to these pages or remove it."""
        if not documents:
            self._session.messages.say("choose a page first")
            return
        have = [self._pages.tags(document) for document in documents]
        choices = [
            Choice(tag, _remark(sum(tag in tags for tags in have), len(have)))
            for tag in self._pages.all_tags
        ]
        one = self._pages.title(documents[0])
        what = one if len(documents) == 1 else plural(len(documents), "page")
        self._field.ask(f"Tag {what}", "A tag", partial(self.switch, documents), choices)

    def switch(self, documents: Sequence[Document], text: str) -> None:
        """Add a tag to pages, or remove it from all if each has it; can be undone."""
        tag = " ".join(text.split())[:_LONGEST]
        before: Tags = {page_key(each): self._pages.tags(each) for each in documents}
        if not tag or not before:
            return
        removes = all(tag in tags for tags in before.values())
        after: Tags = {
            key: tuple({*tags} - {tag} if removes else {*tags, tag}) for key, tags in before.items()
        }
        pages = plural(len(before), "page")
        done = f"remove “{tag}” from {pages}" if removes else f"tag {pages} “{tag}”"
        way = "removed from" if removes else "added to"
        put = partial(self._put, before, after, f"“{tag}” {way} {pages}: Ctrl+Z takes it back")
        self._session.get(WorkHistory).push(DecideFinding(done, put))

    def _put(self, before: Tags, after: Tags, said: str, is_done: bool) -> None:
        try:
            put_tags(self._workspace, after if is_done else before)
        except PageletError as error:
            said = f"not saved: {error}"
        self._pages.refresh()
        self._session.messages.say(said if is_done else "")


def _remark(count: int, of: int) -> str:
    """Return what choosing a tag does that ``count`` of the pages have."""
    if count == of:
        return "remove"
    return f"on {count} of them: add to all" if count else "add"
