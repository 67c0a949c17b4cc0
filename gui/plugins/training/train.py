"""``pagelet train``: a model of a learned method from pages with gold."""

import argparse
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from algorithms.plugins.training import block_fit as blocks
from algorithms.plugins.training import gleaner_fit as gleaner
from algorithms.plugins.training.boosting import check_lightgbm
from annotate.plugins.training.training import (
    LEARNERS,
    Training,
    check_names,
    texts_out_of_fold,
    write_model,
)
from engine.errors import InputError
from engine.whole_file import atomic_write
from engine.words import plural
from gui.cli.arguments import progress

_EPILOG = """Examples:
  pagelet train gleaner wcxb --out mine.npz
  pagelet train gleaner work.pagelet wcxb --weights 1,.2 --out mine.npz --threads 2
  pagelet extract gleaner page.html --set model=mine.npz
  pagelet train gleaner wcxb --out mine.npz --texts gleaner.json
  pagelet train terrain-learned kreuzer-random --out blocks.npz
"""


def _print_text_scores(scores: dict[str, gleaner.Scores]) -> None:
    print("Bag-of-words F1, cross-validated by site:")
    for name, own in scores.items():
        low, high = min(own.folds), max(own.folds)
        spread = f"folds {low:.3f} to {high:.3f}"
        print(f"  {name:<24} {own.mean:.3f}  ({plural(len(own.f1), 'page')}; {spread})")
        for kind, value in own.by_type.items():
            if kind:
                print(f"    {kind:<22} {value:.3f}")


def _print_block_scores(scores: blocks.BlockFitScores) -> None:
    print("Fuzzy F of blocks of both levels, cross-validated by site:")
    for form, value in scores.f.items():
        low, high = min(scores.folds[form]), max(scores.folds[form])
        spread = f"folds {low:.3f} to {high:.3f}"
        count = plural(scores.pages[form], "page")
        print(f"  {form or 'all pages':<24} {value:.3f}  ({count}; {spread})")


_TELL: dict[str, tuple[Callable[[Any], None], str]] = {
    "gleaner": (_print_text_scores, "pagelet extract gleaner PAGE --set model={out}"),
    "terrain-learned": (
        _print_block_scores,
        "pagelet segment terrain-learned PAGE --set model={out}",
    ),
}
"""Function that prints the scores of each learner, and the command to use a model."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for data sets with gold and the output."""
    command.epilog = _EPILOG
    command.add_argument(
        "learner", choices=tuple(LEARNERS), metavar="METHOD", help=" or ".join(LEARNERS)
    )
    command.add_argument(
        "data", nargs="+", metavar="DATA",
        help="data sets with gold (text for gleaner, blocks for terrain-learned), or workspaces",
    )  # fmt: skip
    command.add_argument("--out", type=Path, required=True, metavar="FILE", help="the model")
    command.add_argument(
        "--weights",
        metavar="W,...",
        help="how much a page of each DATA counts, such as 1,.5 (default: all alike)",
    )
    command.add_argument(
        "--threads",
        type=int,
        default=1,
        metavar="N",
        help="threads that train; the model is the same for any number (default: 1)",
    )
    command.add_argument(
        "--folds",
        type=int,
        metavar="N",
        help=f"folds of the cross-validation, by site (default: {_defaults('folds')})",
    )
    command.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help=f"trees to train (default: {_defaults('rounds')})",
    )
    command.add_argument(
        "--texts",
        type=Path,
        metavar="FILE",
        help="write what models of the cross-validation keep of the pages they have not learned "
        "from, as JSON {page: text}, which pagelet score sets beside other methods (gleaner)",
    )
    command.add_argument(
        "--guideline", default="", metavar="TEXT", help="what gold takes as content, for the card"
    )
    command.add_argument(
        "--licence", default="", metavar="TEXT", help="licence of the data, for the card"
    )
    command.add_argument("--json", action="store_true", help="print the card as JSON")


def _defaults(name: str) -> str:
    values = {key: getattr(learner, name) for key, learner in LEARNERS.items()}
    return ", ".join(f"{value} for {key}" for key, value in values.items())


def run(options: argparse.Namespace) -> int:
    """Train, and write the model with its card beside it."""
    learner = LEARNERS[options.learner]
    for name, default in (("folds", learner.folds), ("rounds", learner.rounds)):
        if getattr(options, name) is None:
            setattr(options, name, default)
    for name, least in (("threads", 1), ("folds", 2), ("rounds", 1)):
        if getattr(options, name) < least:
            raise InputError(f"--{name} must be at least {least}, got {getattr(options, name)}")
    weights = _weights(options.weights, len(options.data))
    check_lightgbm()
    if not options.out.absolute().parent.is_dir():
        raise InputError(f"{options.out.parent} is no folder: make it first, or change --out")
    if options.out.is_dir():
        raise InputError(f"cannot write {options.out}: it is a folder; name a file in it")
    if options.texts is not None:
        _check_texts(options)
    problems: list[str] = []
    training = Training(
        options.learner, tuple(options.data), tuple(weights), options.threads, options.folds,
        options.rounds, options.guideline, options.licence,
    )  # fmt: skip
    pages = training.read(problems, _print_hundreds)
    for problem in problems[:5]:
        print(f"pagelet: {problem}", file=sys.stderr)
    if len(problems) > 5:
        print(f"pagelet: and {plural(len(problems) - 5, 'problem')} more", file=sys.stderr)
    if options.texts is not None:
        check_names(pages)  # before hours of training
    model, scores = training.train(pages, progress)
    card = write_model(model, options.out)
    if options.texts is not None:
        texts = texts_out_of_fold(options.data, scores)
        with atomic_write(options.texts) as beside:
            beside.write_text(json.dumps(texts, ensure_ascii=False, indent=1), encoding="utf-8")
        progress(f"{plural(len(texts), 'text')} out of fold in {options.texts}")
    if options.json:
        print(json.dumps({"model": str(options.out), "card": model.card}))
        return 0
    tell, use = _TELL[options.learner]
    if not scores:
        print("All pages are of one site: there are no cross-validated scores.")
    else:
        tell(scores)
    print(f"Wrote {options.out} ({len(model.data) / 1e6:.1f} MB) and {card}.")
    print(f"Use it with: {use.format(out=shlex.quote(str(options.out)))}")
    return 0


def _check_texts(options: argparse.Namespace) -> None:
    if options.learner != "gleaner":
        raise InputError(f"--texts is for gleaner: {options.learner} gives blocks, not text")
    if not options.texts.absolute().parent.is_dir():
        raise InputError(f"{options.texts.parent} is no folder: make it first, or change --texts")
    if options.texts.is_dir():
        raise InputError(f"cannot write {options.texts}: it is a folder; name a file in it")
    if options.texts.resolve() == options.out.resolve():
        raise InputError("--texts and --out name one file")


def _weights(text: str | None, count: int) -> list[float]:
    """Return a weight for each data set."""
    if text is None:
        return [1.0] * count
    try:
        weights = [float(each) for each in text.split(",")]
    except ValueError:
        weights = []
    if len(weights) != count or not all(0.001 <= weight <= 1000 for weight in weights):
        raise InputError(
            f"--weights must be {count} of 0.001 to 1000, one for each DATA, got {text}"
        )
    return weights


def _print_hundreds(count: int) -> None:
    if count % 100 == 0:
        progress(f"{plural(count, 'page')} read")
