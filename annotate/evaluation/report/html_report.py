"""Writing the report: one HTML file with all it needs, and the figures as files beside it.

Its chapters on robustness and predictions are here; the others are in `chapters` and `gallery`.

The page has no outside reference: style, script, figures and small pictures of pages are in it; the
large pictures and the figures' files lie beside it and are linked by relative paths.
"""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from annotate.datasets.cases import Key
from annotate.evaluation.report import chapters
from annotate.evaluation.report.chapters import Chapter
from annotate.evaluation.report.comparisons import Comparisons
from annotate.evaluation.report.figures import Figures
from annotate.evaluation.report.gallery import Gallery, worst_pages
from annotate.evaluation.report.markup import (
    Markup,
    MarkupChild,
    decimal,
    fill_template,
    join,
    lead,
    tag,
)
from annotate.evaluation.report.pictures import Excerpt
from annotate.evaluation.report.report_parts import setup_labels, sort_out
from annotate.evaluation.report.report_tables import measure_id, table
from annotate.evaluation.report.result_files import groups_of
from annotate.evaluation.report.stability import (
    Drop,
    Stability,
    change_name,
    seen_changes,
    stabilities,
    stability_columns,
)
from annotate.evaluation.robustness.perturbed import MARK
from annotate.evaluation.tables.prediction_quality import (
    BAD,
    PredictionQuality,
    prediction_qualities,
)
from annotate.evaluation.tables.result_table import Results
from engine.errors import convert_os_error
from resources import read_text


def robustness(results: Results, gallery: Gallery) -> Chapter:
    """Return how methods bore harmless changes; empty where none was made.

    A page among the worst is a link to its picture, where ``gallery`` has one.
    """
    labels = setup_labels(results)

    def name(drop: Drop) -> MarkupChild:
        column = drop.column
        setup = labels.get((column.method, column.parameters), drop.method)
        address = gallery.address(((drop.dataset, drop.page, column.input), setup))
        return drop.page if address is None else tag("a", drop.page, href=address)

    parts = [_part(each, name) for each in stabilities(results, groups_of(results))]
    begin = lead(
        "Each page once more after changes that leave its content. A number is the mean size of "
        "the change of a score, over the pages below it or as many as stand behind it; 0 is a "
        "method that does not mind, or that returns nothing either time. Methods that return "
        "nothing on half of the pages are last. Pages whose words a change takes or adds are left "
        "out."
    )
    body = join((begin, *parts)) if parts else Markup()
    return Chapter("robustness", "Robustness", "Robustness", body)


def _part(stability: Stability, page_of: Callable[[Drop], MarkupChild]) -> Markup:
    heads, *lines = zip(*stability_columns(stability, "–"), strict=True)
    worst: list[list[MarkupChild]] = [
        [page_of(drop), drop.method, change_name(drop.change),
         decimal(drop.before), decimal(drop.after)]
        for drop in stability.drops
    ]  # fmt: skip
    name = stability.measure.name
    caption = f"Mean size of the change of {name}, the steadiest first"
    parts = [
        tag("h3", stability.dataset),
        table(list(map(change_name, heads)), lines, caption=caption),
        tag("p", seen_changes(stability.changes), class_="note"),
    ]
    if worst:
        worst_heads = ["page", "method", "change", "before", "after"]
        parts.append(table(worst_heads, worst, caption=f"Where {name} falls most"))
    return join(parts)


_HEADS = (
    "method", "pages", "mean error", "inside the bounds", f"pages below {BAD:g}", "AUROC",
    "first tenth, times random", "half of the bad pages after",
)  # fmt: skip


def predictions(results: Results, figures: Figures) -> Chapter:
    """Return how far predictions hold; empty where none were made, or too few have gold."""
    labels = setup_labels(results)
    names = [labels.get((each.method, each.parameters), each.method) for each in results.columns]
    parts: list[Markup] = []
    datasets = dict.fromkeys(page.dataset for page in results.pages if MARK not in page.dataset)
    for dataset in datasets:
        every = sorted(prediction_qualities(results, dataset, names), key=lambda each: each.input)
        for source, group in groupby(every, key=lambda each: each.input):
            qualities = list(group)
            lines, caption = map(_line, qualities), "Predicted and real F1 of the bags of words"
            parts += [
                tag("h3", f"{dataset}, {source}"),
                table(_HEADS, list(lines), caption=caption),
                figures.predictions(dataset, qualities),
            ]
    begin = lead(
        "F1 in words was predicted without gold; here is what it really was. Inside the bounds "
        "should be at least eight pages in ten. AUROC is the share of the pairs of a bad page and "
        "another in which the bad one has the lower prediction; the last columns say what is "
        "gained by looking at the lowest predictions first."
    )
    body = join((begin, *parts)) if parts else Markup()
    return Chapter("predictions", "Predictions", "Predictions without gold", body)


def _line(quality: PredictionQuality) -> list[MarkupChild]:
    q, order = quality, ["–"] * 3
    if q.has_ranking:
        order = [decimal(q.auroc), f"{q.times_random:.1f}", decimal(q.half_after)]
    return [q.method, str(q.pages), decimal(q.error), decimal(q.covered), str(q.bad), *order]


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
    copies: Mapping[str, dict[str, str]] | None = None,
    excerpts: Mapping[tuple[Key, str], Excerpt] | None = None,
) -> Path:
    """Write ``out/report.html`` and ``out/figures``; return where the report is.

    Args:
        out: A folder; made if it is not there.
        run_results: Of an evaluation.
        pictures: Page and label of a setup (`report_parts.setup_labels`) → a
            picture of its result over gold.  Those outside ``out`` are copied to ``out/pictures``.
        title: Of the report.
        problems: Page and setup → why there is no picture.
        formats: Additional formats of figures, for papers.
        excerpts: Page and setup → text lost and taken wrongly, where there is no picture.
        sites: Data set and page → its site; pages of several sites are compared site by site.
        copies: Data set → name of each copy of an earlier page → name of that page.

    Raises:
        InputError: Something cannot be written.
    """
    results = sort_out(run_results)
    compared = Comparisons(sites, copies)
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
        chapters.variance(results, compared),
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
    # What allows the element's script, its ends of lines too, in a content security policy: nothing
    # else may run, load or be sent, were a text of a page ever to become markup.
    digest = hashlib.sha256(f"\n{script}\n".encode()).digest()
    page = fill_template(
        "report/report.html",
        title=title,
        style=Markup(read_text("report/report.css")),
        script=Markup(script),
        script_hash=f"sha256-{base64.b64encode(digest).decode()}",
        head=chapters.head(results),
        chapters=[each for each in parts if each.body],
        measures=[(measure_id(each), each) for each in chapters.measures_of(results)],
    )
    path = out / NAME
    with convert_os_error(f"write {path}"):
        out.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8", errors="backslashreplace")
    return path
