"""Values that several pages read from the query string."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.validate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.web.pages.page import PageCall


def page_number(call: PageCall, *, most: int) -> int:
    """The parameter `page`, from 1. Raises `InvalidInput`."""
    return whole_number(call.query.get("page", "1"), name="page", least=1, most=most)


def whole_number(text: str, *, name: str, least: int, most: int) -> int:
    """A number of the query string. Raises `InvalidInput`."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else -1
    if not least <= number <= most:
        raise InvalidInput(f"invalid {name} {shown(text)}: must be a number from {least:,} to {most:,}")
    return number
