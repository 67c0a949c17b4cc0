"""What to evaluate: data sets, methods and measures, checked before anything runs.

Methods may be texts that were extracted elsewhere.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from algorithms.core.batch import Measures, Setup, measures_of
from algorithms.core.catalogue import available, has_method, method, named_method, on_sites
from algorithms.method import Method
from algorithms.own.texts import GivenTexts, read_texts
from algorithms.params import Params
from annotate.datasets.cases import (
    BLOCKS,
    DEFAULT_VARIANTS,
    FORMS,
    TEXT,
    VARIANTS,
    Case,
    DataSet,
    form_of,
)
from annotate.datasets.readers import read_dataset
from annotate.evaluation.robustness.perturbations import choose_perturbations
from annotate.evaluation.robustness.perturbed import perturb_pages
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.words import join_words, plural

_GOLD_FOR = {"extraction": TEXT, "segmentation": BLOCKS}


@dataclass(frozen=True)
class Chosen:
    """A method to run.

    Attributes:
        is_named: Whether the user named it; a method of a group is left out where it cannot run, a
            named one reports why.
        input: The one form of a page it is to read; "" leaves that to the plan.
    """

    entry: Method
    params: Params
    is_named: bool = True
    input: str = ""


@dataclass(frozen=True)
class Plan:
    """Plan of an evaluation.

    Attributes:
        inputs: Forms or variants of pages; None takes those that each method reads first, and of
            pages in Kreuzer's layout all but the original.
        left_out: Names of pages and keys of methods that are not to be run on them.
    """

    datasets: tuple[DataSet, ...]
    methods: tuple[Chosen, ...]
    measures: Measures
    inputs: tuple[str, ...] | None = None
    options: EvaluationOptions = field(default_factory=EvaluationOptions)
    left_out: frozenset[tuple[str, str]] = frozenset()

    def cases(self) -> Iterator[tuple[DataSet, Case, tuple[Setup, ...]]]:
        """Yield every page in every input, with what runs on it."""
        for dataset in self.datasets:
            inputs = self._inputs(dataset)
            for case in dataset.cases(inputs):
                setups = tuple(
                    setup.for_page(case.key[1])
                    for setup in self._setups(dataset, case.input)
                    if (case.key[1], setup.method) not in self.left_out
                )
                if setups:
                    yield dataset, case, setups

    def runs_on(self, dataset: DataSet) -> bool:
        """Whether any method reads any input of a data set."""
        return any(
            setup.input in setup.entry.inputs
            for name in self._inputs(dataset)
            if name in dataset.inputs
            for setup in self._setups(dataset, name)
        )

    def _inputs(self, dataset: DataSet) -> Sequence[str]:
        if self.inputs is not None:
            return self.inputs
        if dataset.has_variants:
            return DEFAULT_VARIANTS
        return [form for form in FORMS if self._setups(dataset, form)]

    def _setups(self, dataset: DataSet, case_input: str) -> tuple[Setup, ...]:
        setups = []
        for chosen in self.methods:
            entry = chosen.entry
            lacks_site = entry.reads_site and not (dataset.has_sites or chosen.is_named)
            if lacks_site or _GOLD_FOR[entry.output] not in dataset.golds:
                continue
            form = form_of(case_input, entry.output, entry.inputs, is_variant=dataset.has_variants)
            if self.inputs is None and not dataset.has_variants:
                is_wanted = case_input == (chosen.input or entry.default_input())
            else:
                is_wanted = form in entry.inputs or form not in FORMS or chosen.is_named
            if is_wanted:
                setups.append(Setup(entry.key, chosen.params, form, entry.recipe))
        return tuple(setups)


def make_plan(
    sources: Sequence[str],
    *,
    methods: str,
    inputs: str | None,
    measures: str | None,
    settings: Sequence[str],
    options: EvaluationOptions,
    choice: PageChoice | None = None,
    perturb: str | None = None,
) -> Plan:
    """Return the plan of a command line's texts; raises `InputError`.

    ``perturb`` names harmless changes, after each of which every page is evaluated once more.
    """
    requested = None if inputs is None else _words("--input", inputs)
    variants = tuple(w for w in VARIANTS if w in (requested or ())) or DEFAULT_VARIANTS
    _check_inputs(requested or (), (*dict.fromkeys((*FORMS, *VARIANTS)),))
    read = [read_dataset(source, variants) for source in sources]
    datasets = tuple(map((choice or PageChoice()).taken_of, read))
    if perturb is not None:
        changes = choose_perturbations(perturb)
        datasets = tuple(each for dataset in datasets for each in perturb_pages(dataset, changes))
    chosen = chosen_of(methods, settings, datasets)
    return plan_of(datasets, chosen, options, measures=measures, inputs=requested)


def plan_of(
    datasets: tuple[DataSet, ...],
    methods: tuple[Chosen, ...],
    options: EvaluationOptions,
    *,
    measures: str | None = None,
    inputs: tuple[str, ...] | None = None,
) -> Plan:
    """Return the plan of open data sets; ``measures`` are keys separated by commas.

    Raises `InputError`.
    """
    for dataset in datasets:
        if dataset.has_variants:
            _check_inputs(inputs or (), VARIANTS, f" for {dataset.name}")
        if sum(other.name == dataset.name for other in datasets) > 1:
            twice = f"two data sets have the name {dataset.name}"
            raise InputError(f"{twice}: evaluate them one by one")
    outputs = sorted({each.entry.output for each in methods})
    plan = Plan(datasets, methods, measures_of(measures, outputs), inputs, options)
    for dataset in datasets:
        if not plan.runs_on(dataset):
            raise InputError(_why_nothing_runs(dataset, inputs, methods))
    return plan


def _why_nothing_runs(
    dataset: DataSet, inputs: Sequence[str] | None, methods: Sequence[Chosen]
) -> str:
    entries = [each.entry for each in methods if _GOLD_FOR[each.entry.output] in dataset.golds]
    if not entries:
        return (
            f"{dataset.name} has gold {join_words(sorted(dataset.golds))} only, which none of"
            " these methods is scored by: leave it out, or name other methods"
        )
    known = VARIANTS if dataset.has_variants else FORMS
    read = [form for form in known if any(form in entry.inputs for entry in entries)]
    return (
        f"--input {','.join(inputs or ())}: none of these methods reads that of {dataset.name}, "
        f"but {', '.join(read or known)}"
    )


def _words(option: str, text: str) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    if not words:
        raise InputError(f"{option} is empty: name at least one, or leave it out")
    return words


def _check_inputs(inputs: Sequence[str], known: Sequence[str], where: str = "") -> None:
    for name in inputs:
        if name not in known:
            raise InputError(f"--input must be some of {', '.join(known)}{where}, got {name!r}")


def chosen_of(
    methods: str, settings: Sequence[str], datasets: Sequence[DataSet]
) -> tuple[Chosen, ...]:
    """Return the chosen methods that there is gold for; groups include those on sites, too.

    A minus before a key leaves that one out: ``native,-gleaner``.
    """
    golds = frozenset[str]().union(*(each.golds for each in datasets))
    with_sites = any(each.has_sites for each in datasets)
    every = (*available(), *on_sites()) if with_sites else available()
    usable = [entry for entry in every if _GOLD_FOR[entry.output] in golds]
    groups = {
        "all": usable,
        "native": [entry for entry in usable if entry.is_own],
        "external": [entry for entry in usable if not entry.is_own],
        "sites": [entry for entry in usable if entry.reads_site],
    }
    entries: dict[str, Method] = {}
    named = set()
    words = _words("--methods", methods)
    left_out = {named_method(word[1:]).key for word in words if word.startswith("-")}
    for word in words:
        if word.startswith("-"):
            continue
        if word not in groups:
            named.add(word)
        for entry in groups[word] if word in groups else [named_method(word)]:
            if (kind := _GOLD_FOR[entry.output]) not in golds:
                raise InputError(
                    f"{word} gives {entry.output}, and there is no gold with {kind} to score it"
                )
            entries.setdefault(entry.key, entry)
    if left_out and not left_out <= entries.keys():
        key = min(left_out - entries.keys())
        raise InputError(f"--methods: {key} is not among these methods, so -{key} leaves out none")
    for key in left_out:
        del entries[key]
    if left_out and not entries:
        raise InputError("--methods leaves out all its methods: name another one")
    if not entries and "sites" in words:
        raise InputError(
            "none of these data sets has whole sites, which methods of group site read"
        )
    if not entries:
        raise InputError("no third-party method is installed (pip install pagelet[external])")
    params = params_by_method(settings, entries)
    return tuple(Chosen(entry, params[key], key in named) for key, entry in entries.items())


def params_by_method(settings: Sequence[str], entries: Mapping[str, Method]) -> dict[str, Params]:
    """Return the parameters of methods, of words ``METHOD.name=value``; raises `InputError`."""
    texts: dict[str, dict[str, str]] = {key: {} for key in entries}
    for setting in settings:
        text = setting.strip()
        known = (key for key in entries if text.startswith(f"{key}."))  # npm:defuddle==0.19.4.
        key = max(known, key=len, default=text.partition(".")[0])
        name, sign, value = text[len(key) + 1 :].partition("=")
        if not sign:
            raise InputError(f"--set {setting}: expected METHOD.name=value")
        if key not in entries:
            raise InputError(f"--set {setting}: {method(key).name} is not among the methods")
        texts[key][name.strip()] = value.strip()
    result = {}
    for key, entry in entries.items():
        try:
            result[key] = entry.params.parse(texts[key])
        except InputError as error:
            raise InputError(f"--set {entry.key}: {error}") from error
    return result


_NAMED = 3
"""Most unmatched names listed in the message."""


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
