"""Schemas of answers, taken from the answers of all commands of `tests.every_command`.

    python -m tests.plugins.agents.shapes

writes them to ``resources/schemas``.
"""

import json
import re
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.every_command import ROOT, Desk, every, write_data_set

SCHEMAS = ROOT / "resources/schemas"

_NAME = re.compile(r"/|\.(html|json|pagelet|csv|wacz|npz)$|[A-Z]")

_OPEN = {"parameters", "params", "settings"}
"""Keys of objects that each method fills otherwise."""


def shape_of(values: Iterable[Any]) -> dict[str, Any]:
    """Return the schema of some values: each key of each object, and whether all have it.

    An object whose keys are no words of a format, as names of pages or methods, has one schema for
    all its values.
    """
    values = list(values)
    result: dict[str, Any] = {"type": sorted({_type(each) for each in values})}
    lists = [item for each in values if isinstance(each, list) for item in each]
    if lists:
        result["items"] = shape_of(lists)
    objects = [each for each in values if isinstance(each, dict)]
    keys = list(dict.fromkeys(key for each in objects for key in each))
    if objects and _are_names(objects):
        result["additionalProperties"] = shape_of(v for each in objects for v in each.values())
    elif objects:
        named = {key: [each[key] for each in objects if key in each] for key in keys}
        result["properties"] = {
            key: {"type": "object"}
            if key in _OPEN and all(isinstance(each, dict) for each in some)
            else shape_of(some)
            for key, some in named.items()
        }
        result["required"] = [key for key in keys if len(named[key]) == len(objects)]
        result["additionalProperties"] = False
    return result


def _type(value: object) -> str:
    names = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string",
             list: "array", dict: "object"}  # fmt: skip
    return names[type(value)]


def _are_names(objects: list[dict[str, Any]]) -> bool:
    """Return whether keys are of the data: paths, names of files, titles."""
    return any(_NAME.search(key) for each in objects for key in each)


def answers(folder: Path) -> dict[str, list[tuple[int, str]]]:
    """Return what each command prints with ``--json``, and its status, for each of its lines."""
    desk = Desk(write_data_set(folder / "data"), folder / "out")
    result: dict[str, list[tuple[int, str]]] = {}
    for typed in every():
        if typed.words[0] != "open":  # it waits for the user
            asked = replace(typed, words=(*typed.words, "--json"))
            status, out, stderr = desk.run(asked)
            assert status in typed.statuses, (typed.words, stderr)
            result.setdefault(typed.words[0], []).append((status, out))
    return result


def is_error(answer: Any) -> bool:
    """Return whether an answer is that of a command that failed."""
    return isinstance(answer, dict) and {*answer} == {"error", "fix", "exit"}


def main() -> None:
    """Write the schemas."""
    SCHEMAS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for command, printed in answers(Path(folder)).items():
            read = [json.loads(out) for _, out in printed]
            if shown := [each for each in read if not is_error(each)]:
                text = json.dumps(shape_of(shown), indent=1) + "\n"
                (SCHEMAS / f"{command}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
