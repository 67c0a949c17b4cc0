"""Options of an evaluation, for the command line, Python and workers: how it is run, on what."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from annotate.datasets.cases import DataSet
from annotate.datasets.stored_listing import StoredListing
from engine.errors import InputError
from engine.options import Options, option
from engine.page_cache import default_folder
from engine.word_units import WordUnit

Report = Literal["none", "tables", "pictures"]


@dataclass(frozen=True)
class EvaluationOptions(Options):
    """Options of an evaluation; it travels unchanged to every worker.

    Attributes:
        out: None writes nothing.
        cache: The folder of snapshots; None renders every time.
        predictions: Workers send back texts and blocks, not only scores, of pages without gold as
            well; where there is a folder they go into ``out/predictions``.
        resumes: Whether pages, or shards, that are done are left alone.
        report: Output at the end, beside the rows.
        no_sandbox: See `engine.web.headless.Browser`.
        repeatable: See `engine.document.Document`; None leaves it to the page.
    """

    word_unit: WordUnit = option(
        "characters",
        "unit of words in Chinese, Japanese, Thai, Lao, Khmer and Burmese: a character, or a "
        "clause, all between two signs or blanks",
    )
    out: Path | None = option(None, "folder to write to", metavar="DIR")
    predictions: bool = option(False, "also write what each method returned")
    jobs: int = option(
        1,
        "worker processes (default: as many as there are processors); one or two more help where "
        "many pages have to be rendered",
        metavar="N",
        low=1,
    )
    resumes: bool = option(
        False,
        "skip pages that are in OUT/scores.csv already; with --shard: shards that are done",
        flag="resume",
    )
    repeatable: bool | None = option(
        None,
        "where pages are rendered, give their scripts the same random numbers and date each time "
        "(default: local pages yes, live ones no)",
    )
    report: Report = option(
        "none",
        "write report.html: its tables and figures, or also pictures of the pages each method "
        "does worst on",
    )
    seconds: float = option(
        120.0,
        "time to render one page, or for one method on it",
        flag="timeout",
        metavar="SECONDS",
        above=0,
        unit="seconds",
    )
    cache: Path | None = option(
        default_folder,
        "folder for snapshots of rendered pages",
        metavar="DIR",
        off="render every page again",
    )
    no_sandbox: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resumes and self.out is None:
            raise InputError("name the folder to go on with: evaluate(..., out=..., resume=True)")


@dataclass(frozen=True)
class PageChoice(Options):
    """Choice of pages; None takes all."""

    limit: int | None = option(
        None, "take only the first N pages of each data set", metavar="N", low=1
    )
    sample: int | None = option(None, "take N pages of each data set at random", metavar="N", low=1)
    seed: int = option(0, "seed of --sample", metavar="K")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.limit is not None and self.sample is not None:
            raise InputError("--limit and --sample exclude each other: give one of them")

    @property
    def is_all(self) -> bool:
        return self.limit is None and self.sample is None

    def numbers(self, count: int) -> Sequence[int]:
        """Return the numbers of those that are taken of so many, in order."""
        if self.sample is None:
            return range(count)[: self.limit]
        few = min(self.sample, count)
        return sorted(random.Random(self.seed).sample(range(count), few))

    def taken_of(self, dataset: DataSet) -> DataSet:
        """Return a data set of the pages that are taken."""
        if self.is_all:
            return dataset
        numbers = self.numbers(len(dataset.pages))
        return replace(dataset, pages=StoredListing(map(dataset.pages.__getitem__, numbers)))
