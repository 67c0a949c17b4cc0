"""A drawn page into a file, of the kind that its ending names."""

from pathlib import Path

from engine.errors import InputError
from engine.whole_file import atomic_write
from engine.words import listed
from gui.pictures.drawn_html import html_of
from gui.pictures.drawn_svg import image_of, pdf_of, svg_of
from gui.pictures.page_drawing import PageDrawing, png_of

KINDS = ("html", "png", "svg", "pdf")
"""Endings of the files a page can be saved as."""


def kind_of(path: Path) -> str:
    """Return the kind of file that a path names; raises `InputError`."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise InputError(
            f"no picture format of {path.name} is known: end it in {listed(KINDS, 'or')}"
        )
    return kind


def save(drawing: PageDrawing, path: Path, *, has_legend: bool = True) -> None:
    """Write a page with its layers; raises `InputError` if that cannot be done.

    ``has_legend`` writes above the page which layers there are; HTML has switches instead.
    """
    kind = kind_of(path)
    try:
        with atomic_write(path) as beside:
            if kind == "html":
                beside.write_text(html_of(drawing), encoding="utf-8", errors="replace")
            elif kind == "svg":
                text = svg_of(drawing, has_legend=has_legend)
                beside.write_text(f"{text}\n", encoding="utf-8", errors="replace")
            elif kind == "pdf":
                beside.write_bytes(pdf_of(drawing, has_legend=has_legend))
            else:
                beside.write_bytes(png_of(image_of(drawing, has_legend=has_legend)))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
