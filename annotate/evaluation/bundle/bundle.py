"""Bundles: an evaluation as a folder of plain web pages, to hand to somebody without Pagelet.

Summary → method → page → picture with layers to switch on and off, scores, errors and reasons.
Needs no server and runs nothing of the evaluated pages: of these there is one picture each, and
every text is escaped.  A content security policy allows the bundle's own style, script and
pictures, and nothing else.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

import resources
from algorithms.measures.significance import BOOTSTRAP_TEXT, Interval, bootstrap_means
from annotate.evaluation.bundle.page import (
    GOLD_COLOR,
    TALLEST,
    WIDEST,
    BundlePage,
    RunScores,
    layer_colors,
    page_document,
)
from annotate.evaluation.method_colors import color_of
from annotate.evaluation.report.markup import slug
from annotate.evaluation.results import Results
from annotate.evaluation.rows import ResultRow, cells
from annotate.evaluation.templates import rendered
from annotate.evaluation.writing import groups_of, write_rows, write_summary
from engine.errors import InputError
from engine.version import own_version
from engine.whole_file import atomic_write

PageKey = tuple[str, str, str]
"""Data set, page and input, as rows have them."""

MOST_BYTES = 150_000
"""Of a picture, so that a page with all it shows stays below 200 kB."""

_DONE = "pages/done.jsonl"
_INDEX_EVERY = 50
"""Pages, after which the index is written again: titles are known as pages are."""

_WIDTHS, _QUALITIES = (WIDEST, 800, 640, 480, 320), (70, 55, 40, 25)


class Bundle:
    """A bundle that is being written: its index first, then page by page.

    Args:
        out: The folder; made if it is not there.
        title: Of the whole.
        rows: What `evaluate` found, of all pages.
        with_content: Whether pages are shown, or only their scores.
        resumes: Whether pages that lie there already, of the same rows, are left as they are.

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
        resumes: bool = False,
    ) -> None:
        self._out, self._title = out, title
        self._scores = RunScores.of(rows)
        self._names = {key: _name(n, key) for n, key in enumerate(self._scores.pages)}
        self._titles: dict[PageKey, str] = {}
        self._digests = _digests(rows, with_content=with_content)
        try:
            (out / "pages").mkdir(parents=True, exist_ok=True)
            (out / "methods").mkdir(exist_ok=True)
            done = _done_in(out / _DONE) if resumes else {}
            self.missing = [key for key in self._names if not self._is_done(key, done)]
            (out / _DONE).write_text(
                "".join(self._line(key) for key in self._names if key not in self.missing), "utf-8"
            )
        except OSError as error:
            raise InputError(f"cannot write to {out}: {error.strerror or error}") from error
        style = resources.read_text("bundle/bundle.css")
        colors = set(map(color_of, self._scores.methods)) | {GOLD_COLOR}
        _write(out / "bundle.css", style + layer_colors(colors))
        _write(out / "bundle.js", resources.read_text("bundle/bundle.js"))
        write_rows(out / "scores.csv", rows)
        write_summary(out / "summary.csv", groups_of(Results.of(rows)))
        self._intervals = _intervals(self._scores)
        self._count = 0
        self._write_index()

    def add(self, page: BundlePage) -> None:
        """Write a page."""
        name = self._names[page.key]
        self._titles[page.key] = page.title
        if page.picture is not None:
            _write(self._out / "pages" / f"{name}.jpg", page.picture)
        html = page_document(page, self._scores, self._names)
        _write(self._out / "pages" / f"{name}.html", html)
        try:
            with (self._out / _DONE).open("a", encoding="utf-8") as file:
                file.write(self._line(page.key))
        except OSError as error:
            raise InputError(f"cannot write to {self._out}: {error.strerror or error}") from error
        self._count += 1
        if self._count % _INDEX_EVERY == 0:
            self._write_index()

    def finish(self) -> Path:
        """Write what lists all pages, with their titles; return the first page."""
        for method in self._scores.methods:
            html = _method(method, self._scores, self._names, self._titles)
            _write(self._out / "methods" / f"{slug(method)}.html", html)
        return self._write_index()

    def _write_index(self) -> Path:
        index = self._out / "index.html"
        _write(index, self._summary())
        return index

    def _is_done(self, key: PageKey, done: Mapping[str, tuple[str, str]]) -> bool:
        digest, title = done.get(self._names[key], ("", ""))
        html = self._out / "pages" / f"{self._names[key]}.html"
        if digest != self._digests[key] or not html.is_file():
            return False
        self._titles[key] = title
        return True

    def _line(self, key: PageKey) -> str:
        """Return the note that a page is written, and of what."""
        note = {
            "page": self._names[key],
            "digest": self._digests[key],
            "title": self._titles.get(key, ""),
        }
        return json.dumps(note) + "\n"

    def _summary(self) -> str:
        """Return the first page: methods with their means, then all pages."""
        scores = self._scores
        order = sorted(scores.methods, key=lambda m: ((i := self._intervals[m]) and -i.mean) or 0.0)
        runs = {method: rows[0].run for (_, method), rows in reversed([*scores.rows.items()])}
        return rendered(
            "bundle/index.html",
            up="",
            title=self._title,
            version=own_version(),
            bootstrap=BOOTSTRAP_TEXT,
            methods=[
                {
                    "key": method,
                    "version": runs[method].version,
                    "parameters": _in_words(runs[method].parameters),
                    "measure": scores.measure(method),
                    "interval": self._intervals[method],
                    "count": sum(scores.value(key, method) is not None for key in self._names),
                }
                for method in order
            ],
            pages=[
                {
                    "name": name,
                    "key": key,
                    "title": self._titles.get(key) or key[1],
                    "scores": [scores.value(key, method) for method in order],
                }
                for key, name in self._names.items()
            ],
        )


def write_bundle(
    out: Path, title: str, rows: Sequence[ResultRow], pages: Iterable[BundlePage]
) -> Path:
    """Write a whole bundle of pages as they come; return its first page, errors as `Bundle`."""
    bundle = Bundle(out, title, rows)
    for page in pages:
        bundle.add(page)
    return bundle.finish()


def _digests(rows: Sequence[ResultRow], *, with_content: bool) -> dict[PageKey, str]:
    """Return what changes with anything that a page of the bundle shows of its rows."""
    found: dict[PageKey, hashlib.blake2b] = {}
    for row in rows:
        digest = found.setdefault(row.run.key, hashlib.blake2b(digest_size=12))
        digest.update(repr((own_version(), with_content, cells(row))).encode("utf-8", "replace"))
    return {key: digest.hexdigest() for key, digest in found.items()}


def _done_in(path: Path) -> dict[str, tuple[str, str]]:
    """Return name of a page → digest and title, as far as the notes can be read."""
    found: dict[str, tuple[str, str]] = {}
    with suppress(FileNotFoundError):
        for line in path.read_text("utf-8", "replace").splitlines():
            with suppress(ValueError, KeyError, TypeError):  # torn where the writer was killed
                note = json.loads(line)
                found[str(note["page"])] = str(note["digest"]), str(note["title"])
    return found


def _intervals(scores: RunScores) -> dict[str, Interval | None]:
    """Return the mean of each method with its 95 % interval, by the measure it is shown by."""
    values = [
        [np.nan if (v := scores.value(key, m)) is None else v for m in scores.methods]
        for key in scores.pages
    ]
    columns = np.array(values, dtype=np.float64).reshape(len(scores.pages), len(scores.methods))
    return dict(zip(scores.methods, bootstrap_means(columns), strict=True))


def _in_words(parameters: str) -> str:
    values = json.loads(parameters or "{}")
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def shrunk(jpeg: bytes, most: int = MOST_BYTES) -> bytes:
    """Return a picture in so few bytes: smaller and plainer until it fits."""
    picture = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        return b""
    picture = picture[:TALLEST]
    found = b""
    for width in _WIDTHS:
        scale = min(1.0, width / picture.shape[1])
        size = (max(1, int(picture.shape[1] * scale)), max(1, int(picture.shape[0] * scale)))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        for quality in _QUALITIES:
            _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
            found = data.tobytes()
            if len(found) <= most:
                return found
    return found


def _name(number: int, key: tuple[str, str, str]) -> str:
    return f"{number:04d}-{slug(key[1])[:60]}"


def _method(
    method: str,
    scores: RunScores,
    names: Mapping[tuple[str, str, str], str],
    titles: Mapping[tuple[str, str, str], str],
) -> str:
    """Return the page of a method: its pages, the worst first."""
    listed = [(scores.value(key, method), key) for key in names if (key, method) in scores.rows]
    listed.sort(key=lambda each: (each[0] is None, each[0] if each[0] is not None else 0.0))
    return rendered(
        "bundle/method.html",
        up="../",
        title=method,
        measure=scores.measure(method),
        pages=[
            {
                "name": names[key],
                "key": key,
                "title": titles.get(key) or key[1],
                "value": value,
                "ending": scores.ending(key, method),
            }
            for value, key in listed
        ],
    )


def _write(path: Path, data: bytes | str) -> None:
    with atomic_write(path) as beside:
        beside.write_bytes(data.encode("utf-8", "replace") if isinstance(data, str) else data)
