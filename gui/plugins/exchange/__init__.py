"""Marks to and from formats of other tools."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "exchange",
    feature="gui.plugins.exchange.feature:FEATURE",
    marks="annotate.plugins.exchange.imports:account_of",
    commands={
        "export": Command(
            "gui.plugins.exchange.export",
            "Write marks in the formats of other tools; list losses.",
        ),
        "import": Command(
            "gui.plugins.exchange.import_marks",
            "Bring in marks of other tools, or pages saved by other programs.",
        ),
    },
)
