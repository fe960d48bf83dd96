"""What a page gets and returns. A handler is a plain function from `PageCall` to a result, and runs in a thread.

Values that several pages read from the query string.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.validate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, BinaryIO

    from jotsam.core.token_records import Principal, Scope
    from jotsam.memory.api.client import Jotsam
    from jotsam.surfaces.http.server.server import Server


class PageCall(Record):
    """A request for a page, from a browser that is signed in and may make it."""

    path: Mapping[str, str]  # the parameters in the path
    # The parameters in the query string, in their order; `project` is the one of all pages unless another is given.
    queries: Sequence[tuple[str, str]] = ()
    forms: Sequence[tuple[str, str]] = ()  # the fields of the form that was sent, in their order
    url: str  # the path and the query string
    jot: Jotsam  # of the tenant; what a form changes is audited in the same transaction
    principal: Principal
    server: Server
    headers: Mapping[str, str] = {}  # by their lower-case names; records are frozen
    may_write: bool = False
    is_operator: bool = False  # what concerns the server may be shown and changed

    @property
    def query(self) -> Mapping[str, str]:
        """The last value of each parameter of the query string."""
        return dict(self.queries)

    @property
    def form(self) -> Mapping[str, str]:
        """The last value of each field of the form."""
        return dict(self.forms)

    def many(self, name: str) -> list[str]:
        """All values of a parameter of the query string."""
        return [value for key, value in self.queries if key == name]

    def form_many(self, name: str) -> list[str]:
        """All values of a field of the form."""
        return [value for key, value in self.forms if key == name]


class Page(Record):
    """A template with the values that it shows."""

    template: str
    values: Mapping[str, Any] = {}  # Records are frozen.
    status: int = 200


class Confirm(Record):
    """Asks before an action: the form is sent to the path that asked."""

    title: str  # a question: "Retry 3 jobs?"
    lines: Sequence[str] = ()  # what will happen, and whether it can be taken back
    button: str
    back: str  # where to go instead
    fields: Mapping[str, str | Sequence[str]] = {}  # sent with the form; records are frozen
    heads: Sequence[str] = ()  # of a table of what is concerned
    rows: Sequence[Sequence[object]] = ()
    danger: bool = False  # it cannot be taken back, or removes something


class Undo(Record):
    """A form that takes an action back."""

    action: str  # the path that the form is sent to
    fields: Mapping[str, str | Sequence[str]] = {}
    label: str = "Undo"


class Redirect(Record):
    """Go to another page, which shows what was done."""

    to: str
    said: str = ""  # a sentence
    undo: Undo | None = None


class Download(Record):
    """A file that the browser keeps. `write` gets an open binary file, in a thread of its own."""

    name: str
    write: Callable[[BinaryIO], object]
    media_type: str = "application/x-ndjson"


Result = Page | Confirm | Redirect | Download


class PageRoute(Record):
    """A page, or an action: its GET asks, its POST acts."""

    method: str  # "GET" or "POST"
    path: str  # "/ui/jobs/{id}"
    handler: Callable[[PageCall], Result]
    scope: Scope = "read"
    is_file: bool = False  # a download, and no page


def page_number(call: PageCall, *, most: int) -> int:
    """The parameter `page`, from 1. Raises `InvalidInput`."""
    return whole_number(call.query.get("page", "1"), name="page", least=1, most=most)


def whole_number(text: str, *, name: str, least: int, most: int) -> int:
    """A number of the query string. Raises `InvalidInput`."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else -1
    if not least <= number <= most:
        raise InvalidInput(f"invalid {name} {shown(text)}: must be a number from {least:,} to {most:,}")
    return number
