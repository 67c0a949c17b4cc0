"""A review in Chromium and WebKit, by their own drivers: keys, a reload, the file, the merge."""

import pytest

from annotate.workspace.workspace import Workspace
from gui.cli.main import main
from tests.annotate.pages import nodes_of
from tests.plugins.review_pages.driven import (
    ALT,
    CONTROL,
    DELETE,
    DRIVERS,
    ENTER,
    RIGHT,
    driven,
    reason_without,
)
from tests.plugins.review_pages.reviewed import FERRY, HTML, review_of_anna

VERDICTS = "JSON.parse(Object.values(localStorage)[0]).log.map((each) => each.verdict)"
LEFT = "document.querySelector('#left').textContent"
pytestmark = [pytest.mark.slow, pytest.mark.web]


@pytest.fixture(params=DRIVERS)
def browser(request, tmp_path):
    if reason := reason_without(request.param):
        pytest.skip(reason)
    (tmp_path / "home").mkdir()
    with driven(request.param, tmp_path / "home") as result:
        yield result


def test_a_colleague_answers_by_keys_in_other_browsers(tmp_path, browser):
    path, written, _, (title, _) = review_of_anna(tmp_path)
    browser.open(written.index)
    assert browser.ask("location.hash") == f"#page=1&layer=1&mark={title}"
    browser.press("y")
    browser.press(DELETE)
    browser.press(CONTROL, "z")
    browser.click("#instead")  # Enter is not for this button then
    browser.press(RIGHT)
    browser.press(ENTER)
    browser.press(ALT, "n")
    browser.type("#words", "It begins here")
    browser.press(ENTER)
    told = ["right", "wrong", "open", "instead", "comment"]
    assert browser.ask(VERDICTS) == told
    browser.call("/refresh", {})
    browser.wait(f"{LEFT}.startsWith('All marks are answered')")
    browser.type("#who", "Ben")
    browser.click("#save")
    file = browser.saved("answers-Ben.json")
    assert main(["merge", str(file), "--out", str(path)]) == 0
    with Workspace.reading(path) as workspace:
        found = {who.shown: gold for who, gold in workspace.golds(FERRY, nodes_of(HTML)).items()}
    assert [mark.quote for mark in found["Ben"].marks] == ["Harbour", "comes back"]
    assert [mark.quote for mark in found["Anna"].marks] == ["Harbour", "A ferry"]


def test_two_tabs_of_one_review_go_on_with_one_work(tmp_path, browser):
    _, written, _, _ = review_of_anna(tmp_path)
    browser.open(written.index)
    first = browser.call("/window", method="GET")
    second = browser.call("/window/new", {"type": "tab"})["handle"]
    browser.call("/window", {"handle": second, "name": second})
    browser.open(written.index)
    browser.press("y")
    browser.call("/window", {"handle": first, "name": first})
    browser.wait(f"{LEFT} === '1 left here, 1 in all'")
    browser.press(DELETE)
    browser.call("/window", {"handle": second, "name": second})
    browser.wait("document.querySelector('#marks').textContent.includes('✗')")
    assert browser.ask(VERDICTS) == ["right", "wrong"]
