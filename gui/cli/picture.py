"""``pagelet picture``: one page with layers on it, as HTML, PNG, SVG or PDF."""

import argparse
import sys
from pathlib import Path

from algorithms.core.attempt import Outcome, OutcomeStatus, attempt
from algorithms.core.catalogue import named_method
from annotate.datasets.opening import open_page
from annotate.evaluation.run.plan import params_by_method
from annotate.marks.gold import Gold
from engine.document import with_options, with_repeatable
from engine.errors import InputError
from gui.cli.arguments import add_repeatable, add_variant, viewport_of

_EPILOG = """Example:
  pagelet picture page.html vips accb --out page.svg --out page.pdf
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a page, methods, and where to write."""
    command.epilog = _EPILOG
    command.add_argument("page", metavar="PAGE", help="file, URL, or - for standard input")
    command.add_argument(
        "methods",
        nargs="*",
        metavar="METHOD",
        help="keys of methods; without any: gold, or the page alone",
    )
    command.add_argument(
        "--out",
        action="append",
        required=True,
        type=Path,
        metavar="FILE",
        help="file to write: .html, .png, .svg or .pdf (again for more)",
    )
    command.add_argument("--no-gold", action="store_true", help="leave out what is marked")
    command.add_argument(
        "--no-legend", action="store_true", help="leave out the legend above the page"
    )
    command.add_argument(
        "--set", action="append", default=[], metavar="METHOD.NAME=VALUE", help="set a parameter"
    )
    command.add_argument("--viewport", metavar="WxH", help="layout size in px")
    add_repeatable(command)
    add_variant(command)


def run(options: argparse.Namespace) -> int:
    """Draw the page and write the files."""
    from engine.web.headless import Browser
    from engine.web.qt_log import silence_qt_log  # Qt
    from gui.features.export.page_export import source_of
    from gui.pictures.saving import kind_of, save
    from gui.pictures.still import drawn_page
    from gui.state.layers import GOLD_LAYERS, gold_layers, method_layer
    from gui.state.shown_scores import headline

    for path in options.out:
        kind_of(path)
    entries = {key: named_method(key) for key in options.methods}
    values = params_by_method(options.set, entries)
    files = open_page(options.page, options.variant)
    document = with_options(files.document(), viewport=viewport_of(options.viewport), scripts=None)
    document = with_repeatable(document, options.repeatable)
    silence_qt_log()
    online, near = document.is_live, document.is_near
    with Browser(online=online, near=near, no_sandbox=options.no_sandbox) as browser:
        page = browser.capture(document)
        gold, problems = (Gold(), ()) if options.no_gold else files.shown(page)
        marked = gold.as_results(page)
        outcomes: dict[str, Outcome] = {}
        for key, entry in entries.items():
            source = method_layer(key).source
            assert source is not None
            outcomes[key] = attempt(entry, page, values[key], source)
        results = {key: each.result for key, each in outcomes.items() if each.result is not None}
        scores = {key: marked.score(result) for key, result in results.items()}
        notes = {k: f"F1 {headline(s).prf.f1:.3f}" for k, s in scores.items() if s is not None}
        golds = [layer for layer in gold_layers() if gold.of_level(GOLD_LAYERS[layer.key])]
        layers = [*map(method_layer, results), *golds]
        origin = source_of(document)
        drawing = drawn_page(browser, page, layers, gold, results, notes, origin)
        for path in options.out:
            save(drawing, path, has_legend=not options.no_legend)
    for note in (*browser.notes, *page.notes, *problems):
        print(f"pagelet: {note}", file=sys.stderr)
    failed = {k: each.error for k, each in outcomes.items() if each.status is OutcomeStatus.FAILED}
    for key, error in failed.items():
        print(f"pagelet: {key}: {error}", file=sys.stderr)
    if failed and not results and not golds:
        raise InputError("there was nothing to draw on the page")
    return 1 if failed else 0
