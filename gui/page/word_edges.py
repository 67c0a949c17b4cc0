"""Where words begin and end: a text that is dragged over is taken by whole words."""


def word_start(text: str, place: int) -> int:
    """Return where the word around ``place`` starts: half a word is a slip of the hand."""
    if 0 < place < len(text) and text[place].isalnum():
        while place > 0 and text[place - 1].isalnum():
            place -= 1
    return place


def word_end(text: str, place: int) -> int:
    """Return where the word that ends around ``place`` really ends."""
    if 0 < place < len(text) and text[place - 1].isalnum():
        while place < len(text) and text[place].isalnum():
            place += 1
    return place
