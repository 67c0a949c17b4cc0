"""Layouts of published data sets with gold text, a module each."""

from annotate.datasets.cases import TEXT
from annotate.datasets.readers import Reader, text_pages
from annotate.plugins.published_data import (
    benchmark,
    boilernet,
    cleaneval,
    combined,
    dragnet,
    dragnet2,
    evaldata,
    readability,
    wcxb,
    webmainbench,
)

_TEXT = frozenset({TEXT})

READERS = (
    Reader("article benchmark", "a folder with ground-truth.json",
           _TEXT, benchmark.matches, text_pages(benchmark.pages)),
    Reader("WCXB", "folders html and ground-truth (ID.json)",
           _TEXT, wcxb.matches, text_pages(wcxb.pages)),
    Reader("CleanEval", "folders original and gold",
           _TEXT, cleaneval.matches, text_pages(cleaneval.pairs), around=cleaneval.is_pair),
    Reader("Dragnet", "folders HTML and Corrected",
           _TEXT, dragnet.matches, text_pages(dragnet.pages)),
    Reader("Dragnet 2", "folders html and meta (ID.toml)",
           _TEXT, dragnet2.matches, text_pages(dragnet2.pages)),
    Reader("BoilerNet", "folders raw_html and prepared_html",
           _TEXT, boilernet.matches, text_pages(boilernet.pages)),
    Reader("Readability", "folders with source.html and expected.html",
           _TEXT, readability.matches, text_pages(readability.pages)),
    Reader("SIGIR 2023", "folders html and ground-truth (DATASET.jsonl)",
           _TEXT, combined.matches, text_pages(combined.pages)),
    Reader("WebMainBench", "a file of JSON Lines with html and main_html",
           _TEXT, webmainbench.matches, text_pages(webmainbench.pages), is_around=False),
    Reader("trafilatura", "a folder with evaldata.json",
           _TEXT, evaldata.matches, text_pages(evaldata.pages)),
)  # fmt: skip
