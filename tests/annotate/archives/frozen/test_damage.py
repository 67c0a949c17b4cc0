"""Damaged files, full disks and killed processes: no partial file is left."""

import json
import resource
import signal
import subprocess
import sys
import time
import zipfile
from contextlib import contextmanager

import pytest

from annotate.archives.frozen import wacz
from annotate.archives.frozen.capturing import certify
from annotate.archives.frozen.damage import damage_of
from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.archives.frozen.verifying import verify
from annotate.datasets.opening import open_document
from engine.errors import InputError
from gui.cli.main import main
from tests.annotate.archives.frozen.test_round_trip import tamper
from tests.nobody import as_nobody

pytestmark = pytest.mark.web


@contextmanager
def full_disk(room=20_000):
    """Limit the size of files, so that the system refuses a write as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 0.99])
def test_a_truncated_file_is_refused_in_one_sentence(frozen_hard, tmp_path, share, capsys):
    data = frozen_hard[0].read_bytes()
    file = tmp_path / "cut.wacz"
    file.write_bytes(data[: int(len(data) * share)])
    assert not is_frozen(file)
    assert main(["verify", str(file)]) == 2
    stderr = capsys.readouterr().err
    assert stderr.startswith("pagelet: ")
    assert "Traceback" not in stderr
    with pytest.raises(InputError):
        open_document(file)


@pytest.mark.parametrize(
    "name",
    ["pagelet/picture.png", "archive/data.warc.gz", "pagelet/reference-nodes.json"],
)
def test_a_member_that_was_changed_is_named(frozen_hard, tmp_path, name):
    file = tmp_path / "changed.wacz"
    tamper(frozen_hard[0], file, name, lambda data: data[:-1] + b"x", is_told=False)
    certificate = verify(file)
    assert certificate.verdict == "failed"
    assert f"{name} in" in certificate.notes[0]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("pagelet/manifest.json", lambda _: b"[]"),
        ("pagelet/manifest.json", lambda data: data.replace(b"pagelet-frozen", b"something")),
        ("pagelet/manifest.json", lambda data: data.replace(b"1366", b"-5")),
        ("pagelet/manifest.json", lambda data: data.replace(b"https://local", b"file:///etc")),
        ("pagelet/frame-0.json", lambda _: b"{}"),
        ("pagelet/frame-0.json", lambda _: b"[" * 100_000),
    ],
)
def test_a_manifest_or_frame_of_rubbish_is_refused_in_words(frozen_hard, tmp_path, name, change):
    file = tmp_path / "rubbish.wacz"
    tamper(frozen_hard[0], file, name, change, is_told=name != "pagelet/manifest.json")
    with pytest.raises(InputError):
        FrozenFile(file).document()


def test_a_file_of_a_newer_pagelet_is_refused_in_words(frozen_hard, tmp_path):
    file = tmp_path / "newer.wacz"

    def newer(data):
        return json.dumps({**json.loads(data), "version": 9}).encode()

    tamper(frozen_hard[0], file, "pagelet/manifest.json", newer, is_told=False)
    with pytest.raises(InputError, match="newer"):
        FrozenFile(file).document()


def test_a_full_disk_leaves_the_older_file_as_it_was(frozen_hard, tmp_path):
    members = FrozenFile(frozen_hard[0]).members()
    out = tmp_path / "page.wacz"
    out.write_bytes(b"older")
    with full_disk(), pytest.raises(InputError, match="cannot write"):
        wacz.write(out, members, None)
    assert out.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [out]


def test_a_missing_output_folder_is_reported_with_exit_code_2(tmp_path, capsys):
    (tmp_path / "a.html").write_text("<p>a")
    out = tmp_path / "nowhere" / "a.wacz"
    assert main(["freeze", str(tmp_path / "a.html"), "--out", str(out)]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_read_only_output_folder_is_reported_with_exit_code_2(open_folder, capsys):
    (open_folder / "a.html").write_text("<p>a")
    folder = open_folder / "locked"
    folder.mkdir(mode=0o555)
    with as_nobody():
        assert main(["freeze", str(open_folder / "a.html"), "--out", str(folder / "a.wacz")]) == 2
    assert "read-only" in capsys.readouterr().err


@pytest.mark.slow
def test_the_written_file_contains_the_certificate_that_was_returned(frozen_hard, tmp_path):
    certificate = certify(FrozenFile(frozen_hard[0]).members(), tmp_path / "again.wacz")
    assert FrozenFile(tmp_path / "again.wacz").certificate() == certificate
    with zipfile.ZipFile(tmp_path / "again.wacz") as again:
        assert again.testzip() is None


@pytest.mark.long
def test_a_killed_capture_leaves_the_old_file_or_a_whole_new_one(tmp_path):
    (tmp_path / "a.html").write_text("<p>a" * 2000)
    out = tmp_path / "out" / "a.wacz"
    out.parent.mkdir()
    words = [sys.executable, "-m", "gui.cli.main", "freeze", str(tmp_path / "a.html")]
    for delay in (0.5, 1.5, 2.5, 4.0):
        process = subprocess.Popen([*words, "--out", str(out)], stdout=subprocess.DEVNULL)
        time.sleep(delay)  # where it is by then differs from machine to machine, and may
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not out.exists() or not damage_of(FrozenFile(out))
