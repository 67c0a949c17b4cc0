"""A row in a few characters, as a developer would write it."""

from engine.nodes import NodeTable


def describe(nodes: NodeTable, row: int) -> str:
    """Return a row in a few characters, as in ``div#main.wide``."""
    attributes = nodes.attributes[row]
    text = nodes.name_of(row)
    if attributes.get("id"):
        text += f"#{attributes['id']}"
    elif attributes.get("class"):
        text += "." + ".".join(attributes["class"].split()[:2])
    return text if len(text) <= 40 else text[:39] + "…"
