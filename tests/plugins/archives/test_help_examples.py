"""Test that the examples of ``--help`` work when typed."""

import os
import shlex
import subprocess
import sys

import pytest

from annotate.marks import edits
from annotate.marks.gold import Target
from annotate.workspace import annotators
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from tests.annotate.pages import nodes_of, row_of
from tests.e2e.test_help_examples import COMMANDS, examples
from tests.plugins.archives.test_kinds import as_mhtml
from tests.typed_commands import ROOT

PAGE = "<title>Ferry</title><h1 id=h>The Courier</h1><p id=a>The ferry is back.</p>"


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the files that the examples name."""
    made = tmp_path / "work"
    (made / "pages").mkdir(parents=True)
    for path in (made / "page.html", made / "pages" / "page.html"):
        path.write_text(f"<!doctype html>{PAGE}", encoding="utf-8")
    as_mhtml(tmp_path).rename(made / "story.mhtml")
    page = made / "pages" / "page.html"
    document, nodes = Document(str(page), page.as_uri()), nodes_of(PAGE)
    for name, people in (("anna", ["Anna"]), ("ben", ["Ben"]), ("team", ["Anna", "Ben"])):
        with Workspace.open(made / f"{name}.pagelet") as workspace:
            for person in people:
                with workspace.store.saving():
                    who = annotators.add(workspace.store, person)
                workspace.work_as(who)
                workspace.add_pages([document])
                key = page_key(document)
                target = Target(row_of(nodes, "h"))
                gold = edits.add_block(
                    workspace.load_gold(key, nodes), nodes, [target], 1, "Header"
                )
                workspace.save_gold(key, gold, nodes, "mark")
    return made


def run(line, folder):
    words = shlex.split(line)[1:]
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-m", "gui.cli.main", *words],
        cwd=folder, env=os.environ | {"PYTHONPATH": paths},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (line, done.stdout, done.stderr)
    return done


@pytest.mark.slow
@pytest.mark.web
def test_every_example_works_when_typed(folder):
    run("pagelet export anna.pagelet --format label-studio --out .", folder)
    tried = []
    for command in COMMANDS:
        for line in examples(command):
            if "https://" in line or "shard-1" in line:  # tests of crawls and shards have those
                continue
            if (folder / "story.wacz").exists() and command == "import":
                (folder / "story.wacz").unlink()
            run(line, folder)
            tried.append(command)
    assert set(tried) == set(COMMANDS)
    assert (folder / "both.pagelet").is_file()
    assert list((folder / "for-training").iterdir())
