"""Review of marks in any browser, without an install: pages to hand on, answers to take."""

from engine.plugin import Plugin

PLUGIN = Plugin(
    "review_pages",
    feature="gui.plugins.review_pages.feature:FEATURE",
    options={
        "bundle": "gui.plugins.review_pages.bundle_review",
        "merge": "gui.plugins.review_pages.merge_answers",
    },
)
