"""VIPS, vision-based page segmentation (Cai, Yu, Wen, Ma: MSR-TR-2003-79, November 2003).

layout.py         what the rules ask of a node: valid, inline, virtual text, size, background
rules.py          the thirteen rules, which of them hold for which kind of node, and the DoC
visual_blocks.py  block extraction: one pass over one block
separators.py     where the page is crossed without touching a block
weights.py        how heavy a separator is, and why
content_tree.py   pass after pass until every block is coherent enough, and the blocks as a tree
                  again, from the lightest separators to the heaviest; each round is kept
vips.py           the entry in the catalogue, and the rounds as steps of a trace
"""
