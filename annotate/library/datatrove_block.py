"""Block for pipelines of datatrove, with datatrove's base class, sandbox, time limit and counts.

Only ``pagelet.datatrove`` loads it, since datatrove is not a dependency of Pagelet.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from datatrove.data import Document
from datatrove.pipeline.extractors.base import BaseExtractor, ExtractorSandbox
from datatrove.utils.logging import logger
from datatrove.utils.typeshelper import StatHints

from algorithms.params import Value
from algorithms.structure import Form, forms_named
from annotate.evaluation.tables.prediction_quality import BAD
from annotate.extract.stream import StreamedPage, StreamOptions, extract_page
from annotate.library.pages import setup_of

_PREDICTED = ("predicted_f1", "predicted_low", "predicted_high")


class PageletExtractor(BaseExtractor):  # type: ignore[misc]  # datatrove has no types
    """Extracts each document with a method of Pagelet, and predicts the quality.

    Metadata get ``pagelet_method``, ``predicted_f1`` with its bounds, ``predicted_is_low``, and
    ``markdown`` or ``html`` if requested.
    """

    name = "📄 Pagelet"

    def __init__(
        self,
        method: str = "gleaner",
        params: Mapping[str, Value] | None = None,
        *,
        also: Sequence[Form] = (),
        predict: bool = True,
        least: float = BAD,
        low: Literal["flag", "drop"] = "flag",
        timeout: float = 30.0,
    ) -> None:
        """Take what `pagelet.extract_stream` takes, and the seconds that one document may take.

        Raises:
            InputError: There is no such method, or it does not extract from a page alone.
        """
        super().__init__(timeout)
        self._options = StreamOptions(
            setup_of(method, params or {}, None), forms_named(also), predict, least, low == "drop"
        )

    def extract(self, text: str) -> str:
        """Return the main content of HTML."""
        return extract_page("", text, self._options).text

    def run(
        self, data: Iterator[Document] | None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Yield the documents with their text and predicted quality."""
        del rank, world_size
        with ExtractorSandbox(timeout=self.timeout, warmup_text=("", "")) as sandbox:
            for document in data or ():
                self.stat_update(StatHints.total)
                with self.track_time():
                    page = self._page(sandbox, document)
                if page is None:
                    continue
                if not page.text or (self._options.drops and page.is_low):
                    self.stat_update(StatHints.dropped)
                    self.stat_update("dropped_low" if page.text else f"dropped_{page.status}")
                    continue
                document.text = page.text
                document.metadata.update(self._metadata(page))
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document

    def _page(self, sandbox: ExtractorSandbox, document: Document) -> StreamedPage | None:
        """Return the result of a document; None where it took too long or ended the process."""
        address = str(document.metadata.get("url", document.id))
        try:
            page: StreamedPage = sandbox.process_document((address, document.text), self._extract)
        except TimeoutError:
            self.stat_update("timeout")
        except EOFError:
            self.stat_update("broken_process")
        else:
            self.stat_update("extracted" if page.status == "ok" else page.status)
            return page
        logger.warning(f"{address}: no result within {self.timeout:g} s; left out")
        return None

    def _extract(self, address: str, text: str) -> StreamedPage:
        return extract_page(address, text, self._options)

    def _metadata(self, page: StreamedPage) -> dict[str, Any]:
        made: dict[str, Any] = {"pagelet_method": self._options.setup.method}
        if self._options.predicts:
            made |= {name: getattr(page, name) for name in _PREDICTED}
            made["predicted_is_low"] = page.is_low
        return made | {form: getattr(page, form) for form in self._options.also}
