"""Errors of blocks, each listed once."""

from algorithms.explain.differences import BlockFault, block_errors
from algorithms.results import Block, Segmentation
from tests.tables import table

# rows: 0 html  1 body  2 header  3 #text  4 nav  5 #text  6 main  7 p  8 #text  9 p  10 #text
NODES = table(
    (
        "body",
        (0, 0, 100, 100),
        [
            ("header", (0, 0, 100, 10), "Name"),
            ("nav", (0, 10, 100, 10), "Menu"),
            ("main", (0, 20, 100, 80), [
                ("p", (0, 20, 100, 40), "One"),
                ("p", (0, 60, 100, 40), "Two"),
            ]),
        ],
    )
)  # fmt: skip
BODY, HEADER, NAV, MAIN, ONE, TWO = 1, 2, 4, 6, 7, 9


def seg(*rows, level=1):
    return Segmentation(NODES, tuple(Block((row,), level) for row in rows))


def kinds(found):
    return [(error.kind, error.rows) for error in found]


def test_equal_segmentations_have_no_errors():
    assert block_errors(seg(HEADER, NAV, MAIN), seg(HEADER, NAV, MAIN)) == ()


def test_missing_and_superfluous_blocks_are_listed():
    result = block_errors(seg(HEADER, MAIN), seg(NAV, MAIN))
    assert kinds(result) == [
        (BlockFault.SUPERFLUOUS, (HEADER,)),
        (BlockFault.MISSED, (NAV,)),
    ]
    assert [error.area for error in result] == [1000, 1000]


def test_a_gold_block_in_pieces_is_split_and_names_its_pieces():
    (error,) = block_errors(seg(HEADER, ONE, TWO), seg(HEADER, MAIN))
    assert (error.kind, error.rows) == (BlockFault.SPLIT, (MAIN,))
    assert [part.rows for part in error.parts] == [(ONE,), (TWO,)]


def test_gold_blocks_in_one_block_are_a_single_merge_error():
    (error,) = block_errors(seg(HEADER, NAV, MAIN), seg(HEADER, NAV, ONE, TWO))
    assert (error.kind, error.rows) == (BlockFault.MERGED, (MAIN,))
    assert [part.rows for part in error.parts] == [(ONE,), (TWO,)]


def test_a_block_that_is_much_too_large_is_off():
    result = block_errors(seg(MAIN), seg(ONE))
    assert kinds(result) == [(BlockFault.OFF, (ONE,))]


def test_levels_of_which_only_one_side_has_blocks_are_left_out():
    gold = Segmentation(NODES, (Block((MAIN,), 1), Block((ONE,), 2)))
    assert block_errors(seg(MAIN), gold) == ()
    assert kinds(block_errors(seg(ONE, level=2), seg(MAIN))) == [(BlockFault.OFF, (MAIN,))]
