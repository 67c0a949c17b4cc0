"""Transfer of marks to other pages of the same template."""

from engine.plugin import Plugin

PLUGIN = Plugin("transfer", feature="gui.plugins.transfer.feature:FEATURE", answers=("transfer",))
