"""A small page as its serialised DOM and its node table, built from nested tuples."""

import html as html_module

import numpy as np

from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.source import Source

RAW = ("script", "style", "noscript")


def written(text, parent):
    if parent in RAW:
        return text
    return html_module.escape(text, quote=False).replace("\u00a0", "&nbsp;")


def rendered(tree, hidden=()):
    """Serialise ``("div", [...])`` with texts as strings; return that and its NodeTable.

    Texts that are one of ``hidden`` are not visible.
    """
    html, rows = "", []

    def add(node, parent, parent_name):
        nonlocal html
        start = len(html)
        row = len(rows)
        if isinstance(node, str):
            html += written(node, parent_name)
            rows.append(["#text", parent, node, start, len(html), start, len(html)])
            return
        name, children = node
        rows.append([name, parent, "", start, 0, 0, 0])
        html += f"<{name}>"
        rows[row][5] = len(html)
        for child in children:
            add(child, row, name)
        rows[row][6] = len(html)
        html += f"</{name}>"
        rows[row][4] = len(html)

    add(tree, -1, "")
    names = tuple(dict.fromkeys(row[0] for row in rows))
    n = len(rows)
    nodes = NodeTable(
        names=names,
        tag=np.array([names.index(row[0]) for row in rows], np.int32),
        parent=np.array([row[1] for row in rows], np.int32),
        text=tuple(row[2] for row in rows),
        rect=np.zeros((n, 4), np.float32),
        offset=np.zeros((n, 2), np.int32),
        visible=np.array([row[2] not in hidden or not row[2] for row in rows], bool),
        style=np.zeros(n, np.int32),
        styles=(("",) * len(STYLE_PROPERTIES),),
        attributes=tuple({} for _ in rows),
        frame=np.zeros(n, np.int16),
        outer=np.array([row[3:5] for row in rows], np.int32),
        inner=np.array([row[5:7] for row in rows], np.int32),
        width=0,
        height=0,
    )
    return Source.from_text(html), nodes
