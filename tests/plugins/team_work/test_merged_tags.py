"""Tags of pages in merged workspaces."""

from annotate.plugins.team_work.merging import merge
from annotate.workspace.page_tags import put_tags, tags_of
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document


def tagged(file, page, tags, other):
    """Write a workspace with tags of a page, and of a name that is no page."""
    document = Document(str(page), page.as_uri(), page.parent, page.name)
    with Workspace.open(file) as workspace:
        workspace.add_pages([document])
        put_tags(workspace, {page_key(document): tags, other: ["own"]})
    return file


def test_merging_keeps_the_tags_of_both(tmp_path):
    page, out = tmp_path / "mill.html", tmp_path / "both.pagelet"
    page.write_text("<title>Mill</title><p>The tide mill ground corn.")
    one = tagged(tmp_path / "one.pagelet", page, ["old"], "one")
    two = tagged(tmp_path / "two.pagelet", page, ["old", "table"], "two")
    merge([one, two], out)
    with Workspace.open(out) as workspace:
        tags = tags_of(workspace)
    assert {"one": ("own",), "two": ("own",)}.items() <= tags.items()
    assert ("old", "table") in tags.values()
    merge([two], out)
    with Workspace.open(out) as workspace:
        assert tags_of(workspace) == tags
