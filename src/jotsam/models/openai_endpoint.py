"""HTTP client for an OpenAI-compatible server: one JSON POST, one attempt, one deadline.

The response may be a stream of events. Then the time limit is for silence, and another one for the whole.

    server = Endpoint("https://api.example.com/v1", key="...", timeout_ms=45_000)
    reply = server.post("/embeddings", {"model": "m", "input": ["a text", "another"]})

The only module that imports the HTTP library, on the first request. It does not know what is sent, and it never
retries: the queue does, where retries are visible. Each failure raises the job error that fits:

| failure | raised | effect on the job |
|---|---|---|
| no connection, unknown host, invalid certificate | `ProviderUnavailable` | pauses the queue; no attempt spent |
| 3xx, 401 to 405, 410, or 429 with the quota used up | `ProviderUnavailable` | the same: every job would fail |
| 429, or 503 with Retry-After | `RetryJob` after the server's delay | retried; no attempt spent |
| 408, 409, 425, 5xx | `RetryJob` | backoff; an attempt spent |
| timeout, or the connection or body is cut off | `NoAnswer` | backoff; an attempt spent |
| 2xx without a JSON object or array | `Malformed` | backoff; an attempt spent |
| a 2xx body above the size limit | `Refused` | the caller gives up: the reply would be as large again |
| 413, or 400 because the context is too long | `TooLong` | the caller splits the text |
| an error that names one of the `optional` parameters | `UnsupportedParameter` | the caller leaves it out |
| 400, 422 and others | `Refused` | the caller changes the request or gives up |

`may_be_billed` of an error is true if a response had begun: the head of a success, or a part of its body.

After a 429 the same `Endpoint` sends no request until the delay is over, so that a backlog does not repeat it for every
job. The API key, and a secret within the URL, appear in no message and no `repr`.
"""

from __future__ import annotations

import json
import threading
from itertools import pairwise

from jotsam.core import dsn
from jotsam.core.clock import monotonic_ms, system_clock
from jotsam.core.errors import (
    InvalidInput,
    Malformed,
    NoAnswer,
    ProviderUnavailable,
    Refused,
    RetryJob,
    TooLong,
    UnsupportedParameter,
)
from jotsam.core.validate import replace_unstorable
from jotsam.models.event_stream import EVENT_STREAM, join_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from socket import socket
    from typing import Any

TIMEOUT_MS = 45_000
MAX_BODY_BYTES = 64_000_000  # a batch of long vectors has ten million
MAX_MESSAGE_CHARACTERS = 300
RATE_LIMIT_MS = 20_000  # after a 429 without Retry-After
MAX_RATE_LIMIT_MS = 3_600_000

_NO_QUOTA = ("insufficient_quota", "billing_hard_limit", "quota exhausted", "credit balance")
_TOO_LONG = (
    "context_length",
    "context length",
    "maximum context",
    "context window",
    "context size",
    "too many tokens",
    "prompt is too",
)
_RETRYABLE = frozenset((408, 409, 425))
_UNAVAILABLE = {
    401: "the API key was rejected: check it",
    402: "payment required",
    403: "the API key lacks permission",
    404: "unknown path or model: check the URL, which usually ends in /v1, and the model name",
    405: "method not allowed: check the URL, which usually ends in /v1",
    410: "no longer available: check the URL and the model name",
}
_REDIRECTS = range(300, 400)
_REJECTIONS = (
    *("unsupported", "not support", "n't support", "unknown", "unrecogni", "invalid", "unexpected", "too large"),
    *("not permitted", "not allowed", "forbidden"),
)
_COMMON_WORDS = ("stream",)  # parameters whose name is a word of other errors too: "the stream ended unexpectedly"
_REJECTION_DISTANCE = 80  # characters between the name of a parameter and the word that rejects it


class Endpoint:
    """One server. Thread-safe: each thread has its own connection, kept open between requests.

    `url` is the part before `/chat/completions` or `/embeddings`. Raises `InvalidInput`.
    """

    def __init__(
        self, url: str, *, key: str = "", timeout_ms: int = TIMEOUT_MS, max_body_bytes: int = MAX_BODY_BYTES
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise InvalidInput(
                f"invalid model URL {dsn.mask_model_url(url)!r}: must start with http:// or https://, as http://127.0.0.1:11434/v1"
            )
        if not (key.isascii() and key.isprintable()):
            raise InvalidInput("invalid API key: contains a line break or a character that HTTP headers cannot carry")
        self._address = url.rstrip("/")
        self.url = dsn.mask_model_url(self._address)  # for messages
        self._key = key
        self.timeout_ms = timeout_ms
        self._max_body_bytes = max_body_bytes
        self._local = threading.local()
        self._connections: list[_Connection] = []
        self._ssl_context: Any = None if url.startswith("https://") else False  # No redirect is followed to https.
        self._lock = threading.Lock()
        self._rate_limited_until = 0

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        timeout_ms: int | None = None,
        longest_ms: int | None = None,
        optional: Iterable[str] = (),
    ) -> dict[str, Any]:
        """Send one request. Returns the JSON object of the response; raises as listed at the top of this module.

        An array is returned as the field `data` of an object, where other servers have it.

        A stream may last `longest_ms`, as long as it is never silent for `timeout_ms`. One that was stopped is
        returned with the reason in its field `stopped`, because what it has sent was paid for.
        `optional` names the parameters of the body that the caller can leave out.
        """
        wait = self._rate_limited_until - monotonic_ms()
        if wait > 0:
            raise RetryJob(f"{self.url} is rate limited for {wait} ms more", after_ms=wait, spend=False)
        limits = self._limits(timeout_ms, longest_ms)
        return self._request("POST", path, json.dumps(body).encode(), limits, optional)

    def get(self, path: str, *, timeout_ms: int | None = None) -> dict[str, Any]:
        """The same with GET, for free requests such as `/models`. Ignores the rate limit."""
        return self._request("GET", path, b"", self._limits(timeout_ms, None))

    def close(self) -> None:
        """Close every connection."""
        with self._lock:
            connections, self._connections = self._connections, []
        for connection in connections:
            connection.close()
        self._local = threading.local()

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    def _limits(self, timeout_ms: int | None, longest_ms: int | None) -> tuple[int, int]:
        silent_ms = self.timeout_ms if timeout_ms is None else timeout_ms
        return silent_ms, silent_ms if longest_ms is None else longest_ms

    def _request(
        self, method: str, path: str, body: bytes, limits: tuple[int, int], optional: Iterable[str] = ()
    ) -> dict[str, Any]:
        connection = self._connection()
        try:
            status, headers, content = connection.send(method, path, body, limits)
        except NoAnswer as error:
            found, _ = join_events(bytes(connection.streamed))
            if not found["chunks"]:
                raise
            return {**found, "stopped": str(error)}
        try:
            if 200 <= status < 300:
                is_stream = headers.get("content-type", "").startswith(EVENT_STREAM)
                return self._joined(content) if is_stream else self._object(content)
            raise self._failure(status, headers, content)
        except (Refused, RetryJob) as error:
            is_final = isinstance(error, TooLong) or status == 429 or error.may_be_billed
            names = [name for name in optional if name not in _COMMON_WORDS or 400 <= status < 500]
            name = None if is_final else rejected_parameter(content, names)
            if name is None:
                raise
            raise UnsupportedParameter(str(error), status=status, name=name) from error

    def _connection(self) -> _Connection:
        connection: _Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            with self._lock:
                if self._ssl_context is None:
                    import ssl

                    self._ssl_context = ssl.create_default_context()  # Shared: loading certificates is slow.
                connection = _Connection(self._address, self._key, self._ssl_context, self._max_body_bytes)
                self._local.connection = connection
                self._connections.append(connection)
        return connection

    def _joined(self, content: bytes) -> dict[str, Any]:
        found, is_complete = join_events(content)
        if not is_complete and found["chunks"]:
            return {**found, "stopped": f"the stream of {self.url} ended early"}
        if "choices" not in found:
            error = self._excerpt(json.dumps(found).encode()) if "error" in found else "a stream without a reply"
            raise Malformed(f"{self.url} returned {error}", may_be_billed="usage" in found)
        return found

    def _object(self, content: bytes) -> dict[str, Any]:
        try:
            found = json.loads(content)
        except (ValueError, RecursionError) as error:
            is_json = content.lstrip().startswith(b"{")  # Otherwise it is the page of a proxy.
            message = f"{self.url} returned invalid JSON: {error}: {self._excerpt(content)}"
            raise Malformed(message, may_be_billed=is_json) from error
        if isinstance(found, list):
            return {"data": found}
        if not isinstance(found, dict):
            raise Malformed(f"{self.url} returned JSON that is not an object: {self._excerpt(content)}")
        if found.get("error") and "choices" not in found and "data" not in found:
            raise Malformed(f"{self.url} returned an error: {self._excerpt(content)}", may_be_billed="usage" in found)
        return found

    def _failure(self, status: int, headers: Mapping[str, str], content: bytes) -> Exception:
        message = f"{self.url} returned {status}: {self._excerpt(content)}"
        whole = content[:20_000].decode(errors="replace").lower()
        after = retry_after_ms(headers.get("retry-after"), headers.get("retry-after-ms"))
        if status in _REDIRECTS:
            location = self._one_line(headers.get("location", "another URL"))
            return ProviderUnavailable(
                f"{message} (redirects are not followed: set the URL to {location})", status=status
            )
        if status in _UNAVAILABLE:
            return ProviderUnavailable(f"{message} ({_UNAVAILABLE[status]})", status=status)
        if status == 429 and any(word in whole for word in _NO_QUOTA):
            return ProviderUnavailable(f"{message} (quota exhausted)", status=status)
        if status == 429 or (status == 503 and after is not None):
            wait = min(RATE_LIMIT_MS if after is None else after, MAX_RATE_LIMIT_MS)
            self._rate_limited_until = monotonic_ms() + wait
            return RetryJob(message, after_ms=wait, spend=False)
        if status in _RETRYABLE or status >= 500:
            return RetryJob(message)
        if status == 413 or (status in (400, 422) and any(word in whole for word in _TOO_LONG)):
            return TooLong(message, status=status)
        return Refused(message, status=status)

    def _excerpt(self, content: bytes) -> str:
        """A response body as one short line without the API key; of a JSON error, its message."""
        text = content[:20_000].decode(errors="replace")
        try:
            error = json.loads(text)["error"]
            text = str(error["message"] if isinstance(error, dict) else error)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass  # Not a JSON error: use the raw body.
        return self._one_line(text) or "(empty body)"

    def _one_line(self, text: str) -> str:
        text = " ".join(replace_unstorable(text).split())
        if self._key:
            text = text.replace(self._key, "[API key]")
        text = dsn.hide_secrets(text, self._address)
        return text[:MAX_MESSAGE_CHARACTERS]


class _Connection:
    """The connection of one thread. A timer shuts its socket down at the deadline."""

    def __init__(self, url: str, key: str, ssl_context: Any, max_body_bytes: int) -> None:
        import httpx2

        self._library = httpx2
        headers = {"content-type": "application/json", "accept": "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        self._url = dsn.mask_model_url(url)
        self._address = url
        self._max_body_bytes = max_body_bytes
        self._client = httpx2.Client(headers=headers, verify=ssl_context)
        self._socket: socket | None = None
        self._timed_out = False
        self._has_begun = False
        self._request_number = 0
        self._silent_at = self._late_at = 0  # when it has been silent, or has run, too long: on the monotonic clock
        self._timer: threading.Timer | None = None
        self.streamed = bytearray()  # what has arrived of a stream of events

    def send(
        self, method: str, path: str, body: bytes, limits: tuple[int, int]
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body. Raises `ProviderUnavailable` if it cannot connect, else `NoAnswer`.

        `limits` are the longest silence, and the longest time of a stream of events, in milliseconds.
        Raises `Refused` for a success whose body is too large; the body of an error is cut.
        """
        timeout_ms, longest_ms = limits
        self._timed_out = self._has_begun = False
        self.streamed = bytearray()
        self._request_number += 1
        now = monotonic_ms()
        self._silent_at, self._late_at = now + timeout_ms, now + longest_ms
        self._watch(self._request_number)
        library = self._library
        try:
            return self._exchange(method, path, body, timeout_ms)
        except library.TimeoutException as error:
            raise self._timeout(timeout_ms) from error
        except (library.ConnectError, library.ProxyError, library.UnsupportedProtocol, library.InvalidURL) as error:
            if self._timed_out:
                raise self._timeout(timeout_ms) from error
            raise ProviderUnavailable(f"cannot connect to {self._url}: {self._reason(error)}") from error
        except (library.HTTPError, OSError) as error:
            if self._timed_out:
                raise self._timeout(timeout_ms) from error
            message = f"the response of {self._url} was cut off: {self._reason(error)}"
            raise NoAnswer(message, may_be_billed=self._has_begun) from error
        finally:
            self._request_number += 1
            if self._timer is not None:
                self._timer.cancel()

    def _target(self, path: str) -> str:
        """The URL of a request: its path goes before the parameters."""
        place, mark, query = self._address.partition("?")
        return f"{place.rstrip('/')}{path}{mark}{query}"

    def _reason(self, error: Exception) -> str:
        return dsn.hide_secrets(str(error), self._address) or type(error).__name__

    def _timeout(self, timeout_ms: int) -> NoAnswer:
        about = f"timed out after {timeout_ms} ms"
        if self.streamed:
            is_late = monotonic_ms() >= self._late_at
            about = "did not end its reply in time" if is_late else f"sent nothing for {timeout_ms} ms within its reply"
        return NoAnswer(f"{self._url} {about}", may_be_billed=self._has_begun)

    def _watch(self, request_number: int) -> None:
        """Look at the deadline when it can be over. A stream moves it with every event."""
        left_ms = max(0, min(self._silent_at, self._late_at) - monotonic_ms())
        self._timer = threading.Timer(left_ms / 1000, self._abort, (request_number,))
        self._timer.daemon = True
        self._timer.start()

    def _exchange(self, method: str, path: str, body: bytes, timeout_ms: int) -> tuple[int, Mapping[str, str], bytes]:
        timeout = timeout_ms / 1000
        traced = {"trace": self._trace}
        with self._client.stream(
            method, self._target(path), content=body, timeout=timeout, extensions=traced
        ) as response:
            status = response.status_code
            self._has_begun = 200 <= status < 300
            is_stream = response.headers.get("content-type", "").startswith(EVENT_STREAM)
            content = self.streamed if is_stream else bytearray()
            for piece in response.iter_bytes():
                content += piece
                if is_stream:  # A comment counts too: a server sends it while it reads a long prompt.
                    self._silent_at = monotonic_ms() + timeout_ms
                if len(content) > self._max_body_bytes:
                    if not self._has_begun:
                        break
                    raise Refused(f"the response of {self._url} exceeds {self._max_body_bytes:,} bytes", status=status)
            return status, response.headers, bytes(content)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")

    def _abort(self, request_number: int) -> None:
        """Enforce the deadline: the library's own timeouts restart with every byte that arrives."""
        if request_number != self._request_number:
            return
        if min(self._silent_at, self._late_at) > monotonic_ms():
            self._watch(request_number)
            return
        import socket

        self._timed_out = True
        try:
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # Already closed.

    def close(self) -> None:
        self._client.close()


def rejected_parameter(content: bytes, names: Iterable[str]) -> str | None:
    """The first of `names` that an error response rejects, by its field `param` or by the words around the name."""
    text = content[:20_000].decode(errors="replace").lower()
    for name in names:
        for before, after in pairwise(text.split(name)):
            is_part = before[-1:].isidentifier() or after[:1].isidentifier()  # of a longer name
            around = before[-_REJECTION_DISTANCE:] + after[:_REJECTION_DISTANCE]
            if not is_part and any(word in around for word in _REJECTIONS):
                return name
    return None


def retry_after_ms(seconds: str | None, milliseconds: str | None = None) -> int | None:
    """The delay of `Retry-After` (RFC 9110, 10.2.3): seconds or a date. Some servers also send `Retry-After-Ms`."""
    for text, unit in ((milliseconds, 1), (seconds, 1000)):
        try:
            return max(0, round(float(text or "") * unit))
        except (ValueError, OverflowError):
            continue
    from email.utils import parsedate_to_datetime

    try:
        return max(0, round(parsedate_to_datetime(seconds or "").timestamp() * 1000) - system_clock())
    except (ValueError, TypeError, OverflowError):
        return None
