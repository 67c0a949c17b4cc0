"""Comparison of two versions on all listed pages, with the changed pages one by one."""

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject

from algorithms.explain.page_errors import PageError
from algorithms.plugins.external import environments
from annotate.datasets.cases import DataSet
from annotate.evaluation.run.open_pages import dataset_of, names_of
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.run_progress import RunProgress
from annotate.library.page_cases import Cases
from annotate.plugins.compare.compare import PageChange, compare, largest, parts_on, reason_of
from annotate.plugins.compare.runs import failures_of, plan_for, rows_in, run_versions
from annotate.plugins.compare.tables import as_csv, as_json, as_markdown
from annotate.plugins.external.sides import chosen_sides
from engine.bounded_file import atomic_write
from engine.errors import InputError, PageletError
from gui.core.background_run import BackgroundWork, Running, SignalWatcher, jobs
from gui.core.bundle_saving import BundleParts, BundleSaving, MakeBundle
from gui.core.workbench import Workbench
from gui.plugins.compare.state import ChangeWalk, ComparedVersions
from gui.widgets.jobs import Task


def comparison(dataset: DataSet, texts: Sequence[str], names: Sequence[str]) -> BackgroundWork:
    """Return the work that computes `ComparedVersions`; None if stopped before the first page."""

    def work(watcher: SignalWatcher) -> ComparedVersions | None:
        watcher.say("Preparing both versions")
        try:
            with environments.stopped_by(watcher.is_stopped):
                sides = chosen_sides(texts, names)
        except environments.InstallingStopped:
            return None
        options = EvaluationOptions(jobs=jobs(len(dataset.pages)))
        plan = plan_for((dataset,), sides, None, options)
        pages = run_versions(plan, watcher)
        if not pages:
            return None
        result = compare((sides[0], sides[1]), pages, plan.measures.text[0])
        return ComparedVersions(plan, result, failures_of(pages, sides))

    return work


DATASET = "open pages"
ENDINGS = ("csv", "json", "md")
_MOST_IN_MARKDOWN = 100


class ComparisonController(QObject):
    """Actions of the panel *What changed* and its keys."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self.walk = self._session.get(ChangeWalk)
        self._keys: dict[str, int] = {}  # name of a page → its position in the list
        self._run = Running(self)
        self._run.said.connect(self.walk.show_progress)
        self._run.progressed.connect(self._show_progress)
        self._run.finished.connect(self._take)
        self._run.ended.connect(self._end)
        self._next: tuple[str, str, tuple[str, str] | None] | None = None
        self._task = Task(self)
        self.parts: tuple[PageError, ...] = ()
        self.reason = ""
        workbench.stop_asked.connect(self.stop)
        workbench.requests.compare.connect(self.compare)
        self._session.documents_changed.connect(self._start_over)
        self._session.open.document_changed.connect(self._forget_parts)
        self._session.open.page_changed.connect(self._mark)
        self.walk.index_changed.connect(self._go)

    # running -----------------------------------------------------------------------------------
    def compare(self, before: str, after: str, names: tuple[str, str] | None = None) -> None:
        """Run two versions on all listed pages; a running comparison is cancelled."""
        self.walk.show(True)
        if self._run.is_running:
            self._next = (before, after, names)
            self._run.drop()
            return
        documents = self._session.documents
        names_on_list = [document.name for document in documents]
        if len(set(names_on_list)) < len(documents):
            names_on_list = names_of(documents)
        every = zip(names_on_list, documents, strict=True)
        named = [(name, each) for name, each in every if not each.is_live]
        try:
            if not named:
                raise InputError("open pages first: a file, a folder or a data set")
            for text in (before, after):
                if not text.strip():
                    raise InputError("name two versions to compare, such as bte and bte tag_cost=2")
            dataset = dataset_of(DATASET, named, self._workbench.workspace, self._session.files)
        except PageletError as error:
            self.walk.end(str(error))
            return
        self._keys = {name: k for k, name in enumerate(names_on_list)}
        self.walk.begin(*(names or (before.strip(), after.strip())))
        self._run.start(comparison(dataset, (before, after), names or ()))

    def stop(self) -> None:
        """Stop running pages; finished ones are listed."""
        self._next = None
        self._run.stop()

    def _start_over(self) -> None:
        self._next = None
        self._run.drop()
        self._forget_parts()
        self.walk.clear()

    def _show_progress(self, state: RunProgress) -> None:
        self.walk.show_progress(f"{state.done} of {state.total} done")

    def _take(self, compared: ComparedVersions | None) -> None:
        if compared is not None and self._next is None and self.walk.is_running:
            self.walk.take(compared)

    def _end(self, problem: str) -> None:
        following, self._next = self._next, None
        if following is not None:
            self.compare(*following)
            return
        walk = self.walk
        if walk.is_running:
            failures = () if walk.compared is None else walk.compared.failures.items()
            failed = (f"{name} failed on every page: {why}" for name, why in failures)
            walk.end(problem or next(failed, ""))
            self._workbench.requests.enable.emit()

    # steps -------------------------------------------------------------------------------------
    def step(self, by: int) -> None:
        """Go to the next or previous changed page; shows the panel."""
        self.walk.show(True)
        if not self.walk.items:
            self._session.messages.say("no page has changed: compare two versions first")
        self.walk.step(by)

    def title_of(self, name: str) -> str:
        """Return the title of a page by its name in the comparison."""
        at, documents = self._keys.get(name, -1), self._session.documents
        return self._workbench.pages.title(documents[at]) if at >= 0 else name

    def read(self) -> None:
        """Show and focus the page of the current change."""
        if self.walk.current is not None:
            self._workbench.main_area.show_page()

    def _forget_parts(self) -> None:
        """Drop the changes of the previous page at once: its rows are invalid on the next one."""
        self._task.cancel()
        self.parts, self.reason = (), ""

    def _go(self) -> None:
        """Open the page of the current change, or mark it if open; it replaces shown errors."""
        change = self.walk.current
        if change is not None:
            self._session.layers.layers_asked.emit()
        if change is None or self._is_open(change):
            self._mark()
            return
        self.parts, self.reason = (), ""
        if change.page.name in self._keys:
            self._workbench.navigation.open_document(self._keys[change.page.name])

    def _is_open(self, change: PageChange) -> bool:
        session = self._session
        at = self._keys.get(change.page.name, -1)
        known = 0 <= at < len(session.documents)
        return known and session.documents[at] == session.open.document

    def _mark(self) -> None:
        """Find lost and gained text on the open page, and the reasons, in the background."""
        self._forget_parts()
        change, page, compared = self.walk.current, self._session.open.page, self.walk.compared
        if change is None or compared is None or not self._is_open(change):
            self.walk.marked.emit()
        elif page is not None:
            sides = compared.result.sides
            self._task.start(
                lambda: (parts_on(page, change), change.reason or reason_of(sides, change)),
                self._show,
            )

    def _show(self, marked: tuple[tuple[PageError, ...], str]) -> None:
        self.parts, self.reason = marked
        ranges = [each for part in largest(self.parts)[:1] for each in part.ranges]
        self.walk.marked.emit()
        if not self.walk.is_shown:
            return
        if ranges:
            self._workbench.canvas.scroll_to_texts(ranges)
        elif self.walk.current is not None:
            self._session.messages.say("the page does not show what changed")

    # saving ------------------------------------------------------------------------------------
    def save(self) -> None:
        """Ask where to save all changes, as a table, JSON or Markdown."""
        if self.walk.compared is None:
            self._session.messages.say("compare two versions first")
            return
        self._workbench.main_area.files.save(
            "Save what changed", "Table, JSON or Markdown", ENDINGS, self.write, "changes.csv"
        )

    def write(self, path: str) -> None:
        """Write the changes in the format of the suffix, else as a table."""
        compared = self.walk.compared
        if compared is None:
            return
        file, result = Path(path), compared.result
        if file.suffix == ".json":
            text = json.dumps(as_json(result), indent=2, ensure_ascii=False) + "\n"
        elif file.suffix == ".md":
            text = as_markdown(result, _MOST_IN_MARKDOWN)
        else:
            text = as_csv(result)
        with self._session.messages.errors():
            with atomic_write(file) as beside:
                beside.write_text(text, encoding="utf-8", errors="backslashreplace")
            self._session.messages.say(f"saved {file.name}")


class ChangeBundle(BundleSaving):
    """Saves the changed pages as web pages, with both texts and the gold of each."""

    def ask(self) -> None:
        """Ask for a folder; its own, since an action finds its object by the class of this."""
        super().ask()

    def _what(self) -> tuple[MakeBundle, str]:
        compared = self._workbench.session.get(ChangeWalk).compared
        if compared is None or not compared.result.changes:
            raise InputError("no page has changed: compare two versions first")
        result, plan = compared.result, compared.plan
        changed = {(each.page.dataset, each.page.name) for each in result.changes}
        rows = [row for row in rows_in(result.pages) if row.run.key[:2] in changed]
        recipes = {s.entry.key: s.entry.recipe for s in result.sides if s.entry.recipe is not None}
        cases = Cases(plan.datasets)
        parts = BundleParts(rows, cases, recipes=recipes, compared=result.names)
        return (lambda: parts), " → ".join(result.names)
