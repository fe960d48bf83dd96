"""Everything about a request that does not depend on how it is sent: address, headers, retries, errors.

`Client` and `AsyncClient` differ only in how they send and how they wait.
"""

from __future__ import annotations

import json
import os
from urllib.parse import urlsplit

import httpx2

from jotsam.core import errors
from jotsam.core.clock import new_id, random_float
from jotsam.core.dsn import check_http_url
from jotsam.core.errors import DatabaseUnavailable, DatabaseUnusable, InvalidInput, JotsamError
from jotsam.core.record_types import ERROR_CLASSES
from jotsam.core.records import Record
from jotsam.core.validate import check_int, shown
from jotsam.core.version import VERSION
from jotsam.remote.request import parameters, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import Any, BinaryIO, TypeVar

    from jotsam.remote.request import Request

    T = TypeVar("T")

DEFAULT_URL = "http://127.0.0.1:8787"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
RETRIES = 3
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 10.0
MAX_MOVES = 4  # servers that a tenant was moved through, one after the other
PIECE = 64 << 10  # bytes of an upload that are read at once
MOVED = 410
RETRY_STATUSES = frozenset((429, 502, 503, 504))
MAX_SHOWN = 200  # characters of an answer in a message

# The codes of answers that are not errors of a record.
CLASSES: dict[str, type[JotsamError]] = {
    **ERROR_CLASSES,
    "key-reused": errors.Conflict,
    "tenant-moved": errors.TenantMoved,
    "too-large": InvalidInput,
    "unsupported-media-type": InvalidInput,
    "rate-limited": DatabaseUnavailable,
    "timeout": DatabaseUnavailable,
}
STATUSES: dict[int, type[JotsamError]] = {
    400: InvalidInput,
    404: errors.NotFound,
    409: errors.Conflict,
    412: errors.Conflict,
    429: DatabaseUnavailable,
    502: DatabaseUnavailable,
    503: DatabaseUnavailable,
    504: DatabaseUnavailable,
}


class Address(Record):
    """Where the server is, and how to speak to it. Contains the token, so it is never shown."""

    url: str
    token: str
    timeout_ms: int

    def __repr__(self) -> str:
        return f"Address({self.url!r})"

    @property
    def headers(self) -> dict[str, str]:
        sent = {"User-Agent": f"jotsam/{VERSION}", "Accept": "application/json"}
        return {**sent, "Authorization": f"Bearer {self.token}"} if self.token else sent

    @property
    def options(self) -> dict[str, Any]:
        """What a client of the library is made with. A proxy is not asked for this machine."""
        parts = urlsplit(self.url)
        found = {"headers": self.headers, "timeout": self.timeout(), "trust_env": parts.hostname not in LOOPBACK}
        # Loading certificates takes longer than most calls, and no redirect from http to https is followed.
        return found | {"verify": parts.scheme == "https"}

    def timeout(self, longer_ms: int = 0) -> httpx2.Timeout:
        seconds = self.timeout_ms / 1_000
        return httpx2.Timeout(seconds, read=seconds + longer_ms / 1_000, write=seconds + longer_ms / 1_000)


def resolve_address(url: str | None, token: str | None, timeout_ms: int) -> Address:
    """The address from the arguments, else from `JOTSAM_URL` and `JOTSAM_TOKEN`. Raises `InvalidInput`."""
    found = os.environ.get("JOTSAM_URL") or DEFAULT_URL if url is None else url
    secret = os.environ.get("JOTSAM_TOKEN", "") if token is None else token
    address = check_http_url("url", found)
    if not isinstance(secret, str) or not (secret.isascii() and secret.isprintable()):
        raise InvalidInput("invalid token: contains a line break or a character that HTTP headers cannot carry")
    return Address(url=address, token=secret.strip(), timeout_ms=check_int("timeout_ms", timeout_ms, 1))


class Exchange:
    """The tries of one request, with one idempotency key."""

    def __init__(self, address: Address, request: Request[Any]) -> None:
        self._address, self._request = address, request
        self._tries = self._moves = 0
        self._headers = dict(request.headers)
        if request.is_accepting:
            self._headers["Idempotency-Key"] = new_id()
        if request.upload is not None:
            self._headers["Content-Length"] = str(request.upload_bytes)
            self._headers["Content-Type"] = "application/octet-stream"
        self._content = None if request.body is None else _content(request.body)
        if self._content is not None:
            self._headers["Content-Type"] = "application/json"

    def built(self, client: httpx2.Client | httpx2.AsyncClient) -> httpx2.Request:
        """The request as the library sends it. The caller adds an upload."""
        wanted = self._request
        content: Any = self._content
        if wanted.upload is not None:
            content = _pieces(wanted.upload) if isinstance(client, httpx2.Client) else _pieces_awaited(wanted.upload)
        try:
            return client.build_request(
                wanted.method,
                f"{self._address.url}{wanted.path}",
                params=parameters(wanted.query),
                content=content,
                headers=self._headers,
                timeout=self._address.timeout(wanted.longer_ms),
            )
        except httpx2.InvalidURL as error:
            raise InvalidInput(f"a value cannot be sent in the address of a request: {error}") from error

    @property
    def is_repeatable_there(self) -> bool:
        """Whether the request can be sent to the server where the tenant is: an upload was read already."""
        return self._request.upload is None

    def moved(self, response: httpx2.Response) -> Address | None:
        """The address of the server that has the tenant now; None if the response says something else.

        Raises `DatabaseUnusable` for an address that the token may not be sent to.
        """
        server = _server_of(response)
        if not server or self._moves == MAX_MOVES:
            return None
        self._moves += 1
        before = self._address
        try:
            to = resolve_address(server, before.token, before.timeout_ms)
        except InvalidInput as error:
            raise DatabaseUnusable(f"{before.url} says that the tenant is on another server: {error}") from error
        if before.url.startswith("https:") and not to.url.startswith("https:"):
            raise DatabaseUnusable(f"{before.url} says that the tenant is on {to.url}, which is not encrypted")
        self._address = to
        return to

    def lost(self, error: httpx2.RequestError) -> float:
        """How many seconds to wait before another try. Raises `DatabaseUnavailable` if no try is left.

        Raises `DatabaseUnusable` for an answer that cannot be decompressed.
        """
        if isinstance(error, httpx2.DecodingError):
            raise DatabaseUnusable(f"{self._address.url} answered what cannot be decoded: {error}") from error
        return self._pause(unreachable(self._address.url, error))

    def refused(self, response: httpx2.Response) -> float:
        """The same after an error response that was read. Raises the error that it describes."""
        error = error_of(response, self._address.url)
        if response.status_code not in RETRY_STATUSES:
            raise error
        return self._pause(error, response.headers.get("Retry-After", ""))

    def result(self, response: httpx2.Response) -> Any:
        """The result in a response that was read."""
        if self._request.sink is not None:
            return None
        try:
            return self._request.read(response.json())
        except (ValueError, RecursionError) as error:  # InvalidInput is a ValueError.
            raise DatabaseUnusable(
                f"{self._address.url} answered what this version does not understand: {error}"
            ) from error

    def _pause(self, error: JotsamError, retry_after: str = "") -> float:
        self._tries += 1
        is_repeatable = self._request.is_safe or self._request.is_accepting
        if not is_repeatable or self._tries > RETRIES:
            raise error
        if retry_after.isdecimal():
            if int(retry_after) > LONGEST_PAUSE_S:
                raise error
            return float(retry_after)
        return float(FIRST_PAUSE_S * 2 ** (self._tries - 1) * (0.5 + random_float()))


def _server_of(response: httpx2.Response) -> str:
    """Where the tenant has moved, by the response; empty if it says something else."""
    if response.status_code != MOVED:
        return ""
    try:
        problem = response.json()
        return str(problem["server"]) if problem["code"] == "tenant-moved" else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def unreachable(url: str, error: object) -> DatabaseUnavailable:
    """What is raised when a connection fails or ends too early."""
    return DatabaseUnavailable(f"{url} cannot be reached: {str(error) or type(error).__name__}")


def busy(response: httpx2.Response, url: str) -> tuple[JotsamError, int]:
    """The error of a response after which to try again, and the seconds that it asks to wait. Raises any other."""
    error, wait = error_of(response, url), response.headers.get("Retry-After", "")
    if response.status_code not in RETRY_STATUSES:
        raise error
    return error, int(wait) if wait.isdecimal() else 0


def error_of(response: httpx2.Response, url: str) -> JotsamError:
    """The error that a response describes."""
    status = response.status_code
    try:
        problem = response.json()
        detail, code = str(problem["detail"]), str(problem["code"])
    except (ValueError, KeyError, TypeError, RecursionError):
        kind = STATUSES.get(status, DatabaseUnusable) if status in RETRY_STATUSES else DatabaseUnusable
        text = " ".join(response.text[:MAX_SHOWN].split())
        if response.is_redirect:
            text = f"it redirects to {shown(response.headers.get('Location'))}, which is not followed with a token"
        return kind(f"{url} answered {status}, and not as a server of Jotsam: {text}")
    kind = CLASSES.get(code) or STATUSES.get(status, DatabaseUnusable)
    if kind is DatabaseUnusable:
        detail = f"{url} answered {status}: {detail}"
    error = kind(detail)
    if kind is DatabaseUnusable and problem.get("request_id"):
        error.add_note(f"request id: {problem['request_id']}")
    return error


def _content(body: Any) -> bytes:
    try:
        return json.dumps(plain("body", body), ensure_ascii=False, separators=(",", ":")).encode()
    except RecursionError as error:
        raise InvalidInput("a value is nested too deeply") from error


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


async def _pieces_awaited(file: BinaryIO) -> AsyncIterator[bytes]:
    while piece := file.read(PIECE):
        yield piece
