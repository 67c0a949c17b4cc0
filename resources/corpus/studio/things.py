"""The things that stand on the tables: an enamel kettle, a mug, buns, bowls and fruit."""

from collections.abc import Sequence

import numpy as np

from resources.corpus.studio.landscape import Colour
from resources.corpus.studio.still import (
    Solid,
    box,
    capsule,
    curve,
    lathe,
    ring,
    rough,
    smooth,
    sphere,
    within,
)


def kettle(at: Sequence[float], colour: Colour) -> list[Solid]:
    """Return an enamel kettle with a wooden grip, its spout to the right."""
    x, y, z = at
    side = [(0.8, 0.06), (0.93, 0.18), (0.94, 0.5), (0.82, 0.92), (0.6, 1.2), (0.44, 1.3)]
    body = lathe([(0.0, 0.06), *smooth(side, 6)], 0.045, at)
    lid = lathe(smooth([(0.44, 1.33), (0.32, 1.4), (0.14, 1.45), (0.0, 1.46)], 3), 0.04, at)
    spout = within(
        curve(
            [
                (x + 0.78, y, z + 0.5),
                (x + 1.1, y, z + 0.72),
                (x + 1.3, y, z + 1.05),
                (x + 1.5, y, z + 1.2),
            ],
            [0.2, 0.15, 0.11, 0.09],
        ),
        (x + 1.1, y, z + 0.8),
        0.8,
    )
    angles = np.linspace(0.03 * np.pi, 0.97 * np.pi, 13)
    arch = [(x + 0.84 * np.cos(a), y, z + 0.88 + 1.12 * np.sin(a)) for a in angles]
    steel = (0.36, 0.36, 0.38)
    return [
        Solid(body, colour, 0.9, 0.12, tuple(c * 0.8 for c in colour)),  # type: ignore[arg-type]
        Solid(lid, colour, 0.9),
        Solid(spout, colour, 0.9),
        Solid(ring((x, y, z + 1.31), 0.46, 0.03, 2), (0.05, 0.05, 0.06), 0.7),
        Solid(ring((x, y, z + 0.1), 0.93, 0.04, 2), (0.05, 0.05, 0.06), 0.7),
        Solid(curve(arch, [0.035] * 13), steel, 1.0),
        Solid(
            curve(arch[4:9], [0.085, 0.1, 0.1, 0.1, 0.085]),
            (0.42, 0.24, 0.11),
            0.35,
            0.8,
            (0.3, 0.16, 0.07),
        ),
        Solid(sphere((x, y, z + 1.57), 0.1), (0.42, 0.24, 0.11), 0.35),
    ]


def mug(at: Sequence[float], colour: Colour, inside: Colour | None = None) -> list[Solid]:
    """Return an enamel mug, with something in it if `inside` is given."""
    x, y, z = at
    shell = within(
        lathe([(0.0, 0.04), (0.36, 0.04), (0.4, 0.1), (0.41, 0.72)], 0.03, at),
        (x, y, z + 0.4),
        0.62,
    )
    handle = ring((x - 0.44, y - 0.05, z + 0.4), 0.2, 0.045, 1)
    things = [
        Solid(shell, colour, 0.9),
        Solid(handle, colour, 0.9),
        Solid(ring((x, y, z + 0.73), 0.41, 0.035, 2), (0.05, 0.05, 0.06), 0.7),
    ]
    if inside:
        things.append(Solid(lathe([(0, 0.6), (0.38, 0.6)], 0.02, at), inside, 0.9))
    return things


def bun(at: Sequence[float], turn: float, seed: int) -> list[Solid]:
    """Return a knotted bun with dark filling between its strands."""
    x, y, z = at
    s = np.linspace(0, 2 * np.pi, 44)
    wide = 0.36 + 0.17 * np.cos(3 * s)
    points = [
        (
            x + w * np.cos(2 * a + turn),
            y + w * np.sin(2 * a + turn),
            z + 0.24 + 0.15 * np.sin(3 * a),
        )
        for a, w in zip(s, wide, strict=True)
    ]
    dough = within(rough(curve(points, [0.17] * 44), seed, 0.012, 90), (x, y, z + 0.24), 0.85)
    heart = sphere((x, y, z + 0.2), 0.42, 0.55)
    return [
        Solid(dough, (0.62, 0.33, 0.11), 0.22, 0.75, (0.4, 0.17, 0.05)),
        Solid(heart, (0.2, 0.08, 0.03), 0.3, 0.5, (0.4, 0.2, 0.08)),
    ]


def bowl(at: Sequence[float], radius: float, colour: Colour) -> list[Solid]:
    """Return a wide bowl."""
    r = radius
    side = [(0, 0.05), (0.4 * r, 0.05), (0.75 * r, 0.25 * r), (0.95 * r, 0.5 * r), (r, 0.7 * r)]
    return [Solid(lathe(side, 0.05, at), colour, 0.6, 0.15, tuple(c * 0.7 for c in colour))]  # type: ignore[arg-type]


def orange(at: Sequence[float], radius: float, seed: int) -> list[Solid]:
    """Return an orange with its dimpled skin."""
    x, y, z = at
    skin = rough(sphere((x, y, z + radius), radius, 0.95), seed, 0.004, 260)
    return [
        Solid(skin, (0.8, 0.3, 0.03), 0.35, 0.2, (0.9, 0.45, 0.06)),
        Solid(sphere((x, y, z + radius * 1.93), 0.05), (0.12, 0.16, 0.05), 0.1),
    ]


def board(at: Sequence[float], half: Sequence[float]) -> list[Solid]:
    """Return a cutting board."""
    return [Solid(box(at, half, 0.05), (0.34, 0.19, 0.09), 0.2, 0.9, (0.24, 0.12, 0.05))]


def knife(a: Sequence[float], b: Sequence[float]) -> list[Solid]:
    """Return a bread knife lying flat from a (grip) to b (point)."""
    start, end = np.array(a), np.array(b)
    middle = start + 0.38 * (end - start)
    return [
        Solid(capsule(tuple(start), tuple(middle), 0.07, 0.06), (0.12, 0.08, 0.06), 0.3),
        Solid(capsule(tuple(middle), tuple(end), 0.045, 0.012), (0.55, 0.56, 0.58), 1.0),
    ]


def bell(at: Sequence[float], size: float) -> list[Solid]:
    """Return a bronze bell standing on its lip, with bands and a crown."""
    x, y, z = at
    s = size
    side = [
        (1.02, 0.02),
        (0.95, 0.14),
        (0.8, 0.38),
        (0.68, 0.7),
        (0.61, 1.0),
        (0.57, 1.26),
        (0.48, 1.42),
    ]
    line = [(r * s, h * s) for r, h in [*smooth(side, 12), (0.3, 1.52), (0.0, 1.56)]]
    bronze, patina = (0.3, 0.155, 0.055), (0.11, 0.12, 0.08)
    middle = (x, y, z + 0.8 * s)
    shell = within(lathe(line, 0.045 * s, at), middle, 1.35 * s)
    bands = [
        ring((x, y, z + h * s), r * s, 0.022 * s, 2)
        for h, r in ((0.2, 0.945), (0.26, 0.905), (0.62, 0.745), (1.16, 0.63), (1.22, 0.62))
    ]
    crown = [
        within(ring((x, y, z + 1.62 * s), 0.2 * s, 0.06 * s, axis), (x, y, z + 1.62 * s), 0.35 * s)
        for axis in (0, 1)
    ]
    return [Solid(shape, bronze, 0.75, 0.7, patina) for shape in (shell, *bands, *crown)]


def beam(at: Sequence[float], half: Sequence[float]) -> list[Solid]:
    """Return a squared timber."""
    return [Solid(box(at, half, 0.04), (0.3, 0.18, 0.09), 0.1, 0.9, (0.2, 0.11, 0.05))]
