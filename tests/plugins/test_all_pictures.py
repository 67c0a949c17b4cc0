"""Test that scenes make all pictures of the documentation."""

from resources import path
from tests.gui.shown_texts import stored_texts
from tests.gui.take_docs import SCENES
from tests.plugins.audit import scenes as audit
from tests.plugins.disagreement import scenes as disagreement
from tests.plugins.side_by_side import scenes as side_by_side
from tests.plugins.suggestions import scenes as suggestions
from tests.plugins.team_work import scenes as team_work


def test_every_picture_of_the_window_is_made_by_a_scene():
    for each in (audit, disagreement, side_by_side, suggestions, team_work):
        assert each.SCENES.items() <= SCENES.items()
    made = {f"{name}.webp" for name in (*SCENES, "report")}
    assert {each.name for each in path("pictures").glob("*.webp")} == made
    of_window = {name for name in stored_texts() if not name.startswith("figures/")}
    assert of_window - {"report"} == set(SCENES)
