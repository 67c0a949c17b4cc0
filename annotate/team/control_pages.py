"""How well annotators did on the control pages among their work, whose gold is known."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import page_names
from annotate.datasets.readers import document_of, page_at
from annotate.marks.gold import Gold
from annotate.team.assignments import assigned
from annotate.workspace.annotators import NAMELESS
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import InputError
from engine.page import Page

KNOWN = "known gold"


@dataclass(frozen=True)
class ControlPage:
    """A page assigned without showing its known gold.

    Attributes:
        annotator: The annotator.
        key: The page's.
        page: Name of the page.
        files: The page with its gold.
        workspace: The workspace with the marks.
    """

    annotator: str
    key: str
    page: str
    files: PageFiles
    workspace: Path

    @property
    def name(self) -> str:
        return f"{self.annotator or NAMELESS}: {self.page}"

    def golds(self, page: Page) -> Mapping[str, Gold]:
        """Return the known gold and the annotator's marks, on the rendered page."""
        with Workspace.reading(self.workspace, self.annotator) as workspace:
            marks = workspace.load_gold(self.key, page.rendered())
        return {KNOWN: self.files.shown(page)[0], self.annotator: marks.sure}


def control_pages(path: Path) -> list[ControlPage]:
    """Return the control pages that were marked, by annotator and in the order of their work.

    Raises:
        InputError: None were assigned, or none is marked yet.
    """
    result: list[tuple[str, str, Document]] = []
    given = 0
    with Workspace.reading(path) as workspace:
        people = [(who, assigned(workspace.store, who)) for who in workspace.annotators]
    for who, work in people:
        # Of a quiz the known gold was shown to him.
        controls = [each.key for each in work if each.is_control and not each.is_quiz]
        given += len(controls)
        if not controls:
            continue
        with Workspace.reading(path, who.name) as workspace:
            entries = {entry.key: entry for entry in workspace.pages() if entry.marks}
        result += [(who.name, key, document_of(entries[key])) for key in controls if key in entries]
    if not given:
        raise InputError(f"{path} has no control pages: pagelet assign --controls deals them")
    if not result:
        raise InputError(f"none of the {given} control pages in {path} is marked yet")
    documents = {key: document for _, key, document in result}
    names = dict(zip(documents, page_names(list(documents.values())), strict=True))
    return [
        ControlPage(who, key, names[key], page_at(document.address), path)
        for who, key, document in result
    ]
