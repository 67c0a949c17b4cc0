"""Writing the report: one HTML file with all it needs, and the figures as files beside it.

The page has no outside reference: style, script, figures and small pictures of pages are in it; the
large pictures and the figures' files lie beside it and are linked by relative paths.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from annotate.datasets.cases import Key
from annotate.evaluation.excerpts import Excerpt
from annotate.evaluation.report import chapters
from annotate.evaluation.report.comparisons import Comparisons
from annotate.evaluation.report.figures import Figures
from annotate.evaluation.report.gallery import Gallery, worst_pages
from annotate.evaluation.report.markup import Markup, tag
from annotate.evaluation.report.predictions import predictions
from annotate.evaluation.report.robustness import robustness
from annotate.evaluation.report.scores import sort_out
from annotate.evaluation.report.tables import measure_id
from annotate.evaluation.results import Results
from annotate.evaluation.templates import rendered
from engine.errors import InputError
from resources import read_text

NAME = "report.html"
FORMATS = ("png", "svg", "pdf")


def write_report(
    out: Path,
    run_results: Results,
    pictures: Mapping[tuple[Key, str], Path] | None = None,
    *,
    title: str = "Evaluation",
    problems: Mapping[tuple[Key, str], str] | None = None,
    formats: Sequence[str] = FORMATS,
    sites: Mapping[tuple[str, str], str] | None = None,
    excerpts: Mapping[tuple[Key, str], Excerpt] | None = None,
) -> Path:
    """Write ``out/report.html`` and ``out/figures``; return where the report is.

    Args:
        out: A folder; made if it is not there.
        run_results: Of an evaluation.
        pictures: Page and label of a setup (`annotate.evaluation.report.scores.setup_labels`) → a
            picture of its result over gold.  Those outside ``out`` are copied to ``out/pictures``.
        title: Of the report.
        problems: Page and setup → why there is no picture.
        formats: Additional formats of figures, for papers.
        excerpts: Page and setup → text lost and taken wrongly, where there is no picture.
        sites: Data set and page → its site; pages of several sites are compared site by site.

    Raises:
        InputError: Something cannot be written.
    """
    results = sort_out(run_results)
    compared = Comparisons(sites)
    figures = Figures(results, out / "figures", formats)
    gallery = Gallery(out, pictures or {}, problems or {}, excerpts or {})
    parts = [
        chapters.summary(results, figures, compared),
        chapters.scores(results, compared),
        chapters.distributions(results, figures),
        chapters.over_measures(results, figures),
        chapters.precision_and_recall(results, figures),
        chapters.time(results, figures),
        chapters.differences(results, compared),
        chapters.variance(results),
        predictions(run_results, figures),
        robustness(run_results, gallery),
        chapters.endings(results),
        worst_pages(results, gallery),
        chapters.setups(results),
        chapters.definitions(results),
    ]
    if not results.parts:
        nothing = tag("p", "There are no rows.")
        parts = [chapters.Chapter("nothing", "Nothing", "Nothing to report", nothing)]
    script = read_text("report/report.js")
    page = rendered(
        "report/report.html",
        title=title,
        style=Markup(read_text("report/report.css")),
        script=Markup(script),
        script_hash=_hash_of(f"\n{script}\n"),
        head=chapters.head(results),
        chapters=[each for each in parts if each.body],
        measures=[(measure_id(each), each) for each in chapters.measures_of(results)],
    )
    path = out / NAME
    try:
        out.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    return path


def _hash_of(script: str) -> str:
    """Return what allows an element's script in a content security policy, its ends of lines too.

    Nothing else may run, load or be sent, were a text of a page ever to become markup.
    """
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
