"""Test the scenes of the crash table with a few kills each."""

import random
import sys
import tempfile
from pathlib import Path

import pytest

from tests.bench import crash_table

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kills by fork and limits of Linux")


@pytest.mark.parametrize("scene", crash_table.SCENES, ids=lambda scene: scene.__name__)
def test_nothing_acknowledged_is_lost(scene):
    with tempfile.TemporaryDirectory() as position:  # pytest's own are closed to other users
        folder = Path(position) / "work"
        folder.mkdir()
        line = scene(folder, random.Random(3), 4)
    assert line.lost == 0, line
    assert line.seen
