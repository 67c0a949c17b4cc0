"""All pages of web archives, extracted into columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from algorithms.params import Value
from algorithms.structure import Form, forms_named
from annotate.evaluation.run.run_options import PageChoice
from annotate.evaluation.tables.prediction_quality import BAD
from annotate.extract.extracted_rows import Format, usual_format
from annotate.extract.folder_manifest import MOST_RECORDS
from annotate.extract.run import (
    Extracted,
    ExtractionOptions,
    ExtractionShard,
    extract_shard,
    setups_beside,
    shards_of,
    usual_beside,
)
from annotate.extract.run import extract as extract_shards
from annotate.extract.stream import StreamedPage, StreamOptions, stream_pages
from annotate.extract.work import ExtractionJob, ShardSummary
from annotate.library.engines import Engine, ShardLost, engine_of, run_shards
from annotate.library.pages import setup_of
from engine.errors import InputError
from engine.page import Input


def extract(
    sources: str | Path | Iterable[str | Path],
    method: str = "bte",
    *,
    out: str | Path,
    input: Input | None = None,
    params: Mapping[str, Value] | None = None,
    beside: Sequence[str] | None = None,
    addresses: Iterable[str] | None = None,
    format: Format | None = None,
    jobs: int = 1,
    executor: object = None,
    resume: bool = False,
    shard_records: int = MOST_RECORDS,
    seconds: float = 120.0,
    replace: bool = False,
    also: Sequence[Form] = (),
    predict: bool = False,
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> Extracted:
    """Extract every page of web archives or folders into files of rows; see the formats.

    Args:
        sources: WARC files, WACZ packages, folders.
        method, input, params: What extracts, from what, with which parameters.
        beside: Methods whose agreement is the confidence; None uses a default one, () none.
        addresses: Those of the pages to extract; None for all.
        out: A folder, which an executor's workers must see as well.
        format: ``"parquet"`` or ``"jsonl"``; by default Parquet where PyArrow is installed.
        jobs: Worker processes.
        executor: As `evaluate` takes it.
        resume: Whether shards that are done are left alone.
        shard_records: Records of one file at most.
        seconds: Time limit of one page.
        replace: Whether what another extraction has written into the folder is removed first.
        also: Other columns beside the text: ``"markdown"``, ``"html"``.
        predict: Whether the F1 of each page is predicted, into extra columns.
        limit: Take only so many pages from the beginning.
        sample: Take only so many pages at random; the same ``seed`` takes the same.

    Raises:
        InputError: A source is no archive, there is no such method, nothing can be written, or the
            folder holds rows of another extraction.
    """
    setup = setup_of(method, params or {}, input)
    if not setup.is_extractor or setup.entry.reads_site:
        raise InputError(f"{method} is not a method that extracts from a page alone")
    how = ExtractionOptions(jobs, resume, replace, shard_records, seconds)
    many = [sources] if isinstance(sources, str | Path) else list(sources)
    job = ExtractionJob(
        setup,
        setups_beside(setup, usual_beside(setup) if beside is None else beside),
        Path(out).absolute(),
        format or usual_format(),
        how.seconds,
        None if addresses is None else frozenset(addresses),
        also=forms_named(also),
        predicts=predict,
    )
    plan = shards_of(
        [Path(each).expanduser().absolute() for each in many],
        job,
        how.shard_records,
        choice=PageChoice(limit, sample, seed),
        replaces=how.replaces,
    )
    engine = engine_of(executor, jobs)
    workers = None if engine is None else partial(_on_engine, engine)
    return extract_shards(plan, how.jobs, resumes=how.resumes, workers=workers)


def extract_stream(
    pages: Iterable[tuple[str, str | bytes]],
    method: str = "gleaner",
    *,
    params: Mapping[str, Value] | None = None,
    also: Sequence[Form] = (),
    predict: bool = True,
    least: float = BAD,
    low: Literal["flag", "drop"] = "flag",
) -> Iterator[StreamedPage]:
    """Yield what a method extracts of each page, with the F1 that is expected; writes nothing.

    Args:
        pages: Addresses with HTML, as text or bytes, from any reader; taken one by one.
        method, params: What extracts, with which parameters.
        also: Other output beside the text: ``"markdown"``, ``"html"``.
        predict: Whether the F1 of each page is predicted.
        least: Expected F1 below which a page is low.
        low: Handling of low pages: ``"flag"`` sets their ``is_low``, ``"drop"`` leaves them out.

    Raises:
        InputError: There is no such method, or it does not extract from a page alone.

    >>> import pagelet
    >>> html = "<title>Tea</title><p>Tea is a drink of hot water and leaves."
    >>> [page.text for page in pagelet.extract_stream([("tea", html)], "bte", predict=False)]
    ['Tea is a drink of hot water and leaves.']
    """
    if low not in ("flag", "drop"):
        raise InputError(f"low must be 'flag' or 'drop', got {low!r}")
    setup = setup_of(method, params or {}, None)
    return stream_pages(
        pages, StreamOptions(setup, forms_named(also), predict, least, low == "drop")
    )


def _on_engine(
    engine: Engine, shards: Sequence[ExtractionShard], jobs: int
) -> Iterator[ShardSummary]:
    for done in run_shards(engine, extract_shard, shards, jobs):
        if isinstance(done, ShardLost):
            why = f"{done.shard.file.name} could not be written: {done.why}"
            done = ShardSummary(trouble=why)
        yield done
