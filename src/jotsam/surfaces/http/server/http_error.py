"""An error that is the answer to a request itself."""

from __future__ import annotations

from jotsam.core.errors import JotsamError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class HttpError(JotsamError):
    """An error answer without an exception of the library: its status, and the code in the body."""

    def __init__(self, status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.headers = status, code, dict(headers or {})
