"""A review in a real browser: keys, a reload, the file of answers, and nothing that runs."""

from PySide6.QtCore import Qt

from annotate.plugins.review_pages.review_folder import write_review
from annotate.workspace.workspace import Workspace
from gui.cli.main import main
from tests.annotate.pages import nodes_of
from tests.plugins.review_pages.reviewed import FERRY, HTML, page_of_anna, review_of_anna
from tests.reader import read_in_browser

FETCH = """(() => {
    addEventListener("securitypolicyviolation", () => { window.kept = true; });
    new Image().src = "http://127.0.0.1:9/x.png";
    return 1;
})()"""
LOG = "state.log.map((each) => [each.verdict, each.block])"


def test_answers_typed_in_a_browser_survive_a_reload_and_are_merged(tmp_path, qtbot):
    path, written, _, (title, content) = review_of_anna(tmp_path)
    with read_in_browser(written.index, qtbot) as reader:
        assert "1 page with its address, 2 marks of Anna" in reader.ask("document.body.innerText")
        assert reader.ask("location.hash") == f"#page=1&layer=1&mark={title}"
        reader.press(Qt.Key.Key_Y)
        reader.wait("state.log.length === 1")
        assert reader.ask("location.hash") == f"#page=1&layer=1&mark={content}"
        reader.press(Qt.Key.Key_Delete)
        reader.wait("state.log.length === 2")
        qtbot.keyClick(reader.view.focusProxy(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        reader.wait("state.log.length === 3")
        reader.click("document.querySelector('#instead')")  # Enter is not for this button then
        reader.wait("choosing")
        reader.press(Qt.Key.Key_Right)
        reader.press(Qt.Key.Key_Return)
        reader.wait("state.log.length === 4")
        with qtbot.waitSignal(reader.view.loadFinished):
            reader.view.reload()
        assert reader.ask(LOG) == [["right", -1], ["wrong", -1], ["open", -1], ["instead", 2]]
        reader.click("document.querySelector('#who')")
        reader.wait("document.activeElement.id === 'who'")
        qtbot.keyClicks(reader.view.focusProxy(), "Ben")
        reader.wait("document.querySelector('#who').value === 'Ben'")
        file = _save(reader, tmp_path, qtbot)
    assert main(["merge", str(file), "--out", str(path)]) == 0
    with Workspace.reading(path) as workspace:
        found = {who.shown: gold for who, gold in workspace.golds(FERRY, nodes_of(HTML)).items()}
    assert [mark.quote for mark in found["Ben"].marks] == ["Harbour", "comes back"]
    assert [mark.quote for mark in found["Anna"].marks] == ["Harbour", "A ferry"]


def _save(reader, folder, qtbot):
    """Save the answers by the button; return the file."""
    requests = []

    def accept(request):
        request.setDownloadDirectory(str(folder))
        requests.append(request)
        request.accept()

    reader.view.page().profile().downloadRequested.connect(accept)
    reader.click("document.querySelector('#save')")
    qtbot.waitUntil(lambda: bool(requests) and requests[0].isFinished())
    return folder / requests[0].downloadFileName()


def test_nothing_of_a_page_runs_and_nothing_is_fetched(tmp_path, qtbot):
    path, _, _, _ = review_of_anna(tmp_path)
    evil = "</script><script>window.ran = 1</script><img src=x onerror='window.ran = 1'><!--"
    page = page_of_anna(path, title=evil, url=f"javascript:window.ran=1//{evil}")
    written = write_review(tmp_path / "evil.html", evil, [page], [evil])
    with read_in_browser(written.index, qtbot) as reader:
        assert evil in reader.ask("data.pages[0].title")
        assert reader.ask("document.querySelector('h1').textContent") == evil
        reader.ask(FETCH)
        reader.wait("window.kept === true")
        assert reader.ask("[window.ran === undefined, document.scripts.length]") == [True, 2]
        assert reader.ask("document.querySelectorAll('img, iframe, object, a').length") == 0
