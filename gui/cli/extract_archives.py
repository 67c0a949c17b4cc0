"""``pagelet extract --in``: the main content of all pages of web archives, as files of rows."""

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms.core.batch import Setup
from algorithms.structure.forms import Form, forms_named
from annotate.evaluation.run.run_options import PageChoice
from annotate.extract.options import ExtractionOptions
from engine import bounded_file
from engine.errors import InputError
from engine.words import plural
from gui.cli.arguments import (
    add_options,
    input_of,
    method_of,
    options_of,
    params_of,
    processors,
    progress,
)

if TYPE_CHECKING:
    from annotate.extract.run import Extracted


ONE_PAGE_FORMATS = ("text", "markdown", "html", "json")
FILE_FORMATS = ("jsonl", "parquet")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take archives, and where and how to write."""
    many = command.add_argument_group("many pages")
    many.add_argument(
        "--in",
        dest="sources",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="web archives (WARC, WACZ), or folders of pages",
    )
    many.add_argument("--out", type=Path, metavar="DIR", help="folder to write the rows to")
    command.add_argument(
        "--format",
        choices=(*ONE_PAGE_FORMATS, *FILE_FORMATS),
        help="of one page: text (default), markdown and html with headings, lists and tables, "
        "json; of many: parquet (default where PyArrow is installed) or jsonl",
    )
    command.add_argument(
        "--with",
        dest="also",
        metavar="FORMS",
        help="what else goes into JSON or columns: markdown, html, or both with a comma",
    )
    many.add_argument(
        "--beside",
        metavar="METHODS",
        help="methods to compare with, separated by commas: how far they agree is the "
        "confidence; none: no other (default: bte; dsc for bte)",
    )
    many.add_argument(
        "--addresses",
        type=Path,
        metavar="FILE",
        help="take only the pages of these addresses, one a line",
    )
    add_options(many, ExtractionOptions, jobs=processors())
    add_options(many, PageChoice)


def run(options: argparse.Namespace) -> int:
    """Write the files and print the outcomes of pages."""
    from annotate.extract.columns import usual_format
    from annotate.extract.run import Extracted, extract, setups_beside, shards_of, usual_beside
    from annotate.extract.work import ExtractionJob

    if options.out is None:
        raise InputError("name a folder to write to: --out DIR")
    if options.page is not None:
        raise InputError("name either a page, or archives with --in")
    if options.format in ONE_PAGE_FORMATS:
        raise InputError(
            f"--format {options.format} is for one page; of many pages: jsonl or parquet, "
            "with --with markdown for Markdown"
        )
    how = options_of(ExtractionOptions, options)
    entry = method_of(options.method, "extraction")
    if entry.reads_site:
        raise InputError(f"{entry.key} reads a page with its site, and pages of archives have none")
    setup = Setup(entry.key, params_of(entry, options.set), input_of(options, entry))
    keys = usual_beside(setup) if options.beside is None else options.beside.split(",")
    beside = setups_beside(setup, [key for key in keys if key and key != "none"])
    job = ExtractionJob(
        setup,
        beside,
        options.out,
        options.format or usual_format(),
        how.seconds,
        _addresses(options.addresses),
        options.no_sandbox,
        forms_beside(options),
        how.predicts,
    )
    choice = options_of(PageChoice, options)
    plan = shards_of(
        [source.absolute() for source in options.sources],
        job,
        how.shard_records,
        choice=choice,
        replaces=how.replaces,
    )
    begun = time.monotonic()

    def say(extracted: Extracted) -> None:
        rate = extracted.pages / max(time.monotonic() - begun, 1e-9)
        of = f"{extracted.shards}/{len(plan.shards)} shards"
        progress(f"{of}, {extracted.pages} pages, {rate:.0f} a second")

    result = extract(plan, how.jobs, resumes=how.resumes, say=say)
    account = result.account()
    if options.json:
        more = {"pages": result.pages, "out": str(options.out), "account": account.as_json()}
        print(json.dumps(asdict(result) | more))
    else:
        ends = ", ".join(f"{count} {status}" for status, count in sorted(result.counts.items()))
        print(
            f"{plural(result.pages, 'page')} in {plural(result.shards, 'file')}: {ends or 'none'}"
        )
        if account.passed:
            progress(f"pagelet: {account.sentence()}")
    _warn(result)
    if job.only is not None and result.pages < len(job.only) and choice.is_all:
        asked = plural(len(job.only), "address", "addresses")
        others = "others are in no archive, or no HTML pages there"
        progress(f"pagelet: {plural(result.pages, 'page')} of {asked}: {others}")
    is_empty = not result.pages and not result.not_chosen
    return 1 if result.troubles or result.has_failed or is_empty else 0


def forms_beside(options: argparse.Namespace) -> tuple[Form, ...]:
    """Return the columns beside the text; `InputError` names what there is."""
    return forms_named((options.also or "").split(","))


def _warn(extracted: "Extracted") -> None:
    """Print warnings about the rows."""
    from annotate.evaluation.run.triage import warning_of

    for trouble in extracted.troubles:
        progress(f"pagelet: {trouble}")
    if extracted.has_failed:
        progress(f"pagelet: all pages failed; the first: {extracted.failure}")
    if warning := warning_of(extracted.predicted, extracted.bad, extracted.worst):
        progress(f"pagelet: {warning}")
    if extracted.truncated:
        cut = plural(extracted.truncated, "page")
        progress(f"pagelet: {cut} cut off by server or crawler: see the column truncated")
    if extracted.left_out:
        answers = plural(extracted.left_out, "answer")
        progress(f"pagelet: {answers} in HTML left out: not found, redirects, errors of the server")


def _addresses(path: Path | None) -> frozenset[str] | None:
    if path is None:
        return None
    try:
        lines = bounded_file.read_text(path).splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"cannot read {path}: {error}") from error
    result = frozenset(filter(None, (line.strip("\ufeff \t") for line in lines)))
    if not result:
        raise InputError(f"{path} holds no addresses: write one a line")
    return result
