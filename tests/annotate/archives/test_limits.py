"""Archives that would take too much time or memory are refused with the limit they exceed."""

import os
import zipfile

import pytest

from annotate.archives.members import member_names
from annotate.evaluation.run.shards import merge_shards
from engine.errors import InputError
from resources.documentation import build_site


def test_a_package_changed_without_a_new_time_or_size_is_read_again(tmp_path):
    path = tmp_path / "pages.wacz"
    for name in ("one.warc", "two.warc"):
        with zipfile.ZipFile(path, "w") as package:
            package.writestr(f"archive/{name}", b"")
        os.utime(path, (1e9, 1e9))
        assert list(member_names(path)) == [f"archive/{name}"]


@pytest.mark.skipif(os.name == "nt", reason="named pipes")
@pytest.mark.parametrize("name", ["shard-0001-of-0001.done", "shard-0001-of-0001.csv"])
def test_a_named_pipe_among_shards_is_refused_at_once(tmp_path, name):
    if name.endswith(".csv"):
        mark = '{"number": 1, "of": 1, "plan": "x", "datasets": {}, "sha256": ""}'
        (tmp_path / "shard-0001-of-0001.done").write_text(mark)
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match="it is a pipe, not a file"):
        merge_shards([tmp_path])


def test_a_site_is_not_built_over_other_files(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine").touch()
    assert build_site(tmp_path / "file").endswith("is not a folder")
    assert "holds something else than a site" in build_site(tmp_path / "folder")
    assert build_site(tmp_path / "file" / "below").startswith("cannot write")
    assert build_site(tmp_path / ("x" * 300)).startswith("cannot write")
    assert (tmp_path / "folder" / "mine").exists()
