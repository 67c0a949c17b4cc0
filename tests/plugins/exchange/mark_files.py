"""A page, and files with marks of it as other tools write them."""

import json

from annotate.marks.page_text import page_text
from annotate.plugins.exchange.imports import MarkFile, recognise_format
from engine.document import Document
from tests.annotate.pages import row_of

BODY = (
    "<div id=top><p id=menu>home news about</p></div>"
    "<div id=body><h1 id=title>Ferry and quay</h1><p id=one>the ferry came back this morning "
    "after nine years</p><p id=two>and the <b class=town>town</b> stood on the quay</p></div>"
)
TEXT = "Ferry and quay\nthe ferry came back this morning after nine years\nand the town stood on\n"


def imported(page, tmp_path, key, content, name="story.json"):
    """Return the marks of a file and its account, after recognising its format by content."""
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    assert recognise_format(path) == key
    file = MarkFile(path, key)
    called = file.name_of("story.html", Document("https://example.org/story.html", "story.html"))
    account = file.account
    marks = ()
    if called is not None:
        result = file.marks(called, page)
        account.add(result.account)
        marks = result.gold.marks
    return marks, account


def quotes(page, marks):
    return [page_text(page.rendered()).quote(mark.targets) for mark in marks]


def box_of(page, name):
    return page.rendered().rect[row_of(page.rendered(), name)].tolist()


def coco(page, **annotation):
    return {
        "images": [{"id": 0, "file_name": "story.png"}],
        "categories": [{"id": 0, "name": "Article"}],
        "annotations": [{"id": 5, "image_id": 0, "category_id": 0} | annotation],
    }


def span(**value):
    return {"id": "s", "from_name": "label", "type": "hypertextlabels", "value": value}


def annotation(*selectors, **more):
    return {
        "type": "Annotation",
        "target": {"source": "https://example.org/story.html", "selector": list(selectors)},
    } | more


def refined(selector, by):
    return selector | {"refinedBy": by}


XPATH = {"type": "XPathSelector", "value": "/html/body/div[2]/p"}
QUOTE = {"type": "TextQuoteSelector", "exact": "ferry"}
