"""Test edge masks of pictures of pages."""

import shutil
import subprocess

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.edge_masks import fit_masks, pack, unpack
from engine.edges import edge_masks
from engine.errors import InputError

BOX = (slice(60, 140), slice(80, 220))


def picture_of(*, box=0, paper=255, size=(200, 300)):
    picture = np.full((*size, 3), paper, dtype=np.uint8)
    picture[BOX] = box
    return picture


def near(mask, pixels):
    """Return the mask dilated by some pixels."""
    side = 2 * pixels + 1
    return cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)).astype(bool)


def outline():
    """Return a mask of the pixels of the box next to its border."""
    inside = np.zeros((200, 300), dtype=bool)
    inside[BOX] = True
    return inside & near(~inside, 1)


def test_a_page_of_one_colour_has_no_edges():
    for paper in (0, 77, 255):
        picture = np.full((50, 60, 3), paper, dtype=np.uint8)
        assert not any(mask.any() for mask in edge_masks(picture).values())


def test_a_picture_without_pixels_has_masks_without_pixels():
    assert edge_masks(np.zeros((0, 30, 3), np.uint8))["fine"].shape == (0, 30)


@pytest.mark.parametrize(("name", "pixels"), [("fine", 1), ("coarse", 3)])
def test_edges_are_found_only_along_the_border_of_a_box(name, pixels):
    mask = edge_masks(picture_of())[name]
    assert not (mask & ~near(outline(), pixels)).any()
    assert not (outline() & ~near(mask, pixels)).any()
    assert mask.sum() < 1.3 * outline().sum()  # a line, one pixel wide


def test_stripes_as_thin_as_letters_give_fine_edges_only():
    picture = picture_of(box=255)
    picture[60:140, 80:220:4] = picture[60:140, 81:220:4] = 128
    picture[100:, 250:] = 0  # a strong edge
    masks = edge_masks(picture)
    inner = (slice(75, 125), slice(95, 205))
    assert masks["fine"][inner].mean() > 0.3
    assert not masks["coarse"][inner].any()


@pytest.mark.parametrize(
    ("contrast", "names"), [(2, []), (12, ["fine"]), (120, ["fine", "coarse"])]
)
def test_thresholds_are_shares_of_the_strongest_edge(contrast, names):
    picture = picture_of(box=255 - contrast)
    picture[:, 270:] = 0
    masks = edge_masks(picture)
    assert [name for name, mask in masks.items() if mask[:, :240].any()] == names
    assert all(mask[:, 240:].any() for mask in masks.values())


def test_half_the_contrast_gives_the_same_edges():
    chance = np.random.default_rng(3)
    strong = chance.integers(0, 2, (40, 50, 3), dtype=np.uint8).repeat(7, 0).repeat(5, 1)
    for name, mask in edge_masks(strong * 200).items():
        assert (edge_masks(strong * 100)[name] != mask).mean() < 0.001


def drawing():
    """Return a picture of a page with a header, lines of text, noise and a faint box."""
    chance = np.random.default_rng(11)
    page = np.full((500, 700, 3), 250, dtype=np.uint8)
    page[:60] = (40, 80, 160)
    page[90:300, 480:660] = chance.integers(60, 200, (210, 180, 3), dtype=np.uint8)
    page[330:470, 480:660] = (235, 240, 245)
    for line in range(14):
        text = "the long story of the day, told again"[line:]
        cv2.putText(page, text, (30, 110 + 25 * line), 0, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    return page


@pytest.mark.parametrize(("name", "setting"), [("fine", "0x1+1%+2%"), ("coarse", "0x5+1%+16%")])
def test_edges_agree_with_those_of_imagemagick(name, setting, tmp_path):
    convert = shutil.which("convert")
    if (
        convert is None
        or b"ImageMagick"
        not in subprocess.run(
            [convert, "-version"], capture_output=True, check=False, timeout=20
        ).stdout
    ):
        pytest.skip("no ImageMagick here to compare with")
    cv2.imwrite(str(tmp_path / "page.png"), drawing()[:, :, ::-1])
    subprocess.run(
        [convert, tmp_path / "page.png", "-canny", setting, tmp_path / "edges.png"],
        check=True, timeout=60,
    )  # fmt: skip
    theirs = cv2.imread(str(tmp_path / "edges.png"), cv2.IMREAD_GRAYSCALE) > 127
    ours = edge_masks(drawing())[name]
    assert (ours & theirs).sum() > 0.94 * max(ours.sum(), theirs.sum())
    assert (ours & near(theirs, 1)).sum() > 0.99 * ours.sum()
    assert (theirs & near(ours, 1)).sum() > 0.99 * theirs.sum()


def test_parts_of_a_page_outside_the_picture_have_no_edges():
    whole = fit_masks({"fine": np.ones((10, 20), dtype=bool)}, (30, 6))["fine"]
    assert whole.shape == (6, 30)
    assert whole[:, :20].all()
    assert not whole[:, 20:].any()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 40)), max_size=3), st.integers(0, 9))
def test_packed_masks_are_unpacked_unchanged(shapes, seed):
    chance = np.random.default_rng(seed)
    masks = {f"mask {k}": chance.random(shape) < 0.5 for k, shape in enumerate(shapes)}
    result = unpack(pack(masks))
    assert list(result) == list(masks)
    assert all(np.array_equal(result[name], masks[name]) for name in masks)
    assert all(mask.dtype == bool for mask in result.values())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no json\n",
        b"{}\nxx",
        b"[]\n",
        b'{"format": "pagelet-edges", "version": 99, "masks": {}}\nx',
        b'{"format": "pagelet-edges", "version": 1, "masks": {"fine": [9, 9]}}\nx',
    ],
)
def test_a_damaged_edges_file_is_refused(data):
    with pytest.raises(InputError, match="holds no edges"):
        unpack(data, "somewhere")


def test_sums_of_mask_bytes_are_equal_before_and_after_packing():
    masks = edge_masks(picture_of())
    stored = unpack(pack(masks))
    for name, mask in masks.items():
        assert mask.any()
        assert cv2.sumElems(mask.view(np.uint8)) == cv2.sumElems(stored[name].view(np.uint8))
