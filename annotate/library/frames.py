"""Tables as frames: pandas or polars if installed, NumPy records without."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np

from engine.errors import InputError

FrameKind = Literal["pandas", "polars", "pyarrow", "numpy"]
KINDS: tuple[FrameKind, ...] = ("pandas", "polars", "pyarrow", "numpy")
_USUAL: tuple[FrameKind, ...] = ("pandas", "polars", "numpy")


def frame_of(columns: Mapping[str, Sequence[object]], kind: FrameKind | None = None) -> Any:  # noqa: ANN401
    """Return columns as a table.

    Args:
        columns: Name → values, all of one length; None is a missing one.
        kind: ``pandas``, ``polars``, ``pyarrow`` (a table of Arrow) or ``numpy``; None the first of
            pandas, polars and NumPy that is installed.

    Raises:
        InputError: There is no such kind, or it is not installed.
    """
    chosen = kind or next(each for each in _USUAL if find_spec(each))
    if chosen not in KINDS:
        raise InputError(f"a frame is one of {', '.join(KINDS)}, not {chosen!r}")
    if find_spec(chosen) is None:
        raise InputError(f"{chosen} is not installed: pip install {chosen}, or ask for 'numpy'")
    arrays = {name: _array(values) for name, values in columns.items()}
    if chosen == "pandas":
        import pandas

        return pandas.DataFrame(arrays)
    if chosen == "polars":
        import polars

        return polars.DataFrame({name: array.tolist() for name, array in arrays.items()})
    if chosen == "pyarrow":
        import pyarrow

        return pyarrow.table({name: _column(values) for name, values in columns.items()})
    return np.rec.fromarrays(list(arrays.values()), names=list(arrays))  # type: ignore[call-overload]


def _column(values: Sequence[object]) -> Any:  # noqa: ANN401
    """Return a column of Arrow's, with null for missing values."""
    import pyarrow

    array = _array(values)
    kinds = {"i": pyarrow.int64(), "f": pyarrow.float64()}
    kind = kinds.get(array.dtype.kind, pyarrow.string())
    return pyarrow.array(
        list(values)
        if kind != pyarrow.string()
        else [None if value is None else str(value) for value in values],
        kind,
    )


def _array(values: Sequence[object]) -> Any:  # noqa: ANN401
    known = [value for value in values if value is not None]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
        if len(known) == len(values) and all(isinstance(value, int) for value in known):
            return np.array(values, dtype=np.int64)
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return np.array(["" if value is None else str(value) for value in values], dtype=np.str_)
