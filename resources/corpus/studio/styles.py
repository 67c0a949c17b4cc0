"""Six kinds of light and land; a picture is one of them with a seed and a direction."""

from resources.corpus.studio.landscape import Scene

DAWN = Scene(
    seed=0, relief=34, lift=-16, sun=(28, 5), light=(1.2, 0.55, 0.25), sky=(0.12, 0.2, 0.42),
    haze=(0.7, 0.42, 0.32), camera=(500, 500, 9), fov=58, pitch=-1,
)  # fmt: skip
PEAKS = Scene(
    seed=0, relief=62, lift=6, ridge=0.7, slope=2.15, snow=62, sun=(120, 24),
    camera=(200, 300, 40), density=0.0008, pitch=2, fov=48,
)  # fmt: skip
MIST = Scene(
    seed=0, relief=30, lift=12, ridge=0.3, slope=2.3, sun=(60, 8), light=(1.1, 0.75, 0.5),
    haze=(0.66, 0.6, 0.56), density=0.0042, camera=(300, 600, 26), pitch=-3, fov=45,
    grass=(0.1, 0.13, 0.05), exposure=0.56,
)  # fmt: skip
NIGHT = Scene(
    seed=0, relief=40, lift=-10, sun=(200, 25), light=(0.1, 0.12, 0.18), sky=(0.004, 0.007, 0.018),
    haze=(0.02, 0.028, 0.045), clouds=0, stars=True, camera=(700, 200, 10), pitch=14, fov=75,
    exposure=1.6, grass=(0.1, 0.1, 0.09),
)  # fmt: skip
LAKE = Scene(
    seed=0, relief=60, lift=-10, ridge=0.6, waves=0.006, sun=(250, 22), camera=(100, 800, 4),
    haze=(0.6, 0.68, 0.78), density=0.001, fov=50, snow=70,
)  # fmt: skip
STORM = Scene(
    seed=0, relief=40, lift=-22, ridge=0.6, waves=0.09, sun=(10, 30), light=(0.5, 0.52, 0.55),
    sky=(0.2, 0.23, 0.28), haze=(0.42, 0.45, 0.49), clouds=1.1, density=0.0022,
    camera=(100, 100, 6), fov=55, rock=(0.12, 0.11, 0.1),
)  # fmt: skip
