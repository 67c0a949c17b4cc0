"""``pagelet train``: a model of a learned method from pages with gold."""

import shlex
from collections.abc import Callable, Sequence
from json import dumps
from pathlib import Path
from typing import Annotated, Any, Literal

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
from engine.bounded_file import atomic_write
from engine.errors import InputError
from engine.words import plural
from gui.cli.signatures import Argument, Count
from gui.cli.terminal import note, print_json, progress


def _print_text_scores(scores: dict[str, gleaner.FitScores]) -> None:
    print("Bag-of-words F1, cross-validated by site:")
    for name, own in scores.items():
        _print_score(name, own.mean, own.folds, len(own.f1))
        for kind, value in own.by_type.items():
            if kind:
                print(f"    {kind:<22} {value:.3f}")


def _print_block_scores(scores: blocks.BlockFitScores) -> None:
    print("Fuzzy F of blocks of both levels, cross-validated by site:")
    for form, value in scores.f.items():
        _print_score(form or "all pages", value, scores.folds[form], scores.pages[form])


def _print_score(name: str, mean: float, folds: Sequence[float], pages: int) -> None:
    spread = f"folds {min(folds):.3f} to {max(folds):.3f}"
    print(f"  {name:<24} {mean:.3f}  ({plural(pages, 'page')}; {spread})")


_TELL: dict[str, tuple[Callable[[Any], None], str]] = {
    "gleaner": (_print_text_scores, "pagelet extract gleaner PAGE --set model={out}"),
    "terrain-learned": (
        _print_block_scores,
        "pagelet segment terrain-learned PAGE --set model={out}",
    ),
}
"""Function that prints the scores of each learner, and the command to use a model."""


def _defaults(name: str) -> str:
    values = {key: getattr(learner, name) for key, learner in LEARNERS.items()}
    return ", ".join(f"{value} for {key}" for key, value in values.items())


FOLDS, ROUNDS = _defaults("folds"), _defaults("rounds")


def run(
    method: Literal["gleaner", "terrain-learned"],
    data: Sequence[str],
    *,
    out: Path,
    weights: str | None = None,
    threads: Count = 1,
    folds: Annotated[int, Argument(low=2)] | None = None,
    rounds: Count | None = None,
    texts: Path | None = None,
    guideline: str = "",
    licence: str = "",
    json: bool = False,
) -> int:
    """Train, and write the model with its card beside it.

    Args:
        method (METHOD): gleaner or terrain-learned
        data (DATA): data sets with gold (text for gleaner, blocks for terrain-learned), or
            workspaces
        out (FILE): the model
        weights (W,...): how much a page of each DATA counts, such as 1,.5 (default: all alike)
        threads (N): threads that train; the model is the same for any number (default: 1)
        folds (N): folds of the cross-validation, by site (default: %(FOLDS)s)
        rounds (N): trees to train (default: %(ROUNDS)s)
        texts (FILE): write what models of the cross-validation keep of the pages they have not
            learned from, as JSON {page: text}, which pagelet score sets beside other methods
            (gleaner)
        guideline (TEXT): what gold takes as content, for the card
        licence (TEXT): licence of the data, for the card
        json: print the card as JSON

    Examples:
      pagelet train gleaner wcxb --out mine.npz
      pagelet train gleaner work.pagelet wcxb --weights 1,.2 --out mine.npz --threads 2
      pagelet extract gleaner page.html --set model=mine.npz
      pagelet train gleaner wcxb --out mine.npz --texts gleaner.json
      pagelet train terrain-learned kreuzer-random --out blocks.npz
    """
    learner = LEARNERS[method]
    shares = _weights(weights, len(data))
    check_lightgbm()
    _check_file(out, "--out")
    if texts is not None:
        if method != "gleaner":
            raise InputError(f"--texts is for gleaner: {method} gives blocks, not text")
        _check_file(texts, "--texts")
        if texts.resolve() == out.resolve():
            raise InputError("--texts and --out name one file")
    problems: list[str] = []
    training = Training(
        method, tuple(data), tuple(shares), threads, folds or learner.folds,
        rounds or learner.rounds, guideline, licence,
    )  # fmt: skip
    pages = training.read(problems, _print_hundreds)
    note(*problems[:5])
    if len(problems) > 5:
        note(f"and {plural(len(problems) - 5, 'problem')} more")
    if texts is not None:
        check_names(pages)  # before hours of training
    model, scores = training.train(pages, progress)
    card = write_model(model, out)
    if texts is not None:
        kept = texts_out_of_fold(data, scores)
        with atomic_write(texts) as beside:
            beside.write_text(dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
        progress(f"{plural(len(kept), 'text')} out of fold in {texts}")
    if json:
        print_json({"model": str(out), "card": model.card}, indent=None, is_ascii=True)
        return 0
    tell, use = _TELL[method]
    if not scores:
        print("All pages are of one site: there are no cross-validated scores.")
    else:
        tell(scores)
    print(f"Wrote {out} ({len(model.data) / 1e6:.1f} MB) and {card}.")
    print(f"Use it with: {use.format(out=shlex.quote(str(out)))}")
    return 0


def _check_file(path: Path, flag: str) -> None:
    """Raise `InputError` if a file cannot be written there, before hours of training."""
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path.parent} is no folder: make it first, or change {flag}")
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file in it")


def _weights(text: str | None, count: int) -> list[float]:
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
