"""Still lifes: solids given by their distance functions, traced, lit and grained like a photograph.

Lengths are in decimetres, z is up, the table is the plane z = 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from resources.corpus.studio.landscape import Array, Colour, develop, noise, sample

Distance = Callable[[Array], Array]


@dataclass(frozen=True)
class Solid:
    """One thing on the table: its shape, colour, gloss (0 chalk, 1 glass) and grain."""

    shape: Distance
    colour: Colour
    gloss: float = 0.1
    grain: float = 0.0
    second: Colour | None = None  # a second colour, mixed in by the grain


def _f(values: npt.ArrayLike) -> Array:
    return np.asarray(values, dtype=np.float32)


def sphere(centre: Sequence[float], radius: float, squash: float = 1.0) -> Distance:
    """Return a sphere, flattened by `squash`."""
    return lambda p: _f(
        (np.linalg.norm((p - _f(centre)) * _f([1, 1, 1 / squash]), axis=-1) - radius)
        * min(1.0, squash)
    )


def capsule(a: Sequence[float], b: Sequence[float], ra: float, rb: float) -> Distance:
    """Return a rod from a to b with round ends, `ra` thick at a and `rb` at b."""
    start, along = _f(a), _f(b) - _f(a)

    def distance(p: Array) -> Array:
        t = np.clip((p - start) @ along / (along @ along), 0, 1)
        return _f(np.linalg.norm(p - start - t[:, None] * along, axis=-1) - (ra + (rb - ra) * t))

    return distance


def box(centre: Sequence[float], half: Sequence[float], rounding: float = 0.05) -> Distance:
    """Return a box with rounded edges."""

    def distance(p: Array) -> Array:
        q = np.abs(p - _f(centre)) - _f(half) + rounding
        outside = np.linalg.norm(np.maximum(q, 0), axis=-1)
        return _f(outside + np.minimum(q.max(-1), 0) - rounding)

    return distance


def lathe(profile: Sequence[tuple[float, float]], thick: float, at: Sequence[float]) -> Distance:
    """Return a turned shell: the line through (radius, height) points, spun round the z axis."""
    points = _f(profile)

    def distance(p: Array) -> Array:
        q = np.stack([np.hypot(p[:, 0] - at[0], p[:, 1] - at[1]), p[:, 2] - at[2]], -1)
        best = np.full(len(p), np.inf, np.float32)
        for a, b in pairwise(points):
            t = np.clip((q - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-9), 0, 1)
            best = np.minimum(best, np.linalg.norm(q - a - t[:, None] * (b - a), axis=-1))
        return _f(best - thick)

    return distance


def ring(
    centre: Sequence[float], radius: float, thick: float, axis: int, cut: float = -9
) -> Distance:
    """Return a torus about one axis; below z = `cut` there is nothing of it."""
    keep = [i for i in range(3) if i != axis]

    def distance(p: Array) -> Array:
        q = p - _f(centre)
        flat = np.hypot(q[:, keep[0]], q[:, keep[1]]) - radius
        torus = np.hypot(flat, q[:, axis]) - thick
        return _f(np.maximum(torus, cut - q[:, 2]))

    return distance


def curve(points: Sequence[Sequence[float]], thick: Sequence[float]) -> Distance:
    """Return a rod through many points, its thickness changing from point to point."""
    parts = [
        capsule(a, b, ta, tb)
        for a, b, ta, tb in zip(points[:-1], points[1:], thick[:-1], thick[1:], strict=True)
    ]

    def distance(p: Array) -> Array:
        best = parts[0](p)
        for part in parts[1:]:
            best = np.minimum(best, part(p))
        return best

    return distance


def smooth(points: Sequence[tuple[float, float]], parts: int = 6) -> list[tuple[float, float]]:
    """Return a line through the points without corners (Catmull and Rom)."""
    p = np.asarray([points[0], *points, points[-1]], np.float64)
    line = []
    for a, b, c, d in zip(p[:-3], p[1:-2], p[2:-1], p[3:], strict=True):
        for t in np.arange(parts) / parts:
            turn = (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
            line.append(tuple(b + 0.5 * turn))
    return [*line, points[-1]]


def within(shape: Distance, centre: Sequence[float], radius: float) -> Distance:
    """Return the same shape, computed only near a sphere that holds it: much faster."""

    def distance(p: Array) -> Array:
        away = _f(np.linalg.norm(p - _f(centre), axis=-1) - radius)
        near = away < 0.7
        away[near] = shape(p[near])
        return away

    return distance


def rough(shape: Distance, seed: int, depth: float, scale: float = 60.0) -> Distance:
    """Return the shape with an uneven surface."""
    bumps = noise(seed, 1.7, 256)

    def distance(p: Array) -> Array:
        base = shape(p)
        near = base < 4 * depth + 0.05
        if near.any():
            q = p[near] * scale
            lift = sample(bumps, q[:, 0] + 0.7 * q[:, 2], q[:, 1] - 0.6 * q[:, 2])
            base[near] -= depth * lift
        return _f(base * 0.8)

    return distance


@dataclass(frozen=True)
class Table:
    """The table, the wall behind it and the lamp.

    Attributes:
        eye, target: Where the camera stands and looks; fov in degrees.
        colour, second: The two colours of the table's grain (`planks`: boards along x).
        wall: Colour of the background at the horizon and above.
        lamp: Direction towards the light; warm, fill: its colour and that of the shadows.
    """

    eye: tuple[float, float, float] = (0.0, -6.5, 2.6)
    target: tuple[float, float, float] = (0.0, 0.0, 0.7)
    fov: float = 34.0
    colour: Colour = (0.5, 0.42, 0.33)
    second: Colour = (0.4, 0.32, 0.24)
    planks: bool = True
    wall: tuple[Colour, Colour] = ((0.62, 0.6, 0.56), (0.35, 0.36, 0.38))
    lamp: tuple[float, float, float] = (-0.6, -0.35, 0.75)
    warm: Colour = (1.25, 1.1, 0.92)
    fill: Colour = (0.32, 0.35, 0.4)
    exposure: float = 0.75
    vignette: float = 0.35


def _nearest(solids: Sequence[Solid], p: Array) -> tuple[Array, npt.NDArray[np.int64]]:
    best = np.full(len(p), np.inf, np.float32)
    which = np.zeros(len(p), np.int64)
    for i, solid in enumerate(solids):
        d = solid.shape(p)
        which[d < best] = i
        best = np.minimum(best, d)
    return best, which


def _distance(solids: Sequence[Solid], p: Array) -> Array:
    return _nearest(solids, p)[0]


def _shadow(solids: Sequence[Solid], p: Array, lamp: Array) -> Array:
    """Return how much of the lamp each point sees, with a soft edge."""
    lit = np.ones(len(p), np.float32)
    t = np.full(len(p), 0.03, np.float32)
    for _ in range(34):
        d = _distance(solids, p + lamp * t[:, None])
        lit = np.minimum(lit, np.clip(0.5 + 6.0 * d / t, 0, 1))
        t = t + np.clip(d, 0.03, 0.35)
    return lit * lit * (3 - 2 * lit)


def render(solids: Sequence[Solid], table: Table, width: int, height: int, seed: int = 1) -> Array:
    """Return the picture (height, width, 3), display values from 0 to 1."""
    eye = _f(table.eye)
    forward = _f(table.target) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, _f([0, 0, 1]))
    right /= np.linalg.norm(right)
    above = np.cross(right, forward)
    half = np.tan(np.radians(table.fov) / 2)
    u = ((np.arange(width) + 0.5) / width * 2 - 1) * half
    v = (1 - (np.arange(height) + 0.5) / height * 2) * half * height / width
    grain = noise(seed + 50, 1.2, 512)
    strips = []
    for rows in np.array_split(v, max(1, width * height // 60_000)):
        rays = forward + u[None, :, None] * right + rows[:, None, None] * above
        rays = rays / np.linalg.norm(rays, axis=-1, keepdims=True)
        strips.append(_trace(solids, table, grain, eye, _f(rays).reshape(-1, 3)))
    light = np.concatenate(strips).reshape(height, width, 3)
    return develop(_f(light), table.exposure, seed, table.vignette)


def _trace(solids: Sequence[Solid], table: Table, grain: Array, eye: Array, d: Array) -> Array:
    """Return the light (n, 3) that comes to the eye along each direction (n, 3)."""
    lamp = _f(table.lamp) / np.linalg.norm(table.lamp)
    up = np.clip(d[:, 2] * 2.2 + 0.25, 0, 1)[:, None]
    colour = _f(table.wall[0]) * (1 - up) + _f(table.wall[1]) * up
    floor = np.where(d[:, 2] < -1e-3, -eye[2] / np.minimum(d[:, 2], -1e-3), 60.0)
    limit = np.minimum(floor, 30.0)
    t = np.zeros(len(d), np.float32)
    active = np.arange(len(d))
    hit = np.zeros(len(d), bool)
    for _ in range(90):
        if not len(active):
            break
        near = _distance(solids, eye + d[active] * t[active, None])
        t[active] += near * 0.9
        hit[active[near < 0.002]] = True
        active = active[(near >= 0.002) & (t[active] < limit[active])]
    hit &= t < limit

    warm, fill = _f(table.warm), _f(table.fill)
    boards = (~hit) & (floor < 30.0)
    p = eye + d[boards] * floor[boards, None]
    value = sample(grain, p[:, 0] * 9, p[:, 1] * (120 if table.planks else 9)) * 0.35
    value += sample(grain, p[:, 1] * 210, p[:, 0] * 12) * 0.12
    if table.planks:
        index = np.floor(p[:, 1] / 1.15)
        value += (np.sin(index * 12.9) * 0.5) + sample(
            grain, p[:, 0] * 3 + index * 77, p[:, 1] * 40
        ) * 0.3
    mix = np.clip(0.5 + 0.5 * value, 0, 1)[:, None]
    base = _f(table.colour) * mix + _f(table.second) * (1 - mix)
    if table.planks:
        gap = np.abs(p[:, 1] / 1.15 - np.round(p[:, 1] / 1.15)) < 0.012
        base = np.where(gap[:, None], base * 0.35, base)
    open_ = np.clip(0.25 + _distance(solids, p + _f([0, 0, 0.12])) * 1.5, 0, 1)[:, None]
    lit = _shadow(solids, p, lamp)[:, None]
    ground = base * (warm * lit * lamp[2] + fill * open_)
    fade = np.clip((floor[boards] - 9) / 14, 0, 1)[:, None] ** 0.7
    colour[boards] = ground * (1 - fade) + colour[boards] * fade

    p = eye + d[hit] * t[hit, None]
    normal = np.zeros_like(p)
    for axis in range(3):
        step = np.zeros(3, np.float32)
        step[axis] = 0.006
        normal[:, axis] = _distance(solids, p + step) - _distance(solids, p - step)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-9
    which = _nearest(solids, p)[1]
    albedo = np.array([s.colour for s in solids], np.float32)[which]
    gloss = np.array([s.gloss for s in solids], np.float32)[which][:, None]
    grains = np.array([s.grain for s in solids], np.float32)[which]
    spots = sample(grain, p[:, 0] * 90 + p[:, 2] * 50, p[:, 1] * 90 - p[:, 2] * 70)
    seconds = np.array([s.second or s.colour for s in solids], np.float32)[which]
    share = np.clip(grains * (0.5 + 0.6 * spots), 0, 1)[:, None]
    albedo = albedo * (1 - share) + seconds * share
    lit = _shadow(solids, _f(p + normal * 0.01), lamp)[:, None]
    facing = np.clip(normal @ lamp, 0, 1)[:, None]
    reach = np.mean(
        [np.clip(_distance(solids, _f(p + normal * s)) / s, 0, 1) for s in (0.08, 0.25)], axis=0
    )
    floorlight = np.clip(-normal[:, 2], 0, 1)[:, None] * _f(table.colour) * 0.5
    ambient = fill * (0.55 + 0.45 * normal[:, 2:3]) + floorlight
    mirror = d[hit] - 2 * (d[hit] * normal).sum(-1, keepdims=True) * normal
    fresnel = 0.04 + 0.96 * (1 - np.clip(-(d[hit] * normal).sum(-1), 0, 1)) ** 5
    window = np.clip(mirror @ lamp, 0, 1)
    soft = np.clip((window - 0.88) * 30, 0, 1) * lit[:, 0]
    sky = np.clip(mirror[:, 2] * 0.5 + 0.5, 0, 1)[:, None]
    room = _f(table.colour) * 0.5 * (1 - sky) + _f(table.wall[0]) * 0.9 * sky
    shine = (room * (fresnel * 0.9)[:, None] + warm * (0.75 * soft)[:, None]) * gloss
    shine += warm * 0.18 * (window**12)[:, None] * gloss
    colour[hit] = albedo * (warm * facing * lit + ambient * reach[:, None]) + shine
    return _f(colour)
