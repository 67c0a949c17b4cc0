"""The layout of tiles, and their pictures."""

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QImage

from gui.plugins.site.tile_pictures import TilePictures
from gui.plugins.site.tiles import GAP, MARGIN, lay_out

CLUSTERS = ([4, 0, 2, 6, 5], [1, 3])


@pytest.mark.parametrize("width", [100, 180, 290, 431, 432, 440, 777, 1300])
def test_tiles_fill_the_width_without_overlapping(width):
    tiles = lay_out(CLUSTERS, width, 20, has_heads=True)
    rects = [tiles.rect(page) for page in tiles.order]
    assert not any(a.intersects(b) for k, a in enumerate(rects) for b in rects[:k])
    right = MARGIN + tiles.columns * (tiles.size.width() + GAP) - GAP
    left_over = width - MARGIN - right
    assert left_over < tiles.columns
    assert left_over >= 0 or tiles.columns == 1


def test_tiles_between_two_heights_include_every_visible_tile():
    tiles = lay_out(CLUSTERS, 300, 20, has_heads=True)
    for top in range(-20, tiles.height + 20, 7):
        seen = set(tiles.between(top, top + 90))
        for page in tiles.order:
            whole = tiles.rect(page).adjusted(0, 0, 0, 20)
            if whole.top() <= top + 90 and whole.bottom() >= top:
                assert page in seen
        assert len(seen) <= 6


def test_a_point_finds_its_tile_or_label_and_a_heading_finds_its_cluster():
    tiles = lay_out(CLUSTERS, 300, 20, has_heads=True)
    for page in tiles.order:
        rect = tiles.rect(page)
        assert tiles.at(rect.center()) == page
        assert tiles.at(rect.bottomLeft() + QPoint(3, 18)) == page
        assert tiles.at(rect.topLeft() - QPoint(4, 0)) == -1
    heads = [tiles.head_at(head.rect.center()).pages for head in tiles.heads]
    assert heads == [(4, 0, 2, 6, 5), (1, 3)]
    assert tiles.head_at(tiles.rect(4).center()) is None


def test_small_clusters_share_a_row_each_below_a_separate_heading():
    tiles = lay_out([[3, 5, 7, 9], [1, 2], [0], [4, 6], [8]], 600, 20, has_heads=True)
    assert tiles.columns == 4
    assert [line.pages for line in tiles.lines] == [(3, 5, 7, 9), (1, 2, 4, 6), (0, 8)]
    for head in tiles.heads:
        first, last = tiles.rect(head.pages[0]), tiles.rect(head.pages[-1])
        assert (head.rect.left(), head.rect.right()) == (first.left(), last.right())
        assert head.rect.bottom() < first.top()
        assert tiles.head_at(head.rect.center()) is head


def test_pages_alone_share_one_heading_and_have_none_where_all_are_alone():
    tiles = lay_out([[3, 5], [1], [0], [4]], 600, 20, has_heads=True)
    assert [(head.label, head.pages) for head in tiles.heads] == [(0, (3, 5)), (-1, (1, 0, 4))]
    alone = lay_out([[2], [1], [0]], 600, 20, has_heads=True)
    assert alone.heads == ()
    assert alone.order == (2, 1, 0)


def test_pictures_are_scaled_on_reading_and_a_broken_one_is_left_out(qtbot, tmp_path):
    whole = QImage(384, 216, QImage.Format.Format_RGB32)
    whole.fill(QColor("#ff0000"))
    whole.save(str(tmp_path / "0.jpg"))
    (tmp_path / "1.jpg").write_bytes(b"no picture")
    pictures = TilePictures()
    pictures.set_size(QSize(128, 72))
    paths = {n: tmp_path / f"{n}.jpg" for n in (0, 1)}
    assert pictures.of(0) is None
    with qtbot.waitSignal(pictures.arrived, timeout=60_000) as arrived:
        pictures.want(paths)
    assert arrived.args == [[0, 1]]
    assert pictures.of(0).size() == QSize(128, 72)
    assert pictures.of(0).toImage().pixelColor(64, 36).red() > 240
    assert pictures.of(1) is None
    pictures.renew(0)
    assert pictures.of(0) is None


def test_tiles_grow_in_size_more_than_in_number_on_a_large_screen():
    small, large = (lay_out(CLUSTERS, width, 20, has_heads=True) for width in (600, 1600))
    assert (small.columns, large.columns) == (4, 6)
    assert large.size.width() > 1.5 * small.size.width()
