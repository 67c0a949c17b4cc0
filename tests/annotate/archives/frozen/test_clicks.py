"""Elements clicked before a page is frozen: their effect is in the file, and they are listed."""

import pytest

from annotate.archives.frozen.capturing import write_verified
from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.archives.frozen.verifying import verify
from annotate.datasets.opening import open_document
from engine.errors import CaptureError
from engine.web.freezing import freeze
from tests.annotate.archives.frozen.pages import write_page

pytestmark = pytest.mark.web

PAGE = """<!doctype html><meta charset=utf-8><title>Story</title>
<div id=banner>We use cookies <button id=ok>Accept all</button></div>
<p id=story>It began.</p><button class=more hidden>hidden</button>
<button class=more>Read more</button>
<script>
document.querySelector('#ok').onclick = () => document.querySelector('#banner').remove();
document.querySelectorAll('.more')[1].addEventListener('pointerdown', (event) => {
  const open = () => document.querySelector('#story').append(' It ended.');
  setTimeout(open, 50);
});
</script>"""


@pytest.mark.slow
def test_clicks_change_the_frozen_page_and_are_listed_in_the_certificate(browser, tmp_path):
    document = open_document(write_page(tmp_path / "page", PAGE))
    more = "/html[1]/body[1]/button[2]"
    frozen = freeze(browser, document, clicks=["#ok", more])
    assert frozen.clicked == ("#ok: <button> “Accept all”", f"{more}: <button> “Read more”")
    out = tmp_path / "story.wacz"
    made = write_verified(frozen, out, "an engine")
    assert made.verdict == "identical", list(made.lines())
    assert made.clicked == frozen.clicked
    assert f"clicked    {frozen.clicked[0]}" in list(made.lines())
    texts = " ".join(browser.capture(FrozenFile(out).document()).rendered().text)
    assert "It began. It ended." in " ".join(texts.split())
    assert "cookies" not in texts
    assert verify(out).clicked == frozen.clicked


def test_the_first_visible_element_that_matches_a_selector_is_clicked(browser, tmp_path):
    document = open_document(write_page(tmp_path / "page", PAGE))
    assert freeze(browser, document, clicks=[".more"]).clicked == (".more: <button> “Read more”",)


@pytest.mark.parametrize(
    ("name", "why"),
    [("#nobody", "names nothing on the page"), ("p:::", "is neither a selector nor an XPath")],
)
def test_freezing_raises_if_an_element_cannot_be_clicked(browser, tmp_path, name, why):
    document = open_document(write_page(tmp_path / "page", PAGE))
    with pytest.raises(CaptureError, match=f"{name} {why}"):
        freeze(browser, document, clicks=[name])
