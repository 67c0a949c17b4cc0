"""Interface of a page with gold text, for all data sets."""

from typing import Protocol, runtime_checkable

from algorithms.measures.snippets import Snippets
from engine.document import Document


class TextPage(Protocol):
    """A page of a data set; cheap, nothing but an index was read, and it may be pickled."""

    @property
    def name(self) -> str:
        """Unique in its data set."""

    def document(self) -> Document:
        """Return the page as methods are to see it, unread; its address is its own."""

    def text(self) -> str | None:
        """Return the main content as text, None if it is not stored; raises `InputError`."""


@runtime_checkable
class HasSnippets(Protocol):
    """A page that knows phrases its main content has, or has not, beside or instead of a text."""

    def snippets(self) -> Snippets | None:
        """Return them, None if this page has none; raises `InputError`."""


@runtime_checkable
class MayLackGold(Protocol):
    """A page of a format where not every page is marked."""

    @property
    def has_gold(self) -> bool:
        """Whether there is a text; nothing is read for the answer."""


@runtime_checkable
class HasSite(Protocol):
    """A page of a format that keeps whole sites."""

    @property
    def site_name(self) -> str: ...

    def site_documents(self) -> tuple[Document, ...]:
        """Return all pages of its site, itself among them, unread; raises `InputError`."""


@runtime_checkable
class TypedPage(Protocol):
    """Page of a format that gives a page's type and its origin."""

    def page_type(self) -> str:
        """Return the type of page in the data set's words; "" for none; raises `InputError`."""

    def host(self) -> str:
        """Return the host it was read from; "" if unknown; raises `InputError`."""
