"""Test that the encoding a page declares is the one that others' suites, and the browser, find."""

import html
import json
import re
import tarfile

import pytest

from engine import encoding
from engine.encoding import declared_in, decode, name_of
from tests.reader import read_in_browser

_NONE_DECLARED = "windows-1252"
"""What html5lib's tests fall back to; Pagelet reads UTF-8 where the bytes are that."""
_IN_SCRIPTS = re.compile(rb"<(?:script|style)\b[^>]*>.*<meta")
"""The standard's scan reads a ``meta`` in a script; Chromium's does not (asked below)."""
_READ = re.compile(r"_(?:chars|errors)[^/]*\.html$|-decode-errors\.html$")
"""Pages of letters, and pages of a harness that say what the letters are."""
_WRITTEN_AS = {"\xa5": "\\", "\u203e": "~", "\u2212": "\uff0d"}
"""Signs that Japanese encodings write with the bytes of others, by which they are read."""
_WEB_PLATFORM = "wpt/encoding.tar.xz"


def _cases(suites):
    """Return the documents of html5lib's tests of encodings, each with the name expected."""
    cases = []
    for path in sorted((suites / "html5lib" / "encoding").glob("*.dat")):
        for case in path.read_bytes().split(b"#data\n")[1:]:
            data, _, name = case.rpartition(b"\n#encoding\n")
            cases.append((data, name.strip().decode().lower()))
    if not cases:
        pytest.skip("no tests of encodings of html5lib among the suites")
    return cases


def _differences(cases):
    """Return cases with what was found, where that is another encoding."""
    marks = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
    found = [
        (data, name, decode(data).encoding if data.startswith(marks)
         else declared_in(data) or _NONE_DECLARED)
        for data, name in cases
    ]  # fmt: skip
    return [row for row in found if row[1] != row[2]]


def test_declarations_are_those_of_html5lib_but_for_scripts(suites):
    cases = _cases(suites)
    wrong = _differences(cases)
    print(f"{len(cases)} documents, {len(wrong)} differ")
    assert len(cases) > 80
    assert [row for row in wrong if not _IN_SCRIPTS.search(row[0])] == []


def test_the_oracle_finds_a_declaration_that_is_overlooked(suites, monkeypatch):
    found = encoding._encoding_of
    monkeypatch.setattr(
        encoding, "_encoding_of", lambda given: "" if b"charset" in given else found(given)
    )
    assert len(_differences(_cases(suites))) > 20


@pytest.mark.web
def test_the_browser_reads_no_declaration_in_a_script(suites, tmp_path, qtbot):
    cases = [row for row in _cases(suites) if _IN_SCRIPTS.search(row[0])]
    path = tmp_path / "page.html"
    for data, *_ in cases:
        path.write_bytes(data + b"<p>\xb9")
        with read_in_browser(path, qtbot) as reader:
            assert reader.ask("document.characterSet").lower() != "iso-8859-2"


@pytest.fixture(scope="module")
def web_platform(suites):
    """The files of the tests of encodings of the web platform, by name below their folder."""
    if not (suites / _WEB_PLATFORM).is_file():
        pytest.skip(f"no {_WEB_PLATFORM} among the suites")
    files = {}
    with tarfile.open(suites / _WEB_PLATFORM) as archive:
        for member in archive:
            is_wanted = "legacy-mb" not in member.name or _READ.search(member.name)
            if member.isfile() and is_wanted:
                content = archive.extractfile(member)
                assert content is not None
                files[member.name.partition("/")[2]] = content.read()
    return files


def test_all_labels_of_the_standard_are_known_and_no_others(web_platform):
    table = next(
        web_platform[name] for name in web_platform if name.endswith("encodings.js")
    ).decode()
    groups = json.loads(table[table.index("[") : table.rindex("]") + 1])
    known = {
        label: each["name"].lower()
        for group in groups for each in group["encodings"] for label in each["labels"]
    }  # fmt: skip
    others = re.findall(
        r'^  "(.*)",?$', web_platform["unsupported-labels.window.js"].decode(), re.MULTILINE
    )
    print(f"{len(known)} labels, {len(others)} that are none")
    assert len(known) > 200
    assert len(others) > 100
    assert {label: name_of(label) for label in known} == known
    assert [label for label in others if name_of(label)] == []


def test_files_cut_in_a_letter_end_as_their_references(web_platform):
    files = [name for name in web_platform if re.fullmatch(r"eof-.*(?<!-ref)\.html", name)]
    assert len(files) == 4
    for name in files:
        reference = web_platform[name.replace(".html", "-ref.html")]
        ends = [decode(data).text.rstrip("\n").rpartition("\n")[2].replace("&#xFFFD;", "\ufffd")
                for data in (web_platform[name], reference)]  # fmt: skip
        assert ends[0] == ends[1]


def test_one_byte_order_mark_is_taken_off_and_comes_before_all_else(web_platform):
    for name in ("utf-8", "utf-16le", "utf-16be"):
        read = decode(web_platform[f"resources/two-boms-{name}.html"], "windows-1252")
        assert read[:2] == ("\ufeff", name)
    assert decode(web_platform["bom-handling.html"]).encoding == "utf-8"


@pytest.mark.slow
def test_pages_of_letters_have_the_code_points_that_they_state(web_platform):
    span = re.compile(r'<span data-cp="([^"]*)" data-bytes="[^"]*">(.*?)</span>', re.DOTALL)
    compared, wrong = 0, []
    for name, data in web_platform.items():
        if "_chars" not in name:
            continue
        for given, shown in span.findall(decode(data).text):
            stated = "".join(chr(int(point, 16)) for point in given.split())
            compared += 1
            letter = html.unescape(shown)
            wrong += [(name, given, letter)] * (letter not in (stated, _WRITTEN_AS.get(stated)))
    print(f"{compared} letters, {len(wrong)} differ")
    assert compared > 300_000
    assert wrong == []


def test_pages_of_errors_read_as_their_harness_says(web_platform):
    compared, wrong = 0, []
    for name, data in web_platform.items():
        if not name.endswith("-decode-errors.html"):
            continue
        wanted = re.findall(r'textContent, "(.*)"\);', data.decode())
        page = name.replace("-decode-errors", "_errors")
        shown = re.findall("<span>(.*?)</span>", decode(web_platform[page]).text, re.DOTALL)
        assert len(shown) == len(wanted) > 5
        compared += len(wanted)
        pairs = zip(wanted, shown, strict=True)
        wrong += [(page, *pair) for pair in pairs if pair[0] != html.unescape(pair[1])]
    print(f"{compared} errors, {len(wrong)} differ")
    assert compared > 40
    assert wrong == []
