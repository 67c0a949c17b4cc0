"""Third-party extractors: libraries, commands, proxies, browser readers, packages, versions.

None of them runs in Pagelet's own process: one that hangs, dies or answers rubbish is a failed
outcome with its reason.  A text is found again in the source by `algorithms.core.mapping`.
"""

from engine.plugin import Plugin

_HERE = "algorithms.plugins.external"

PLUGIN = Plugin(
    "external",
    finders=(  # the first of two methods with the same key is kept
        f"{_HERE}.libraries:found",
        f"{_HERE}.entry_points:plugins",
        f"{_HERE}.declared:read_declared",
    ),
    named=(f"{_HERE}.versions:named",),
)
