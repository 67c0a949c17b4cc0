"""Pagelet: web-page segmentation and content extraction, in a few lines.

>>> import pagelet
>>> page = pagelet.open(b"<title>Tea</title><p>Tea is a drink of hot water and leaves.")
>>> page.run("bte").text
'Tea is a drink of hot water and leaves.'

Names are loaded when they are first used, and Qt never: a separate process of Pagelet renders
pages.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pagelet.neighbours import check

check()

if TYPE_CHECKING:
    from algorithms.measures.prf import Score
    from annotate.extract.stream import StreamedPage
    from annotate.library.evaluating import evaluate, score_texts, stream
    from annotate.library.extracting import extract, extract_stream
    from annotate.library.inputs import methods, samples
    from annotate.library.inputs import open_page as open
    from annotate.library.page_cases import Cases, PageCase, dataset
    from annotate.library.pages import FoundBlock, MethodRun, OpenPage, PageGold, Scores
    from annotate.library.rendering import close
    from annotate.library.results import Best, Difference, Evaluation, read
    from annotate.library.showing import show
    from engine.errors import CaptureError, InputError, MethodError, PageletError

    __version__: str

_MODULES = {
    "algorithms.measures.prf": ("Score",),
    "annotate.extract.stream": ("StreamedPage",),
    "annotate.library.page_cases": ("Cases", "PageCase", "dataset"),
    "annotate.library.evaluating": ("evaluate", "score_texts", "stream"),
    "annotate.library.extracting": ("extract", "extract_stream"),
    "annotate.library.inputs": ("methods", "open", "samples"),
    "annotate.library.pages": ("FoundBlock", "MethodRun", "OpenPage", "PageGold", "Scores"),
    "annotate.library.rendering": ("close",),
    "annotate.library.results": ("Best", "Difference", "Evaluation", "read"),
    "annotate.library.showing": ("show",),
    "engine.errors": ("CaptureError", "InputError", "MethodError", "PageletError"),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}
"""Public name → the module it is from."""

__all__ = [
    "Best",
    "CaptureError",
    "Cases",
    "Difference",
    "Evaluation",
    "FoundBlock",
    "InputError",
    "MethodError",
    "MethodRun",
    "OpenPage",
    "PageCase",
    "PageGold",
    "PageletError",
    "Score",
    "Scores",
    "StreamedPage",
    "close",
    "dataset",
    "evaluate",
    "extract",
    "extract_stream",
    "methods",
    "open",
    "read",
    "samples",
    "score_texts",
    "show",
    "stream",
]


if not TYPE_CHECKING:  # to a type checker every other name is a mistake

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            return version("pagelet")
        if name not in _WHERE:
            raise AttributeError(f"module 'pagelet' has no attribute {name!r}")
        own = "open_page" if name == "open" else name  # which would hide the built-in there
        result = globals()[name] = getattr(import_module(_WHERE[name]), own)
        return result


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE, "__version__"})
