"""No main content: errors, checks and empty shells, and pages like them that have content."""

import pytest

from algorithms.core.catalogue import method
from engine.source import Source

MENU = "<ul>" + "".join(f"<li><a href=/{k}>Part {k}</a>" for k in range(9)) + "</ul>"
STORY = (
    "<article>" + "<p>The ferry returned to the harbour in the evening, and nobody was hurt. " * 6
)
CONSENT = (
    "<div><p>We and our partners store cookies and personal data for advertising and analytics "
    "with your consent, and share identifiers with vendors who work for us.</p>"
    "<button>Accept all</button><button>Reject all</button></div>"
)
CART = (
    "<div class=cart-drawer><h2>Your cart</h2><p>Loading...</p><p>Subtotal</p><p>Shipping "
    "calculated at checkout</p><button>Check out</button></div>"
)
NONE = {
    "error": "<title>404 Not Found</title>" + MENU + "<h1>Page not found</h1><p>Try the search.",
    "error in German": "<title>Fehler</title><h1>Seite nicht gefunden</h1>" + MENU,
    "gateway": "<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>nginx",
    "scripts": "<title>App</title><p>You need to enable JavaScript to run this.",
    "robots": "<title>Wait</title><p>Verify you are human by completing the action below.",
    "login": "<h2>Sign in</h2><form><label>Mail<input></label><input type=password></form>" + MENU,
    "consent": "<title>Shop</title>" + CONSENT,
    "shell": "<title>Mail</title><div id=root></div><script>start()</script>",
    "shop": "<title>Lamps</title><header class=site-header>" + MENU + CART + "</header><main>"
    "<div id=app></div></main><footer class=site-footer><h3>Help</h3>" + MENU + "</footer>",
}
SOME = {
    "an article on the error": "<title>What a 404 Not Found means</title>" + STORY,
    "an article above a login": STORY + "<h3>Sign in</h3><form><input type=password></form>",
    "an article with a question": STORY + CONSENT,
    "an article that works without scripts": STORY + "<p>Enable JavaScript for comments.",
    "an article in a shop": "<title>Lamps</title><header>" + MENU + CART + "</header>" + STORY,
}


def answer(html):
    entry = method("gleaner")
    return entry.on_source(Source.from_text(html), entry.params())


@pytest.mark.parametrize("name", NONE)
def test_a_page_without_main_content_is_answered_with_a_reason(name):
    result = answer(NONE[name])
    assert result.no_content
    assert not result.text


@pytest.mark.parametrize("name", SOME)
def test_a_page_with_content_is_read(name):
    result = answer(SOME[name])
    assert not result.no_content
    assert "ferry" in result.text


def test_why_and_result_agree():
    entry, source = method("gleaner"), Source.from_text(NONE["error"])
    trace = entry.trace_source(source, entry.params())
    assert "the page reports an error" in trace.steps[-1].sentence(0)


def test_a_page_of_which_no_part_is_likely_says_so_in_why_too():
    entry, source = method("gleaner"), Source.from_text(NONE["shop"])
    steps = entry.trace_source(source, entry.params()).steps
    assert answer(NONE["shop"]).no_content == "no part of the page is likely to be content"
    assert "no part of the page is likely to be content" in steps[-1].sentence(0)
