"""The worst pages of each method, with pictures of result over gold, or the longest errors."""

import base64
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from algorithms.measures.measure import Measure
from annotate.evaluation.report.chapters import Chapter, part_title
from annotate.evaluation.report.markup import (
    Markup,
    breakable,
    fold,
    join,
    lead,
    share,
    slug,
    tag,
)
from annotate.evaluation.report.pictures import Excerpt, PictureKey
from annotate.evaluation.report.report_parts import (
    WORST_LISTED,
    ReportPart,
    Sorted,
    WorstRun,
    worst_of,
)
from engine.errors import convert_os_error
from engine.words import plural

_THUMB_PX = (200, 150)
_QUALITY = 70


class Gallery:
    """Pictures of pages: large ones as files beside the report, small ones in it.

    Args:
        out: The report's folder.
        pictures: Their paths; those outside ``out`` are copied into it.
        problems: Reasons for missing pictures.
        excerpts: Shown for pages that were not rendered.
    """

    def __init__(
        self,
        out: Path,
        pictures: Mapping[PictureKey, Path],
        problems: Mapping[PictureKey, str],
        excerpts: Mapping[PictureKey, Excerpt],
    ) -> None:
        self._out, self.pictures, self.problems = out, pictures, problems
        self.excerpts = excerpts

    def address(self, key: PictureKey) -> str | None:
        """Return the relative address of a picture; None if there is none."""
        path = self.pictures.get(key)
        if path is None:
            return None
        if not path.resolve().is_relative_to(self._out.resolve()):
            there = self._out / "pictures" / f"{slug(*key[0], key[1])}{path.suffix}"
            with convert_os_error(f"copy {path} to {there}"):
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, there)
            path = there
        relative = path.resolve().relative_to(self._out.resolve())
        return quote(relative.as_posix(), errors="surrogateescape")


def small_picture(path: Path) -> str | None:
    """Return the top of a picture, JPEG, as a data address; None if it cannot be read."""
    from engine.opencv import cv2

    width, height = (2 * n for n in _THUMB_PX)  # sharp on fine screens
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    top = picture[: max(1, round(picture.shape[1] * height / width))]
    scaled = cv2.resize(
        top,
        (width, max(1, round(top.shape[0] * width / top.shape[1]))),
        interpolation=cv2.INTER_AREA,
    )
    done, data = cv2.imencode(".jpg", scaled, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
    if not done:
        return None
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode("ascii")


def worst_pages(results: Sorted, gallery: Gallery) -> Chapter:
    """Return the chapter."""
    parts = [join((part_title(results, part), _part(part, gallery))) for part in results.parts]
    begin = lead(
        f"For each method the {WORST_LISTED} pages with the lowest score. Runs that failed or "
        "timed out come first: they are worse than any score. A page that was rendered is shown "
        "by a picture with gold and result drawn over it, another one by the longest passage that "
        "was lost and the longest that was too much."
    )
    return Chapter("worst", "Worst pages", "Worst pages", join((begin, *parts)))


def _part(part: ReportPart, gallery: Gallery) -> Markup:
    boxes = []
    for index, setup in enumerate(part.ranked(part.main)):
        runs = worst_of(part, setup)
        body = tag("ol", *(_card(run, part.main, gallery) for run in runs), class_="cards")
        if not runs:
            body = tag("p", "No run of it was judged.", class_="note")
        known = [run.value for run in runs if run.value is not None]
        failed = len(runs) - len(known)
        text = [f"{plural(failed, 'run')} without result"] if failed else []
        if known:
            text.append(" to ".join(dict.fromkeys((share(min(known)), share(max(known))))))
        title = join((tag("b", setup), " ", tag("span", "; ".join(text), class_="range")))
        boxes.append(fold(title, body, open=index == 0))
    return join(boxes)


def _card(run: WorstRun, measure: Measure, gallery: Gallery) -> Markup:
    key = run.key, run.setup
    address, page = gallery.address(key), run.key[1]
    name = tag("span", breakable(page), class_="page")
    if address is not None:
        shown, (width, height) = None, _THUMB_PX
        if (thumb := small_picture(gallery.pictures[key])) is not None:
            shown = tag("img", src=thumb, alt="", width=width, height=height, loading="lazy")
        name = tag("a", shown, name, href=address)
    if run.value is None:
        score, more = tag("b", f"{run.status} !", class_="bad"), run.reason
    else:
        score = tag("b", f"{measure.name} {share(run.value)}")
        more = "found nothing" if run.status == "empty" else ""
        if not more and run.precision is not None and run.recall is not None:
            more = f"P {share(run.precision)}, R {share(run.recall)}"
    problem = gallery.problems.get(key, "")
    return tag(
        "li",
        name,
        tag("span", score, " ", more, class_="score"),
        tag("span", f"no picture: {problem}", class_="note") if problem else None,
        *_errors(gallery.excerpts.get(key)),
    )


def _errors(excerpt: Excerpt | None) -> Iterator[Markup]:
    """Yield the text lost and taken wrongly on a page, a paragraph each."""
    if excerpt is None:
        return
    for name, errors in (("lost", excerpt.lost), ("too much", excerpt.extra)):
        if errors is not None:
            head = tag("b", f"{plural(errors.words, 'word')} {name}: ")
            yield tag("p", head, f"“{errors.longest}”", class_="excerpt")
