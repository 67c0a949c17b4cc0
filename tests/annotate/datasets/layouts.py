"""One tiny data set of each layout, written into a folder."""

import gzip
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from annotate.datasets.readers import read_dataset, reader_of

PAGE = "<html><body><nav>Home</nav><p>The ferry came back.</p></body></html>"
STORY = "The ferry came back."

PREPARED = """<html><body><nav><span __boilernet_label="0">Home</span></nav>
<p class="lead"><span __boilernet_label="1">The ferry</span>
<span class="loud" __boilernet_label="1">came</span> <span __boilernet_label="1">back.</span></p>
</body></html>"""
RAW = '<html><body><nav>Home</nav><p __label="main">The f<b>erry</b> came back.</p></body></html>'

ANNOTATED = """<html><body><nav>Home</nav><h1><span class="x-nc-sel1">Ferry back</span></h1>
<p><span class="x-nc-sel2">The ferry <span class="x-nc-sel0">Buy</span> came back.</span></p>
<p><span class="x-nc-sel3">It was noon.</span></p><p><span class="x-nc-sel5">I like it</span></p>
</body></html>"""
CRAWLED = """<html><body><nav>Home</nav><h1>Ferry back</h1><p>The ferry Buy came back.</p>
<p>It was noon.</p><p>I like it</p></body></html>"""

MARKED = """<html><head><style id="cc-extraStyle" name="cc">.mark-selected { color: red; }</style>
</head><body data-anno-uid="anno-uid-1"><nav data-anno-uid="anno-uid-2">Home</nav>
<p data-anno-uid="anno-uid-3" class="lead mark-selected" cc-select="true"><marked-text
data-anno-uid="anno-uid-4" cc-select="true">The ferry</marked-text> came back.</p></body></html>"""


def put(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder; text as UTF-8."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return folder


def lines(*objects: object) -> str:
    """Return objects as JSON Lines."""
    return "".join(f"{json.dumps(each)}\n" for each in objects)


def warc_record(kind: str, block: bytes, *, compressed: bool = True, **headers: str) -> bytes:
    """Return a WARC record; ``record_id="1"`` becomes ``WARC-Record-ID: <urn:uuid:1>``."""
    fields = [b"WARC/1.0", f"WARC-Type: {kind}".encode()]
    for name, value in headers.items():
        is_id = name in ("record_id", "refers_to")
        named = {"record_id": "WARC-Record-ID"}.get(name, f"WARC-{name.replace('_', '-').title()}")
        named = "Content-Type" if name == "content_type" else named
        fields.append(f"{named}: {f'<urn:uuid:{value}>' if is_id else value}".encode())
    fields.append(f"Content-Length: {len(block)}".encode())
    record = b"\r\n".join(fields) + b"\r\n\r\n" + block + b"\r\n\r\n"
    return gzip.compress(record) if compressed else record


def package_zip(folder: Path) -> Path:
    """Write a package as a zip and return it."""
    path = folder / "pages.zip"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("one.html", PAGE)
        package.writestr("one.txt", STORY)
    return path


def package_folder(folder: Path) -> Path:
    """Write a package as a folder."""
    index = json.dumps({"format": "ce-package", "version": 1, "documents": ["one"]})
    return put(folder, {"package.json": index, "one.htm": PAGE, "one.txt": STORY})


def loose_package(folder: Path) -> Path:
    """Write a package without its index."""
    return put(folder, {"one.xhtml": PAGE, "one.txt": STORY})


def benchmark(folder: Path) -> Path:
    """Write a folder of the article benchmark."""
    truth = json.dumps({"one": {"articleBody": STORY, "url": "http://example.org/"}})
    page = gzip.compress(PAGE.encode())
    return put(folder, {"ground-truth.json": truth, "html/one.html.gz": page})


def wcxb(folder: Path) -> Path:
    """Write a folder of WCXB, second form, with one split."""
    truth = {"main_content": STORY, "with": ["ferry came"], "without": ["Home"]}
    return put(
        folder,
        {
            "dev/html/0001.html.gz": gzip.compress(PAGE.encode()),
            "dev/ground-truth/0001.json": json.dumps({"file_id": "0001", "ground_truth": truth}),
        },
    )


def cleaneval(folder: Path) -> Path:
    """Write a folder of CleanEval's layout."""
    return put(folder, {"original/1.html": PAGE, "gold/1.txt": f"URL: http://x/\n<p>{STORY}\n"})


def cetd(folder: Path) -> Path:
    """Write a folder of CETD's layout."""
    return put(folder, {"YAHOO!/original/1.htm": PAGE, "YAHOO!/gold/1.txt": STORY})


def dragnet(folder: Path) -> Path:
    """Write a folder of Dragnet's first layout."""
    gold = f"{STORY}\n!@#$%^&*()  COMMENTS\nI like it.\n"
    return put(folder, {"HTML/R1.html": PAGE, "Corrected/R1.html.corrected.txt": gold})


def dragnet2(folder: Path) -> Path:
    """Write a folder of Dragnet's second layout."""
    about = f"id = 'ab-1'\nurl = 'http://example.org/'\ntext = '''\n{STORY}\n'''\n"
    return put(folder, {"data/html/ab-1.html": PAGE, "data/meta/ab-1.toml": about})


def l3s_warc(folder: Path) -> Path:
    """Write L3S-GN1 as a WARC file, each record compressed, and return the file."""
    records = [
        warc_record("warcinfo", b"software: x", record_id="0"),
        warc_record("resource", CRAWLED.encode(), record_id="1", target_uri="http://x/a"),
        warc_record(
            "conversion", ANNOTATED.encode(), record_id="2", refers_to="1", target_uri="http://x/a"
        ),
    ]
    return put(folder, {"pages.warc.gz": b"".join(records)}) / "pages.warc.gz"


def l3s_folder(folder: Path) -> Path:
    """Write L3S-GN1 unpacked."""
    files = {"original/1.html": CRAWLED, "annotated/1.html": ANNOTATED}
    return put(folder, {**files, "url-mapping.txt": "<urn:uuid:1> http://x/a\n"})


def boilernet(folder: Path) -> Path:
    """Write a folder of BoilerNet's with both kinds of pages."""
    return put(folder, {"raw_html/1.html": PAGE, "prepared_html/1.html": PREPARED})


def boilernet_pages(folder: Path) -> Path:
    """Write a folder that holds prepared pages themselves."""
    return put(folder, {"1.html": PREPARED})


def readability(folder: Path) -> Path:
    """Write a folder of Readability's test pages."""
    expected = f'<div id="readability-page-1"><p>{STORY}</p></div>'
    case = "test/test-pages/ferry"
    return put(folder, {f"{case}/source.html": PAGE, f"{case}/expected.html": expected})


def defuddle(folder: Path) -> Path:
    """Write a folder of Defuddle's tests."""
    expected = f'```json\n{{"title": "Ferry"}}\n```\n\n{STORY}\n'
    return put(folder, {"fixtures/ferry.html": PAGE, "expected/ferry.md": expected})


def combined(folder: Path) -> Path:
    """Write a folder of the combined form."""
    line = lines({"page_id": "aa", "plaintext": STORY, "source": ["cetd", "BBC_1"]})
    return put(
        folder, {"combined/html/cetd/aa.html": PAGE, "combined/ground-truth/cetd.jsonl": line}
    )


def webmainbench(folder: Path) -> Path:
    """Write a file of WebMainBench and return it."""
    about = {"track_id": "id-1", "url": "http://x/", "html": MARKED, "main_html": f"<p>{STORY}</p>"}
    return put(folder, {"bench.jsonl": lines(about)}) / "bench.jsonl"


def evaldata(folder: Path) -> Path:
    """Write a folder of trafilatura's evaluation."""
    index = {"http://x/": {"file": "x.html", "with": ["ferry came"], "without": ["Home"]}}
    return put(folder, {"evaldata.json": json.dumps(index), "cache/x.html": PAGE})


def site(folder: Path) -> Path:
    """Write a site of one page."""
    page = {"path": "guide/index.html", "url": "http://x/guide/", "template": "guide",
            "family": "guide", "gold": True}  # fmt: skip
    return put(folder, {
        "site.json": json.dumps({"site": "one", "pages": [page]}),
        "pages/guide/index.html": PAGE, "gold/guide/index.html.txt": STORY,
    })  # fmt: skip


def sites(folder: Path) -> Path:
    """Write a folder of one site."""
    site(folder / "one")
    return folder


LAYOUTS: Mapping[str, tuple[str, Callable[[Path], Path], str]] = {
    "package zip": ("package", package_zip, "one"),
    "package folder": ("package", package_folder, "one"),
    "package without index": ("package", loose_package, "one"),
    "article benchmark": ("article benchmark", benchmark, "one"),
    "WCXB": ("WCXB", wcxb, "dev/0001"),
    "CleanEval": ("CleanEval", cleaneval, "1"),
    "CETD": ("CleanEval", cetd, "YAHOO!/1"),
    "Dragnet": ("Dragnet", dragnet, "R1"),
    "Dragnet 2": ("Dragnet 2", dragnet2, "ab-1"),
    "L3S-GN1 as WARC": ("L3S-GN1", l3s_warc, "1"),
    "L3S-GN1 unpacked": ("L3S-GN1", l3s_folder, "1"),
    "BoilerNet": ("BoilerNet", boilernet, "1"),
    "BoilerNet's pages": ("BoilerNet", boilernet_pages, "1"),
    "Readability": ("Readability", readability, "ferry"),
    "Defuddle": ("Defuddle", defuddle, "ferry"),
    "SIGIR 2023": ("SIGIR 2023", combined, "cetd/aa"),
    "WebMainBench": ("WebMainBench", webmainbench, "id-1"),
    "trafilatura": ("trafilatura", evaldata, "x.html"),
    "a site": ("sites", site, "guide/index.html"),
    "sites": ("sites", sites, "one/guide/index.html"),
}
"""Name → the format's name, what writes it and returns what to open, its page's name."""


def read_texts(path: Path):
    """Return the format's name, the pages and the problems of a data set with gold text."""
    dataset = read_dataset(path)
    pages = tuple(files[""].page for _, files in dataset.pages)
    return reader_of(path).name, pages, dataset.problems
