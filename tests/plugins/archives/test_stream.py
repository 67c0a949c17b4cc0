"""Streams of pages: text, expected F1, low pages flagged or dropped; the datatrove block."""

import pagelet
import pytest

from tests.annotate.extract.test_stream import PAGES
from tests.plugins.archives.warc_files import answer, record, write_warc


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of datatrove and what it imports
def test_datatrove_converts_an_archive_to_parquet(tmp_path):
    pytest.importorskip("datatrove", reason="the block needs pagelet[datatrove]")
    parquet = pytest.importorskip("pyarrow.parquet")
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import ParquetWriter
    from pagelet.datatrove import PageletExtractor

    (tmp_path / "crawl").mkdir()
    write_warc(
        tmp_path / "crawl" / "pages.warc.gz",
        [record(k, answer(html.encode())) for k, (_, html) in enumerate(PAGES)],
    )
    block = PageletExtractor("plain", also=["markdown"])
    steps = [WarcReader(str(tmp_path / "crawl")), block, ParquetWriter(str(tmp_path / "corpus"))]
    LocalPipelineExecutor(steps, logging_dir=str(tmp_path / "logs")).run()
    (file,) = (tmp_path / "corpus").glob("*.parquet")
    rows = parquet.read_table(file).to_pylist()
    same = [(f"https://example.org/{k}", html) for k, (_, html) in enumerate(PAGES)]
    pages = [page for page in pagelet.extract_stream(same, "plain", also=["markdown"]) if page.text]
    assert [row["text"] for row in rows] == [page.text for page in pages]
    made = [row["metadata"] for row in rows]
    assert [each["predicted_f1"] for each in made] == [page.predicted_f1 for page in pages]
    assert [each["predicted_is_low"] for each in made] == [page.is_low for page in pages]
    assert [each["markdown"] for each in made] == [page.markdown for page in pages]
    assert {each["pagelet_method"] for each in made} == {"plain"}
