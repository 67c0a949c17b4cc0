"""elISA: rules in XML, compiled into a stylesheet that labels blocks."""

from engine.plugin import Plugin

PLUGIN = Plugin("elisa", methods=("algorithms.plugins.elisa.elisa:METHOD",))
