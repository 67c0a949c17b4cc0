"""GIF files without compression: a spacer and small signs of the kind pages wore around 2000."""

import struct
from pathlib import Path

from PySide6.QtGui import QImage


def save_gif(image: QImage, path: Path) -> None:
    """Write the image with 128 colours of its own; transparent where it is."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    palette: list[tuple[int, int, int]] = [(255, 255, 255)]  # entry 0 is the transparent one
    index: dict[tuple[int, int, int], int] = {}
    pixels = []
    for y in range(image.height()):
        for x in range(image.width()):
            colour = image.pixelColor(x, y)
            key = (colour.red() & 0xF0, colour.green() & 0xF0, colour.blue() & 0xF0)
            if colour.alpha() < 128:
                pixels.append(0)
                continue
            if key not in index and len(palette) < 128:
                index[key] = len(palette)
                palette.append(key)
            pixels.append(index[key] if key in index else _nearest(palette, key))
    palette += [(0, 0, 0)] * (128 - len(palette))
    data = bytearray()
    for i, pixel in enumerate(pixels):
        if i % 120 == 0:
            data.append(128)  # a clear code so often that codes stay eight bits long
        data.append(pixel)
    data.append(129)
    size = struct.pack("<HH", image.width(), image.height())
    out = bytearray(b"GIF89a" + size + b"\xf6\x00\x00")
    out += bytes(value for colour in palette for value in colour)
    out += b"\x21\xf9\x04\x01\x00\x00\x00\x00"
    out += b"\x2c\x00\x00\x00\x00" + size + b"\x00\x07"
    for start in range(0, len(data), 255):
        block = data[start : start + 255]
        out += bytes([len(block)]) + block
    out += b"\x00\x3b"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(out))


def _nearest(palette: list[tuple[int, int, int]], key: tuple[int, int, int]) -> int:
    return min(
        range(1, len(palette)),
        key=lambda i: sum((a - b) ** 2 for a, b in zip(palette[i], key, strict=True)),
    )
