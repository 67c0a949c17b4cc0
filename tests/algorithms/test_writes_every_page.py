"""Every page of WCXB is written as text, Markdown and HTML, whatever is on it."""

import pytest

from annotate.library.page_cases import dataset

_STEP = 90
"""Pages from one of the sample to the next."""


def _failures(pages, method):
    """Return the page and the error of each that raises, or whose text a form has nothing of."""
    found = []
    for case in pages:
        try:
            result = case.page.run(method, input="original")
            forms = [each.strip() for each in (result.text, result.markdown, result.html)]
        except Exception as error:  # noqa: BLE001
            found.append((case.name, repr(error)))
        else:
            if forms[0] and not all(forms):
                found.append((case.name, "a form is empty"))
    return found


@pytest.mark.data
@pytest.mark.parametrize("method", ["gleaner", "plain"])
def test_a_sample_of_pages_is_written_in_each_form(datasets, method):
    pages = list(dataset(datasets / "wcxb"))[::_STEP]
    assert len(pages) > 10
    assert _failures(pages, method) == []


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("method", ["gleaner", "plain"])
def test_every_page_is_written_in_each_form(datasets, method):
    pages = list(dataset(datasets / "wcxb"))
    assert len(pages) > 1000
    assert _failures(pages, method) == []


@pytest.mark.data
def test_a_writer_that_fails_is_found(datasets, monkeypatch):
    def fails(*_, **__):
        raise ValueError("no Markdown")

    monkeypatch.setattr("algorithms.structure.inline_markdown.Inline.of", fails)
    assert _failures(list(dataset(datasets / "wcxb"))[:1], "plain")
