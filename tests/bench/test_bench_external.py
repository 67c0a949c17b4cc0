"""What a library costs as a method of Pagelet, beside a loop that calls it itself.

Run with ``pytest tests/bench/test_bench_external.py --benchmark-enable --benchmark-only -s``; it
prints a table and fails where a `LIMIT` is missed by more than `SLACK`.  Both read the same decoded
documents in the same run, page by page in turn.  Seconds are those of the processor, this process
and its worker, and of each page the least of `ROUNDS` counts.  "Text" is a method's text, all that
is needed where nothing is drawn; "place" is also where it stands on the page, as highlights need;
"scored" is a row of `evaluate`: the gold located, the extract located, Gottron's measures.

Target: text 1.5 times the bare loop.  Resiliparse takes a millisecond a page: 1.32 to 1.37 times on
a quiet machine, 1.33 to 1.39 beside six busy processes (before, in the same runs, 1.60 to 1.71 and
1.75 to 1.79).  Beside the call stand .12 of it for handing the page over and taking the text, .10
for taking it and handing the text back there, some .1 for a call that finds its data in no cache,
which is more where others run in between, and .05 for the rest.  .10 of what went were copies into
new memory (`engine.processes.messages`), .2 whether the text is of this page, which text that a
library makes of the page's texts alone always is.  Shared memory gains nothing beside that.
"""

import time
from pathlib import Path

import pytest

from algorithms.core.attempt import attempt
from algorithms.core.batch import Setup, measures_of, run_extractor
from algorithms.measures.text_comparison import GoldText
from algorithms.plugins.external import adapters
from algorithms.plugins.external.libraries import find_installed
from engine.page import Page
from engine.processes.foreign import close_workers, worker_for
from engine.source import Source
from tests.corpora import CORPORA, documents

# Prompts for the fixture makes them benchmarks: skipped in a usual run, as no test may be timed.
pytestmark = [
    pytest.mark.usefixtures("benchmark"),
    pytest.mark.filterwarnings("ignore:Benchmark fixture was not used"),
]

ENTRIES = {entry.key: entry for entry in find_installed()}
LIBRARIES = {
    "trafilatura": {"focus": "balanced"},
    "resiliparse": {},
    "justext": {},
}
LIMIT = 1.5
SLACK = 1.3
PAGES, ROUNDS = 20, 6


@pytest.fixture(scope="module")
def pages(datasets):
    """Documents of both corpora, every n-th by size, with their gold."""
    result = []
    for corpus in CORPORA:
        every = sorted(documents(datasets, corpus), key=lambda page: len(page.data))
        result += every[:: len(every) // (PAGES // 2)][: PAGES // 2]
    yield result
    close_workers()


def seconds_of(worker):
    """Seconds that a worker has been on a processor; reading them takes as long as a small page."""
    process = None if worker is None else worker.process_id
    if process is None:
        return 0.0
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def least(call, document, worker):
    """Fewest seconds of some calls, this process and a worker, each on a page of which nothing is
    known: a string remembers its UTF-8 once a library has asked for it."""
    times = []
    for _ in range(ROUNDS):
        page = Page("page", document.source)
        before, start = seconds_of(worker), time.process_time()
        call(page)
        own = time.process_time() - start
        times.append(own + seconds_of(worker) - before)
    return min(times)


def costs(entry, document, worker):
    """Seconds of a page through Pagelet: text, place, scored."""
    params = entry.params()
    setup, measures = Setup(entry.key, params, "original"), measures_of("text").text

    def text(page):
        return attempt(entry, page, params, "original").result

    def place(page):
        result = text(page)
        return result is None or result.spans

    def scored(page):
        return run_extractor(page, GoldText(document.gold, page.original), setup, measures)

    return [least(call, document, worker) for call in (text, place, scored)]


@pytest.mark.parametrize("key", LIBRARIES)
def test_a_library_takes_little_more_time_than_a_plain_loop(key, pages, capsys):
    if key not in ENTRIES:
        pytest.skip(f"{key} is not installed")
    entry = ENTRIES[key]
    distribution = entry.version.rpartition(" ")[0]
    adapter, _ = adapters._ADAPTERS[distribution]
    options = {"markup": False, **entry.params().as_dict(), **LIBRARIES[key]}
    worker = worker_for(adapters.__name__, distribution)
    attempt(entry, Page("page", Source.from_text("<p>It has started.")), entry.params(), "original")
    totals, refused = [0.0, 0.0, 0.0, 0.0], []
    for document in pages:
        try:
            bare = least(lambda page: adapter(page.original.html, options), document, None)
        except Exception as error:  # noqa: BLE001  (a library may refuse a page)
            refused.append(error)
            continue
        result = [bare, *costs(entry, document, worker)]
        totals = [total + seconds for total, seconds in zip(totals, result, strict=True)]
    assert len(refused) <= len(pages) // 4, refused
    bare, text, position, scored = totals
    with capsys.disabled():
        print(
            f"\n{key:18} bare {1000 * bare / len(pages):6.2f} ms a page; text {text / bare:5.2f},"
            f" place {position / bare:5.2f}, scored {scored / bare:5.2f} times that"
        )
    assert text <= SLACK * LIMIT * bare
