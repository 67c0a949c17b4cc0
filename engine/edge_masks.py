"""Masks of the edges a reader sees in a page's picture (`engine.edges` finds them), kept as a file.

Stored: a line of JSON (format, version, the size of each mask), then the masks one after the other,
8 pixels a byte, each row filled up to a byte, all deflated.
"""

import json
import zlib
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from engine.errors import InputError
from engine.tree import Bools

Pixels = npt.NDArray[np.uint8]
Masks = dict[str, Bools]
"""A mask, bool (h, w), by its name."""

NAMES = ("fine", "coarse")
FORMAT, VERSION = "pagelet-edges", 1


def fit_masks(masks: Mapping[str, Bools], size: tuple[int, int]) -> Masks:
    """Return masks of a whole page from masks of its picture.

    Args:
        masks: Of a picture of the page's top left part, one pixel a CSS px.
        size: Width and height of the page.  What a picture does not show has no edges.
    """
    width, height = size
    result = {}
    for name, mask in masks.items():
        whole = np.zeros((height, width), dtype=bool)
        seen = mask[:height, :width]
        whole[: seen.shape[0], : seen.shape[1]] = seen
        result[name] = whole
    return result


def pack(masks: Mapping[str, Bools]) -> bytes:
    """Return masks as the bytes of a file; a page of 3 megapixels has about 100 kB."""
    about = {
        "format": FORMAT,
        "version": VERSION,
        "masks": {name: list(mask.shape) for name, mask in masks.items()},
    }
    bits = b"".join(np.packbits(mask, axis=1).tobytes() for mask in masks.values())
    return json.dumps(about).encode("ascii") + b"\n" + zlib.compress(bits, 1)


def unpack(data: bytes, name: str = "the file") -> Masks:
    """Return the masks that `pack` packed; raises `InputError`, which calls them ``name``."""
    head, _, deflated = data.partition(b"\n")
    try:
        about = json.loads(head)
        if about["format"] != FORMAT or about["version"] > VERSION:
            raise ValueError("its format is unknown")
        bits = np.frombuffer(zlib.decompress(deflated), dtype=np.uint8)
        masks, start = {}, 0
        for mask, (height, width) in about["masks"].items():
            stop = start + height * -(-width // 8)
            rows = bits[start:stop].reshape(height, -(-width // 8))
            masks[mask] = np.unpackbits(rows, axis=1, count=width).view(bool)
            start = stop
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, zlib.error) as error:
        raise InputError(f"{name} holds no edges, or is damaged: {error}") from error
    return masks
