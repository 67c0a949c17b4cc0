"""``pagelet schema``: what a command takes and answers, as JSON Schema."""

import argparse
import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

from engine.errors import InputError
from engine.words import no_such
from gui.cli.main import ALIASES, _module, commands, parsers
from gui.cli.terminal import print_json

ERROR = {
    "type": "object",
    "properties": {
        "error": {"type": "string"}, "fix": {"type": "string"}, "exit": {"type": "integer"}
    },
    "required": ["error", "fix", "exit"],
}  # fmt: skip
"""The answer of any command that failed."""

EXITS = {
    "0": "done", "1": "a finding, or a failure of the work",
    "2": "wrong input: correct it", "3": "may succeed when it is tried again",
}  # fmt: skip

_TYPES: dict[Any, str] = {int: "integer", float: "number"}


def run(command: str | None = None) -> int:
    """Print the schema of a command.

    Args:
        command (COMMAND): a command; without it: the names of all

    Examples:
      pagelet schema
      pagelet schema why
    """
    if command is None:
        print_json({name: row.help for name, row in commands().items()})
        return 0
    name = ALIASES.get(command, command)
    if name not in commands():
        raise InputError(no_such("command", command, commands()))
    print_json(schema_of(name))
    return 0


def schema_of(command: str) -> dict[str, Any]:
    """Return what a command takes, answers and ends with.

    The arguments come from its signature; its answer was taken from what it printed.
    """
    parser = parsers(command, _module(command))[1][command]
    rows = dict(_arguments(parser))
    required = [name for name, row in rows.items() if row.pop("required", False)]
    return {
        "command": command,
        "arguments": {"type": "object", "properties": rows, "required": required},
        "answer": stored_answer(command),
        "error": ERROR,
        "exit": EXITS,
    }


def stored_answer(command: str) -> dict[str, Any]:
    """Return the schema of a command's answer as the repository has it; {} where it has none."""
    file = resources.files("resources") / "schemas" / f"{command}.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def _arguments(parser: argparse.ArgumentParser) -> Iterator[tuple[str, dict[str, Any]]]:
    for each in parser._actions:
        if isinstance(each, argparse._HelpAction):
            continue
        kind = "boolean" if each.nargs == 0 else _TYPES.get(each.type, "string")
        row: dict[str, Any] = {"type": kind, "description": each.help or ""}
        if each.choices is not None:
            row["enum"] = list(each.choices)
        if each.nargs in ("+", "*") or isinstance(each, argparse._AppendAction):
            row = {"type": "array", "items": {k: v for k, v in row.items() if k != "description"},
                   "description": each.help or ""}  # fmt: skip
        if each.option_strings:
            row["flag"] = each.option_strings[-1]
        if each.required:
            row["required"] = True
        yield each.dest, row
