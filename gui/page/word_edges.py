"""Where words begin and end: a text that is dragged over is taken by whole words."""


def word_start(text: str, position: int) -> int:
    """Return where the word around ``position`` starts: half a word is a slip of the hand."""
    if 0 < position < len(text) and text[position].isalnum():
        while position > 0 and text[position - 1].isalnum():
            position -= 1
    return position


def word_end(text: str, position: int) -> int:
    """Return where the word that ends around ``position`` really ends."""
    if 0 < position < len(text) and text[position - 1].isalnum():
        while position < len(text) and text[position].isalnum():
            position += 1
    return position
