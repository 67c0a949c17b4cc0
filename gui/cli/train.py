"""``pagelet train``: a model of gleaner from pages with gold."""

import argparse
import json
import os
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from algorithms.extraction.gleaner.fit import ROUNDS, Scores, train
from algorithms.extraction.gleaner.model import Model
from algorithms.extraction.gleaner.training_pages import TrainingPage
from algorithms.learning.boosting import check_lightgbm
from annotate.library.training import training_pages
from engine.errors import InputError
from engine.whole_file import atomic_write
from engine.words import plural
from gui.cli.arguments import progress

_EPILOG = """Examples:
  pagelet train gleaner wcxb --out mine.npz
  pagelet train gleaner work.pagelet wcxb --weights 1,.2 --out mine.npz --threads 2
  pagelet extract gleaner page.html --set model=mine.npz
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take data sets with gold, and where to write."""
    command.epilog = _EPILOG
    command.add_argument("learner", choices=("gleaner",), metavar="METHOD", help="gleaner")
    command.add_argument(
        "data", nargs="+", metavar="DATA", help="data sets with gold text, or workspaces"
    )
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
        default=5,
        metavar="N",
        help="folds of the cross-validation, by site (default: %(default)s)",
    )
    command.add_argument(
        "--rounds",
        type=int,
        default=ROUNDS,
        metavar="N",
        help="trees to train (default: %(default)s)",
    )
    command.add_argument(
        "--guideline", default="", metavar="TEXT", help="what gold takes as content, for the card"
    )
    command.add_argument(
        "--licence", default="", metavar="TEXT", help="licence of the data, for the card"
    )
    command.add_argument("--json", action="store_true", help="print the card as JSON")


def run(options: argparse.Namespace) -> int:
    """Train, and write the model with its card beside it."""
    for name, least in (("threads", 1), ("folds", 2), ("rounds", 1)):
        if getattr(options, name) < least:
            raise InputError(f"--{name} must be at least {least}, got {getattr(options, name)}")
    weights = _weights(options.weights, len(options.data))
    check_lightgbm()
    if not options.out.absolute().parent.is_dir():
        raise InputError(f"{options.out.parent} is no folder: make it first, or change --out")
    if options.out.is_dir():
        raise InputError(f"cannot write {options.out}: it is a folder; name a file in it")
    problems: list[str] = []
    pages = _read(options.data, problems, weights)
    for problem in problems[:5]:
        print(f"pagelet: {problem}", file=sys.stderr)
    if len(problems) > 5:
        print(f"pagelet: {plural(len(problems) - 5, 'page')} more left out", file=sys.stderr)
    model, scores = train(
        pages, _card(options, pages, weights), threads=options.threads, parts=options.folds,
        rounds=options.rounds, say=progress,
    )  # fmt: skip
    card = options.out.with_suffix(".card.json")
    with atomic_write(options.out) as beside:
        beside.write_bytes(model.data)
    with atomic_write(card) as beside:
        beside.write_text(json.dumps(model.card, indent=1, ensure_ascii=False), encoding="utf-8")
    if options.json:
        print(json.dumps({"model": str(options.out), "card": model.card}))
    else:
        _tell(options.out, card, model, scores)
    return 0


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


def _read(data: list[str], problems: list[str], weights: list[float]) -> list[TrainingPage]:
    pages: list[TrainingPage] = []
    for each in training_pages(data, problems, weights):
        pages.append(each)
        if len(pages) % 100 == 0:
            progress(f"{plural(len(pages), 'page')} read")
    return pages


def _card(
    options: argparse.Namespace, pages: list[TrainingPage], weights: list[float]
) -> dict[str, object]:
    read = Counter(page.dataset for page in pages)
    names = [Path(each).name for each in options.data]
    return {
        "name": "gleaner",
        "data": [
            {"name": name, "pages": read[name], "weight": weight}
            for name, weight in zip(names, weights, strict=True)
        ],
        "guideline": options.guideline,
        "licence": options.licence,
        "date": _today(),
        "pages": len(pages),
        "trees": options.rounds,
        "limits": [
            "It reads HTML, not the rendered page: what a script writes is not seen.",
            "What is content is what the gold it learned from says.",
        ],
    }


def _today() -> str:
    """Return the day, or the one that ``SOURCE_DATE_EPOCH`` names, so that a file can recur."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(given), UTC) if given.isdecimal() else datetime.now(UTC)
    return now.date().isoformat()


def _tell(out: Path, card: Path, model: Model, scores: dict[str, Scores]) -> None:
    if not scores:
        print("All pages are of one site: there are no cross-validated scores.")
    else:
        print("Bag-of-words F1, cross-validated by site:")
    for name, own in scores.items():
        low, high = min(own.folds), max(own.folds)
        spread = f"folds {low:.3f} to {high:.3f}"
        print(f"  {name:<24} {own.mean:.3f}  ({plural(len(own.f1), 'page')}; {spread})")
        for kind, value in own.by_type.items():
            if kind:
                print(f"    {kind:<22} {value:.3f}")
    print(f"Wrote {out} ({len(model.data) / 1e6:.1f} MB) and {card}.")
    print(f"Use it with: pagelet extract gleaner PAGE --set model={out}")
