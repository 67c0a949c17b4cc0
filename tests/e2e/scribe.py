"""A program that marks a page as fast as it can and says what is on screen; made to be killed."""

import json
import random
from multiprocessing.connection import Connection
from pathlib import Path

from annotate.marks import edits
from annotate.marks.gold import MAIN, TYPES, Gold, Mark, Target
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import PageletError
from engine.nodes import NodeTable
from tests.annotate.pages import nodes_of

KEY = "https://example.org/"
ITEM = "<li><a>Link number {0}</a> <span>with some words behind it</span><img src={0}.png></li>"
BODY = "".join(
    f"<section><h2>Part {k}</h2><ul>{ITEM.format(k) * 4}</ul></section>" for k in range(40)
)


def page() -> NodeTable:
    """Return the page that is marked, always the same."""
    return nodes_of(BODY)


def shown(gold: Gold) -> list[list[object]]:
    """Return the marks a user sees, as JSON."""
    return [[m.id, m.level, m.type, m.state, [[t.row, t.start, t.end] for t in m.targets]]
            for m in gold.marks]  # fmt: skip


def change(gold: Gold, nodes: NodeTable, chance: random.Random) -> Gold:
    """Return the gold after one random edit."""
    row = chance.randrange(2, len(nodes))
    marks = list(gold.marks)
    if marks and (len(marks) > 60 or chance.random() < 0.2):
        return edits.remove(gold, [chance.choice(marks).id])
    if chance.random() < 0.4:
        return edits.toggle_main(gold, nodes, Target(row))
    blocks: list[Mark] = [m for m in marks if m.level != MAIN]
    if blocks and chance.random() < 0.3:
        return edits.set_type(gold, [chance.choice(blocks).id], chance.choice(TYPES[1]))
    return edits.add_block(gold, nodes, [Target(row)], chance.choice((1, 2)))


def run(path: Path, seed: int, screen: Connection) -> None:
    """Mark until killed; send each state to the screen after it is saved, as the window does."""
    chance, nodes = random.Random(seed), page()
    workspace = Workspace.open(path)
    workspace.add_pages([Document(KEY, KEY)])
    gold = workspace.load_gold(KEY, nodes)
    undone: list[Gold] = []
    while True:
        screen.send_bytes(json.dumps(shown(gold)).encode())
        if undone and chance.random() < 0.2:
            gold, what = undone.pop(), "undo"
        else:
            try:
                after = change(gold, nodes, chance)
            except PageletError:
                continue
            undone.append(gold)
            gold, what = after, "edit"
        workspace.save_gold(KEY, gold, nodes, "mark", what)  # type: ignore[arg-type]
