"""Test the columns of a rendered page."""

from tests.tables import rows_of, table

BOX = (0, 0, 100, 100)


def test_text_below_leaves_out_the_text_of_frames():
    frame = ("iframe", BOX, [("html", BOX, [("body", BOX, "inside")])])
    nodes = table(("body", BOX, ["before ", ("b", BOX, "bold"), frame, " after"]))
    (body,) = (row for row in rows_of(nodes, "body") if nodes.frame[row] == 0)
    assert nodes.text_below(body) == "before bold after"
    (iframe,) = rows_of(nodes, "iframe")
    assert nodes.text_below(iframe) == ""
    assert nodes.text_below(iframe + 1) == "inside"


def test_text_below_includes_hidden_text():
    hidden = ("p", (0, 0, 0, 0), {"css": {"display": "none"}}, "hidden")
    nodes = table(("body", BOX, [hidden, "seen"]))
    assert nodes.text_below(0) == "hiddenseen"
