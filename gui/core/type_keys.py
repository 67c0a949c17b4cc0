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

TYPE_WORDS = {
    "Header": ("page top", "masthead", "banner area"),
    "Footer": ("page bottom", "imprint", "copyright area"),
    "Content": ("main area", "text body block"),
    "Sidebar": ("aside", "side column"),
    "Logo": ("brand", "company emblem"),
    "Menu": ("navigation", "navbar", "nav"),
    "Title": ("headline", "heading"),
    "Link list": ("related links", "list of links"),
    "Table": ("tabular data", "grid of cells"),
    "Comments": ("user comments", "discussion block"),
    "Ad": ("advertisement", "sponsored", "banner ad"),
    "Image": ("picture", "photo", "figure block"),
    "Video": ("film", "player", "clip"),
    "Article": ("story", "post", "news item"),
    "Search bar": ("search box", "query field"),
}
"""What else a type may be called: the palette finds it by them."""
