"""Recorded nodes are matched to rows, whether or not their paths count hidden siblings."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.plugins.published_data.webis_nodes import (
    Recorded,
    align,
    paths_of,
    read_recorded,
    recorded_paths,
    rows_by_path,
    with_boxes,
)
from engine.errors import InputError
from engine.nodes import STYLE_PROPERTIES
from tests.annotate.pages import nodes_of, row_of, text_row


def recorded_of(nodes, rows, *, rendered_only, texts=True):
    """Return the record of these rows, with paths that count all or only rendered siblings."""
    if rendered_only:
        seen = np.zeros(len(nodes), dtype=bool)
        seen[rows] = True
        for row in range(len(nodes) - 1, 0, -1):
            seen[nodes.parent[row]] |= seen[row]
        display = STYLE_PROPERTIES.index("display")
        styles = [tuple(["none" if k == display else "" for k in range(len(STYLE_PROPERTIES))])]
        styled = replace(nodes, styles=(nodes.styles[0], *styles), style=(~seen).astype(np.int32))
        paths = recorded_paths(styled)
    else:
        paths = paths_of(nodes)
    words = {paths[row]: nodes.text[row] for row in rows if texts and nodes.has_words[row]}
    return Recorded(tuple(paths[row] for row in rows), np.ones((len(rows), 4)), words)


def seen_rows(nodes):
    return [row for row in np.flatnonzero(nodes.visible).tolist() if row > 0]


HIDDEN_FIRST = (
    "<div hidden><p>once</p></div><div id=b><p>upon</p><p hidden>xx</p><p>a <b>time</b> ago</p>"
    "<ul><li hidden></li><li>one</li><li hidden></li><li>two</li></ul></div><div>end</div>"
)


@pytest.mark.parametrize("rendered_only", [True, False])
@pytest.mark.parametrize("texts", [True, False])
def test_nodes_are_matched_among_hidden_siblings(rendered_only, texts):
    nodes = nodes_of(HIDDEN_FIRST)
    rows = seen_rows(nodes)
    recorded = recorded_of(nodes, rows, rendered_only=rendered_only, texts=texts)
    assert align(nodes, recorded).tolist() == rows


def test_recorded_texts_tell_which_siblings_were_hidden():
    """Style sheets hid the first item of each list; here only the texts tell."""
    nodes = nodes_of("<ul><li>ad</li><li>one</li><li>two</li></ul><ul><li>ad</li><li>six</li></ul>")
    hidden = [row for row, text in enumerate(nodes.text) if text == "ad"]
    hidden += [int(nodes.parent[row]) for row in hidden]
    rows = [row for row in seen_rows(nodes) if row not in hidden]
    recorded = recorded_of(nodes, rows, rendered_only=True)
    assert "/HTML[1]/BODY[1]/UL[2]/LI[1]/text()[1]" in recorded.texts
    assert align(nodes, recorded).tolist() == rows


def test_recorded_paths_name_only_nodes_with_a_box_within_the_body():
    nodes = nodes_of("<p>one</p> <p>a <b>two</b> \n </p>\n")
    assert list(recorded_paths(nodes).values()) == [
        "/HTML[1]/BODY[1]",
        "/HTML[1]/BODY[1]/P[1]",
        "/HTML[1]/BODY[1]/P[1]/text()[1]",
        "/HTML[1]/BODY[1]/P[2]",
        "/HTML[1]/BODY[1]/P[2]/text()[1]",
        "/HTML[1]/BODY[1]/P[2]/B[1]",
        "/HTML[1]/BODY[1]/P[2]/B[1]/text()[1]",
    ]


def test_an_escaped_line_break_in_a_recorded_text_is_matched():
    nodes = nodes_of("<ul><li>ad</li><li>the long\n  story</li></ul>")
    path = "/HTML[1]/BODY[1]/UL[1]/LI[1]/text()[1]"
    recorded = Recorded((path,), np.ones((1, 4)), {path: "the long\\n  story"})
    assert align(nodes, recorded).tolist() == [text_row(nodes, "story")]


def test_texts_in_another_encoding_are_read(tmp_path):
    (tmp_path / "nodes.csv").write_text("left,bottom,right,top,xpath\n")
    table = "xpath,ncharacter,text\n/HTML[1]/BODY[1]/text()[1],4,café\n"
    for encoding in ("utf-8", "utf-8-sig", "windows-1252"):
        (tmp_path / "nodes-texts.csv").write_bytes(table.encode(encoding))
        assert list(read_recorded(tmp_path).texts.values()) == ["café"]


def test_recorded_texts_are_matched_regardless_of_white_space():
    nodes = nodes_of("<div>  the long\n story </div>")
    recorded = Recorded(
        ("/HTML[1]/BODY[1]/DIV[1]/text()[1]",), np.ones((1, 4)),
        {"/HTML[1]/BODY[1]/DIV[1]/text()[1]": "the long story"},
    )  # fmt: skip
    assert align(nodes, recorded).tolist() == [text_row(nodes, "long")]


def test_a_text_and_its_parent_are_matched_at_another_path():
    nodes = nodes_of("<table><tbody><tr><td>cell</td></tr></tbody></table><p>after</p>")
    path = "/HTML[1]/BODY[1]/TABLE[1]/TR[1]/TD[1]/text()[1]"
    recorded = Recorded((path, path.rpartition("/")[0]), np.ones((2, 4)), {path: "cell"})
    assert align(nodes, recorded).tolist() == [text_row(nodes, "cell"), row_of(nodes, "td")]


def test_a_recorded_path_that_is_not_on_the_page_has_no_row():
    nodes = nodes_of("<div>here</div>")
    paths = ("/HTML[1]/BODY[1]/DIV[1]", "/HTML[1]/BODY[1]/DIV[2]", "/HTML[1]/BODY[1]/FORM[1]/P[1]")
    result = align(nodes, Recorded(paths, np.ones((3, 4)), {}))
    assert result.tolist() == [row_of(nodes, "div"), -1, -1]


def trees():
    """Generate bodies of nested elements, some of them hidden."""
    names, hidden = st.sampled_from(["div", "p", "span"]), st.booleans()
    leaf = st.tuples(names, hidden, st.just(()))
    return st.lists(
        st.recursive(
            leaf, lambda inner: st.tuples(names, hidden, st.lists(inner, max_size=4)), max_leaves=12
        ),
        min_size=1, max_size=5,
    )  # fmt: skip


def markup(items, numbers):
    written = ""
    for name, is_hidden, inner in items:
        start = f"<{name}{' hidden' if is_hidden else ''}>word{next(numbers)}"
        written += f"{start}{markup(inner, numbers)}</{name}>"
    return written


@given(trees(), st.booleans())
def test_nodes_with_unique_texts_are_matched_in_any_tree(items, rendered_only):
    nodes = nodes_of(markup(items, iter(range(10_000))).replace("<p", "<h4").replace("</p", "</h4"))
    rows = seen_rows(nodes)
    recorded = recorded_of(nodes, rows, rendered_only=rendered_only)
    assert align(nodes, recorded).tolist() == rows


def test_rows_without_a_box_are_invisible():
    nodes = nodes_of("<div id=a>one</div><div id=b>two</div>")
    rows = np.array([row_of(nodes, "a"), -1], dtype=np.int32)
    boxes = np.array([[10, 20, 40, 25], [0, 0, 9, 9]], dtype=np.float64)
    placed = with_boxes(nodes, rows, boxes, (200, 300))
    assert (placed.width, placed.height) == (200, 300)
    assert np.flatnonzero(placed.visible).tolist() == [row_of(nodes, "a")]
    assert placed.rect[row_of(nodes, "a")].tolist() == [10, 20, 30, 5]
    assert placed.offset[row_of(nodes, "a")].tolist() == [30, 5]
    assert placed.rect.sum() == 65
    assert placed.text == nodes.text


def test_paths_are_those_of_the_node_table_in_upper_case():
    nodes = nodes_of(HIDDEN_FIRST)
    paths = paths_of(nodes)
    assert [path.lower() for path in paths] == [nodes.path(row) for row in range(len(nodes))]
    assert rows_by_path(nodes) == {path: row for row, path in enumerate(paths)}


def test_invalid_lines_of_the_node_table_are_counted(tmp_path):
    lines = ["1,2,3,4,", "nan,1,1,1,/A[1]", "1,1,1e9,1,/A[1]", "a,b,c,d,/A[1]", "0,9,9,0,/A[1]"]
    (tmp_path / "nodes.csv").write_text("\n".join(["left,bottom,right,top,xpath", *lines]))
    (tmp_path / "nodes-texts.csv").write_text("xpath,ncharacter,text\n,3,abc\n/A[1],x,y\n")
    recorded = read_recorded(tmp_path)
    assert recorded.paths == ("/A[1]",)
    assert recorded.texts == {"/A[1]": "y"}
    assert recorded.problems == ("4 lines of nodes.csv left out: no node",)


def test_a_path_of_thousands_of_steps_is_looked_up():
    nodes = nodes_of("<div>one</div>")
    deep = "/HTML[1]/BODY[1]" + "/DIV[1]" * 5000
    assert align(nodes, Recorded((deep,), np.ones((1, 4)), {})).tolist() == [-1]


def test_a_box_of_negative_width_is_invisible():
    nodes = nodes_of("<div id=a>one</div>")
    rows = np.array([row_of(nodes, "a")], dtype=np.int32)
    placed = with_boxes(nodes, rows, np.array([[40.0, 20.0, 10.0, 25.0]]))
    assert not placed.visible.any()
    assert not placed.rect.any()


def test_tables_are_read_by_column_name_and_with_quoted_texts(tmp_path):
    (tmp_path / "nodes.csv").write_text(
        'left,bottom,right,top,xpath\n1,40,30,20,"/HTML[1]"\nx,1,1,1,/HTML[1]/BODY[1]\n'
    )
    (tmp_path / "nodes-texts.csv").write_text(
        'xpath,ncharacter,text\n/HTML[1]/text()[1],9,"a ""quoted"",\ntext"\n', newline=""
    )
    recorded = read_recorded(tmp_path)
    assert recorded.paths == ("/HTML[1]",)
    assert recorded.boxes.tolist() == [[1, 20, 30, 40]]
    assert recorded.texts == {"/HTML[1]/text()[1]": 'a "quoted",\ntext'}
    assert recorded.problems == ("1 line of nodes.csv left out: no node",)
    (tmp_path / "nodes.csv").write_text("xpath,top,left,right,bottom\n/HTML[1],20,1,30,40\n")
    assert read_recorded(tmp_path).boxes.tolist() == [[1, 20, 30, 40]]


def test_a_text_longer_than_the_limit_of_the_csv_module_is_read(tmp_path):
    (tmp_path / "nodes.csv").write_text("left,bottom,right,top,xpath\n")
    (tmp_path / "nodes-texts.csv").write_text(f"xpath,ncharacter,text\n/A[1],1,{'x' * 200_000}\n")
    assert len(read_recorded(tmp_path).texts["/A[1]"]) == 200_000


def test_a_missing_node_table_is_refused_and_missing_texts_are_reported(tmp_path):
    with pytest.raises(InputError, match=r"nodes\.csv cannot be read: No such file"):
        read_recorded(tmp_path)
    (tmp_path / "nodes.csv").write_text("left,bottom,right,top,xpath\n")
    assert "no nodes-texts.csv" in read_recorded(tmp_path).problems[0]
