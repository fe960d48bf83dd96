"""An OpenAI-compatible server: one POST of JSON, tried once, within one deadline, with an outcome for whatever happens.

    server = Endpoint("https://api.example.com/v1", key="...", timeout_ms=45_000)
    reply = server.post("/embeddings", {"model": "m", "input": ["a text", "another"]})

This room is the only door to the HTTP library, which is imported when the first request is made. It must not know what
is asked, and it must not try again: the queue does that, where everybody can see it. Whatever goes wrong is raised as
what shall become of the job:

| what happens | raised | what it means for the job |
|---|---|---|
| no connection, no such host, a bad certificate | `ProviderUnavailable` | the queue pauses; no attempt spent |
| 3xx, 401 to 405, 410, or 429 because no quota is left | `ProviderUnavailable` | the same: every job would hear it |
| 429, or 503 with Retry-After | `RetryJob`, with the server's wait | later; no attempt spent |
| 408, 409, 425, 5xx | `RetryJob` | backoff; an attempt spent |
| the deadline, the connection or the body is cut off | `NoAnswer` | backoff; an attempt spent; it may cost |
| 2xx with something that is no JSON object | `Malformed` | backoff; an attempt spent |
| 413, or 400 because the context is too long | `TooLong` | the caller splits it |
| 400, 422 and the rest | `Refused` | the caller asks otherwise, or gives up |

After a 429 the same `Endpoint` makes no request until the wait is over: a backlog does not ask a thousand times.
The key stands in no message and in no `repr`.
"""

from __future__ import annotations

import json
import threading

from jotsam.core.clock import monotonic_ms, system_clock
from jotsam.core.errors import InvalidInput, Malformed, NoAnswer, ProviderUnavailable, Refused, RetryJob, TooLong
from jotsam.core.validate import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from socket import socket
    from typing import Any

TIMEOUT_MS = 45_000
LONGEST_BODY = 64_000_000  # bytes; a batch of long vectors has ten million
LONGEST_MESSAGE = 300
WAIT_MS = 20_000  # after a 429 that does not say how long
LONGEST_WAIT_MS = 3_600_000
MOST_COUNTED = 1_000_000_000  # tokens of one request; a server that counts more counts wrong

_NO_QUOTA = ("insufficient_quota", "billing_hard_limit", "quota exhausted", "credit balance")
_TOO_LONG = (
    "context_length",
    "context length",
    "maximum context",
    "context window",
    "too many tokens",
    "prompt is too",
)
_LATER = frozenset((408, 409, 425))
_UNAVAILABLE = {
    401: "the key is refused: check it",
    402: "it asks for payment",
    403: "the key may not do this",
    404: "there is no such address or model: check the URL, which usually ends in /v1, and the name of the model",
    405: "it takes no requests at this address: check the URL, which usually ends in /v1",
    410: "there is nothing at this address any more: check the URL and the name of the model",
}
_ELSEWHERE = range(300, 400)


class Endpoint:
    """One server. Safe to use from many threads: each has a connection of its own, kept open between requests.

    `url` is what stands before `/chat/completions` or `/embeddings`. Raises `InvalidInput`.
    """

    def __init__(
        self, url: str, *, key: str = "", timeout_ms: int = TIMEOUT_MS, longest_body: int = LONGEST_BODY
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise InvalidInput(f"the URL of a model is {url!r}: give one such as http://127.0.0.1:11434/v1")
        if not (key.isascii() and key.isprintable()):
            raise InvalidInput("the key of a model holds a line break or a sign that HTTP cannot send")
        self.url = url.rstrip("/")
        self._key = key
        self.timeout_ms = timeout_ms
        self._longest_body = longest_body
        self._own = threading.local()
        self._lines: list[_Line] = []
        self._verified: Any = None
        self._lock = threading.Lock()
        self._quiet_until = 0

    def post(self, path: str, body: Mapping[str, Any], *, timeout_ms: int | None = None) -> dict[str, Any]:
        """The JSON object that the server answers, asked once. Raises as the table of this room says."""
        wait = self._quiet_until - monotonic_ms()
        if wait > 0:
            raise RetryJob(f"{self.url} asked for a pause; it ends in {wait} ms", after_ms=wait, spend=False)
        return self._asked("POST", path, json.dumps(body).encode(), timeout_ms)

    def get(self, path: str, *, timeout_ms: int | None = None) -> dict[str, Any]:
        """The same for a question that costs nothing, such as `/models`."""
        return self._asked("GET", path, b"", timeout_ms)

    def close(self) -> None:
        """Close every connection."""
        with self._lock:
            lines, self._lines = self._lines, []
        for line in lines:
            line.close()
        self._own = threading.local()

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    def _asked(self, method: str, path: str, body: bytes, timeout_ms: int | None) -> dict[str, Any]:
        timeout_ms = self.timeout_ms if timeout_ms is None else timeout_ms
        status, headers, content = self._line().send(method, path, body, timeout_ms)
        if 200 <= status < 300:
            return self._object(content)
        raise self._failure(status, headers, content)

    def _line(self) -> _Line:
        line: _Line | None = getattr(self._own, "line", None)
        if line is None:
            with self._lock:
                if self._verified is None:
                    import ssl  # Reading the machine's certificates takes longer than a request: once is enough.

                    self._verified = ssl.create_default_context()
                line = self._own.line = _Line(self.url, self._key, self._verified, self._longest_body)
                self._lines.append(line)
        return line

    def _object(self, content: bytes) -> dict[str, Any]:
        try:
            found = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise Malformed(f"{self.url} answered with broken JSON: {error}: {self._shown(content)}") from error
        if not isinstance(found, dict):
            raise Malformed(f"{self.url} answered with something else than a JSON object: {self._shown(content)}")
        if found.get("error") and "choices" not in found and "data" not in found:
            raise Malformed(f"{self.url} answered with an error: {self._shown(content)}")
        return found

    def _failure(self, status: int, headers: Mapping[str, str], content: bytes) -> Exception:
        said = f"{self.url} answered {status}: {self._shown(content)}"
        whole = content[:20_000].decode(errors="replace").lower()
        after = retry_after_ms(headers.get("retry-after"), headers.get("retry-after-ms"))
        if status in _ELSEWHERE:
            place = self._short(headers.get("location", "somewhere else"))
            return ProviderUnavailable(
                f"{said} (it sends on to {place}: set the URL to where it answers itself)", status=status
            )
        if status in _UNAVAILABLE:
            return ProviderUnavailable(f"{said} ({_UNAVAILABLE[status]})", status=status)
        if status == 429 and any(word in whole for word in _NO_QUOTA):
            return ProviderUnavailable(f"{said} (no quota is left)", status=status)
        if status == 429 or (status == 503 and after is not None):
            wait = min(WAIT_MS if after is None else after, LONGEST_WAIT_MS)
            self._quiet_until = monotonic_ms() + wait
            return RetryJob(said, after_ms=wait, spend=False)
        if status in _LATER or status >= 500:
            return RetryJob(said)
        if status == 413 or (status in (400, 422) and any(word in whole for word in _TOO_LONG)):
            return TooLong(said, status=status)
        return Refused(said, status=status)

    def _shown(self, content: bytes) -> str:
        """What a server said, short, on one line, and without the key."""
        text = content[:20_000].decode(errors="replace")
        try:
            told = json.loads(text)["error"]
            text = str(told["message"] if isinstance(told, dict) else told)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass  # It is shown as it came.
        return self._short(text) or "nothing"

    def _short(self, text: str) -> str:
        text = " ".join(storable(text).split())
        if self._key:
            text = text.replace(self._key, "[the key]")
        return text[:LONGEST_MESSAGE]


class _Line:
    """The connection of one thread. Its socket is known, so that a deadline can cut whatever is going on."""

    def __init__(self, url: str, key: str, verified: Any, longest_body: int) -> None:
        import httpx2

        self._library = httpx2
        headers = {"content-type": "application/json", "accept": "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        self._url = url
        self._longest_body = longest_body
        self._client = httpx2.Client(headers=headers, verify=verified)
        self._socket: socket | None = None
        self._is_cut = False
        self._sent = 0

    def send(self, method: str, path: str, body: bytes, timeout_ms: int) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body. Raises `ProviderUnavailable` without a connection, `NoAnswer` for a broken one."""
        self._is_cut = False
        self._sent += 1
        watch = threading.Timer(timeout_ms / 1000, self._cut, (self._sent,))
        watch.daemon = True
        watch.start()
        library = self._library
        try:
            return self._exchange(method, path, body, timeout_ms)
        except library.TimeoutException as error:
            raise NoAnswer(f"{self._url} did not answer within {timeout_ms} ms") from error
        except (library.ConnectError, library.ProxyError, library.UnsupportedProtocol, library.InvalidURL) as error:
            if self._is_cut:
                raise NoAnswer(f"{self._url} did not answer within {timeout_ms} ms") from error
            raise ProviderUnavailable(f"{self._url} cannot be reached: {error}") from error
        except (library.HTTPError, OSError) as error:
            if self._is_cut:
                raise NoAnswer(f"{self._url} did not answer within {timeout_ms} ms") from error
            raise NoAnswer(f"the answer of {self._url} was cut off: {error or type(error).__name__}") from error
        finally:
            self._sent += 1
            watch.cancel()

    def _exchange(self, method: str, path: str, body: bytes, timeout_ms: int) -> tuple[int, Mapping[str, str], bytes]:
        timeout = timeout_ms / 1000
        seen = {"trace": self._notice}
        with self._client.stream(method, self._url + path, content=body, timeout=timeout, extensions=seen) as response:
            content = bytearray()
            for piece in response.iter_bytes():
                content += piece
                if len(content) > self._longest_body:
                    raise NoAnswer(f"{self._url} answered with more than {self._longest_body:,} bytes")
            return response.status_code, response.headers, bytes(content)

    def _notice(self, event: str, info: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")

    def _cut(self, request: int) -> None:
        """The deadline: a server that sends a byte now and then would otherwise never be late."""
        if request != self._sent:
            return
        import socket

        self._is_cut = True
        try:
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # It is closed already.

    def close(self) -> None:
        self._client.close()


def counted(value: object, otherwise: int) -> int:
    """A number of tokens as a server says it, if it can be one."""
    if not isinstance(value, int) or isinstance(value, bool):
        return otherwise
    return value if 0 <= value <= MOST_COUNTED else otherwise


def retry_after_ms(seconds: str | None, milliseconds: str | None = None) -> int | None:
    """What `Retry-After` asks for (RFC 9110, 10.2.3): seconds, or a date. Some send `Retry-After-Ms` beside it."""
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
