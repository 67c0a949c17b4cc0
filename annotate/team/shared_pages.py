"""Pages that several annotators marked: in one workspace, or in a file or folder each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import page_name, page_names
from annotate.datasets.opening import open_pages
from annotate.datasets.readers import document_of
from annotate.marks.gold import Gold
from annotate.team.control_pages import control_pages
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace, page_key
from annotate.workspace.workspace_file import is_workspace
from engine.document import Document
from engine.errors import InputError, PageletError
from engine.page import Page


@dataclass(frozen=True)
class SharedPage:
    """A page that several annotators marked.

    Attributes:
        name: What to call it.
        key: In a workspace; its name elsewhere.
        document: What to render.
        golds: Returns annotator → marks, on the rendered page.
    """

    name: str
    key: str
    document: Document
    golds: Callable[[Page], Mapping[str, Gold]]


def control_pages_of(paths: Sequence[Path]) -> list[SharedPage]:
    """Return the control pages of one workspace, each with its known gold and what was marked."""
    if len(paths) != 1 or not paths[0].is_file() or not is_workspace(paths[0]):
        raise InputError("--controls takes one workspace: combine several with pagelet merge")
    return [
        SharedPage(each.name, each.key, each.files.document(), each.golds)
        for each in control_pages(paths[0])
    ]


def shared_pages(paths: Sequence[Path], problems: list[str]) -> list[SharedPage]:
    """Return what two or more marked: in one workspace, or in a file or folder each.

    Adds a sentence to ``problems`` for each page that cannot be opened.
    """
    if len(paths) == 1 and paths[0].is_file() and is_workspace(paths[0]):
        gone: list[str] = []
        result = pages_in(Workspace.reading(paths[0]), gone)
        if not result:
            raise InputError(*gone[:1] or (f"no page in {paths[0]} is marked by two annotators",))
        problems += gone
        return result
    if len(paths) < 2:
        raise InputError("agreement needs the marks of two annotators or more")
    names = _names(paths)
    shared = common_pages(dict(zip(names, paths, strict=True)))
    return [
        SharedPage(
            name,
            name,
            next(iter(files.values())).document(),
            partial(_golds_of, files),
        )
        for name, files in shared.items()
    ]


def read_in_part(paths: Sequence[Path]) -> list[str]:
    """Return a sentence for each workspace of which not everything can be read."""
    result = []
    for path in paths:
        if path.is_file() and is_workspace(path):
            with Workspace.reading(path) as workspace:
                if workspace.store.is_partial:
                    result.append(workspace.damage)
    return result


def _golds_of(files: Mapping[str, PageFiles], page: Page) -> Mapping[str, Gold]:
    return {who: each.marks(page) for who, each in files.items()}


def pages_in(workspace: Workspace, problems: list[str]) -> list[SharedPage]:
    """Return the pages of a workspace that two annotators or more marked.

    Adds a sentence to ``problems`` for each that cannot be opened: its file is gone.
    """
    result: list[tuple[str, Document]] = []
    for entry in workspace.shared_pages():
        try:
            result.append((entry.key, document_of(entry)))
        except PageletError as error:
            problems.append(str(error))
    names = page_names([document for _, document in result])
    return [
        SharedPage(name, key, document, partial(marks_of_annotators, workspace, key))
        for name, (key, document) in zip(names, result, strict=True)
    ]


def marks_of_annotators(workspace: Workspace, key: str, page: Page) -> dict[str, Gold]:
    """Return annotator → marks of a page in a workspace; what reviewers decided is left out."""
    people = {who for who in workspace.annotators if who.role is Role.ANNOTATOR}
    golds = workspace.golds(key, page.rendered())
    return {who.shown: gold for who, gold in golds.items() if who in people}


def common_pages(annotators: Mapping[str, Path]) -> dict[str, dict[str, PageFiles]]:
    """Return the pages that all annotators have, with what each marked on them.

    They are the same where their address is; where no two are, as in copies of a folder, where
    their name is.
    """
    opened = {name: open_pages(path) for name, path in annotators.items()}
    for name_of in (page_key, page_name):
        by_name = {
            annotator: {
                name_of(document): files
                for document, files in zip(pages.documents, pages.files, strict=True)
            }
            for annotator, pages in opened.items()
        }
        shared = set.intersection(*map(set, by_name.values()))
        if shared:
            first = next(iter(by_name.values()))
            keys = [key for key in first if key in shared]
            names = page_names([first[key].document() for key in keys])
            return {
                name: {a: pages[key] for a, pages in by_name.items()}
                for name, key in zip(names, keys, strict=True)
            }
    raise InputError(f"no page is marked in all of {', '.join(map(str, annotators.values()))}")


def _names(paths: Sequence[Path]) -> list[str]:
    """Return a name an annotator: that of the file, the whole path where two are alike."""
    stems = [path.stem for path in paths]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in paths]
