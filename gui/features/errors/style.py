"""Style of each kind of error, on the page and in lists: a sign, a line, a colour."""

from dataclasses import dataclass

from algorithms.explain.differences import BlockFault, ErrorKind


@dataclass(frozen=True)
class ErrorStyle:
    """Drawing style of a kind of error.

    Attributes:
        sign: One letter before it in lists: + for what is to be added, − for what is to go.
        color: ``#rrggbb``; distinct for colour-blind readers (Okabe and Ito).
        dash: The style of its line.
        line: Where the line of a text is: ``underline`` or ``line-through``.
    """

    sign: str
    color: str
    dash: str
    line: str = "underline"


STYLES = {
    str(ErrorKind.MISSING): ErrorStyle("+", "#C24A00", "wavy"),
    str(ErrorKind.SUPERFLUOUS): ErrorStyle("−", "#0067A6", "solid", "line-through"),
    str(BlockFault.MISSED): ErrorStyle("+", "#C24A00", "dashed"),
    str(BlockFault.SUPERFLUOUS): ErrorStyle("−", "#0067A6", "double"),
    str(BlockFault.SPLIT): ErrorStyle("÷", "#7A4FBF", "solid"),
    str(BlockFault.MERGED): ErrorStyle("∪", "#00734F", "solid"),
    str(BlockFault.OFF): ErrorStyle("≠", "#8C6D1F", "dotted"),
}
assert STYLES.keys() == {*map(str, ErrorKind), *map(str, BlockFault)}
