"""Predictions of methods, stored during a run."""

import json
import os
import zipfile

from algorithms.core.batch import Run, RunStatus, Setup
from algorithms.core.catalogue import method
from annotate.datasets.package import pages
from annotate.evaluation.store.predictions import Predicted, PredictedPage, write_package
from engine.words import UNICODE

KEYS = [("ferries", page, "original") for page in ("one", "two", "three")]
SETUPS = (Setup("plain", method("plain").params(), "original"),)


def kept(folder, known=KEYS):
    predicted = Predicted(folder)
    predicted.begin(known, resumes=True)
    return predicted.pages


def test_lines_that_are_damaged_or_of_other_pages_are_left_out(tmp_path):
    predicted = Predicted(tmp_path)
    predicted.begin(KEYS, resumes=False)
    for key in KEYS:
        predicted.add(key, SETUPS, [Run(RunStatus.OK, seconds=1.0, text="ferry")], None)
    assert kept(tmp_path) == set(KEYS)
    path = tmp_path / "found.jsonl"
    first, second, third = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:20] + b"\xff\n" + b"{}\n3\n" + third)
    assert kept(tmp_path) == {KEYS[0], KEYS[2]}
    assert kept(tmp_path, KEYS[:1]) == {KEYS[0]}
    assert path.read_bytes() == first


def test_a_page_whose_name_is_no_utf_8_is_in_the_package_of_gold(tmp_path):
    path = tmp_path / "gold.zip"
    name = os.fsdecode(b"caf\xe9")
    write_package(path, "names", [PredictedPage(name, b"<p>tea", "tea", {"url": f"/{name}"})])
    (page,) = pages(path, [])
    assert (UNICODE.read(page.name), page.text()) == (name, "tea")
    with zipfile.ZipFile(path) as package:
        about = json.loads(package.read("package.json"))
    assert (about["name"], about["documents"]) == ("names", [page.name])  # not a page's name
