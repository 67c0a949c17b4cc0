"""Parts of the reference that are made from the code: commands, actions with their keys, Python."""

import argparse
import inspect
import re
from collections.abc import Iterable
from functools import cached_property
from importlib import import_module
from itertools import groupby

import pagelet

from gui.core.action import SUB, Action, Context
from gui.window.action_table import SECTIONS, right_click_submenu, section_of
from gui.window.actions import ACTIONS

Row = tuple[str, ...]

_SHARED = {"help", "verbose", "no_sandbox", "memory", "method_file"}
"""Options of every command, described once."""
_OF_MACHINE = re.compile(r"\d+, as many as there are processors")
_ROLE = re.compile(r"(?<!`)`(?!`)([\w.]+)`(?!`)")


def table(head: Row, rows: Iterable[Row]) -> str:
    """Return a Markdown table; ``|`` in a cell would end it."""
    lines = [head, ("---",) * len(head), *rows]
    safe = ([cell.replace("|", "\\|") for cell in cells] for cells in lines)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in safe)


def commands() -> str:
    """Return every command with its arguments and examples, then the options of all."""
    from gui.cli.main import ALIASES, parsers
    from gui.cli.main import commands as every_command

    parts = []
    for name, row in every_command().items():
        _, own = parsers(name, import_module(row.module))
        old = ", ".join(f"`{alias}`" for alias, new in ALIASES.items() if new == name)
        more = f" Earlier name: {old}." * bool(old)
        parts.append(f"## pagelet {name}\n\n{_command(own[name], more)}")
    shared = [action for action in own[name]._actions if action.dest in _SHARED]
    return f"{''.join(parts)}## Options of every command\n\n{_arguments(own[name], shared)}"


def _command(parser: argparse.ArgumentParser, more: str) -> str:
    own = [action for action in parser._actions if action.dest not in _SHARED]
    text = f"{parser.description}{more}\n\n"
    if own:
        text += _arguments(parser, own) + "\n"
    if parser.epilog:
        # Indented lines are typed; the rest are sentences.
        for block in (parser.epilog % {"prog": parser.prog}).split("\n\n"):
            lines = groupby(block.splitlines(), key=lambda line: line.startswith(" "))
            for is_typed, some in lines:
                indent = "    " if is_typed else ""
                text += "".join(f"{indent}{line.strip()}\n" for line in some) + "\n"
    return text


def _arguments(parser: argparse.ArgumentParser, actions: Iterable[argparse.Action]) -> str:
    expand, rows = parser._get_formatter()._expand_help, []
    for action in actions:
        if action.help and action.help != argparse.SUPPRESS:
            text = _OF_MACHINE.sub("as many as there are processors", expand(action))
            rows.append((f"`{_typed(action)}`", text))
    return table(("argument", "meaning"), rows)


def _typed(action: argparse.Action) -> str:
    """Return how an argument is typed: ``--jobs N``, ``[PAGE]``, ``DATASET...``."""
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else "")
    word = "" if action.nargs == 0 else str(value or action.dest.upper())
    if action.nargs in ("*", "+"):
        word += "..."
    if action.nargs in ("*", "?"):
        word = f"[{word}]"
    return " ".join(filter(None, [", ".join(action.option_strings), word]))


def actions() -> str:
    """Return every action of the window with its keys, by the headings of the `?` overlay."""
    parts = []
    head = ("action", "keys", "menu", "what it does", "other names")
    for section in SECTIONS:
        rows = [_action(row) for row in ACTIONS if section_of(row) == section]
        if rows:
            parts.append(f"## {section}\n\n{table(head, rows)}")
    return "\n".join(parts)


def _action(row: Action) -> Row:
    keys = " ".join(f"`{key}`" for key in row.keys)
    menu, words = row.menu.removeprefix(SUB), ", ".join(row.words)
    return row.text.removesuffix("…"), keys, menu, row.help, words


_RIGHT_CLICKS = {
    Context.BLOCK: "a block, on the page or in the outline",
    Context.BLOCKS: "one of several selected blocks",
    Context.MAIN: "main content: an element of it or a part of a text",
    Context.ELEMENT: "an element that is not marked",
    Context.OUTLINE: "the outline, beside its entries",
    Context.PAGES: "a page of the list",
    Context.LAYER: "a layer",
    Context.SCORE: "a score of the Evaluate view",
    Context.TILE: "a page of the Site view",
    Context.PANEL: "a panel or its title",
    Context.PAGE: "the page, beside all of these",
    Context.NO_PAGE: "the window, while no page is open",
}


def right_clicks() -> str:
    """Return the entries of context menus, by target; types are one entry, a submenu."""
    rows = []
    for context, words in _RIGHT_CLICKS.items():
        offered = [row for row in ACTIONS if context in row.context]
        below = {row: right_click_submenu(row) for row in offered}
        texts = [row.text.removesuffix("…") for row in offered if not below[row]]
        texts += dict.fromkeys(f"{each} ▸" for each in below.values() if each)
        if context is Context.PANEL:
            texts.append("Panels ▸")
        rows.append((words, str(len(texts)), " · ".join(texts)))
    return table(("on", "entries", "which"), rows)


_COMPUTED = (property, cached_property)


def python() -> str:
    """Return what ``import pagelet`` offers, from the docstrings."""
    parts = []
    for name in pagelet.__all__:
        value = getattr(pagelet, name)
        parts.append(f"## {name}\n\n{_signature(name, value)}{_prose(value)}")
        for member, function in inspect.getmembers(value) if inspect.isclass(value) else ():
            # The rest are defaults of fields, with the docstrings of int or str.
            has_own = inspect.isroutine(function) or isinstance(function, _COMPUTED)
            if not member.startswith("_") and member in vars(value) and has_own:
                text = f"{_signature(member, function)}{_prose(function)}"
                parts.append(f"### {name}.{member}\n\n{text}")
    return "".join(parts)


def _signature(name: str, value: object) -> str:
    if not callable(value) or (inspect.isclass(value) and issubclass(value, Exception)):
        return ""
    names = inspect.signature(value).parameters.values()
    given = ", ".join(
        part.name if part.default is part.empty else f"{part.name}={part.default!r}"
        for part in names
        if part.name != "self"
    )
    return f"    {name}({given})\n\n"


def _prose(value: object) -> str:
    """Return a docstring as Markdown: headings of its sections bold, examples as code."""
    text = _ROLE.sub(r"`\1`", (inspect.getdoc(value) or "").replace("``", "`"))
    parts = []
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if block.startswith(">>>"):
            parts.append("".join(f"    {line}\n" for line in lines))
        elif re.fullmatch(r"(Args|Attributes|Raises|Returns|Yields):", lines[0]):
            entries: list[str] = []
            for line in lines[1:]:
                if re.match(r" {4}\S", line):
                    named, _, texts = line.strip().partition(": ")
                    entries.append(f"- **{named}**: {texts}" if texts else f"- {named}")
                else:
                    entries[-1] += f" {line.strip()}"
            parts.append(f"**{lines[0]}**\n\n" + "\n".join(entries) + "\n")
        else:
            parts.append("\n".join(line.strip() for line in lines) + "\n")
    return "\n".join(parts) + "\n"
