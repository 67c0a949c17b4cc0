"""Schemas of answers, taken from the answers of all commands of `tests.every_command`.

What those lines cannot be answered with, for lack of a server, commits or pages, has lines here.

    python -m tests.plugins.agents.shapes [COMMAND…]

writes them to ``resources/schemas``.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.every_command import ROOT, Desk, Typed, every, write_data_set
from tests.method_packages import KEEPS_ALL, LOSES_LISTS, checkout
from tests.method_packages import pages as write_pages
from tests.town import Town, story

SCHEMAS = ROOT / "resources/schemas"

_NAME = re.compile(r"/|\.(html|json|pagelet|csv|wacz|npz)$|[A-Z]")

UNANSWERED = ("open",)
"""Commands that wait for the user."""

_OPEN = {"parameters", "params", "settings", "arguments", "answer"}
"""Keys of objects that each method, or each command, fills otherwise."""


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
    return any(not key or _NAME.search(key) for each in objects for key in each)


METHOD = """
from dataclasses import dataclass
import numpy as np
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import keep_words

@dataclass(frozen=True)
class LinkParams(Params):
    links: bool = param(False, "ask for links")
    depth: int = param(3, "levels", low=1, high=9)

def extract(source, params):
    return keep_words(source, np.array([not params.links or w != "late" for w in source.words]))

METHOD = Method(key="linked", name="Linked", params=LinkParams, output="extraction",
                cite="none", on_source=extract, summary="An option that loses a word.")
"""


def write_twelve(folder: Path) -> None:
    """Write twelve pages of an article below a menu, enough to learn from, with their gold."""
    (folder / "html").mkdir(parents=True)
    gold = {}
    for number in range(12):
        body = [f"The ferry{number} was late that day, and {k} people knew why." for k in range(8)]
        (folder / f"html/{number}.html").write_text(
            "<ul class=menu><li><a href=/>Home</a><li><a href=/a>About us and many others</a></ul>"
            + "".join(f"<p>{text}</p>" for text in body)
            + "<div class=footer><p>All rights reserved by whoever wrote all of this text</p></div>"
        )
        gold[str(number)] = {"articleBody": "\n".join(body), "url": f"http://site{number}.org/"}
    (folder / "ground-truth.json").write_text(json.dumps(gold))


@contextmanager
def furnished(out: Path) -> Iterator[list[Typed]]:
    """Write what these lines name, serve a site, and return the lines."""
    write_twelve(out / "Twelve")
    write_pages(out / "pages")
    checkout(out / "checkout", KEEPS_ALL, LOSES_LISTS, "x = 'cannot be run'\n")
    (out / "linked.py").write_text(METHOD)
    town = Town()
    town.pages = {"/": story(0, "a.html"), "/a.html": story(1)}
    try:
        yield [
            Typed(("crawl", f"{town.address}/", "--out", "OUT/town", "--delay", "0")),
            Typed(("invariance", "OUT/linked.py", "OUT/Twelve"), statuses=(1,)),
            Typed(("bisect", "OUT/checkout mine:extract", "OUT/pages")),
            Typed(tuple("train gleaner OUT/Twelve --out OUT/m.npz --rounds 5 --folds 2".split())),
            Typed(("board", "OUT/Twelve", "--methods", "bte", "--out", "OUT/board")),
            Typed(("next", "plain", "OUT/Twelve", "--out", "OUT/next")),
            Typed(("loop", "bte", "OUT/Twelve", "--hypothesis", "a", "--log", "OUT/log")),
            Typed(("why", "bte", "OUT/Twelve/html/1.html", "--text", "ferry1 was late")),
        ]
    finally:
        town.end()


def answers(folder: Path, *named: str) -> dict[str, list[tuple[int, str]]]:
    """Return what each command, or some, prints with ``--json``, and its status, for each line."""
    desk = Desk(write_data_set(folder / "data"), folder / "out")
    result: dict[str, list[tuple[int, str]]] = {}
    with furnished(desk.out) as more:
        for typed in (*every(), *more):
            command = typed.words[0]
            if command not in UNANSWERED and (not named or command in named):
                asked = replace(typed, words=(*typed.words, "--json"))
                status, out, stderr = desk.run(asked)
                assert status in typed.statuses, (typed.words, stderr)
                result.setdefault(command, []).append((status, out))
    return result


def drifted(value: Any, schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield where a value is changed, and the value that no longer fits its schema, part by part.

    A part is added to each object of known parts, each of its required parts is left out, and each
    part is made one of a type that it may not have.
    """
    if types := schema.get("type"):
        other = next(v for v in (7, "text", True, None, [], {}) if _type(v) not in types)
        yield f"made {_type(other)}", other
    if isinstance(value, list) and value and "items" in schema:
        for where, changed in drifted(value[0], schema["items"]):
            yield f"[0] {where}", [changed, *value[1:]]
    if not isinstance(value, dict):
        return
    if schema.get("additionalProperties") is False:
        yield "more", value | {"a new part": 1}
    for key in schema.get("required", ()):
        yield f"no {key}", {name: each for name, each in value.items() if name != key}
    for key, each in value.items():
        inner = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
        if isinstance(inner, dict):
            for where, changed in drifted(each, inner):
                yield f"{key} {where}", value | {key: changed}


def is_error(answer: Any) -> bool:
    """Return whether an answer is that of a command that failed."""
    return isinstance(answer, dict) and {*answer} == {"error", "fix", "exit"}


def main(named: list[str]) -> None:
    """Write the schemas of the named commands, or of all."""
    SCHEMAS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for command, printed in answers(Path(folder), *named).items():
            read = [json.loads(out) for _, out in printed]
            if shown := [each for each in read if not is_error(each)]:
                text = json.dumps(shape_of(shown), indent=1) + "\n"
                (SCHEMAS / f"{command}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
