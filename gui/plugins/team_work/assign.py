"""``pagelet assign``: who marks which pages, with overlap and hidden control pages."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from annotate.datasets.cases import page_names
from annotate.marks.guideline import read
from annotate.plugins.team_work.assignments import assign, deal, spread_out
from annotate.workspace import annotators
from annotate.workspace.guideline_versions import use_guideline
from annotate.workspace.workspace import Workspace, page_key
from engine.errors import InputError
from engine.words import no_such, plural
from gui.cli.arguments import TakesAll, pages_in


def run(
    pages: Path,
    *,
    takes_all: TakesAll = False,
    to: Sequence[str],
    overlap: float = 0.2,
    per_page: int = 2,
    controls: int = 0,
    control: Sequence[str] = (),
    quizzes: int = 0,
    guideline: Path | None = None,
    seed: int = 1,
    out: Path = Path("assigned"),
) -> int:
    """Write a workspace for each annotator; pages and statuses of existing ones stay.

    Args:
        pages: a folder, data set or package of pages
        to (NAME...): the annotators
        overlap: share of pages that several mark (default: 0.2)
        per_page: annotators of each of those pages (default: 2)
        controls: pages with gold to be marked by all, with their gold hidden (default: 0)
        control (PAGE): a control page by its name (again for more)
        quizzes (N): pages with gold that all mark first, and then see what differs (default: 0)
        guideline (FILE): what belongs to each type, shown while marking: Markdown, or a folder of
            such files
        seed: seed of the random choice (default: 1)
        out: folder

    Writes work/Anna.pagelet and so on; pages that several have, and the 5 whose gold
    is known, look like all others:
      pagelet assign pages --to Anna Ben Carla --overlap 0.2 --controls 5 --out work
    """
    opened = pages_in(pages, takes_all=takes_all)
    rules = None if guideline is None else read(guideline)
    documents = {page_key(document): document for document in opened.documents}
    names = dict(zip(page_names(list(documents.values())), documents, strict=True))
    gold = [
        page_key(document)
        for document, files in zip(opened.documents, opened.files, strict=True)
        if files.marked()
    ]
    for name in control:
        if name not in names:
            raise InputError(no_such("page", name, names))
    apart = spread_out(gold, controls + quizzes)
    control_pages = [*(names[name] for name in control), *apart[quizzes:]]
    dealt = deal(
        list(documents),
        to,
        overlap=overlap,
        per_page=per_page,
        controls=control_pages,
        quizzes=apart[:quizzes],
        seed=seed,
    )
    count = Counter(each.key for own in dealt.values() for each in own)
    for name, own in dealt.items():
        if not name or "/" in name or "\\" in name:
            raise InputError(f"{name!r} cannot be the name of a file")
        path = out / f"{name}.pagelet"
        with Workspace.open(path) as workspace:
            who = workspace.annotator
            if who.name != name:
                annotators.change(workspace.store, who, name, who.role)
                workspace.work_as(annotators.annotator_named(workspace.store, name))
            workspace.add_pages([documents[each.key] for each in own])
            assign(workspace.store, {name: own})
            if rules is not None:
                use_guideline(workspace, rules)
        shared = sum(count[each.key] > 1 for each in own)
        print(f"{path}: {plural(len(own), 'page')}, {shared} shared with others")
    print(
        f"{plural(len(set(control_pages)), 'control page')}; pagelet merge puts the work together"
    )
    return 0
