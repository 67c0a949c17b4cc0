"""Small pages, each with one passage that nobody sees, or with one that looks so and is seen."""

import random

_WORDS = "river stone letter window garden market winter copper ladder meadow bridge candle".split()

_BOX = "<div style='position:absolute;inset:{};background:#{{grey}}'></div>"

HIDING = {
    "closed details": ("<details><summary>More</summary><{tag}>{text}</{tag}></details>",),
    "hidden attribute": ("<{tag} hidden>{text}</{tag}>", "<div hidden><{tag}>{text}</{tag}></div>"),
    "display": (
        "<style>.k{n} {{display: none}}</style><div class=k{n}><{tag}>{text}</{tag}></div>",
        "<{tag} style='display:none'>{text}</{tag}>",
    ),
    "visibility": (
        "<{tag} style='visibility:hidden'>{text}</{tag}>",
        "<div style='visibility:collapse'><{tag}>{text}</{tag}></div>",
    ),
    "opacity": (
        "<{tag} style='opacity:0'>{text}</{tag}>",
        "<div style='opacity:.2'><div style='opacity:.1'><{tag}>{text}</{tag}></div></div>",
    ),
    "size": (
        "<{tag} style='font-size:0'>{text}</{tag}>",
        "<{tag} style='font-size:1px'>{text}</{tag}>",
    ),
    "colour": (
        "<{tag} style='color:#fff'>{text}</{tag}>",
        "<div style='background:#{grey}'><{tag} style='color:#{grey}'>{text}</{tag}></div>",
        "<{tag} style='color:transparent'>{text}</{tag}>",
    ),
    "off the screen": (
        "<{tag} style='position:absolute;left:-9999px'>{text}</{tag}>",
        "<div style='position:absolute;top:-{far}px'><{tag}>{text}</{tag}></div>",
        "<div style='text-indent:-9999px;white-space:nowrap'>{text}</div>",
    ),
    "clipped": (
        "<div style='height:0;overflow:hidden'><{tag}>{text}</{tag}></div>",
        "<span style='position:absolute;width:1px;height:1px;overflow:hidden'>{text}</span>",
        ("<div style='height:80px;overflow:hidden'><hr style='height:{far}px'>"
        "<{tag}>{text}</{tag}></div>"),
    ),
    "covered": (
        "<div style='position:relative'><{tag}>{text}</{tag}>" + _BOX.format("-5px") + "</div>",
    ),
}  # fmt: skip
"""Kind → markup that hides a text."""

SEEN = (
    "<details open><summary>More</summary><{tag}>{text}</{tag}></details>",
    "<{tag} style='opacity:.5'>{text}</{tag}>",
    "<{tag} style='font-size:8px'>{text}</{tag}>",
    "<div style='background:#{grey}'><{tag} style='color:#fff'>{text}</{tag}></div>",
    "<div style='height:60px;overflow:auto'><hr style='height:300px'><{tag}>{text}</{tag}></div>",
    "<div style='height:90px;overflow:hidden'><{tag}>{text}</{tag}></div>",
    f"<div style='position:relative'>{_BOX.format(0)}<b style='position:relative'>{{text}}</b>",
    "<div style='visibility:hidden'><{tag} style='visibility:visible'>{text}</{tag}></div>",
    "<{tag} aria-hidden=true>{text}</{tag}>",
    "<{tag} style='position:absolute;right:0;top:0'>{text}</{tag}>",
)


def unseen_page(kind: str, number: int) -> tuple[str, str]:
    """Return a page and its planted passage; kind "" plants one that is seen."""
    chance = random.Random(f"{kind} {number}")
    planted = " ".join(f"{chance.choice(_WORDS)}x{number}y{k}" for k in range(chance.randint(2, 9)))
    form = chance.choice(HIDING[kind] if kind else SEEN)
    grey = chance.choice(("345", "402010", "123456", "333"))
    part = form.format(
        tag=chance.choice(("p", "div", "span", "li", "b")), text=planted, n=number, grey=grey,
        far=chance.randint(2000, 9000),
    )  # fmt: skip
    paragraphs = [
        f"<p>{' '.join(chance.choices(_WORDS, k=chance.randint(8, 40)))}</p>"
        for _ in range(chance.randint(1, 5))
    ]
    paragraphs.insert(chance.randint(0, len(paragraphs)), part)
    return f"<!doctype html><title>T</title><body>{''.join(paragraphs)}", planted
