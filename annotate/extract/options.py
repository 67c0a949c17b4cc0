"""How many pages are extracted: one set of options for the command line and Python."""

from dataclasses import dataclass

from annotate.extract.manifest import MOST_RECORDS
from engine.options import Options, option


@dataclass(frozen=True)
class ExtractionOptions(Options):
    """Options of an extraction of archives, besides `PageChoice`."""

    jobs: int = option(
        1, "worker processes (default: as many as there are processors)", metavar="N", low=1
    )
    resumes: bool = option(False, "skip shards that are done", flag="resume")
    replaces: bool = option(
        False, "remove the rows of another extraction from the folder first", flag="replace"
    )
    shard_records: int = option(MOST_RECORDS, "records of one file", metavar="N", low=1)
    seconds: float = option(
        120.0,
        "longest time for one page",
        flag="timeout",
        metavar="SECONDS",
        above=0,
        unit="seconds",
    )
    predicts: bool = option(
        False,
        "predict the F1 of each page, as pagelet triage does, into columns of their own; some "
        "80 ms a page",
        flag="predict",
    )
