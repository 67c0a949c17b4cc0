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
    from annotate.library.cases import Cases, PageCase, dataset
    from annotate.library.evaluating import evaluate, score_texts, stream
    from annotate.library.extracting import extract, extract_stream
    from annotate.library.opening import methods, samples
    from annotate.library.opening import open_page as open
    from annotate.library.pages import FoundBlock, MethodRun, OpenPage, PageGold
    from annotate.library.rendering import close
    from annotate.library.results import Best, Difference, Evaluation, read
    from annotate.library.scores import Scores
    from annotate.library.showing import show
    from engine.errors import CaptureError, InputError, MethodError, PageletError

    __version__: str

_WHERE = {
    "open": ("annotate.library.opening", "open_page"),
    "dataset": ("annotate.library.cases", "dataset"),
    "evaluate": ("annotate.library.evaluating", "evaluate"),
    "extract": ("annotate.library.extracting", "extract"),
    "extract_stream": ("annotate.library.extracting", "extract_stream"),
    "score_texts": ("annotate.library.evaluating", "score_texts"),
    "stream": ("annotate.library.evaluating", "stream"),
    "read": ("annotate.library.results", "read"),
    "show": ("annotate.library.showing", "show"),
    "methods": ("annotate.library.opening", "methods"),
    "samples": ("annotate.library.opening", "samples"),
    "close": ("annotate.library.rendering", "close"),
    "OpenPage": ("annotate.library.pages", "OpenPage"),
    "MethodRun": ("annotate.library.pages", "MethodRun"),
    "FoundBlock": ("annotate.library.pages", "FoundBlock"),
    "PageGold": ("annotate.library.pages", "PageGold"),
    "Scores": ("annotate.library.scores", "Scores"),
    "StreamedPage": ("annotate.extract.stream", "StreamedPage"),
    "Score": ("algorithms.measures.prf", "Score"),
    "Cases": ("annotate.library.cases", "Cases"),
    "PageCase": ("annotate.library.cases", "PageCase"),
    "Evaluation": ("annotate.library.results", "Evaluation"),
    "Difference": ("annotate.library.results", "Difference"),
    "Best": ("annotate.library.results", "Best"),
    "PageletError": ("engine.errors", "PageletError"),
    "InputError": ("engine.errors", "InputError"),
    "MethodError": ("engine.errors", "MethodError"),
    "CaptureError": ("engine.errors", "CaptureError"),
}
"""Public name → the module it is from, and its name there."""

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
        module, own = _WHERE[name]
        result = globals()[name] = getattr(import_module(module), own)
        return result


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE, "__version__"})
