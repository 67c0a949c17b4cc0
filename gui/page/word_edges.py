"""Where words begin and end: a text that is dragged over is taken by whole words."""

from engine.word_units import word_around


def word_start(text: str, position: int) -> int:
    """Return where the word around ``position`` starts: half a word is a slip of the hand."""
    return word_around(text, position)[0]


def word_end(text: str, position: int) -> int:
    """Return where the word that ends around ``position`` really ends."""
    return word_around(text, position)[1]
