"""VIPS, vision-based page segmentation (Cai, Yu, Wen, Ma: MSR-TR-2003-79, November 2003).

layout.py   what the rules ask of a node: valid, inline, virtual text, size, background
rules.py    the thirteen rules, which of them hold for which kind of node, and the DoC
blocks.py   block extraction: one pass over one block
tree.py     pass after pass until every block is coherent enough; each round is kept
method.py   the entry in the catalogue
"""
