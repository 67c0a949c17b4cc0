"""Which processes of its own the process of the tests has running."""

import gc

from engine.processes.child import Child


def living():
    """The children of this process that have not ended."""
    # One that is being made in another thread has no process yet.
    every = [each for each in gc.get_objects() if type(each) is Child and hasattr(each, "process")]
    return {child for child in every if child.is_alive()}
