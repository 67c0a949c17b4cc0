"""Three tiny pages whose distances can be computed manually, and random small trees."""

from hypothesis import strategies as st

from engine.source import Source

FIRST = "<html><body><div><p>a</p><p>b</p></div></body></html>"
SECOND = "<html><body><div><p>c</p></div><ul><li>d</li></ul></body></html>"
THIRD = "<html><body><table><tr><td>e</td></tr></table></body></html>"


def three():
    """Return the sources of the three pages."""
    return [Source.from_text(html) for html in (FIRST, SECOND, THIRD)]


# A tree is (name, [children]); only names that HTML lets nest in any way.
trees = st.recursive(
    st.sampled_from(["div", "span", "section"]).map(lambda name: (name, ())),
    lambda inner: st.tuples(
        st.sampled_from(["div", "span", "section"]), st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=7,
)


def html_of(tree):
    """Return a page whose body holds one tree."""
    name, children = tree
    return f"<{name}>{''.join(map(html_of, children))}</{name}>"


def page_of(tree):
    """Return the source of such a page."""
    return Source.from_text(f"<html><body>{html_of(tree)}</body></html>")
