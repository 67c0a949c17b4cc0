"""The chapter on robustness: how far scores change with changes that leave the content."""

from collections.abc import Callable

from annotate.evaluation.report.chapters import Chapter
from annotate.evaluation.report.gallery import Gallery
from annotate.evaluation.report.markup import Markup, MarkupChild, decimal, join, tag
from annotate.evaluation.report.scores import setup_labels
from annotate.evaluation.report.tables import table
from annotate.evaluation.results import Results
from annotate.evaluation.robustness.perturbations import PERTURBATIONS
from annotate.evaluation.stability import (
    Drop,
    Stability,
    seen_changes,
    stabilities,
    stability_columns,
)
from annotate.evaluation.writing import groups_of

_NAMES = {each.key: each.name for each in PERTURBATIONS}


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
    lead = tag(
        "p",
        "Each page once more after changes that leave its content. A number is the mean size of "
        "the change of a score, over the pages below it or as many as stand behind it; 0 is a "
        "method that does not mind, or that returns nothing either time. Methods that return "
        "nothing on half of the pages are last. Pages whose words a change takes or adds are left "
        "out.",
        class_="lead",
    )
    return Chapter(
        "robustness", "Robustness", "Robustness", join((lead, *parts)) if parts else Markup("")
    )


def _part(stability: Stability, page_of: Callable[[Drop], MarkupChild]) -> Markup:
    heads, *lines = zip(*stability_columns(stability, "–"), strict=True)
    heads = tuple(_NAMES.get(head, head) for head in heads)
    worst: list[list[MarkupChild]] = [
        [page_of(drop), drop.method, _NAMES.get(drop.change, drop.change),
         decimal(drop.before), decimal(drop.after)]
        for drop in stability.drops
    ]  # fmt: skip
    name = stability.measure.name
    parts = [
        tag("h3", stability.dataset),
        table(heads, lines, caption=f"Mean size of the change of {name}, the steadiest first"),
        tag("p", seen_changes(stability.changes), class_="note"),
    ]
    if worst:
        worst_heads = ["page", "method", "change", "before", "after"]
        parts.append(table(worst_heads, worst, caption=f"Where {name} falls most"))
    return join(parts)
