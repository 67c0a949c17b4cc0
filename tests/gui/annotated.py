"""A page with marks of several annotators."""

from annotate.marks.gold import MAIN, Gold, Mark, Target, new_id
from annotate.workspace import annotators
from annotate.workspace.workspace import page_key

PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} header,nav,main,aside,footer{padding:20px}</style>
<header id=top><h1>The Courier of the quay</h1></header>
<nav id=nav><a href=/a>Home</a> <a href=/b>Ferries</a> <a href=/c>Tide tables</a></nav>
<main id=story><h2>Ferry back</h2>
<p id=first>The ferry returned to the harbour this morning, and all of the town was there.</p>
<p id=second>Nobody was hurt, the captain said later, and the coffee had been warm.</p>
<p id=third>It leaves again tomorrow, weather permitting, at nine.</p></main>
<aside id=side><p id=one>Tides are high tonight.</p><p id=two>Fog is expected at dawn.</p></aside>
<footer id=foot>Printed at the quay by those who wait for the ferry to come in</footer>
"""


def gold_of(hand, blocks, main):
    marks = [Mark(new_id(), level, (Target(hand.row(at)),), type) for level, type, at in blocks]
    marks += [Mark(new_id(), MAIN, (Target(hand.row(at)),)) for at in main]
    return Gold(tuple(marks))


def mark_as(window, name, gold):
    """Store marks of another annotator on the open page."""
    workspace, session = window.workbench.workspace, window.session
    me = workspace.annotator
    with workspace.store.saving():
        who = annotators.add(workspace.store, name)
    workspace.work_as(who)
    key = page_key(session.open.document)
    workspace.save_gold(key, gold, session.open.page.rendered(), "mark")
    workspace.work_as(me)
    workspace.load_gold(key, session.open.page.rendered())
