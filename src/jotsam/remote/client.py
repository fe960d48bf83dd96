"""The public client of a server: `Client`. It sends what `remote.calls` describes, and waits for the answer."""

from __future__ import annotations

import os
import threading
from contextlib import closing

import httpx2

from jotsam.core.clock import sleep
from jotsam.core.errors import DatabaseClosed, InvalidInput
from jotsam.core.validate import check_name_length, check_optional_text
from jotsam.remote.calls import request_for
from jotsam.remote.event_feed import ENDED, EventFeed
from jotsam.remote.exchange import Exchange, busy, resolve_address, unreachable
from jotsam.remote.methods import ClientMethods
from jotsam.remote.request import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType
    from typing import Any, NoReturn, Self, TypeVar

    from jotsam.core.event_records import Event
    from jotsam.remote.exchange import Address
    from jotsam.remote.operation_calls import OfClient
    from jotsam.remote.request import Call

    T = TypeVar("T")

TIMEOUT_MS = 30_000


class Client(ClientMethods):
    """`Jotsam` behind a server: the same methods, results and exceptions, over HTTP. Safe to use from many threads.

    `url` is the address of `jotsam server start` (default: `JOTSAM_URL`), `token` one of `jotsam server tokens`
    (default: `JOTSAM_TOKEN`), which belongs to a tenant. `project` is what is stored without a project of its own, and
    what is ranked first. Raises `InvalidInput`, `DatabaseUnavailable` when the server cannot be reached,
    `DatabaseUnusable` when it refuses the token.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        project: str | None = None,
        timeout_ms: int = TIMEOUT_MS,
    ) -> None:
        address = resolve_address(url, token, timeout_ms)
        self._connection = _Connection(address)
        self._owns_connection = True
        self._of_client = of_client({}, tenant=None, project=project, actor=None)

    def scoped(self, *, tenant: str | None = None, project: str | None = None, actor: str | None = None) -> Client:
        """A client with another default project or actor on the same connections.

        A token belongs to one tenant, so another `tenant` raises `InvalidInput`. Closing it does nothing.
        """
        view = object.__new__(type(self))
        view._connection = self._connection
        view._owns_connection = False
        view._of_client = of_client(self._of_client, tenant=tenant, project=project, actor=actor)
        return view

    def events(
        self, *, after: str | None = None, job: int | None = None, idle_ms: int | None = None
    ) -> Iterator[Event]:
        """Follow what happens in the tenant: its events from this call on, or after the `id` of an earlier one.

        Options and the event `gap` as of `Jotsam.events`. After a lost connection it goes on where it was; raises
        `DatabaseUnavailable` when the server cannot be reached for a minute. A stream occupies a connection.
        """
        feed = EventFeed(after=after, job=job, idle_ms=idle_ms)
        if not feed.has_begun:
            end = feed.at_end()
            for _ in self._connection.events(end):
                pass
            feed.after = end.after
        return self._connection.events(feed)

    def close(self) -> None:
        """Close the connections. Later calls raise `DatabaseClosed`."""
        if self._owns_connection:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._connection.address.url!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Client has open connections and a token, and cannot be pickled: make one in each process")

    def _call(self, method: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        call: Call[Any] = request_for(method)(self._of_client, *args, **kwargs)
        if isinstance(call, Request):
            return self._connection.send(call)
        answer = None
        with closing(call):
            while True:
                try:
                    request = call.send(answer)
                except StopIteration as end:
                    return end.value
                answer = self._connection.send(request)


class _Connection:
    """The connections to one server, for all threads of one process."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._lock = threading.Lock()
        self._http: httpx2.Client | None = None
        self._earlier: list[httpx2.Client] = []  # for the servers where the tenant was
        self._pid = 0
        self._closed = False

    def send(self, request: Request[T]) -> T:
        """The result of a request, after as many tries as it may have."""
        exchange, client = Exchange(self.address, request), self._client()
        while True:
            try:
                with closing(client.send(exchange.built(client), stream=True)) as response:
                    if response.is_success and request.sink is not None:
                        for piece in response.iter_bytes():
                            request.sink(piece)
                    else:
                        response.read()
            except httpx2.RequestError as error:
                pause = exchange.lost(error)
            else:
                if response.is_success:
                    result: T = exchange.result(response)
                    return result
                if self._follow(exchange, response):
                    client = self._client()
                    continue
                pause = exchange.refused(response)
            sleep(pause)

    def events(self, feed: EventFeed) -> Iterator[Event]:
        """The events of a feed, over as many connections as it takes."""
        while not feed.is_ended:
            exchange, client = Exchange(self.address, feed.request()), self._client()
            try:
                with closing(client.send(exchange.built(client), stream=True)) as response:
                    if response.is_success:
                        for piece in response.iter_bytes():
                            yield from feed.read(piece)
                        pause = 0.0 if feed.is_ended else feed.lost(unreachable(self.address.url, ENDED))
                    else:
                        response.read()
                        self._follow(exchange, response)
                        pause = feed.lost(*busy(response, self.address.url))
            except httpx2.RequestError as error:
                pause = feed.lost(unreachable(self.address.url, error))
            sleep(pause)

    def _follow(self, exchange: Exchange, response: httpx2.Response) -> bool:
        """Send everything from here on to the server that the response names. True if this request can go there too."""
        address = exchange.moved(response)
        if address is None:
            return False
        with self._lock:
            if self._http is not None:
                self._earlier.append(self._http)  # Another thread may still use the connections.
            self.address, self._http = address, None
        return exchange.is_repeatable_there

    def close(self) -> None:
        self._closed = True
        with self._lock:
            clients = [*self._earlier, *([self._http] if self._http else [])]
            self._earlier, self._http = [], None
        for client in clients if self._pid == os.getpid() else ():
            client.close()

    def _client(self) -> httpx2.Client:
        """The client of this process: the connections of a process that was forked belong to its parent."""
        if self._closed:
            raise DatabaseClosed("this Client was closed; open another one")
        with self._lock:
            if self._http is None or self._pid != os.getpid():
                self._http = httpx2.Client(**self.address.options)
                self._pid = os.getpid()
            return self._http


def of_client(before: OfClient, *, tenant: str | None, project: str | None, actor: str | None) -> OfClient:
    """What a client adds to its calls; None: the server's own. Raises `InvalidInput`."""
    if tenant is not None:
        raise InvalidInput(f"invalid tenant {tenant!r}: a token belongs to one tenant, so use a token of this tenant")
    for name, value in (("project", project), ("actor", actor)):
        if check_optional_text(name, value) is not None:
            check_name_length(name, str(value))
    own = before.get("project") if project is None else project.strip()
    return {"project": own, "prefer": own, "actor": before.get("actor") if actor is None else actor.strip() or None}
