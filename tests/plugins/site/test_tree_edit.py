"""RTDM compared with Algorithm 7.1 as printed and with the unrestricted tree edit distance."""

from functools import cache

from hypothesis import given

from algorithms.plugins.site.tree_edit import tree_edit_matrix
from engine.source import Source
from tests.plugins.site.pages import page_of, trees


def size(tree):
    return 1 + sum(map(size, tree[1]))


def listing(first, second):
    """Return the distance by Algorithm 7.1 as printed, without a threshold."""
    ours, theirs = first[1], second[1]
    row = [0]
    for other in theirs:
        row.append(row[-1] + size(other))
    for tree in ours:
        before, row[0] = row[0], row[0] + size(tree)
        for index, other in enumerate(theirs):
            delete = row[index + 1] + size(tree)
            insert = row[index] + size(other)
            swap = before
            if tree == other:
                swap += 0
            elif not tree[1]:
                swap += (tree[0] != other[0]) + size(other) - 1
            elif not other[1]:
                swap += (tree[0] != other[0]) + size(tree) - 1
            else:
                swap += listing(tree, other)
            before, row[index + 1] = row[index + 1], min(delete, insert, swap)
    return row[-1]


@cache
def unrestricted(first, second):
    """Return the tree edit distance of two tiny forests by definition, in exponential time."""
    if not first or not second:
        return sum(map(size, first or second))
    (name, inner), (other, below) = first[-1], second[-1]
    return min(
        unrestricted((*first[:-1], *inner), second) + 1,
        unrestricted(first, (*second[:-1], *below)) + 1,
        unrestricted(first[:-1], second[:-1]) + unrestricted(inner, below) + (name != other),
    )


def found(first, second, **reading):
    return tree_edit_matrix([page_of(first), page_of(second)], **reading)[0, 1]


@given(trees, trees)
def test_rtdm_is_the_result_of_the_printed_algorithm(first, second):
    wrapped = ("html", (("body", (first,)),)), ("html", (("body", (second,)),))
    assert found(first, second) == listing(*wrapped)


@given(trees, trees)
def test_rtdm_with_inner_names_is_at_least_the_unrestricted_distance(first, second):
    assert found(first, second, renamed_inner=True) >= unrestricted((first,), (second,))


@given(trees, trees)
def test_rtdm_is_at_least_the_difference_of_sizes(first, second):
    assert found(first, second) >= abs(size(first) - size(second))


def test_rtdm_of_long_lists_is_the_result_of_the_printed_algorithm():
    def page(*words):
        return tuple(("div", tuple(("span", ()) for _ in range(int(word)))) for word in words)

    first = ("section", page(*"314159265358979323846"))
    second = ("section", page(*"271828182845904523536"))
    wrapped = ("html", (("body", (first,)),)), ("html", (("body", (second,)),))
    assert found(first, second) == listing(*wrapped)


def test_renaming_an_inner_node_costs_nothing_as_printed_and_one_on_request():
    pages = [Source.from_text(f"<body><{tag}><b>x</b></{tag}>") for tag in ("div", "section")]
    assert tree_edit_matrix(pages)[0, 1] == 0
    assert tree_edit_matrix(pages, renamed_inner=True)[0, 1] == 1


def test_trees_thousands_deep_are_compared_without_recursion():
    pages = [Source.from_text("<div>" * 3000 + end) for end in ("<b>x", "<i>x<u>y", "")]
    assert tree_edit_matrix(pages)[0].tolist() == [0, 2, 2]
