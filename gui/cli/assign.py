"""``pagelet assign``: who marks which pages, with overlap and hidden control pages."""

import argparse
from pathlib import Path

from annotate.datasets.cases import page_names
from annotate.marks.guideline import read
from annotate.team.assignments import assign, deal
from annotate.workspace import annotators
from annotate.workspace.stored_guideline import store_in
from annotate.workspace.workspace import Workspace, page_key
from engine.errors import InputError
from engine.words import no_such, plural
from gui.cli.arguments import add_all, pages_in

_EPILOG = """Writes work/Anna.pagelet and so on; pages that several have, and the 5 whose gold
is known, look like all others:
  pagelet assign pages --to Anna Ben Carla --overlap 0.2 --controls 5 --out work
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take pages, people, and how to deal."""
    command.epilog = _EPILOG
    command.add_argument("pages", type=Path, help="a folder, data set or package of pages")
    add_all(command)
    command.add_argument("--to", nargs="+", required=True, metavar="NAME", help="the annotators")
    command.add_argument(
        "--overlap", type=float, default=0.2, help="share of pages that several mark (default: 0.2)"
    )
    command.add_argument(
        "--per-page", type=int, default=2, help="annotators of each of those pages (default: 2)"
    )
    command.add_argument(
        "--controls",
        type=int,
        default=0,
        help="pages with gold to be marked by all, with their gold hidden (default: 0)",
    )
    command.add_argument(
        "--control",
        action="append",
        default=[],
        metavar="PAGE",
        help="a control page by its name (again for more)",
    )
    command.add_argument(
        "--quizzes", type=int, default=0, metavar="N",
        help="pages with gold that all mark first, and then see what differs (default: 0)",
    )  # fmt: skip
    command.add_argument(
        "--guideline", type=Path, metavar="FILE",
        help="what belongs to each type, shown while marking: Markdown, or a folder of such files",
    )  # fmt: skip
    command.add_argument(
        "--seed", type=int, default=1, help="seed of the random choice (default: 1)"
    )
    command.add_argument("--out", type=Path, default=Path("assigned"), help="folder")


def run(options: argparse.Namespace) -> int:
    """Write a workspace for each annotator; pages and statuses of existing ones stay."""
    opened = pages_in(options, options.pages)
    guideline = None if options.guideline is None else read(options.guideline)
    documents = {page_key(document): document for document in opened.documents}
    names = dict(zip(page_names(list(documents.values())), documents, strict=True))
    gold = [
        page_key(document)
        for document, files in zip(opened.documents, opened.files, strict=True)
        if files.marked()
    ]
    for name in options.control:
        if name not in names:
            raise InputError(no_such("page", name, names))
    count = options.controls + options.quizzes
    if count > len(gold):
        raise InputError(f"{plural(len(gold), 'page')} came with gold, not {count}")
    apart = gold[:: max(1, len(gold) // count)][:count] if count else []
    controls = [*(names[name] for name in options.control), *apart[options.quizzes :]]
    quizzes = apart[: options.quizzes]
    dealt = deal(
        list(documents),
        options.to,
        overlap=options.overlap,
        per_page=options.per_page,
        controls=controls,
        quizzes=quizzes,
        seed=options.seed,
    )
    for name, pages in dealt.items():
        if not name or "/" in name or "\\" in name:
            raise InputError(f"{name!r} cannot be the name of a file")
        path = options.out / f"{name}.pagelet"
        with Workspace.open(path) as workspace:
            who = workspace.annotator
            if who.name != name:
                annotators.change(workspace.store, who, name, who.role)
                workspace.work_as(annotators.annotator_named(workspace.store, name))
            workspace.add_pages([documents[each.key] for each in pages])
            assign(workspace.store, {name: pages})
            if guideline is not None:
                store_in(workspace, guideline)
        shared = sum(
            any(each.key == other.key for who, others in dealt.items() if who != name
                for other in others)
            for each in pages
        )  # fmt: skip
        print(f"{path}: {plural(len(pages), 'page')}, {shared} shared with others")
    print(f"{plural(len(set(controls)), 'control page')}; pagelet merge puts the work together")
    return 0
