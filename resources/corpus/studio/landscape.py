"""Landscapes that look like photographs: a height field walked along every ray, with sea and sky.

All positions are in units of about ten metres, heights above the sea at 0. Arrays are float32.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Colour = tuple[float, float, float]

SIZE = 1024
"""Samples along one side of a height field; it repeats at the edges."""


def _f(values: npt.ArrayLike) -> Array:
    return np.asarray(values, dtype=np.float32)


def noise(seed: int, slope: float, size: int = SIZE) -> Array:
    """Return a periodic random field with mean 0, deviation 1 and spectrum 1/f^slope."""
    random = np.random.default_rng(seed)
    fx = np.fft.fftfreq(size)[:, None]
    fy = np.fft.rfftfreq(size)[None, :]
    radius = np.hypot(fx, fy)
    radius[0, 0] = 1.0
    spectrum = np.fft.rfft2(random.standard_normal((size, size))) * radius ** (-slope)
    spectrum[0, 0] = 0.0
    values = np.fft.irfft2(spectrum, s=(size, size))
    return np.asarray((values - values.mean()) / values.std(), dtype=np.float32)


def sample(grid: Array, x: Array, y: Array) -> Array:
    """Return the grid's values at real coordinates, bilinear, repeating at the edges."""
    x0, y0 = np.floor(x), np.floor(y)
    fx, fy = x - x0, y - y0
    size = grid.shape[0]
    i, j = x0.astype(np.int64) % size, y0.astype(np.int64) % size
    i1, j1 = (i + 1) % size, (j + 1) % size
    top = grid[i, j] * (1 - fy) + grid[i, j1] * fy
    bottom = grid[i1, j] * (1 - fy) + grid[i1, j1] * fy
    return np.asarray(top * (1 - fx) + bottom * fx, dtype=np.float32)


@dataclass(frozen=True)
class Scene:
    """What stands before the camera, and in what light.

    Attributes:
        relief: Height of the land's hills; lift: added to all heights (negative drowns the land).
        ridge: How sharp the crests are, 0 to 1. slope: the spectrum of the land, 1.6 rough to 2.6.
        camera: x, y and height above the ground; yaw, pitch and the horizontal field of view in
            degrees.
        sun: Azimuth and elevation in degrees; light, sky, haze, ground: colours in linear light.
    """

    seed: int
    relief: float = 30.0
    lift: float = 0.0
    ridge: float = 0.5
    slope: float = 2.1
    camera: tuple[float, float, float] = (500.0, 500.0, 8.0)
    yaw: float = 0.0
    pitch: float = 0.0
    fov: float = 60.0
    sun: tuple[float, float] = (30.0, 20.0)
    light: Colour = (1.0, 0.82, 0.6)
    sky: Colour = (0.18, 0.34, 0.62)
    haze: Colour = (0.72, 0.74, 0.78)
    density: float = 0.0014
    rock: Colour = (0.26, 0.23, 0.2)
    grass: Colour = (0.13, 0.15, 0.06)
    sand: Colour = (0.48, 0.4, 0.28)
    snow: float = 1e9
    water: Colour = (0.02, 0.06, 0.08)
    waves: float = 0.05
    clouds: float = 0.5
    stars: bool = False
    moon: bool = False
    exposure: float = 0.62
    tint: Colour = field(default=(1.0, 1.0, 1.0))


def _terrain(scene: Scene) -> Array:
    land = noise(scene.seed, scene.slope)
    crest = 1.0 - np.abs(noise(scene.seed + 1, scene.slope - 0.15)) * 1.4
    height = (land * (1 - scene.ridge) + crest * scene.ridge + 0.3) * scene.relief
    return np.asarray(height + scene.lift, dtype=np.float32)


def _shadow(height: Array, sun: tuple[float, float]) -> Array:
    """Return the share of sunlight that reaches each sample: 0 in shadow, 1 in the open."""
    azimuth, elevation = np.radians(sun[0]), np.radians(max(sun[1], 2.0))
    dx, dy, rise = np.cos(azimuth), np.sin(azimuth), np.tan(elevation)
    lit = np.ones_like(height)
    for step in np.unique(np.round(np.geomspace(2, 90, 22))):
        moved = np.roll(height, (-round(step * dx), -round(step * dy)), (0, 1))
        over = moved - height - rise * step
        lit = np.minimum(lit, 1.0 - np.clip(over / (0.06 * step + 0.4), 0.0, 1.0))
    return np.asarray(lit, dtype=np.float32)


def _sky(scene: Scene, direction: Array, sun: Array) -> Array:
    up = np.clip(direction[..., 2], 0.0, 1.0)
    towards = np.clip(direction @ sun, 0.0, 1.0)[..., None]
    blend = (1.0 - up[..., None]) ** 5
    sky = np.array(scene.sky, np.float32) * (1 - blend) + np.array(scene.haze, np.float32) * blend
    light = np.array(scene.light, np.float32)
    sky = sky + light * (0.28 * towards**6 + 0.35 * towards**48)
    disc = 0.9997 if not scene.moon else 0.9994
    sky = sky + light * (8.0 if not scene.moon else 2.2) * (towards > disc)
    if scene.clouds > 0:
        far = 260.0 / np.maximum(direction[..., 2], 0.025)
        cover = noise(scene.seed + 7, 1.75)
        x, y = direction[..., 0] * far, direction[..., 1] * far
        value = sample(cover, _f(x * 0.55), _f(y * 0.55))
        thick = np.clip((value - 1.1 + 2.0 * scene.clouds) * 0.7, 0.0, 1.0)
        thick = thick * np.clip(up * 9.0, 0.0, 1.0)
        ahead = sample(cover, _f(x * 0.55 + 9 * sun[0]), _f(y * 0.55 + 9 * sun[1]))
        bright = 0.55 + 0.5 * np.clip(value - ahead + 0.4, 0.0, 1.0)
        bright = bright[..., None] * (0.65 * light + 0.5 * np.array(scene.haze, np.float32))
        bright = bright * (0.75 + 0.8 * towards**4)
        sky = sky * (1 - thick[..., None]) + bright * thick[..., None]
    if scene.stars:
        random = np.random.default_rng(scene.seed + 3)
        field_ = random.random(direction.shape[:2])
        band = np.clip(
            1.0 - np.abs(direction @ np.array([0.5, 0.62, -0.45], np.float32)) * 3.5, 0, 1
        )
        dust = np.clip(
            sample(noise(scene.seed + 5, 1.5), _f(direction[..., 0] * 400), _f(up * 400)), -1, 2
        )
        milky = band**2 * (0.55 + 0.35 * dust)
        lit = (field_ > 0.9985 - 0.004 * band) * random.random(direction.shape[:2]) ** 3
        stars = (lit * 2.4 + milky * 0.10)[..., None] * np.array([0.86, 0.9, 1.0], np.float32)
        sky = sky + stars * np.clip(up * 6, 0, 1)[..., None]
    return np.asarray(sky, dtype=np.float32)


def render(scene: Scene, width: int, height: int) -> Array:
    """Return the picture (height, width, 3), display values from 0 to 1."""
    ground = _terrain(scene)
    lit = _shadow(np.maximum(ground, 0.0), scene.sun)
    yaw, pitch = np.radians(scene.yaw), np.radians(scene.pitch)
    half = np.tan(np.radians(scene.fov) / 2)
    u = (np.arange(width, dtype=np.float32) + 0.5) / width * 2 - 1
    v = (1 - (np.arange(height, dtype=np.float32) + 0.5) / height * 2) * height / width
    forward = np.array([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)])
    right = np.array([np.sin(yaw), -np.cos(yaw), 0.0])
    above = np.cross(right, forward)
    rays = forward + half * (u[None, :, None] * right + v[:, None, None] * above)
    rays = (rays / np.linalg.norm(rays, axis=-1, keepdims=True)).astype(np.float32)
    azimuth, elevation = np.radians(scene.sun[0]), np.radians(scene.sun[1])
    sun = np.array(
        [
            np.cos(azimuth) * np.cos(elevation),
            np.sin(azimuth) * np.cos(elevation),
            np.sin(elevation),
        ],
        np.float32,
    )
    cx, cy, eye = scene.camera
    floor = float(sample(ground, np.array([cx], np.float32), np.array([cy], np.float32))[0])
    start = np.array([cx, cy, max(floor, 0.0) + eye], np.float32)

    distance = np.full(rays.shape[:2], np.inf, np.float32)
    open_ = np.ones(rays.shape[:2], bool)
    before = np.float32(0.0)
    t = np.float32(1.0)
    while t < 2200:
        rows, columns = np.nonzero(open_)
        if not len(rows):
            break
        d = rays[rows, columns]
        x, y, z = (start[i] + d[:, i] * t for i in range(3))
        under = z < np.maximum(sample(ground, x, y), 0.0)
        distance[rows[under], columns[under]] = (before + t) / 2
        open_[rows[under], columns[under]] = False
        open_[rows[z > 4.5 * scene.relief + 60], columns[z > 4.5 * scene.relief + 60]] = False
        before, t = t, np.float32(t * 1.009 + 0.05)

    colour = _sky(scene, rays, sun)
    hit = np.isfinite(distance)
    d, t_hit = rays[hit], distance[hit]
    x, y = start[0] + d[:, 0] * t_hit, start[1] + d[:, 1] * t_hit
    h = sample(ground, x, y)
    shade = sample(lit, x, y)
    light, haze = np.array(scene.light, np.float32), np.array(scene.haze, np.float32)
    ambient = 0.45 * np.array(scene.sky, np.float32) + 0.25 * haze

    step = np.maximum(0.7, t_hit * 0.004).astype(np.float32)
    gx = (sample(ground, x + step, y) - sample(ground, x - step, y)) / (2 * step)
    gy = (sample(ground, x, y + step) - sample(ground, x, y - step)) / (2 * step)
    rough = sample(noise(scene.seed + 2, 0.9), x * 6, y * 6)
    normal = np.stack([-gx, -gy, np.ones_like(gx)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    steep = 1.0 - normal[:, 2]
    grassy = np.clip((0.34 - steep + 0.05 * rough) * 6, 0, 1)[:, None]
    base = (
        np.array(scene.rock, np.float32) * (1 - grassy) + np.array(scene.grass, np.float32) * grassy
    )
    sandy = np.clip((1.6 - h + 0.5 * rough) * 0.9, 0, 1)[:, None]
    base = base * (1 - sandy) + np.array(scene.sand, np.float32) * sandy
    snowy = np.clip((h - scene.snow + 3 * rough) * 0.25, 0, 1) * np.clip((0.5 - steep) * 6, 0, 1)
    base = base * (1 - snowy[:, None]) + np.array([0.8, 0.83, 0.9], np.float32) * snowy[:, None]
    base = base * (1 + 0.16 * np.clip(rough, -2, 2)[:, None])
    facing = np.clip(normal @ sun, 0, 1) * shade
    land = base * (light * facing[:, None] * 2.1 + ambient * (0.55 + 0.45 * normal[:, 2:3]))

    ripple = noise(scene.seed + 4, 1.3)
    k = scene.waves * np.clip(60.0 / t_hit, 0.25, 1.0)
    wx = sample(ripple, x * 9, y * 9) + 0.6 * sample(ripple, x * 2.3, y * 2.3)
    wy = sample(ripple, y * 9 + 300, x * 9) + 0.6 * sample(ripple, y * 2.3, x * 2.3 + 90)
    wave = np.stack([wx * k, wy * k, np.ones_like(wx)], -1)
    wave /= np.linalg.norm(wave, axis=-1, keepdims=True)
    cosine = np.clip(-(d * wave).sum(-1), 0.0, 1.0)
    mirror = d + 2 * cosine[:, None] * wave
    mirror[:, 2] = np.abs(mirror[:, 2])
    quiet = Scene(**{**scene.__dict__, "stars": False})
    above_ = _sky(quiet, mirror[None], sun)[0]
    # The land mirrored in still water: one coarse walk along the mirrored ray.
    for far in np.geomspace(4, 260, 16):
        mx, my, mz = x + mirror[:, 0] * far, y + mirror[:, 1] * far, mirror[:, 2] * far
        blocked = (sample(ground, mx, my) > mz)[:, None]
        above_ = np.where(blocked, above_ * 0.25 + ambient * 0.12, above_)
    fresnel = (0.03 + 0.97 * (1 - cosine) ** 5)[:, None]
    sea = np.array(scene.water, np.float32) * (ambient + 0.6 * light) * 2 * (1 - fresnel)
    sea = sea + above_ * fresnel
    foam = np.clip(1 - np.abs(h + 0.7 + 0.25 * rough) * 3.2, 0, 1)[:, None] * (scene.waves > 0.03)
    sea = sea * (1 - 0.5 * foam) + 0.5 * foam * (light * 0.6 + ambient)
    surface = np.where((h < 0)[:, None], sea, land)

    fog = (1 - np.exp(-t_hit * scene.density))[:, None]
    glow = np.clip(d @ sun, 0, 1)[:, None] ** 8
    surface = surface * (1 - fog) + (haze + light * 0.45 * glow) * fog
    colour[hit] = surface
    return develop(colour * np.array(scene.tint, np.float32), scene.exposure, scene.seed)


def develop(light: Array, exposure: float, seed: int, vignette: float = 0.28) -> Array:
    """Return display values of linear light: exposure, film curve, vignette and a little grain."""
    height, width = light.shape[:2]
    v, u = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    falloff = 1 - vignette * np.clip((u**2 + v**2) / 2, 0, 1)
    x = light * exposure * falloff[..., None]
    curve = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)
    shown = np.clip(curve, 0, 1) ** (1 / 2.2)
    grain = np.random.default_rng(seed).standard_normal((height, width, 1)) * 0.008
    return np.asarray(np.clip(shown + grain, 0, 1), dtype=np.float32)


def shrink(picture: Array, times: int) -> Array:
    """Return the picture made smaller by a whole number, each pixel a mean."""
    height, width = picture.shape[0] // times, picture.shape[1] // times
    cut = picture[: height * times, : width * times]
    return np.asarray(cut.reshape(height, times, width, times, 3).mean((1, 3)), dtype=np.float32)
