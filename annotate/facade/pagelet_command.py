"""The ``pagelet`` command, up to where it is sure of its own packages.

Installed, this module stands beside them: ``gui`` is a common name, and where another maker's
package answers to it, the command must still be able to say so.  Standard library only.
"""

import sys


def main() -> int:
    """Run the command; return its exit status."""
    try:
        import pagelet  # noqa: F401  (sees to it that all packages are Pagelet's)

        from gui.cli.main import main as run
    except KeyboardInterrupt:
        print("pagelet: stopped", file=sys.stderr)
        return 130
    except ImportError as error:
        return _refuse(error)
    return run()


def _refuse(error: ImportError) -> int:
    """Say what stands in the way; the doctor does so in his own words."""
    if sys.argv[1:2] != ["doctor"]:
        print(f"pagelet: {error}", file=sys.stderr)
        return 1
    said = str(error)
    print("FIX   Packages: not all are Pagelet's own")
    print(f"      {said[:1].upper()}{said[1:]}.")
    print("      Then pagelet doctor again: until then nothing else can be checked.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
