"""A block for datatrove: extracts each document, predicts its F1, and drops or flags low ones.

Needs ``pip install pagelet[datatrove]``.

    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import ParquetWriter
    from pagelet.datatrove import PageletExtractor

    pipeline = [WarcReader("crawl"), PageletExtractor(low="drop"), ParquetWriter("corpus")]
"""

from annotate.library.datatrove_block import PageletExtractor

__all__ = ["PageletExtractor"]
