"""Bundles: an evaluation as a folder of plain web pages, readable without Pagelet.

Summary → method → page → picture with layers to switch on and off, scores, errors and reasons.
Needs no server and runs nothing of the evaluated pages: of these there is one picture each, and
every text is escaped.  A content security policy allows the bundle's own style, script and
pictures, and nothing else.
"""

import hashlib
import json
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from pathlib import Path

import numpy as np

import resources
from algorithms.measures.significance import BOOTSTRAP_TEXT, Interval, bootstrap_means
from annotate.evaluation.bundle.page import (
    GAINED_COLOR,
    GOLD_COLOR,
    LOST_COLOR,
    TALLEST,
    WIDEST,
    BundlePage,
    MethodKey,
    RunScores,
    SheetKey,
    layer_colors,
    page_document,
    sheet_of,
)
from annotate.evaluation.report.markup import fill_template
from annotate.evaluation.report.result_files import groups_of, write_summary
from annotate.evaluation.store.row_files import write_rows
from annotate.evaluation.store.rows import ResultRow, cells
from annotate.evaluation.tables.method_colors import color_of
from annotate.evaluation.tables.result_table import Results
from annotate.evaluation.tables.summaries import references_by_input
from engine.bounded_file import atomic_write
from engine.errors import convert_os_error
from engine.version import own_version

MOST_BYTES = 150_000
"""Of a picture, so that a page with all it shows stays below 200 kB."""

_DONE = "pages/done.jsonl"
_INDEX_S, _INDEX_SHARE = 2.0, 0.05
"""Seconds after which the lists of pages are written again, and what share of all time that may
take: of many pages they are long."""

_WIDTHS, _QUALITIES = (WIDEST, 800, 640, 480, 320), (70, 55, 40, 25)


class Bundle:
    """A bundle that is being written: its index first, then page by page.

    Args:
        out: The folder; made if it is not there.
        title: Of the whole.
        rows: Rows of `evaluate`, for all pages.
        with_content: Whether pages are shown, or only their scores.
        with_variants: Data sets whose inputs are separate files; of others there is one sheet a
            page, whatever was read of it.
        resumes: Whether pages that lie there already, of the same rows, are left as they are.
        copies: Data set → name of each copy of an earlier page → name of that page; intervals count
            both once.

    Raises:
        InputError: The folder cannot be written to.

    Attributes:
        missing: Keys of the pages that are still to be written, in the order they are listed.
    """

    def __init__(
        self,
        out: Path,
        title: str,
        rows: Sequence[ResultRow],
        *,
        with_content: bool = True,
        with_variants: Collection[str] = (),
        resumes: bool = False,
        copies: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self._out, self._title = out, title
        self._scores = RunScores(rows, with_variants)
        self._names = sheet_names(self._scores)
        self._titles: dict[SheetKey, str] = {}  # of the pages that are written
        self._digests = _digests(rows, with_variants, with_content=with_content)
        with convert_os_error(f"write to {out}"):
            (out / "pages").mkdir(parents=True, exist_ok=True)
            (out / "methods").mkdir(exist_ok=True)
            done = _done_in(out / _DONE) if resumes else {}
            self.missing = [key for key in self._names if not self._is_done(key, done)]
            lines = map(self._line, self._titles)
            (out / _DONE).write_text("".join(lines), "utf-8")
        style, results = resources.read_text("bundle/bundle.css"), Results.of(rows)
        colors = {color_of(method) for method, _ in self._scores.methods}
        colors |= {GOLD_COLOR, LOST_COLOR, GAINED_COLOR}
        _write(out / "bundle.css", style + layer_colors(colors))
        _write(out / "bundle.js", resources.read_text("bundle/bundle.js"))
        write_rows(out / "scores.csv", map(cells, rows))
        write_summary(out / "summary.csv", groups_of(results))
        self._intervals = _intervals(self._scores, copies or {})
        self._against = list(_against(results))
        self._listed, self._list_s = 0.0, 0.0  # time and duration of the last lists
        self.write_lists()

    def add(self, page: BundlePage) -> None:
        name = self._names[page.key]
        self._titles[page.key] = page.title
        if page.picture is not None:
            _write(self._out / "pages" / f"{name}.jpg", page.picture)
        html = page_document(page, self._scores, self._names)
        _write(self._out / "pages" / f"{name}.html", html)
        notes = self._out / _DONE
        with convert_os_error(f"write to {self._out}"), notes.open("a", encoding="utf-8") as file:
            file.write(self._line(page.key))
        if time.monotonic() - self._listed > max(_INDEX_S, self._list_s / _INDEX_SHARE):
            self.write_lists()

    def write_lists(self) -> Path:
        """Write what lists the pages, with links to those there are; return the first page."""
        began = time.monotonic()
        for of in self._scores.methods:
            _write(self._out / "methods" / f"{self._scores.file(of)}.html", self._method(of))
        index = self._out / "index.html"
        _write(index, self._summary())
        self._listed = time.monotonic()
        self._list_s = self._listed - began
        return index

    def _is_done(self, key: SheetKey, done: Mapping[str, tuple[str, str]]) -> bool:
        digest, title = done.get(self._names[key], ("", ""))
        html = self._out / "pages" / f"{self._names[key]}.html"
        if digest != self._digests[key] or not html.is_file():
            return False
        self._titles[key] = title
        return True

    def _line(self, key: SheetKey) -> str:
        """Return the note that a page is written, and of what."""
        title = self._titles[key]
        note = {"page": self._names[key], "digest": self._digests[key], "title": title}
        return json.dumps(note) + "\n"

    def _summary(self) -> str:
        """Return the first page: methods with their means, then all pages."""
        scores = self._scores
        order = sorted(scores.methods, key=lambda m: ((i := self._intervals[m]) and -i.mean) or 0.0)
        order.sort(key=lambda m: scores.seen(m) > 0)  # no rank
        runs = {of: rows[0].run for (_, of), rows in reversed([*scores.rows.items()])}
        return fill_template(
            "bundle/index.html",
            up="",
            title=self._title,
            version=own_version(),
            bootstrap=BOOTSTRAP_TEXT,
            written=len(self._titles),
            scores=scores,
            methods=[
                {
                    "of": of,
                    "version": runs[of].version,
                    "parameters": _in_words(runs[of].parameters),
                    "measure": scores.measure(of),
                    "interval": self._intervals[of],
                    "count": sum(scores.value(key, of) is not None for key in self._names),
                }
                for of in order
            ],
            against=self._against,
            pages=[
                {**self._listing(key), "scores": [scores.value(key, of) for of in order]}
                for key in self._names
            ],
        )

    def _listing(self, key: SheetKey) -> dict[str, object]:
        """Return a page's entry in the list; without a name while it is not written."""
        is_written = key in self._titles
        return {
            "name": self._names[key] if is_written else "",
            "facts": [fact for fact in key if fact],
            "title": self._titles.get(key) or key[1],
        }

    def _method(self, of: MethodKey) -> str:
        """Return the page of a method: its pages, the worst first."""
        scores = self._scores
        listed = [(scores.value(key, of), key) for key in self._names if (key, of) in scores.rows]
        listed.sort(key=lambda each: (each[0] is None, each[0] or 0.0))
        return fill_template(
            "bundle/method.html",
            up="../",
            title=scores.name(of),
            measure=scores.measure(of),
            seen=scores.seen(of),
            pages=[
                {**self._listing(key), "value": value, "ending": scores.ending(key, of)}
                for value, key in listed
            ],
        )


def write_bundle(
    out: Path, title: str, rows: Sequence[ResultRow], pages: Iterable[BundlePage]
) -> Path:
    """Write a whole bundle of pages as they come; return its first page, errors as `Bundle`."""
    bundle = Bundle(out, title, rows)
    for page in pages:
        bundle.add(page)
    return bundle.write_lists()


def _digests(
    rows: Sequence[ResultRow], with_variants: Collection[str], *, with_content: bool
) -> dict[SheetKey, str]:
    """Return what changes with anything that a page of the bundle shows of its rows."""
    result: dict[SheetKey, hashlib.blake2b] = {}
    for row in rows:
        digest = result.setdefault(sheet_of(row, with_variants), hashlib.blake2b(digest_size=12))
        digest.update(repr((own_version(), with_content, cells(row))).encode("utf-8", "replace"))
    return {key: digest.hexdigest() for key, digest in result.items()}


def _done_in(path: Path) -> dict[str, tuple[str, str]]:
    """Return name of a page → digest and title, as far as the notes can be read."""
    result: dict[str, tuple[str, str]] = {}
    with suppress(FileNotFoundError):
        for line in path.read_text("utf-8", "replace").split("\n"):
            with suppress(ValueError, KeyError, TypeError):  # torn where the writer was killed
                note = json.loads(line)
                result[str(note["page"])] = str(note["digest"]), str(note["title"])
    return result


def _intervals(
    scores: RunScores, copies: Mapping[str, Mapping[str, str]]
) -> dict[MethodKey, Interval | None]:
    """Return the mean of each method with its 95 % interval, by the measure it is shown by."""
    values = [
        [np.nan if (v := scores.value(key, m)) is None else v for m in scores.methods]
        for key in scores.sheets
    ]
    columns = np.array(values, dtype=np.float64).reshape(len(scores.sheets), len(scores.methods))
    groups = [f"{name}/{copies.get(name, {}).get(page, page)}" for name, page, _ in scores.sheets]
    return dict(zip(scores.methods, bootstrap_means(columns, groups=groups), strict=True))


def _against(results: Results) -> Iterator[dict[str, object]]:
    """Yield what methods are to be seen against: everything, the best of each page, and so on."""
    sets = groups_of(results)
    for dataset, groups in sets.items():
        texts = [group for group in groups if group.setup.is_extractor]
        if not texts:
            continue
        main = max(texts[0].measures, key=attrgetter("is_main"))
        by_input = references_by_input(dataset, texts, results, [main])
        for form, by_measure in by_input.items():
            of = [*[dataset] * (len(sets) > 1), *[form] * (len(by_input) > 1)]
            for reference, summary in by_measure[main.key].known.items():
                name, mean, count = ", ".join((reference, *of)), summary.value, summary.pages
                yield {"name": name, "measure": main.key, "mean": mean, "count": count}


def _in_words(parameters: str) -> str:
    values = json.loads(parameters or "{}")
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def shrunk(jpeg: bytes, most: int = MOST_BYTES) -> bytes:
    """Return a picture in so few bytes: smaller and plainer until it fits."""
    from engine.opencv import cv2

    picture = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        return b""
    picture, result = picture[:TALLEST], b""
    high, wide = picture.shape[:2]
    for width in _WIDTHS:
        scale = min(1.0, width / wide)
        size = max(1, int(wide * scale)), max(1, int(high * scale))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        for quality in _QUALITIES:
            _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
            result = data.tobytes()
            if len(result) <= most:
                return result
    return result


def sheet_names(scores: RunScores) -> dict[SheetKey, str]:
    """Return the name that the files of each page have in ``pages``, without ending."""
    return {key: _name(number, key) for number, key in enumerate(scores.sheets)}


def _name(number: int, key: SheetKey) -> str:
    """Return the name of a page's files, without ending."""
    stem = re.sub(r"\.x?html?$", "", key[1], flags=re.IGNORECASE)
    words = (re.sub(r"[^A-Za-z0-9.+-]+", "-", part).strip("-.") for part in (stem, key[2]))
    return "-".join((f"{number:04d}", *filter(None, words)))[:70].rstrip("-.")


def _write(path: Path, data: bytes | str) -> None:
    with atomic_write(path) as beside:
        beside.write_bytes(data.encode("utf-8", "replace") if isinstance(data, str) else data)
