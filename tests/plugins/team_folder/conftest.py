"""A team of two in a folder."""

import pytest


@pytest.fixture
def team(tmp_path):
    """Return a folder, and the workspaces of Anna and Ben, who work in it."""
    from tests.plugins.team_folder.parts import member  # needs a plug-in that may be missing

    folder = tmp_path / "team"
    folder.mkdir()
    return (
        folder,
        member(folder, tmp_path / "anna.pagelet", "Anna"),
        member(folder, tmp_path / "ben.pagelet", "Ben"),
    )
