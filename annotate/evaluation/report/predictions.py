"""Chapter on predictions: quality of the F1 predicted without gold, on pages with gold."""

from itertools import groupby

from annotate.evaluation.prediction_quality import (
    BAD,
    PredictionQuality,
    prediction_qualities,
)
from annotate.evaluation.report.chapters import Chapter
from annotate.evaluation.report.figures import Figures
from annotate.evaluation.report.markup import Markup, MarkupChild, decimal, join, tag
from annotate.evaluation.report.scores import setup_labels
from annotate.evaluation.report.tables import table
from annotate.evaluation.results import Results
from annotate.evaluation.robustness.perturbed import MARK

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
            parts += [tag("h3", f"{dataset}, {source}"), _table(qualities)]
            parts.append(figures.predictions(dataset, qualities))
    lead = tag(
        "p",
        "F1 in words was predicted without gold; here is what it really was. Inside the bounds "
        "should be at least eight pages in ten. AUROC is the share of the pairs of a bad page and "
        "another in which the bad one has the lower prediction; the last columns say what is "
        "gained by looking at the lowest predictions first.",
        class_="lead",
    )
    body = join((lead, *parts)) if parts else Markup("")
    return Chapter("predictions", "Predictions", "Predictions without gold", body)


def _table(qualities: list[PredictionQuality]) -> Markup:
    lines: list[list[MarkupChild]] = [
        [each.method, str(each.pages), decimal(each.error), decimal(each.covered), str(each.bad),
         *(_order(each))]
        for each in qualities
    ]  # fmt: skip
    return table(list(_HEADS), lines, caption="Predicted and real F1 of the bags of words")


def _order(quality: PredictionQuality) -> tuple[str, str, str]:
    if not quality.has_ranking:
        return "–", "–", "–"
    numbers = quality.auroc, quality.times_random, quality.half_after
    return decimal(numbers[0]), f"{numbers[1]:.1f}", decimal(numbers[2])
