"""Test captures: resources, settling, freezing and variants."""

import numpy as np
import pytest

from annotate.datasets.opening import list_documents
from annotate.plugins.published_data.kreuzer import VIEWPORT as KREUZER_VIEWPORT

pytestmark = pytest.mark.web


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("variant", ["html", "original", "dom", "repaired"])
def test_kreuzers_pages_render_in_all_variants(browser, datasets, variant):
    documents = list_documents(datasets / "kreuzer-random", variant=variant)
    for document in (documents[0], documents[3], documents[40]):
        page = browser.capture(document)
        assert page.viewport == KREUZER_VIEWPORT
        assert np.count_nonzero(page.nodes.visible & page.nodes.has_words) > 20
        assert page.dom_alignment.share == 1.0
        assert page.original_alignment.share > 0.9
        assert page.notes == ()
