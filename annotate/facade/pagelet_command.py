"""Entry point of the ``pagelet`` command, before its packages are checked.

Installed, this module is beside them: ``gui`` is a common name, and if another package has it, the
command must still be able to report that.  Standard library only.
"""

import os
import signal
import sys
from pathlib import Path


def main() -> int:
    """Run the command; return its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start background jobs
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _forget_current_folder()
        import pagelet  # noqa: F401  (sees to it that all packages are Pagelet's)

        from gui.cli.main import main as run
    except KeyboardInterrupt:
        print("pagelet: stopped", file=sys.stderr)
        return 130
    except ImportError as error:
        return _refuse(error)
    return run()


def _forget_current_folder() -> None:
    """Import nothing from the current folder, which may be a downloaded data set.

    Python has made the empty and relative parts of ``PYTHONPATH`` absolute by now.  Pagelet's own
    folders stay: they are the current ones for whoever works on it.
    """
    parts = os.environ.pop("PYTHONPATH", "").split(os.pathsep)
    absolute = [part for part in parts if Path(part).is_absolute()]
    if absolute:
        os.environ["PYTHONPATH"] = os.pathsep.join(absolute)
    own = {str(folder) for folder in Path(__file__).resolve().parents[:3]}
    foreign = {os.path.realpath(part) for part in parts if part not in absolute} - own
    sys.path[:] = [
        folder
        for folder in sys.path
        if folder in absolute
        or (Path(folder).is_absolute() and os.path.realpath(folder) not in foreign)
    ]


def _refuse(error: ImportError) -> int:
    """Print the reason; for ``doctor`` in its own format."""
    if sys.argv[1:2] != ["doctor"]:
        print(f"pagelet: {error}", file=sys.stderr)
        return 1
    text = str(error)
    print("FIX   Packages: not all are Pagelet's own")
    print(f"      {text[:1].upper()}{text[1:]}.")
    print("      Then pagelet doctor again: until then nothing else can be checked.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
