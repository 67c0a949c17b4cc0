"""The tree of errors, split by who can act.

    InputError        the user picks another file, address or data set
    CaptureError      the user loads the page again, or goes on
    MethodError       is shown beside the method's name
    OutputError       the disk is full
    WorkspaceError    MarksContested: the user says whose to keep; WorkspaceBusy: saving waits

Messages are for the user: lower case, one sentence, with the value and the expected values.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager


class PageletError(Exception):
    """Base class of errors that are shown as messages instead of a traceback."""


class InputError(PageletError):
    """A file, address or data set that cannot be used."""


class Unreachable(InputError):
    """An address that gives no answer now."""


@contextmanager
def convert_os_error(action: str) -> Iterator[None]:
    """Raise an `OSError` of an action as an `InputError`: ``cannot write a.csv: Disk full``."""
    try:
        yield
    except OSError as error:
        kind = DiskFull if error.errno in (errno.ENOSPC, errno.EDQUOT) else InputError
        raise kind(f"cannot {action}: {error.strerror or error}") from error


class ParameterError(InputError):
    """A method's parameter that is out of bounds or of the wrong kind."""


NO_QT = (
    "this needs a rendered page or a window, and Qt is not installed: install pagelet in place of "
    "pagelet-source"
)
"""Message where Pagelet was installed for sources only."""


class CaptureError(PageletError):
    """A page that did not become data."""


class LoadTimeout(CaptureError):
    """A page that took too long."""


class NotLoaded(CaptureError):
    """A page whose server gave no answer to the browser."""


class RendererDied(CaptureError):
    """The process that draws the page crashed or was killed."""


class MemoryExceeded(CaptureError):
    """A page that took more memory than the user allows."""


class ScriptError(CaptureError):
    """Failure of a script of Pagelet inside the page."""


class MethodError(PageletError):
    """A method that cannot work on this page."""


class MethodTimeout(MethodError):
    """A method that took longer than it may."""


class OutputError(PageletError):
    """A result that cannot be printed."""


class DiskFull(InputError, OutputError):
    """A file that cannot be written as there is no room for it."""


class WorkspaceError(PageletError):
    """A workspace that cannot be read or written."""


class MarksContested(WorkspaceError):
    """Marks of a page that another window has changed since they were read here."""


class WorkspaceMoved(WorkspaceError):
    """A workspace whose open file is not the one that has its name now."""


class WorkspaceBusy(WorkspaceError):
    """Workspace that another program is writing to; the failed operation can be repeated."""


PASSING = (Unreachable, NotLoaded, LoadTimeout, RendererDied, MethodTimeout, WorkspaceBusy)
"""Errors of an operation that may succeed when it is tried again."""
