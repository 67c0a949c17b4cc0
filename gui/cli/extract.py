"""``pagelet extract``: the main content of a page, or of all pages of web archives."""

import shlex
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from algorithms.core.batch import Setup
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from algorithms.structure import form_of, forms_named
from annotate.archives.page_ranges import is_archive
from annotate.datasets.looking.found import NoPages
from annotate.evaluation.run.run_options import PageChoice
from annotate.extract.run import ExtractionOptions
from engine import bounded_file
from engine.errors import InputError, convert_os_error
from engine.page import Input
from engine.version import own_version
from engine.word_units import words_in
from engine.words import plural
from gui.cli.arguments import JOBS, PageOptions, SiteFolder, method_of, params_of, site_named
from gui.cli.signatures import Argument
from gui.cli.terminal import note, print_json, progress

if TYPE_CHECKING:
    from annotate.extract.run import Extracted
    from annotate.extract.work import ExtractionJob

MANY = Argument(heading="many pages")


def run(
    method: str,
    page: str | None = None,
    *,
    how: PageOptions,
    sources: Annotated[Sequence[Path], MANY] = (),
    out: Annotated[Path | None, MANY] = None,
    format: Literal["text", "markdown", "html", "json", "jsonl", "parquet"] | None = None,
    also: str = "",
    beside: Annotated[str | None, MANY] = None,
    addresses: Annotated[Path | None, MANY] = None,
    extraction: Annotated[
        ExtractionOptions, Argument(heading="many pages", defaults={"jobs": JOBS})
    ],
    choice: Annotated[PageChoice, MANY],
    site: SiteFolder = None,
    json: bool = False,
) -> int:
    """Print the text, or write the files.

    Args:
        method (METHOD): a key; see pagelet methods
        page (PAGE): file, URL, or - for standard input
        sources (--in FILE...): web archives (WARC, WACZ), or folders of pages
        out (DIR): folder to write the rows to
        format: of one page: text (default), markdown and html with headings, lists and tables,
            json; of many: parquet (default where PyArrow is installed) or jsonl
        also (--with FORMS): what else goes into JSON or columns: markdown, html, or both with a
            comma
        beside (METHODS): methods to compare with, separated by commas: how far they agree is the
            confidence; none: no other (default: bte; dsc for bte)
        addresses (FILE): take only the pages of these addresses, one a line
        json: print JSON: the text, or the counts

    With headings, lists, tables, links:
      pagelet extract gleaner PAGE --format markdown

    Many pages:
      pagelet extract bte --in CRAWL.warc.gz --out DIR
    """
    if sources:
        if out is None:
            raise InputError("name a folder to write to: --out DIR")
        if page is not None:
            raise InputError("name either a page, or archives with --in")
        if format is not None and format not in ("jsonl", "parquet"):
            raise InputError(
                f"--format {format} is for one page; of many pages: jsonl or parquet, "
                "with --with markdown for Markdown"
            )
        entry = method_of(method, "extraction")
        if entry.reads_site:
            why = "reads a page with its site, and pages of archives have none"
            raise InputError(f"{entry.key} {why}")
        setup = Setup(entry.key, params_of(entry, how.settings), how.input_of(entry), entry.recipe)
        from annotate.extract.extracted_rows import usual_format
        from annotate.extract.run import setups_beside, usual_beside
        from annotate.extract.work import ExtractionJob

        keys = usual_beside(setup) if beside is None else beside.split(",")
        job = ExtractionJob(
            setup,
            setups_beside(setup, [key for key in keys if key and key != "none"]),
            out,
            format or usual_format(),
            extraction.seconds,
            _addresses(addresses),
            how.no_sandbox,
            forms_named(also.split(",")),
            extraction.predicts,
        )
        return _extract_many(sources, job, extraction, choice, is_json=json)
    if page is None:
        raise InputError("name a page, or archives with --in FILE --out DIR")
    if format in ("jsonl", "parquet"):
        raise InputError(f"--format {format} is for many pages: name archives with --in")
    is_json = json or format == "json"
    if also and not is_json:
        raise InputError("--with adds to JSON or to columns: add --json, or --in FILE --out DIR")
    forms = forms_named(also.split(","))
    entry = method_of(method, "extraction")
    params = params_of(entry, how.settings)
    source = how.input_of(entry)
    try:
        opened = how.page_of(page, needs_rendering=source != "original")
    except NoPages:
        raise
    except InputError:
        if is_archive(Path(page)):
            raise InputError(
                f"{page} is a web archive, of many pages: pagelet extract {method} "
                f"--in {shlex.quote(page)} --out DIR"
            ) from None
        raise
    result = entry.run(opened, params, source, site_named(site, entry, opened))
    assert isinstance(result, Extraction)
    if is_json:
        answer = _as_json(entry, params, source, result)
        print_json(answer | {each: form_of(result, each, opened.url) for each in forms})
    elif format in ("markdown", "html"):
        print(form_of(result, format, opened.url))
    else:
        print(result.text)
    if result.no_content:
        note(f"no main content: {result.no_content}")
    elif not result.text:
        note(f"{entry.name} found no main content on this page")
    if result.unmapped:
        note(f"{result.unmapped} of its words are not in the document")
    note(*result.notes)
    return 0


def _extract_many(
    sources: Sequence[Path],
    job: "ExtractionJob",
    how: ExtractionOptions,
    choice: PageChoice,
    *,
    is_json: bool,
) -> int:
    """Write the files and print the outcomes of pages."""
    from annotate.extract.run import Extracted, extract, shards_of

    files = [source.absolute() for source in sources]
    plan = shards_of(files, job, how.shard_records, choice=choice, replaces=how.replaces)
    begun = time.monotonic()

    def say(extracted: Extracted) -> None:
        rate = extracted.pages / max(time.monotonic() - begun, 1e-9)
        of = f"{extracted.shards}/{len(plan.shards)} shards"
        progress(f"{of}, {extracted.pages} pages, {rate:.0f} a second")

    result = extract(plan, how.jobs, resumes=how.resumes, say=say)
    account = result.account()
    if is_json:
        more = {"pages": result.pages, "out": str(job.out), "account": account.as_json()}
        print_json(asdict(result) | more, indent=None, is_ascii=True)
    else:
        ends = ", ".join(f"{count} {status}" for status, count in sorted(result.counts.items()))
        written = f"{plural(result.pages, 'page')} in {plural(result.shards, 'file')}"
        print(f"{written}: {ends or 'none'}")
        if account.passed:
            note(account.sentence())
    _warn(result, predicts=job.predicts)
    if job.only is not None and result.pages < len(job.only) and choice.is_all:
        asked = plural(len(job.only), "address", "addresses")
        others = "others are in no archive, or no HTML pages there"
        note(f"{plural(result.pages, 'page')} of {asked}: {others}")
    is_empty = not result.pages and not result.not_chosen
    return 1 if result.troubles or result.has_failed or is_empty else 0


def _warn(extracted: "Extracted", *, predicts: bool) -> None:
    """Print warnings about the rows."""
    from annotate.evaluation.run.triage import warning_of

    note(*extracted.troubles)
    if extracted.has_failed:
        note(f"all pages failed; the first: {extracted.failure}")
    unpredicted = extracted.pages - extracted.predicted if predicts else 0
    counts = (extracted.predicted, extracted.bad, extracted.worst, unpredicted)
    if warning := warning_of(*counts):
        note(warning)
    if extracted.truncated:
        cut = plural(extracted.truncated, "page")
        note(f"{cut} cut off by server, crawler or the end of its file: see the column truncated")
    if extracted.left_out:
        answers = plural(extracted.left_out, "answer")
        note(f"{answers} in HTML left out: not found, redirects, errors of the server")


def _addresses(path: Path | None) -> frozenset[str] | None:
    if path is None:
        return None
    try:
        with convert_os_error(f"read {path}"):
            lines = bounded_file.read_text(path).split("\n")
    except ValueError as error:
        raise InputError(f"cannot read {path}: {error}") from error
    result = frozenset(filter(None, (line.strip("\ufeff \t") for line in lines)))
    if not result:
        raise InputError(f"{path} holds no addresses: write one a line")
    return result


def _as_json(entry: Method, params: Params, source: Input, result: Extraction) -> dict[str, Any]:
    return {
        "method": entry.key,
        "version": entry.version or own_version(),
        "parameters": params.as_dict(),
        "input": source,
        "status": "ok" if result.text else "empty",
        "text": result.text,
        "words": len(words_in(result.text)),
        "words_not_in_document": result.unmapped,
        "notes": list(result.notes),
        "no_content": result.no_content or None,
    }
