"""Several annotators: assigned pages, comments, review, agreement and merged files."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "team_work",
    feature=(
        "gui.plugins.team_work.review.feature:FEATURE",
        "gui.plugins.team_work.team.feature:FEATURE",
        "gui.plugins.team_work.agreement.feature:FEATURE",
    ),
    answers=("question",),
    commands={
        "agreement": Command(
            "gui.plugins.team_work.agreement_command",
            "Say how far annotators agree, by page and in the mean.",
        ),
        "assign": Command(
            "gui.plugins.team_work.assign",
            "Deal pages to annotators, with overlap and hidden control pages.",
        ),
    },
    options={"merge": "gui.plugins.team_work.merge_marks"},
)
