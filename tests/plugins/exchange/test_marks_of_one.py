"""The marks of one annotator of a workspace, for export."""

import pytest

from annotate.plugins.exchange.all_pages import workspace_files
from engine.errors import InputError
from tests.plugins.team_work.test_control_pages import team  # noqa: F401  a fixture


def test_the_marks_of_one_annotator_are_found_by_name(team):  # noqa: F811
    path, page = team
    whose = {name: workspace_files(path, name) for name in ("Anna", "Ben")}
    assert {name: len(files) for name, files in whose.items()} == {"Anna": 2, "Ben": 1}
    (mark,) = whose["Ben"][0].marks(page).marks
    assert (mark.level, mark.type) == (2, "Article")
    with pytest.raises(InputError, match="Carla"):
        workspace_files(path, "Carla")
