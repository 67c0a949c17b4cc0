"""Letters that give a block its type."""

TYPE_KEYS = {
    "Header": "H", "Footer": "F", "Content": "C", "Sidebar": "S",
    "Logo": "L", "Menu": "N", "Title": "I", "Link list": "K", "Table": "B", "Comments": "O",
    "Ad": "A", "Image": "P", "Video": "E", "Article": "R", "Search bar": "Q",
}  # fmt: skip
"""Letters of Kreuzer's types.  First letters where free; V, M, D, T, G, U, Y, Z are tools."""

TYPE_HINTS = {
    "Menu": "navigation", "Title": "tItle", "Link list": "linK", "Table": "taBle",
    "Comments": "cOmments", "Image": "picture", "Video": "vidEo", "Article": "aRticle",
    "Search bar": "query",
}  # fmt: skip
"""What the letter reminds of where it is not the first."""
