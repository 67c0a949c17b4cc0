"""Take the pictures of the documentation: ``python -m tests.gui.take_docs [NAME…]``.

Writes them to ``resources/pictures``, as the window is now; the figures of the methods are
``tests.plugins.figure.take_figures``'.  ``--check [NAME…]`` prints
what the window says otherwise than its pictures (`shown_texts`).  A picture is a WebP file of
100 kB at most.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import lxml.html
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

import resources
from algorithms.explain.explanations import Location
from annotate.marks import edits
from annotate.marks.gold import Target
from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.features.drafts.controller import DraftsController
from gui.features.drafts.learning import LearningDrafts
from gui.features.drafts.panel import LearningDock
from gui.features.evaluate.filtering import ComparedPair
from gui.features.evaluate.view import EvaluateView
from gui.features.extract.panel import MARKDOWN, ExtractDock
from gui.features.freezing.controller import FreezingController
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.features.pages.panel import PagesDock
from gui.features.triage.controller import Triage
from gui.features.why.state import WhyState
from gui.state.work_order import WorkOrder
from gui.window.window import Window
from tests.gui.parts import make_window
from tests.gui.scenes import PAGE, Scene, bare_page, end, open_sample, rest, use, wait
from tests.gui.shown_texts import changes_of, shown_texts, store_texts, stored_texts
from tests.plugin_parts import modules

MOST_BYTES = 100_000
WIDTH = 1300


def window_light(window: Window) -> None:
    """Show the news page with its gold and three methods."""
    for key in ("gleaner", "accb", "vips"):
        use(window, key)
    for layer in window.session.layers.all:
        is_drawn = layer.is_gold or layer.key in ("gleaner", "accb", "vips")
        window.session.layers.change_layer(layer.key, visible=is_drawn)


def evaluate_light(window: Window) -> None:
    """Show the table of all sample pages and methods after a run, sorted by difference."""
    main_area = window.workbench.main_area
    main_area.toggle(EvaluateView)
    table = main_area.get(EvaluateView)
    table.run()
    wait(lambda: table.running.is_running, 20)
    wait(lambda: not table.running.is_running, 400)
    table.model.compare(ComparedPair(0, 1))


def rounds(window: Window) -> None:
    """Show VIPS after its first separators."""
    use(window, "vips")
    window.session.layers.set_gold_only(False)
    window.session.layers.set_solo("vips")
    window.panel(DetailsDock).raise_()
    for _ in range(2):
        window.panel(DetailsDock).step(1)
        rest(300)


def extract_light(window: Window) -> None:
    """Show the documentation page and its extract by gleaner, rendered."""
    extract_of(window, "docs")
    dock = window.panel(ExtractDock)
    wait(lambda: "tern.schedule" in dock.reader.toPlainText(), 20)


def extract_of(window: Window, folder: str) -> None:
    """Open a sample page with its extract by gleaner in a panel."""
    open_sample(window, folder)
    use(window, "gleaner")
    window.session.layers.set_current_layer("gleaner")
    dock = window.panel(ExtractDock)
    dock.toggle()
    window.resizeDocks([dock], [480], Qt.Orientation.Horizontal)


def markdown(folder: str) -> Callable[[Window], None]:
    """Show a page with its extract by gleaner as Markdown."""

    def scene(window: Window) -> None:
        extract_of(window, folder)
        dock = window.panel(ExtractDock)
        dock.set_form(MARKDOWN)
        wait(lambda: dock.text.isVisible() and bool(dock.text.toPlainText()), 20)

    return scene


def why(folder: str, text: str) -> Callable[[Window], None]:
    """Show gleaner's explanation of an element that begins with some text."""

    def scene(window: Window) -> None:
        open_sample(window, folder)
        use(window, "gleaner")
        session = window.session
        for layer in session.layers.all:
            session.layers.change_layer(layer.key, visible=layer.is_gold or layer.key == "gleaner")
        nodes = session.open.page.rendered()
        row = next(
            row for row in range(len(nodes))
            if nodes.is_text[row] and nodes.text[row].strip().startswith(text)
        )  # fmt: skip
        window.workbench.canvas.scroll_to(row)
        session.get(WhyState).ask(Location(row))
        wait(lambda: bool(session.get(WhyState).answers), 60)
        wait(lambda: "gleaner" in session.get(WhyState).counterfactuals, 60)

    return scene


def drafts(window: Window) -> None:
    use(window, "terrain")
    window.workbench.get(DraftsController).adopt()
    window.workbench.get(DraftsController).step(1)


def certificate(window: Window) -> None:
    session = window.session
    there = len(session.documents)
    window.workbench.get(FreezingController).freeze()
    wait(lambda: len(session.documents) > there, 180)
    wait(lambda: session.open.page is not None and not window.workbench.canvas.is_busy, 60)
    wait(lambda: not window.workbench.runner.is_running, 60)


def ordered(window: Window) -> None:
    """List the sample pages hardest first."""
    window.workbench.get(Triage).toggle()
    wait(lambda: bool(window.session.get(WorkOrder).ranks), 120)
    hardest = window.panel(PagesDock).titles()[0]
    title = window.workbench.pages.title
    pages = window.session.documents
    at = next(number for number, each in enumerate(pages) if title(each) == hardest)
    window.workbench.navigation.open_document(at)
    wait(lambda: window.session.open.document == pages[at], 20)
    wait(lambda: window.session.open.page is not None, 60)


def learned(window: Window) -> None:
    """Mark the first of five pages; drop a few drafts on the others and confirm the rest."""
    learning, session = window.workbench.get(LearningDrafts), window.session
    folder = window.workbench.workspace.path.parent / "pages"
    for number, name in enumerate(("blog", "magazine", "recipe", "encyclopedia", "news")):
        own = folder / f"{number}-{name}"
        shutil.copytree(
            resources.path(f"corpus/{name}"), own, ignore=shutil.ignore_patterns("*.json")
        )
    window.workbench.navigation.open_path(str(folder))
    wait(lambda: len(session.documents) == 5 and session.open.page is not None, 60)
    learning._drafting.set_share("0 %")
    nodes = session.open.page.rendered()
    names = ("header", "nav", "main", "article", "aside", "footer")
    for row in (row for row in range(len(nodes)) if nodes.name_of(row) in names):
        window.workbench.marking.change(
            "mark", lambda gold, nodes, row=row: edits.add_block(gold, nodes, [Target(row)], 1)
        )
    learning.toggle()
    for number in range(1, 5):
        window.workbench.navigation.open_document(number)
        wait(lambda: session.open.document == session.documents[number], 20)  # noqa: B023
        wait(lambda: bool(session.open.gold.drafts()), 120)
        if number < 4:
            ids = [mark.id for mark in session.open.gold.drafts()]
            wrong = ids[:: 3 + 2 * number]
            window.workbench.marking.change(
                "drop", lambda gold, _nodes, ids=wrong: edits.remove(gold, ids)
            )
            window.workbench.marking.change(
                "confirm",
                lambda gold, nodes, ids=ids: edits.confirm(
                    gold, nodes, [mark.id for mark in gold.marks if mark.id in ids]
                ),
            )
    learning.state.show(True)
    wait(lambda: len(learning.state.measured) >= 4, 120)
    window.panel(LearningDock).raise_()


SCENES: dict[str, Scene] = {
    "window-light": Scene(window_light, (1300, 812)),
    "evaluate-light": Scene(evaluate_light, (1300, 812)),
    "extract-light": Scene(extract_light, (1300, 812)),
    **{
        f"markdown-{folder}": Scene(markdown(folder), (1300, 650))
        for folder in ("news", "docs", "forum", "shop", "search")
    },
    "why-news": Scene(why("news", "Swan holds up"), (1300, 750)),
    "why-forum": Scene(why("forum", "Is there a stove"), (1300, 750)),
    "why-shop": Scene(why("shop", "Bought for a fortnight"), (1300, 750)),
    "order-dark": Scene(ordered, (1100, 700), "dark"),
    "learned-light": Scene(learned, (1300, 812), of_corpus=False),
    "rounds": Scene(rounds, (1300, 781)),
    "drafts-light": Scene(drafts, (1100, 700), of_corpus=False, front=LayersDock),
    "certificate-light": Scene(certificate, (1300, 850), of_corpus=False, front=DetailsDock),
    **{name: scene for each in modules("scenes") for name, scene in each.SCENES.items()},
}
"""Scenes by the names of their files: of the core, then of each plug-in that is installed."""


def save(image: QImage, name: str) -> None:
    """Write a picture as well as it fits into the bytes it may take."""
    file = resources.path(f"pictures/{name}.webp")
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    if image.width() > WIDTH:
        image = image.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
    for quality in range(80, 20, -6):
        image.save(str(file), quality=quality)
        if file.stat().st_size <= MOST_BYTES:
            break
    print(f"{file.name}: {file.stat().st_size // 1000} kB", flush=True)


@contextmanager
def staged(name: str) -> Iterator[Window]:
    """Yield a window as it is in a picture, in a workspace of its own."""
    scene = SCENES[name]
    with tempfile.TemporaryDirectory() as folder:
        window = make_window(Path(folder))
        window.resize(*scene.size)
        if scene.of_corpus:
            window.workbench.navigation.open_path(str(resources.path("corpus")))
            wait(lambda: bool(window.session.documents), 60)
            pages = window.session.documents
            news = next(n for n, each in enumerate(pages) if PAGE in each.path)
            window.workbench.navigation.open_document(news)
            wait(lambda: window.session.open.document == pages[news], 20)
        else:
            window.workbench.navigation.open_path(str(bare_page(Path(folder))))
        wait(lambda: window.session.open.page is not None, 60)
        wait(lambda: not window.workbench.runner.is_running, 60)
        scene.show(window)
        if scene.front is not None:
            window.panel(scene.front).raise_()
        window.themes.choose(scene.theme)
        rest(1500)
        window.toast.hide()
        if not window.main_area.is_covered:
            window.workbench.canvas.settled_picture()  # waits until the page is painted
        yield window
        window.close_down()


def take(name: str) -> None:
    """Take one picture of the window, and keep what it says."""
    with staged(name) as window:
        save(window.grab().toImage(), name)
        store_texts(name, shown_texts(window))


def pagelet(*words: str) -> None:
    command = [sys.executable, "-m", "pagelet_command", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def report() -> Iterator[Path]:
    """Yield the report of five segmenters on the sample pages."""
    with tempfile.TemporaryDirectory() as folder:
        run, corpus = Path(folder) / "run", str(resources.path("corpus"))
        methods = "vips,terrain,webterrain,block-fusion,page-segmenter"
        pagelet(
            *("evaluate", corpus, "--methods", methods, "--report", "tables", "--out", str(run))
        )
        yield run / "report.html"


def report_texts(report: Path) -> list[str]:
    """Return what the beginning of a report says, but for the browser of this machine."""
    root = lxml.html.parse(str(report)).getroot()
    parts = root.xpath(
        "//dt[.!='Rendered by']/.. | //*[@id='summary' or @id='scores']//*[self::li or self::p or "
        "self::caption or self::tr]"
    )
    return sorted({" ".join(part.text_content().split()) for part in parts})


def take_report() -> None:
    """Take the beginning of the report, and keep what it says."""
    with report() as file:
        drawn = file.with_suffix(".png")
        pagelet("picture", str(file), "--no-gold", "--no-legend", "--out", str(drawn))
        image = QImage(str(drawn))
        save(image.copy(0, 0, image.width(), round(image.width() * 1.15)), "report")
        store_texts("report", report_texts(file))


def texts_now(name: str) -> list[str]:
    """Return what is said now where a picture was taken."""
    if name == "report":
        with report() as file:
            return report_texts(file)
    with staged(name) as window:
        return shown_texts(window)


def check(names: list[str]) -> None:
    """Print what the window says otherwise than its pictures, of all or those named."""
    stored = stored_texts()
    for name in names or [*SCENES, "report"]:
        for line in changes_of(name, stored[name], texts_now(name)):
            print(line, flush=True)


def main(names: list[str]) -> None:
    """Take all pictures, or those named; with --check first, compare them."""
    if names[:1] == ["--check"]:
        check(names[1:])
        return
    for name in names or [*SCENES, "report"]:
        take_report() if name == "report" else take(name)


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(sys.argv[1:])
    end()
