"""Demo: renders pages, runs the default methods, writes a picture a page and a table of scores."""

from collections.abc import Callable
from pathlib import Path
from statistics import mean

import resources
from algorithms.core.attempt import Outcome, OutcomeStatus, ResultScores, attempt
from algorithms.core.catalogue import method
from algorithms.measures.choice import main_measure
from algorithms.measures.text import TextScores
from algorithms.results import Result
from annotate.datasets.cases import Variant
from annotate.datasets.opening import open_pages
from engine.csv_cells import write_csv
from engine.document import Document
from engine.errors import CaptureError
from engine.web.headless import Browser
from engine.web.qt_log import silence_qt_log
from engine.words import plural
from gui.cli.terminal import progress
from gui.pictures.still import draw_layers
from gui.state.layers import LayerState, default_layers, has_seen

FOLDER = "pagelet-demo"

COLUMNS = (
    "page", "method", "input", "status", "measure", "precision", "recall", "f1", "ms", "gold_seen",
    "error",
)  # fmt: skip


def run_demo(
    pages: Path, out: Path, *, variant: Variant = "html", say: Callable[[str], None] = print
) -> str:
    """Write ``out/<page>.png`` for each page and ``out/scores.csv``; return a table of means.

    A page that cannot be rendered is a row with its reason; the others go on.
    """
    opened = open_pages(pages, variant)
    opened_pages = zip(opened.documents, opened.files, strict=True)
    for problem in opened.problems:
        say(problem)
    out.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    silence_qt_log()
    with Browser() as browser:
        for note in browser.notes:
            say(note)
        for index, (document, files) in enumerate(opened_pages, start=1):
            name = picture_name(document)
            say(f"{index:>3}/{len(opened.documents)}  {document.name}")
            try:
                page = browser.capture(document)
            except CaptureError as error:
                rows.append({"page": name, "status": OutcomeStatus.FAILED, "error": str(error)})
                say(f"         {error}")
                continue
            gold, problems = files.shown(page)
            for problem in problems:
                say(f"         {problem}")
            results = gold.as_results(page)
            found: dict[str, Result] = {}
            for layer in default_layers():
                if layer.params is not None and layer.source is not None:
                    outcome = attempt(method(layer.key), page, layer.params, layer.source)
                    scores = None
                    if outcome.result is not None:
                        found[layer.key] = outcome.result
                        scores = results.score(outcome.result)
                    row = _row(name, layer, outcome, scores)
                    rows.append(
                        row | {"gold_seen": "yes" if has_seen(layer, page, results) else ""}
                    )
            shown = [layer for layer in default_layers() if layer.visible]
            draw_layers(browser, page, shown, gold, found)
            browser.screenshot(out / f"{name}.png")
    write_csv(
        out / "scores.csv", COLUMNS, ([row.get(name, "") for name in COLUMNS] for row in rows)
    )
    return _table(rows, out)


def picture_name(document: Document) -> str:
    """Return a file name for a document, without suffix."""
    text = document.path if document.path else document.address
    return text.rsplit(".", 1)[0].replace("/index", "").strip("/").replace("/", "-") or "page"


def _row(
    page: str, layer: LayerState, outcome: Outcome, scores: ResultScores | None
) -> dict[str, object]:
    row: dict[str, object] = {
        "page": page,
        "method": layer.key,
        "input": layer.source,
        "status": outcome.status,
        "ms": f"{1000 * outcome.seconds:.1f}",
        "error": outcome.error,
    }
    if scores is not None:
        is_text = isinstance(scores, TextScores)
        result = scores.ws if isinstance(scores, TextScores) else scores.fuzzy["all"].prf
        row |= {n: f"{getattr(result, n):.4f}" for n in ("precision", "recall", "f1")}
        row["measure"] = main_measure("text" if is_text else "blocks").in_words
    return row


def _table(rows: list[dict[str, object]], out: Path) -> str:
    lines = [
        f"{'method':<14}{'input':<10}{'measure':<20}{'pages':>6}{'P':>8}{'R':>8}{'F1':>8}{'ms':>9}"
    ]
    for layer in default_layers():
        mine = [r for r in rows if r.get("method") == layer.key and r.get("f1")]
        if mine:
            columns = (
                [float(str(row[c])) for row in mine] for c in ("precision", "recall", "f1", "ms")
            )
            line = (
                f"{layer.key:<14}{mine[0]['input']!s:<10}{mine[0]['measure']!s:<20}{len(mine):>6}"
            )
            line += "{:>8.3f}{:>8.3f}{:>8.3f}{:>9.1f}".format(*map(mean, columns))
            seen = sum(row["gold_seen"] == "yes" for row in mine)
            lines.append(line + (f"  has seen the gold of {plural(seen, 'page')}" if seen else ""))
    if len({row.get("input") for row in rows if row.get("f1")}) > 1:
        lines.append("methods on different inputs read different texts: compare those on one")
    failed = sum(row.get("status") == OutcomeStatus.FAILED for row in rows)
    lines.append(f"{failed} failed; pictures and scores.csv are in {out}")
    return "\n".join(lines)


def run(pages: Path | None = None, *, out: Path = Path(FOLDER), variant: Variant = "html") -> int:
    """Draw and score them.

    Args:
        pages: a folder or zip of pages
        out: folder for pictures and scores.csv
        variant: which file of a page in Kreuzer's layout (default: html)
    """
    print(run_demo(pages or resources.path("corpus"), out, variant=variant, say=progress))
    return 0
