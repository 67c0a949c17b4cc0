"""Segmentations as JSON."""

from algorithms.results import Block, Segmentation
from engine import geometry
from gui.cli.segment import blocks_as_json
from tests.annotate.pages import nodes_of, row_of


def test_hidden_nodes_do_not_enlarge_the_box_of_a_block():
    nodes = nodes_of("<p>one</p><p id=here>two</p><p id=gone hidden>three</p>")
    here, gone = row_of(nodes, "here"), row_of(nodes, "gone")
    blocks = (Block((here, gone), 1), Block((gone,), 2))
    both, alone = blocks_as_json(Segmentation(nodes, blocks))
    assert both["rect"] == nodes.rect[here].tolist()
    assert both["rect"] == list(geometry.box_of(nodes, (here, gone)))
    assert alone["rect"] == [0, 0, 0, 0]
