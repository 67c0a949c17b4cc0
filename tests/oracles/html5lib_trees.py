"""The tree construction tests of html5lib: documents, and the text of their trees."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_SECTION = re.compile(
    r"^#(data|errors|new-errors|document-fragment|script-on|script-off|document)\n", re.MULTILINE
)
_NODE = re.compile(r"^\| ( *)(.*?)(?=\n\| |\Z)", re.MULTILINE | re.DOTALL)


class Case(NamedTuple):
    """A document and the text of its tree, without scripts, styles and titles."""

    name: str
    html: str
    text: str


def cases_in(folder: Path) -> Iterator[Case]:
    """Yield the tests of whole documents, but those that need scripts to run."""
    for path in sorted(folder.glob("*.dat")):
        tests = path.read_bytes().decode().rstrip("\n")
        for test in re.split(r"\n\n(?=#data\n)", tests):
            parts = _SECTION.split(test + "\n")
            given = dict(zip(parts[1::2], parts[2::2], strict=True))
            if not given.keys() & {"document-fragment", "script-on"}:
                yield Case(path.name, given["data"].rstrip("\n"), text_of(given["document"]))


def text_of(tree: str) -> str:
    """Return the text of a tree as these tests write it."""
    above: list[str] = []
    texts = []
    for match in _NODE.finditer(tree.rstrip("\n")):
        indent, node = match.groups()
        del above[len(indent) // 2 :]
        above.append(node)
        if node.startswith('"') and not {"<script>", "<style>", "<title>"} & set(above):
            texts.append(node[1:-1])
    return "".join(texts)
