"""Folders are opened whose pages are several levels below."""

from annotate.datasets.opening import open_pages


def test_pages_deep_in_a_folder_written_by_wget_are_found(tmp_path):
    for name in ("example.org/example.org/index.html", "example.org/example.org/a/b/story.htm"):
        file = tmp_path / "mirror" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("<p>The ferry is back.</p>", "utf-8")
    opened = open_pages(tmp_path / "mirror")
    assert [document.path for document in opened.documents] == [
        "example.org/example.org/a/b/story.htm",
        "example.org/example.org/index.html",
    ]
