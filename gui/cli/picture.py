"""``pagelet picture``: one page with layers on it, as HTML, PNG, SVG or PDF."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from algorithms.core.attempt import Outcome, OutcomeStatus, attempt
from algorithms.core.catalogue import named_method
from annotate.datasets.opening import open_page
from annotate.evaluation.run.plan import params_by_method
from annotate.marks.gold import Gold
from engine.document import with_options, with_repeatable
from engine.errors import InputError
from gui.cli.arguments import PageOptions, browser_for, check_is_other_file, viewport_of
from gui.cli.signatures import Argument
from gui.cli.terminal import note


def run(
    page: str,
    methods: Sequence[str] = (),
    *,
    out: Sequence[Path],
    no_gold: bool = False,
    no_legend: bool = False,
    settings: Sequence[str] = (),
    how: Annotated[PageOptions, Argument(without=("requested", "settings"))],
) -> int:
    """Draw the page and write the files.

    Args:
        page (PAGE): file, URL, or - for standard input
        methods (METHOD): keys of methods; without any: gold, or the page alone
        out (FILE): file to write: .html, .png, .svg or .pdf (again for more)
        no_gold: leave out the gold
        no_legend: leave out the legend above the page
        settings (--set METHOD.NAME=VALUE): set a parameter

    Example:
      pagelet picture page.html vips accb --out page.svg --out page.pdf
    """
    from gui.features.export.page_export import source_of
    from gui.pictures.page_files import kind_of, save
    from gui.pictures.still import drawn_page
    from gui.state.layers import GOLD_LAYERS, gold_layers, method_layer
    from gui.state.shown_scores import headline

    for path in out:
        kind_of(path)
        check_is_other_file(path, page)
    entries = {key: named_method(key) for key in methods}
    values = params_by_method(settings, entries)
    files = open_page(page, how.variant)
    document = with_options(files.document(), viewport=viewport_of(how.viewport), scripts=None)
    document = with_repeatable(document, how.repeatable)
    with browser_for(document, no_sandbox=how.no_sandbox) as browser:
        rendered = browser.capture(document)
        gold, problems = (Gold(), ()) if no_gold else files.shown(rendered)
        marked = gold.as_results(rendered)
        outcomes: dict[str, Outcome] = {}
        for key, entry in entries.items():
            source = method_layer(key).source
            assert source is not None
            outcomes[key] = attempt(entry, rendered, values[key], source)
        results = {key: each.result for key, each in outcomes.items() if each.result is not None}
        scores = {key: marked.score(result) for key, result in results.items()}
        notes = {k: f"F1 {headline(s).prf.f1:.3f}" for k, s in scores.items() if s is not None}
        golds = [layer for layer in gold_layers() if gold.of_level(GOLD_LAYERS[layer.key])]
        layers = [*map(method_layer, results), *golds]
        origin = source_of(document)
        drawing = drawn_page(browser, rendered, layers, gold, results, notes, origin)
        for path in out:
            save(drawing, path, has_legend=not no_legend)
    note(*browser.notes, *rendered.notes, *problems)
    failed = {k: each.error for k, each in outcomes.items() if each.status is OutcomeStatus.FAILED}
    note(*(f"{key}: {error}" for key, error in failed.items()))
    if failed and not results and not golds:
        raise InputError("there was nothing to draw on the page")
    return 1 if failed else 0
