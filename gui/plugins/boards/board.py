"""``pagelet board``: methods on all data sets in one table, by type of page and language."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.interrupts import defer_interrupts
from gui.cli.arguments import JOBS
from gui.cli.signatures import Argument, Count
from gui.cli.terminal import print_json, progress

if TYPE_CHECKING:
    from annotate.datasets.cases import DataSet
    from annotate.evaluation.run.plan import Chosen
    from annotate.plugins.boards.board import Board

_LEFT_OUT = ("predictions", "resumes", "report")
Running = Annotated[
    EvaluationOptions,
    Argument(without=_LEFT_OUT, defaults={"jobs": JOBS, "out": Path("pagelet-board")}),
]


def run(
    data: Sequence[str],
    *,
    methods: str = "all",
    settings: Sequence[str] = (),
    measure: str | None = None,
    rules: Count = 50,
    bundle: bool = False,
    structure: bool = False,
    running: Running,
    choice: PageChoice,
    json: bool = False,
) -> int:
    """Run methods, and write the table.

    Args:
        data (DATA): data sets with gold text
        methods: keys separated by commas, or all, native, external; -KEY leaves one out
        settings (--set METHOD.NAME=VALUE): set a parameter
        measure (KEY): a measure of text (default: the main one, words in sequence)
        rules (N): pages of each data set that adherence to its guideline is taken on (default: 50)
        bundle: also write OUT/bundle, web pages with the texts of each page, linked from the lists
        structure: compare Markdown instead, by the five metrics of WebMainBench; DATA are its
            files, or folders with fixtures/NAME.html and expected/NAME.md
        json: print the numbers as JSON

    A method with a parameter guideline stands in the table once for each guideline.
    Examples:
      pagelet board wcxb article-benchmark-sample --methods gleaner,bte,trafilatura
      pagelet board wcxb sites --sample 100 --out board --bundle
      pagelet board webmainbench.jsonl --structure --methods gleaner,trafilatura
    """
    with defer_interrupts():
        from algorithms.measures.choice import main_measure
        from annotate.datasets.readers import read_dataset
        from annotate.evaluation.report.result_files import write_tables
        from annotate.evaluation.run.plan import chosen_of
        from annotate.evaluation.store.row_files import write_origin
        from annotate.library.progress import LineProgress
        from annotate.plugins.boards.board import make_board, under_guidelines
        from annotate.plugins.boards.board_pages import board_text, notes, write_board
        from annotate.plugins.guidelines.guidelines import shares_of_page
    if structure:
        return _structure(data, methods, settings, is_json=json)
    datasets = tuple(choice.taken_of(read_dataset(each)) for each in data)
    chosen = [each for each in chosen_of(methods, settings, datasets) if _extracts(each)]
    if all(each.entry.key != "plain" for each in chosen):
        chosen += chosen_of("plain", (), datasets)
    options = replace(running, predictions=True)
    watcher = LineProgress(progress)
    board = make_board(
        datasets, under_guidelines(chosen), measure or main_measure("text").key, options, watcher,
        shares=shares_of_page, rule_pages=rules,
    )  # fmt: skip
    out = running.out or Path("pagelet-board")
    write_tables(out, board.rows, keeps_others=True)
    write_origin(out, data, running.repeatable)
    path = write_board(out, board, _sheets(out, board, datasets, running) if bundle else {})
    if json:
        print_json(_as_json(board, path))
        return 0
    print(board_text(board))
    print("", *notes(board), f"Open {path} in any browser.", sep="\n")
    return 0


def _extracts(each: "Chosen") -> bool:
    return each.entry.output == "extraction"


def _sheets(
    out: Path, board: "Board", datasets: "Sequence[DataSet]", running: EvaluationOptions
) -> dict[tuple[str, str], str]:
    """Write the bundle; return data set and page → address of its page there."""
    from annotate.evaluation.bundle.bundle import sheet_names
    from annotate.evaluation.bundle.page import RunScores
    from annotate.library.bundling import bundle
    from annotate.library.page_cases import Cases

    bundle(
        out / "bundle",
        "Board",
        board.rows,
        Cases(tuple(datasets)),
        jobs=running.jobs,
        repeatable=running.repeatable,
        say=progress,
    )
    names = sheet_names(RunScores(board.rows))
    return {key[:2]: f"bundle/pages/{name}.html" for key, name in names.items()}


def _as_json(board: "Board", path: Path) -> dict[str, Any]:
    numbers = {part: board.numbers(part) for part in board.parts}
    return {
        "board": str(path),
        "measure": board.measure,
        "parts": [
            {
                "part": part,
                "methods": [
                    {
                        "method": label,
                        "mean": None if one.mean is None else one.mean.mean,
                        "low": None if one.mean is None else one.mean.low,
                        "high": None if one.mean is None else one.mean.high,
                        "pages": one.pages,
                        "failed": one.failed,
                        "gold_seen": one.seen,
                    }
                    for label, one in of.items()
                ],
            }
            for part, of in numbers.items()
        ],
        "adherence": {
            name: {
                label: {sort: share for sort, (share, _) in found.items()}
                for label, found in of.items()
            }
            for name, of in board.adherence.items()
        },
    }


def _structure(data: Sequence[str], methods: str, settings: Sequence[str], *, is_json: bool) -> int:
    from annotate.datasets.cases import DataSet
    from annotate.evaluation.run.plan import chosen_of
    from annotate.evaluation.tables.summaries import align_cells
    from annotate.plugins.boards.structure import METRICS, structure_lines
    from gui.plugins.boards.markdown_pages import markdown_pages

    with_text = (DataSet("", frozenset({"text"}), ()),)
    chosen = chosen_of(methods, settings, with_text)
    paths = [Path(each).expanduser() for each in data]
    lines = list(structure_lines(chosen, [(path.name, markdown_pages(path)) for path in paths]))
    if is_json:
        print_json([asdict(line) for line in lines])
        return 0
    names = (*METRICS, "overall")
    table = [["data", "method", *names, "failed"]]
    for line in lines:
        found = (line.means.get(name) for name in names)
        shown = (f"{each[0]:.3f} ({each[1]})" if each else "–" for each in found)
        table.append([line.path, line.method, *shown, str(line.failed or "")])
    print(align_cells(table))
    return 0
