"""How each kind of error looks, on the page and in lists: a sign, a line, a colour of its own."""

from dataclasses import dataclass

from algorithms.explain.differences import BlockFault, ErrorKind


@dataclass(frozen=True)
class Look:
    """What a kind of error is drawn with.

    Attributes:
        sign: One letter before it in lists.
        color: ``#rrggbb``; told apart by colour-blind readers (Okabe and Ito).
        dash: The style of its line.
        line: Where the line of a text is: ``underline`` or ``line-through``.
    """

    sign: str
    color: str
    dash: str
    line: str = "underline"


LOOKS = {
    str(ErrorKind.MISSING): Look("−", "#C24A00", "wavy"),
    str(ErrorKind.SUPERFLUOUS): Look("+", "#0067A6", "solid", "line-through"),
    str(BlockFault.MISSED): Look("−", "#C24A00", "dashed"),
    str(BlockFault.SUPERFLUOUS): Look("+", "#0067A6", "double"),
    str(BlockFault.SPLIT): Look("÷", "#7A4FBF", "solid"),
    str(BlockFault.MERGED): Look("∪", "#00734F", "solid"),
    str(BlockFault.OFF): Look("≠", "#8C6D1F", "dotted"),
}
assert LOOKS.keys() == {*map(str, ErrorKind), *map(str, BlockFault)}
