"""Rendered pages whose blocks are known: a header, a menu, stories and a footer."""

import random

from tests.tables import page_of, table

WORDS = "river stone winter bridge paper window garden letter summer market village doctor".split()


def made_page(number):
    """Return a rendered page and its gold: texts and levels of its blocks."""
    rng = random.Random(number)

    def text(count):
        return " ".join(rng.choices(WORDS, k=count))

    stories = [text(rng.randrange(30, 60)) for _ in range(rng.randrange(2, 5))]
    links = [text(2) for _ in range(6)]
    title, end = text(4), f"© 2026 {text(5)}"
    height = 100 + 200 * len(stories)
    entries = [
        ("li", (0, top, 180, 20), [("a", (0, top, 90, 20), {"href": "/"}, word)])
        for top, word in zip(range(120, 900, 20), links, strict=False)
    ]
    told = [("div", (200, 100 + 200 * k, 800, 190), {"class": "story"}, [
                ("p", (200, 100 + 200 * k, 800, 90), story[: len(story) // 2]),
                ("p", (200, 190 + 200 * k, 800, 90), story[len(story) // 2 :])])
            for k, story in enumerate(stories)]  # fmt: skip
    body = ("body", (0, 0, 1000, height + 100), [
        ("div", (0, 0, 1000, 90), {"class": "header"}, [("h1", (0, 0, 1000, 60), title)]),
        ("ul", (0, 120, 180, 400), {"class": "menu"}, entries),
        ("div", (200, 100, 800, 200 * len(stories)), {"class": "main"}, told),
        ("div", (0, height, 1000, 80), {"class": "footer"}, [("p", (0, height, 1000, 20), end)]),
    ])  # fmt: skip
    gold = [(title, 1), ("".join(links), 2), ("".join(stories), 1), (end, 1)]
    gold += [(story, 2) for story in stories]
    return page_of(table(body, size=(1000, height + 100))), gold
