"""``pagelet new``: what a recipe of the documentation writes, under another name.

The recipes are the pages of ``resources/docs/recipes``.  A block below "Write `FILE`:" is a file,
one below "In `FILE`, above `LINE`:" is put above that line; the example's name in them is replaced.
All other blocks are commands, which the reader runs.
"""

import keyword
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import resources
from engine.errors import InputError, convert_os_error

_STEP = re.compile(
    r"(?:Write\s`(?P<file>[^`]+)`|In\s`(?P<path>[^`]+)`, above `(?P<line>[^`]+)`):"
    r"\n\n(?P<block>(?:(?: {4}[^\n]*)?\n)+)"
)
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_IN_CLONE = ("method", "segmenter", "measure", "data-set", "feature", "comment-site")


@dataclass(frozen=True)
class NewFile:
    """File to write, or lines to put above a line of one."""

    path: str
    text: str
    above: str = ""


def run(
    kind: Literal[
        "method", "segmenter", "measure", "data-set", "feature", "comment-site", "reader", "plugin"
    ],
    name: str,
) -> int:
    """Write the files.

    Args:
        kind (KIND): method, segmenter, measure, data-set, feature or comment-site of Pagelet, in a
            clone; reader or plugin, a package of your own in this folder
        name (NAME): its key, in lower case: two-words

    Examples:
      pagelet new method first-sentence
      pagelet new plugin shout-words
    """
    name = name.replace("_", "-")
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} cannot be a key: give words in lower case, as in two-words")
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or (kind not in _IN_CLONE and find_spec(module)):
        raise InputError(f"{name!r} cannot be a key: Python has that word or package already")
    top = Path(resources.__file__).parents[1] if kind in _IN_CLONE else Path.cwd()
    if kind in _IN_CLONE and not (top / "tests").is_dir():
        raise InputError(f"a {kind} is added in a clone of the repository; a plug-in anywhere")
    for path in write(steps_of(kind, name), top):
        print(path)
    print(f"Next: {resources.path('docs/recipes')}/{kind}.md")
    return 0


def steps_of(kind: str, name: str) -> list[NewFile]:
    """Return what the recipe of a kind writes, the example's name replaced by this one."""
    page = resources.read_text(f"docs/recipes/{kind}.md")
    example = re.search(rf"new {kind} ([\w-]+)", page)
    assert example is not None, f"the recipe of a {kind} names no example"
    page = _renamed(page, example[1], name)
    result = []
    for match in _STEP.finditer(page):
        lines = match["block"].rstrip().splitlines()
        text = "".join(f"{line[4:]}\n" for line in lines)
        result.append(NewFile(match["file"] or match["path"], text, match["line"] or ""))
    return result


def write(steps: list[NewFile], top: Path) -> list[Path]:
    """Write the files of a recipe below a folder, and return them; raises `InputError`."""
    texts: dict[Path, str] = {}
    for step in steps:
        path = top / step.path
        if not step.above:
            if path.exists():
                raise InputError(f"{path} is there already: choose another name")
            texts[path] = step.text
            continue
        text = texts.get(path) or path.read_text(encoding="utf-8")
        before, line, after = text.partition(f"\n{step.above}\n")
        if not line:
            raise InputError(f"{path} has no line {step.above!r}")
        indent = line[1 : len(line) - len(line.lstrip())]
        added = "".join(f"{indent}{each}".rstrip() + "\n" for each in step.text.splitlines())
        gap = "\n" * {".md": 1, ".py": 0 if indent else 2}[path.suffix]
        texts[path] = f"{before}\n{added}{gap}{line[1:]}{after}"
    for path, text in texts.items():
        with convert_os_error(f"write {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return list(texts)


def _renamed(text: str, example: str, name: str) -> str:
    """Replace a name wherever it is: as a key, a module, a class, and in words."""
    old, new = example.split("-"), name.split("-")
    for first, second in (
        ("-".join(old), "-".join(new)),
        ("_".join(old), "_".join(new)),
        ("".join(map(str.title, old)), "".join(map(str.title, new))),
        (" ".join(old).capitalize(), " ".join(new).capitalize()),
        (" ".join(old), " ".join(new)),
    ):
        text = text.replace(first, second)
    return text
