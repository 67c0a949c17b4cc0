"""The ``pagelet`` command: thin, each subcommand calls one function; the only place that prints.

Exit status: 0 done, 1 something failed that was not the user's input, 2 bad input (one line on
stderr says what is wrong).  Methods that need no rendering never start a browser, which is why
what needs Qt is imported where it is used.
"""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

from gui.ctrl_c import held

try:
    with held():
        import resources
        from algorithms.catalogue import available, method
        from algorithms.method import Method
        from algorithms.params import Params
        from algorithms.results import Extraction, Segmentation
        from engine.document import Variant, open_document
        from engine.errors import InputError, PageletError
        from engine.page import Page
        from engine.source import Source
        from gui.printed import blocks_as_json, rounds_as_json
except KeyboardInterrupt:  # Ctrl-C may come as early as this
    print("pagelet: stopped", file=sys.stderr)
    sys.exit(130)

DEMO_FOLDER = "pagelet-demo"
EVALUATION_FOLDER = "pagelet-evaluation"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    if not words or words[0] not in (*_COMMANDS, "-h", "--help", "--version"):
        words = ["open", *words]  # the window needs no word of its own
    options = parser.parse_args(words)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.WARNING,
        format="pagelet: %(message)s",
        stream=sys.stderr,
    )
    try:
        return int(_COMMANDS[options.command][0](options))
    except InputError as error:
        print(f"pagelet: {error}", file=sys.stderr)
        return 2
    except PageletError as error:
        print(f"pagelet: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of our output has gone (as in `| head`): that is its right.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("pagelet: stopped", file=sys.stderr)
        return 130


# what each command does --------------------------------------------------------------------
def _open(options: argparse.Namespace) -> int:
    if not has_display():
        if options.page and not Path(options.page).is_dir():
            raise InputError(
                "there is no screen to open a window on; "
                "pagelet extract, segment and demo work without one"
            )
        print(f"There is no screen: writing pictures and scores to {DEMO_FOLDER}/.")
        options.out, options.pages = Path(DEMO_FOLDER), options.page
        return _demo(options)
    from gui.app import run  # Qt

    return run(
        options.page or str(resources.path("corpus")),
        workspace=options.workspace,
        variant=options.variant,
        online=options.online,
        no_sandbox=options.no_sandbox,
    )


def _methods(options: argparse.Namespace) -> int:
    if options.json:
        print(json.dumps([describe(entry) for entry in available()], indent=2, ensure_ascii=False))
        return 0
    for output in ("extraction", "segmentation"):
        entries = [entry for entry in available() if entry.output == output]
        print(f"{output.capitalize()} ({len(entries)})")
        for entry in entries:
            reads = ", ".join(entry.inputs)
            print(f"  {entry.key:<14} {entry.name:<34} {entry.cite}  [reads {reads}]")
            for name, spec in entry.params.specs().items():
                default = entry.params.defaults()[name]
                shown = "FILE" if spec.file else default
                print(f"  {'':<14}   --set {name}={shown}  {spec.help}")
    return 0


def _extract(options: argparse.Namespace) -> int:
    entry = _method_of(options.method, "extraction")
    params = _params(entry, options.set)
    source = options.input or entry.inputs[0]
    if source not in entry.inputs:
        raise InputError(f"{entry.key} does not read the {source} page, only {entry.inputs[0]}")
    page = _page(options, needs_rendering=source != "original")
    result = entry.run(page, params, source)
    assert isinstance(result, Extraction)
    print(result.text)
    if not result.text:
        print(f"pagelet: {entry.name} found no main content on this page", file=sys.stderr)
    if result.unmapped:
        print(f"pagelet: {result.unmapped} of its words are not in the document", file=sys.stderr)
    return 0


def _segment(options: argparse.Namespace) -> int:
    entry = _method_of(options.method, "segmentation")
    params = _params(entry, options.set)
    page = _page(options, needs_rendering=True)
    result = entry.run(page, params, entry.inputs[-1])
    assert isinstance(result, Segmentation)
    said: Any = blocks_as_json(result)
    if options.rounds:
        if not result.rounds:
            raise InputError(f"{entry.key} shows no rounds here: leave out --rounds, or use vips")
        said = {"blocks": said, "rounds": rounds_as_json(result)}
    print(json.dumps(said, indent=2, ensure_ascii=False))
    return 0


def _demo(options: argparse.Namespace) -> int:
    from gui.demo import run_demo  # Qt

    pages = options.pages or resources.path("corpus")
    print(run_demo(pages, options.out, variant=options.variant, say=_progress))
    return 0


def _evaluate(options: argparse.Namespace) -> int:
    with held():
        from gui.evaluation.plan import make_plan
        from gui.evaluation.run import carry_out
        from gui.evaluation.speaker import Speaker

        available()

    plan = make_plan(
        options.datasets,
        methods=options.methods,
        inputs=options.input,
        measures=options.measures,
        settings=options.set,
        out=options.out,
        cache=options.cache,
        is_cached=not options.no_cache,
        predictions=options.predictions,
        jobs=options.jobs,
        resumes=options.resume,
        report="" if options.report == "none" else options.report,
        no_sandbox=options.no_sandbox,
        seconds=options.timeout,
    )
    results = carry_out(plan, Speaker(plan, _progress))
    print(results.tables())
    print(f"\n{results.places()}")
    return 0


def _doctor(_options: argparse.Namespace) -> int:
    from gui.doctor import examine

    findings = examine()
    for finding in findings:
        print(f"{'ok  ' if finding.is_ok else 'MEND'}  {finding.what}: {finding.found}")
        if not finding.is_ok:
            print(f"      {finding.mend}")
    return 0 if all(finding.is_ok for finding in findings) else 1


# helpers -----------------------------------------------------------------------------------
def has_display() -> bool:
    """Whether a window can be opened; Qt's own choice of platform counts as a yes."""
    if sys.platform in ("win32", "darwin"):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(os.environ.get(name) for name in names)


def describe(entry: Method) -> dict[str, Any]:
    """Return what the catalogue knows of a method, ready for JSON."""
    defaults = entry.params.defaults()
    return {
        "key": entry.key,
        "name": entry.name,
        "summary": entry.summary,
        "cite": entry.cite,
        "input": list(entry.inputs),
        "output": entry.output,
        "version": entry.version,
        "parameters": [
            {
                "name": name,
                "type": "file" if spec.file else type(defaults[name]).__name__,
                "default": defaults[name],
                "low": spec.low,
                "high": spec.high,
                "choices": list(spec.choices),
                "files": list(spec.file.patterns) if spec.file else [],
                "help": spec.help,
            }
            for name, spec in entry.params.specs().items()
        ],
    }


def _method_of(key: str, output: str) -> Method:
    entry = method(key)
    if entry.output != output:
        verb = "segment" if entry.output == "segmentation" else "extract"
        raise InputError(f"{key} is a method of {entry.output}: use pagelet {verb} {key}")
    return entry


def _params(entry: Method, settings: Sequence[str]) -> Params:
    texts = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise InputError(f"--set {setting}: want name=value")
        texts[name.strip()] = value.strip()
    return entry.params.parse(texts)


def _page(options: argparse.Namespace, *, needs_rendering: bool) -> Page:
    viewport = None
    if options.viewport:
        width, _, height = options.viewport.partition("x")
        if not (width.isdigit() and (not height or height.isdigit())):
            raise InputError(f"--viewport is {options.viewport!r}, want a width, as in 1366x768")
        viewport = (int(width), int(height or 768))
    document = open_document(options.page, variant=options.variant, viewport=viewport)
    if not needs_rendering:
        received = document.receive()
        return Page(document.address, Source.from_bytes(received.data, received.charset))
    from engine.web import noise  # Qt
    from engine.web.headless import Browser

    noise.install()
    with Browser(online=document.is_live, no_sandbox=options.no_sandbox) as browser:
        page = browser.capture(document)
    for note in (*browser.notes, *page.notes):
        print(f"pagelet: {note}", file=sys.stderr)
    return page


def _progress(text: str) -> None:
    print(text, file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pagelet",
        description="A workbench for web-page segmentation and content extraction. "
        "Without a command: open the window, on PAGE or on the sample pages.",
    )
    parser.add_argument("--version", action="version", version=f"pagelet {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--verbose", action="store_true", help="say what is going on")
    shared.add_argument(
        "--no-sandbox",
        action="store_true",
        help="load live pages without Chromium's sandbox, which root cannot use",
    )
    made = {
        name: commands.add_parser(name, help=help_text, description=help_text, parents=[shared])
        for name, (_, help_text) in _COMMANDS.items()
    }
    made["open"].add_argument("page", nargs="?", metavar="PAGE", help="file, folder, zip or URL")
    made["open"].add_argument("--workspace", type=Path, help="file that keeps the marks")
    made["open"].add_argument("--online", action="store_true", help="allow live pages")
    made["methods"].add_argument("--json", action="store_true", help="all that is known, as JSON")
    for name, default in (("extract", None), ("segment", "rendered")):
        command = made[name]
        command.add_argument("method", metavar="METHOD", help="a key; see pagelet methods")
        command.add_argument("page", metavar="PAGE", help="file, URL, or - for standard input")
        if default is None:
            command.add_argument(
                "--input",
                choices=("original", "dom", "rendered"),
                help="what the method reads (default: original, where it can)",
            )
        command.add_argument(
            "--set", action="append", default=[], metavar="NAME=VALUE", help="set a parameter"
        )
        command.add_argument("--viewport", metavar="WxH", help="layout size in px")
    made["segment"].add_argument(
        "--rounds", action="store_true", help="print the rounds too, of a method that works in such"
    )
    for name in ("open", "extract", "segment", "demo"):
        made[name].add_argument(
            "--variant",
            default="html",
            choices=get_args(Variant),
            help="which file of a page in Kreuzer's layout (default: html)",
        )
    made["demo"].add_argument("pages", nargs="?", type=Path, help="a folder or zip of pages")
    made["demo"].add_argument(
        "--out", type=Path, default=Path(DEMO_FOLDER), help="folder for pictures and scores.csv"
    )
    _add_evaluate(made["evaluate"])
    return parser


def _add_evaluate(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "datasets",
        nargs="+",
        metavar="DATASET",
        help="gold text: package zip, article benchmark, CleanEval and others' layouts; gold "
        "blocks: folder in Kreuzer's or Webis' layout; both: workspace, pages with gold files",
    )
    command.add_argument(
        "--methods", default="all", help="keys with commas, or all, native, external (default: all)"
    )
    command.add_argument(
        "--input",
        help="with commas: original, dom, rendered (default: what each method reads first); of "
        "pages in Kreuzer's layout html, original, dom, repaired (default: html,dom,repaired)",
    )
    command.add_argument(
        "--measures",
        help="with commas: all, keys, or of texts: text (cs,ws,bow,sow), all-text (default: text), "
        "of blocks: blocks (exact, fuzzy), b3, all-blocks (default: blocks,b3)",
    )
    command.add_argument(
        "--set", action="append", default=[], metavar="METHOD.NAME=VALUE", help="set a parameter"
    )
    command.add_argument(
        "--out", type=Path, default=Path(EVALUATION_FOLDER), help="folder for what is written"
    )
    command.add_argument("--predictions", action="store_true", help="write what was found")
    command.add_argument(
        "--jobs",
        type=int,
        default=_processors(),
        metavar="N",
        help="worker processes (default: %(default)s, as many as there are processors); one or two "
        "more help where many pages have to be rendered",
    )
    command.add_argument(
        "--resume", action="store_true", help="leave pages alone that are in OUT/scores.csv"
    )
    command.add_argument(
        "--cache", type=Path, metavar="DIR", help="folder for snapshots of rendered pages"
    )
    command.add_argument("--no-cache", action="store_true", help="render every page anew")
    command.add_argument(
        "--report",
        choices=("none", "tables", "pictures"),
        default="pictures",
        help="write report.html: its tables and figures, or also pictures of the pages each "
        "method does worst on (default: pictures)",
    )
    command.add_argument(
        "--timeout",
        type=float,
        default=120.0,
        metavar="SECONDS",
        help="time to render one page, or for one method on it (default: 120)",
    )


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pagelet")
    except PackageNotFoundError:
        return "(not installed)"


_COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], int], str]] = {
    "open": (_open, "Open the window."),
    "methods": (_methods, "List the methods with their parameters."),
    "extract": (_extract, "Print the main content that a method finds."),
    "segment": (_segment, "Print the blocks that a method finds, as JSON."),
    "evaluate": (_evaluate, "Run methods on data sets with gold, score them, write tables."),
    "demo": (_demo, "Render pages, run the default methods, write pictures and scores."),
    "doctor": (_doctor, "Check what Pagelet needs, and say how to mend what is missing."),
}


if __name__ == "__main__":
    sys.exit(main())
