"""Shared command-line arguments and their values."""

import argparse
import os
import sys
from collections.abc import Collection, Sequence
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from algorithms.core.catalogue import named_method
from algorithms.method import Method
from algorithms.params import Params
from algorithms.templates.site import Site
from annotate.datasets.cases import VARIANTS
from annotate.datasets.no_pages import takes_all, takes_none
from annotate.datasets.opening import (
    OpenedPages,
    list_documents,
    open_document,
    open_page,
    open_pages,
)
from annotate.datasets.site_pages import site_with
from engine.document import with_repeatable
from engine.errors import InputError
from engine.options import OptionError, Options
from engine.page import Input, Page
from engine.source import Source
from engine.words import listed

Some = TypeVar("Some", bound=Options)


def add_method_and_page(
    command: argparse.ArgumentParser, *, with_input: bool = True, is_optional: bool = False
) -> None:
    """Add arguments for a method with its parameters and a page; it may do without that."""
    command.add_argument("method", metavar="METHOD", help="a key; see pagelet methods")
    command.add_argument(
        "page",
        metavar="PAGE",
        nargs="?" if is_optional else None,
        help="file, URL, or - for standard input",
    )
    if with_input:
        command.add_argument(
            "--input",
            choices=get_args(Input),
            help="what the method reads (default: original, where it can)",
        )
    command.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="set a parameter"
    )
    command.add_argument("--viewport", metavar="WxH", help="layout size in px")
    add_repeatable(command)
    add_variant(command)


def add_repeatable(command: argparse.ArgumentParser) -> None:
    """Add the option that fixes random numbers of rendered pages' scripts."""
    command.add_argument(
        "--repeatable",
        action=argparse.BooleanOptionalAction,
        help="where pages are rendered, give their scripts the same random numbers and date each "
        "time (default: local pages yes, live ones no)",
    )


def add_options(
    command: "argparse._ActionsContainer",
    kind: type[Options],
    leave_out: Collection[str] = (),
    **defaults: bool | float | str | Path | None,
) -> None:
    """Add the options of a class except some, with its defaults or these."""
    types = get_type_hints(kind)
    values = {field.name: field.default for field in fields(kind)} | defaults
    for name, spec in kind.specs().items():
        if name in leave_out:
            continue
        default, of = values[name], types[name]
        given: dict[str, Any] = {"help": spec.help, "default": default, "dest": name}
        kinds = [each for each in get_args(of) if each is not NoneType]
        if bool in (of, *kinds):
            given["action"] = "store_true" if of is bool else argparse.BooleanOptionalAction
        elif get_origin(of) is Literal:
            given["choices"] = kinds
        else:
            given |= {"type": kinds[0] if kinds else of, "metavar": spec.metavar}
        if default is not None and default is not False and "(default" not in spec.help:
            shown = f"{default:g}" if isinstance(default, float) else default
            given["help"] += f" (default: {shown})"
        command.add_argument(f"--{spec.flag_of(name)}", **given)


def options_of(kind: type[Some], options: argparse.Namespace, **more: object) -> Some:
    """Return the options of a class that were typed; `InputError` names one out of bounds.

    ``more`` are fields that no argument gives.
    """
    given = vars(options)
    typed = {field.name: given[field.name] for field in fields(kind) if field.name in given}
    try:
        return kind(**typed | more)
    except OptionError as error:
        flag = kind.specs()[error.option].flag_of(error.option)
        raise InputError(f"--{flag} {error.problem}") from None


def add_variant(command: argparse.ArgumentParser) -> None:
    """Add the option for variants of pages in Kreuzer's layout."""
    command.add_argument(
        "--variant",
        default="html",
        choices=VARIANTS,
        help="which file of a page in Kreuzer's layout (default: html)",
    )


def add_all(command: argparse.ArgumentParser) -> None:
    """Let a command take files of a folder that are called pages and are none."""
    command.add_argument(
        "--all",
        action="store_true",
        help="take files of a folder that are no pages, too: error pages, redirects, fragments",
    )


def pages_in(options: argparse.Namespace, path: str | Path) -> OpenedPages:
    """Return the pages of a path, as a command with `add_all` asks for; say what is left out."""
    opened = open_pages(path, takes=takes_all if options.all else takes_none)
    for problem in opened.problems:
        print(f"pagelet: {problem}", file=sys.stderr)
    if len(opened.no_pages) and not options.all:
        print("pagelet: with --all these files are taken, too", file=sys.stderr)
    return opened


def method_of(key: str, output: str) -> Method:
    """Return a method of this output; `InputError` names the command for the other."""
    entry = named_method(key)
    if entry.output != output:
        verb = "segment" if entry.output == "segmentation" else "extract"
        raise InputError(f"{key} is a method of {entry.output}; use: pagelet {verb} {key}")
    return entry


def params_of(entry: Method, settings: Sequence[str]) -> Params:
    """Return parameters from ``name=value`` texts."""
    texts = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise InputError(f"--set {setting} is not of the form name=value")
        texts[name.strip()] = value.strip()
    return entry.params.parse(texts)


def input_of(options: argparse.Namespace, entry: Method) -> Input:
    """Return what the method is to read; `InputError` says what it can."""
    is_rendered = bool(options.viewport) or options.repeatable is not None
    requested: Input = options.input or (
        entry.input_if_rendered if is_rendered and entry.reads_seen else entry.inputs[0]
    )
    if requested not in entry.inputs:
        reads = listed(entry.inputs)
        raise InputError(f"{entry.key} does not read the {requested} page; it reads: {reads}")
    return requested


def page_of(options: argparse.Namespace, *, needs_rendering: bool) -> Page:
    """Return the page named on the command line, rendered if that is needed.

    What is rendered has the layout its gold was made on, where that is kept.
    """
    viewport = viewport_of(options.viewport)
    document = open_document(options.page, variant=options.variant, viewport=viewport)
    document = with_repeatable(document, options.repeatable)
    if not needs_rendering:
        received = document.receive()
        source = Source.of(received)
        for note in source.encoding_notes:
            print(f"pagelet: {note}", file=sys.stderr)
        return Page(document.address, source)
    from engine.web.headless import Browser
    from engine.web.qt_log import silence_qt_log  # Qt

    silence_qt_log()
    online, near = document.is_live, document.is_near
    with Browser(online=online, near=near, no_sandbox=options.no_sandbox) as browser:
        page = browser.capture(document)
    for note in (*browser.notes, *page.notes):
        print(f"pagelet: {note}", file=sys.stderr)
    if str(options.page) == "-":
        return page
    return open_page(options.page, options.variant).laid_out(page)


def viewport_of(text: str | None) -> tuple[int, int] | None:
    """Return a layout size from a text such as ``1366x768``; None where none was given."""
    if not text:
        return None
    width, _, height = text.partition("x")
    if not (width.isdigit() and (not height or height.isdigit())):
        raise InputError(f"--viewport is {text!r}; give a size such as 1366x768")
    return int(width), int(height or 768)


def add_site(command: argparse.ArgumentParser) -> None:
    """Add the option for the site of the page."""
    command.add_argument(
        "--site",
        metavar="FOLDER",
        help="the page's site, for methods that read it: a folder of pages, or a data set",
    )


def site_named(options: argparse.Namespace, entry: Method, page: Page) -> Site | None:
    """Return the page's site; `InputError` where the method wants one that was not named."""
    if not entry.reads_site:
        return None
    if options.site is None:
        raise InputError(f"{entry.key} reads a page together with its site: add --site FOLDER")
    return site_with(list_documents(options.site), page)


def progress(text: str) -> None:
    """Print progress of a long command on stderr."""
    print(text, file=sys.stderr)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
