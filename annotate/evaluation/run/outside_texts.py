"""Plans that score texts extracted elsewhere."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from algorithms.core.catalogue import has_method
from algorithms.own.texts import GivenTexts, read_texts
from annotate.datasets.cases import DataSet
from annotate.datasets.readers import read_dataset
from annotate.evaluation.run.plan import Chosen, Plan, chosen_of, plan_of
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.words import plural

_NAMED = 3
"""Names of texts without a page that are said."""


def score_plan(
    paths: Sequence[Path],
    sources: Sequence[str],
    *,
    methods: str,
    measures: str | None,
    choice: PageChoice,
    options: EvaluationOptions,
) -> tuple[Plan, list[str]]:
    """Return the plan of texts, and what a user should know of it; raises `InputError`."""
    read = [read_texts(path) for path in paths]
    datasets = tuple(read_dataset(source) for source in sources)
    pages = [name for dataset in datasets for name, _ in dataset.pages]
    texts = [each.among(pages) for each in read]
    chosen = chosen_texts(texts)
    if methods:
        chosen = (*chosen, *chosen_of(methods, (), datasets))
    taken = tuple(map(choice.taken_of, datasets))
    notes = [note for each in texts for note in notes_on(each, datasets, taken)]
    return plan_of(taken, chosen, options, measures=measures), notes


def chosen_texts(texts: Sequence[GivenTexts]) -> tuple[Chosen, ...]:
    """Return texts as methods, under their names; raises `InputError`."""
    result: dict[str, Chosen] = {}
    for each in texts:
        key = f"{each.name}+texts" if has_method(each.name) else each.name
        if key in result:
            raise InputError(f"two texts have the name {key}: rename one file or folder")
        entry = each.entry(key)
        result[key] = Chosen(entry, entry.params())
    return tuple(result.values())


def notes_on(texts: GivenTexts, datasets: Sequence[DataSet], taken: Sequence[DataSet]) -> list[str]:
    """Return what a user should know of texts; `InputError` where none is of any page.

    ``taken`` are those pages of the data sets that are evaluated.
    """
    pages = [name for dataset in datasets for name, _ in dataset.pages]
    others = texts.without_page(pages)
    if len(others) == len(texts.texts):
        raise InputError(
            f"no text in {texts.origin} is of a page of these data sets: name each as its page, "
            f"such as {pages[0] if pages else 'page'!r}, not {others[0]!r}"
        )
    run = [name for dataset in taken for name, _ in dataset.pages]
    missing = sum(not texts.has(page) for page in run)
    notes = []
    if missing:
        notes.append(f"{texts.origin} has no text of {plural(missing, 'page')}: failed rows")
    if others:
        notes.append(f"{plural(len(others), 'text')} in {texts.origin} of no page: {_some(others)}")
    if twice := [page for page, count in Counter(run).items() if count > 1 and texts.has(page)]:
        notes.append(
            f"{plural(len(twice), 'text')} in {texts.origin} scored in several data sets, as each "
            f"has a page of that name: {_some(twice)}"
        )
    return notes


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
