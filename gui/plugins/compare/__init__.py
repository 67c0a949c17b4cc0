"""Differences by page between two versions of a package, method or result."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "compare",
    feature="gui.plugins.compare.feature:FEATURE",
    answers=("compare",),
    tests=("annotate.plugins.compare.gate_tests:collect_tests",),
    commands={
        "compare": Command(
            "gui.plugins.compare.compare",
            "Say what changed on which pages between two versions of anything.",
        ),
        "bisect": Command(
            "gui.plugins.compare.bisect",
            "Name the version, or commit, at which a result changed for the worse.",
        ),
        "gate": Command(
            "gui.plugins.compare.gate",
            "Fail where scores fall below a baseline: of any page, or in the mean.",
        ),
        "loop": Command(
            "gui.plugins.compare.loop",
            "Hold a change of a method against the last accepted one, and keep the log.",
        ),
    },
    options={
        "diff": "gui.plugins.compare.diff_since",
        "evaluate": "gui.plugins.compare.evaluate_since",
    },
)
