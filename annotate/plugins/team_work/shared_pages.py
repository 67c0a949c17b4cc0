"""Pages that several annotators marked, or one beside known gold; in one workspace or several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import page_name, page_names
from annotate.datasets.opening import open_pages
from annotate.datasets.readers import document_of, page_at
from annotate.marks.gold import Gold
from annotate.plugins.team_work.assignments import list_assigned
from annotate.workspace.annotators import NAMELESS, Role
from annotate.workspace.store import Store
from annotate.workspace.workspace import PageEntry, Workspace, page_key
from annotate.workspace.workspace_file import is_workspace
from engine.document import Document
from engine.errors import InputError, PageletError
from engine.page import Page
from engine.words import join_words

KNOWN = "known gold"
CURATED = "curated gold"


@dataclass(frozen=True)
class SharedPage:
    """A page that annotators marked.

    Attributes:
        name: Its name.
        key: In a workspace; its name elsewhere.
        document: The document to render.
        golds: Returns annotator → marks, on the rendered page.
        annotators: Its annotators.
    """

    name: str
    key: str
    document: Document
    golds: Callable[[Page], Mapping[str, Gold]]
    annotators: tuple[str, ...]

    @property
    def is_shared(self) -> bool:
        """Whether two annotators or more marked it."""
        return len(self.annotators) > 1


def count_shared(store: Store) -> int:
    """Return how many pages two annotators or more have marked; reviewers do not count."""
    rows = store.all(
        "SELECT key FROM pages JOIN annotators ON annotators.id = pages.annotator"
        " WHERE role = 'annotator' AND EXISTS (SELECT 1 FROM marks WHERE page = pages.id)"
        " GROUP BY key HAVING count(*) > 1"
    )
    return len(rows)


def roles_by_page(store: Store) -> dict[PageEntry, dict[str, Role]]:
    """Return each page that anybody marked → who did, as shown, with the role."""
    rows = store.all(
        "SELECT key, pages.url, title, annotators.name, role FROM pages"
        " JOIN annotators ON annotators.id = pages.annotator"
        " WHERE EXISTS (SELECT 1 FROM marks WHERE page = pages.id)"
        " ORDER BY place, key, pages.id"
    )
    entries: dict[str, PageEntry] = {}
    result: dict[PageEntry, dict[str, Role]] = {}
    for key, url, title, name, role in rows:
        entry = entries.setdefault(key, PageEntry(key, url, title))
        result.setdefault(entry, {})[name or NAMELESS] = Role(role)
    return result


def control_pages_of(paths: Sequence[Path]) -> list[SharedPage]:
    """Return the marked control pages of one workspace, each with its known gold and its marks.

    By annotator and in the order of their work; `InputError` where none were assigned, or none is
    marked yet.
    """
    path = _only_workspace(paths, "--controls")
    marked: list[tuple[str, str, Document]] = []
    given = 0
    with Workspace.reading(path) as workspace:
        people = [(who, list_assigned(workspace.store, who)) for who in workspace.annotators]
    for who, work in people:
        # The known gold of a quiz was shown to the annotator.
        controls = [each.key for each in work if each.is_control and not each.is_quiz]
        given += len(controls)
        if not controls:
            continue
        with Workspace.reading(path, who.name) as workspace:
            entries = {entry.key: entry for entry in workspace.pages() if entry.marks}
        marked += [(who.name, key, document_of(entries[key])) for key in controls if key in entries]
    if not given:
        raise InputError(f"{path} has no control pages: pagelet assign --controls deals them")
    if not marked:
        raise InputError(f"none of the {given} control pages in {path} is marked yet")
    documents = {key: document for _, key, document in marked}
    names = dict(zip(documents, page_names(list(documents.values())), strict=True))
    result = []
    for annotator, key, document in marked:
        files = page_at(document.address)
        golds = partial(_beside_known, path, key, annotator, files)
        name = f"{annotator or NAMELESS}: {names[key]}"
        result.append(SharedPage(name, key, files.document(), golds, (annotator,)))
    return result


def curated_pages_of(paths: Sequence[Path], problems: list[str]) -> list[SharedPage]:
    """Return each annotator's pages that a reviewer decided, with his marks and the decision.

    Adds a sentence to ``problems`` for each page that cannot be opened.
    """
    workspace = Workspace.reading(_only_workspace(paths, "--curated"))
    marked = roles_by_page(workspace.store).items()
    decided = {entry.key for entry, roles in marked if Role.REVIEWER in roles.values()}
    result = []
    for page in _pages_of(workspace, problems):
        for who in page.annotators if page.key in decided else ():
            golds = partial(_beside_curated, workspace, page.key, who)
            result.append(SharedPage(f"{who}: {page.name}", page.key, page.document, golds, (who,)))
    if not result:
        raise InputError(f"no page in {paths[0]} has marks of a reviewer and of an annotator")
    return result


def marked_pages(paths: Sequence[Path], problems: list[str]) -> list[SharedPage]:
    """Return all that annotators marked: in one workspace, or in a file or folder each.

    Adds a sentence to ``problems`` for each page that cannot be opened; `InputError` if no page is
    marked by two.
    """
    if len(paths) == 1 and paths[0].is_file() and is_workspace(paths[0]):
        gone: list[str] = []
        result = _pages_of(Workspace.reading(paths[0]), gone)
        if not any(each.is_shared for each in result):
            raise InputError(*gone[:1] or (f"no page in {paths[0]} is marked by two annotators",))
        problems += gone
        return result
    if len(paths) < 2:
        raise InputError("agreement needs the marks of two annotators or more")
    pages = common_pages(dict(zip(_names(paths), paths, strict=True)))
    if not any(len(files) > 1 for files in pages.values()):
        raise InputError(f"no page is marked in two of {join_words([str(path) for path in paths])}")
    result = []
    for name, files in pages.items():
        document = next(iter(files.values())).document()
        result.append(SharedPage(name, name, document, partial(_golds_of, files), tuple(files)))
    return result


def read_in_part(paths: Sequence[Path]) -> list[str]:
    """Return a sentence for each workspace of which not everything can be read."""
    result = []
    for path in paths:
        if path.is_file() and is_workspace(path):
            with Workspace.reading(path) as workspace:
                if workspace.store.is_partial:
                    result.append(workspace.damage)
    return result


def pages_in(workspace: Workspace, problems: list[str]) -> list[SharedPage]:
    """Return the pages of a workspace that two annotators or more marked.

    Adds a sentence to ``problems`` for each that cannot be opened: its file is gone.
    """
    return [each for each in _pages_of(workspace, problems) if each.is_shared]


def marks_of_annotators(workspace: Workspace, key: str, page: Page) -> dict[str, Gold]:
    """Return annotator → marks of a page in a workspace; what reviewers decided is left out.

    Who has nothing but drafts there has not marked it yet.
    """
    return {
        who.shown: gold
        for who, gold in workspace.golds(key, page.rendered(), with_unconfirmed=True).items()
        if who.role is Role.ANNOTATOR and gold.sure.marks
    }


def common_pages(annotators: Mapping[str, Path]) -> dict[str, dict[str, PageFiles]]:
    """Return each page that annotators marked, with what each marked on it.

    Pages are the same where their address is; where their name joins more, as in copies of a
    folder, where that is.
    """
    opened = {name: open_pages(path) for name, path in annotators.items()}
    best: dict[str, dict[str, PageFiles]] = {}
    for name_of in (page_key, page_name):
        by_name: dict[str, dict[str, PageFiles]] = {}
        for annotator, pages in opened.items():
            for document, files in zip(pages.documents, pages.files, strict=True):
                if files.marked():
                    by_name.setdefault(name_of(document), {})[annotator] = files
        if not best or len(by_name) < len(best):
            best = by_name
    names = page_names([next(iter(files.values())).document() for files in best.values()])
    return dict(zip(names, best.values(), strict=True))


def _pages_of(workspace: Workspace, problems: list[str]) -> list[SharedPage]:
    found: list[tuple[str, tuple[str, ...], Document]] = []
    for entry, roles in roles_by_page(workspace.store).items():
        people = tuple(who for who, role in roles.items() if role is Role.ANNOTATOR)
        if not people:
            continue
        try:
            found.append((entry.key, people, document_of(entry)))
        except PageletError as error:
            problems.append(str(error))
    names = page_names([document for *_, document in found])
    return [
        SharedPage(name, key, document, partial(marks_of_annotators, workspace, key), people)
        for name, (key, people, document) in zip(names, found, strict=True)
    ]


def _beside_known(
    path: Path, key: str, who: str, files: PageFiles, page: Page
) -> Mapping[str, Gold]:
    with Workspace.reading(path, who) as workspace:
        marks = workspace.load_gold(key, page.rendered())
    return {KNOWN: files.shown(page)[0], who: marks.sure}


def _beside_curated(workspace: Workspace, key: str, who: str, page: Page) -> Mapping[str, Gold]:
    golds = workspace.golds(key, page.rendered())
    curated = next(gold for each, gold in golds.items() if each.role is Role.REVIEWER)
    return {CURATED: curated, who: marks_of_annotators(workspace, key, page).get(who, Gold())}


def _golds_of(files: Mapping[str, PageFiles], page: Page) -> Mapping[str, Gold]:
    golds = {who: each.marks(page) for who, each in files.items()}
    return {who: gold for who, gold in golds.items() if gold.sure.marks or gold.text is not None}


def _only_workspace(paths: Sequence[Path], option: str) -> Path:
    if len(paths) != 1 or not paths[0].is_file() or not is_workspace(paths[0]):
        raise InputError(f"{option} takes one workspace: combine several with pagelet merge")
    return paths[0]


def _names(paths: Sequence[Path]) -> list[str]:
    """Return a name an annotator: that of the file, else its path, with a number for the same."""
    stems = [path.stem for path in paths]
    if len(set(stems)) == len(stems):
        return stems
    names = [str(path) for path in paths]
    return [
        name if names.count(name) == 1 else f"{name} ({names[:k].count(name) + 1})"
        for k, name in enumerate(names)
    ]
