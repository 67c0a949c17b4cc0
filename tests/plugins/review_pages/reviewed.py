"""A page that Anna marked, the review of it, and answers to that."""

import json
import zlib

from annotate.marks import edits
from annotate.marks.anchor import Anchors
from annotate.marks.gold import Mark, Target
from annotate.plugins.review_pages.review_folder import write_review
from annotate.plugins.review_pages.review_page import ReviewLayer, ReviewPage
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace
from engine.document import Document
from tests.annotate.pages import nodes_of, row_of

FERRY = "https://example.org/ferry"
DIGEST = "d" * 64
HTML = "<h1>Harbour</h1><p id=a>A ferry</p><p id=b>comes <b>back</b></p>"
SESSION = "0123456789abcdef" * 2
TIME = "2026-11-28T10:00:00.000Z"


def workspace_of_anna(path):
    """Write a workspace with two marks of Anna's on a page; return their ids."""
    nodes = nodes_of(HTML)
    with Workspace.open(path) as workspace:
        annotators.change(workspace.store, workspace.annotator, "Anna", Role.ANNOTATOR)
        workspace.add_pages([Document(FERRY, FERRY)])
        workspace.visit(FERRY, title="Ferry", digest=DIGEST, viewport=(1280, 800))
        gold = workspace.load_gold(FERRY, nodes)
        gold = edits.add_block(gold, nodes, [Target(row_of(nodes, "h1"))], 2, "Title")
        gold = edits.add_block(gold, nodes, [Target(row_of(nodes, "a"))], 1, "Content")
        workspace.save_gold(FERRY, gold, nodes, "mark")
        return [mark.id for mark in gold.marks]


def page_of_anna(path, title="Ferry", url=FERRY, picture=None):
    """Return her page as one to review, with boxes of its own."""
    nodes = nodes_of(HTML)
    with Workspace.reading(path) as workspace:
        gold = workspace.load_gold(FERRY, nodes)
    anchors, names = Anchors(nodes), ("h1", "a", "b")
    boxes = [[20, 20 + 100 * n, 400, 60] for n in range(3)]
    rows = [row_of(nodes, name) for name in names]
    layer = ReviewLayer(
        "Gold",
        "#e69f00",
        tuple(anchors.record(mark) for mark in gold.marks),
        tuple([boxes[rows.index(mark.targets[0].row)]] for mark in gold.marks),
        ("Harbour", "A ferry"),
    )
    targets = tuple(anchors.record(Mark(str(n), 1, (Target(r),))) for n, r in enumerate(rows))
    blocks = tuple((box, -1) for box in boxes)
    return ReviewPage(
        FERRY, url, title, DIGEST, (1280, 800), (500, 400), picture, (layer,), blocks, targets
    )


def review_of_anna(folder):
    """Write workspace, review and key into a folder; return workspace, review and mark ids."""
    path = folder / "work.pagelet"
    marks = workspace_of_anna(path)
    page = page_of_anna(path)
    return path, write_review(folder / "review.html", "Ferries", [page], ["Anna"]), page, marks


def answers_file(written, page, log, who="Ben", session=SESSION, **changes):
    """Return the text of an answers file; the log has mark, verdict, block and words."""
    digest = json.loads(zlib.decompress(written.key.read_bytes()))["digest"]
    entries = [
        {"page": page.id, "mark": mark, "verdict": verdict, "block": block, "words": words,
         "time": TIME}
        for mark, verdict, block, words in log
    ]  # fmt: skip
    content = {"format": "pagelet-answers", "version": 1, "bundle": digest, "who": who,
               "session": session, "log": entries}  # fmt: skip
    return json.dumps(with_check({**content, **changes}))


def with_check(content):
    """Return the content of an answers file with its checksum, as a browser writes it."""
    fields = ("page", "mark", "verdict", "block", "words", "time")
    parts = [content["bundle"], content["session"], content["who"]]
    parts += [str(entry.get(name)) for entry in content["log"] for name in fields]
    text = "\0".join(map(str, parts)).encode("utf-8", "replace")
    return {**content, "check": f"{zlib.crc32(text):08x}"}
