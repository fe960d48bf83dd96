"""The public client of a server for asyncio: `AsyncClient`. It sends the same requests as `Client`."""

from __future__ import annotations

import asyncio
import os

import httpx2

from jotsam.core.errors import DatabaseClosed
from jotsam.memory.api.async_methods import AsyncMethods, awaited
from jotsam.memory.api.client import Jotsam
from jotsam.remote.calls import request_for
from jotsam.remote.client import TIMEOUT_MS, of_client
from jotsam.remote.event_feed import ENDED, EventFeed
from jotsam.remote.exchange import Exchange, busy, resolve_address, unreachable
from jotsam.remote.request import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from types import TracebackType
    from typing import Any, NoReturn, Self, TypeVar

    from jotsam.core.event_records import Event
    from jotsam.remote.exchange import Address
    from jotsam.remote.request import Call

    T = TypeVar("T")


class AsyncClient(AsyncMethods):
    """`Client` for asyncio: the same methods, awaited. It uses no threads, and belongs to no event loop."""

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        project: str | None = None,
        timeout_ms: int = TIMEOUT_MS,
    ) -> None:
        self._connection = _Connection(resolve_address(url, token, timeout_ms))
        self._owns_connection = True
        self._of_client = of_client({}, tenant=None, project=project, actor=None)

    def scoped(self, *, tenant: str | None = None, project: str | None = None, actor: str | None = None) -> AsyncClient:
        """A client with another default project or actor on the same connections. See `Client.scoped`.

        Not a coroutine: it only stores the project and actor.
        """
        view = object.__new__(type(self))
        view._connection = self._connection
        view._owns_connection = False
        view._of_client = of_client(self._of_client, tenant=tenant, project=project, actor=actor)
        return view

    async def events(
        self, *, after: str | None = None, job: int | None = None, idle_ms: int | None = None
    ) -> AsyncIterator[Event]:
        """Follow what happens in the tenant: `async for event in await jot.events()`. See `Client.events`."""
        feed = EventFeed(after=after, job=job, idle_ms=idle_ms)
        if not feed.has_begun:
            end = feed.at_end()
            async for _ in self._connection.events(end):
                pass
            feed.after = end.after
        return self._connection.events(feed)

    wait = awaited(Jotsam.wait)
    work = awaited(Jotsam.work)

    async def close(self) -> None:
        """Close the connections. Later calls raise `DatabaseClosed`."""
        if self._owns_connection:
            await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._connection.address.url!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an AsyncClient has open connections and a token, and cannot be pickled")

    async def _call(self, method: Callable[..., Any], args: Any, kwargs: Any, *, part: str = "") -> Any:
        call: Call[Any] = request_for(method)(self._of_client, *args, **kwargs)
        if isinstance(call, Request):
            return await self._connection.send(call)
        answer = None
        try:
            while True:
                try:
                    request = call.send(answer)
                except StopIteration as end:
                    return end.value
                answer = await self._connection.send(request)
        finally:
            call.close()


class _Connection:
    """The connections to one server, for one event loop at a time."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._http: httpx2.AsyncClient | None = None
        self._earlier: list[httpx2.AsyncClient] = []  # for the servers where the tenant was
        self._owner: tuple[int, asyncio.AbstractEventLoop] | None = None
        self._closed = False

    async def send(self, request: Request[T]) -> T:
        """The result of a request, after as many tries as it may have."""
        exchange, client = Exchange(self.address, request), self._client()
        while True:
            try:
                response = await client.send(exchange.built(client), stream=True)
                try:
                    if response.is_success and request.sink is not None:
                        async for piece in response.aiter_bytes():
                            request.sink(piece)
                    else:
                        await response.aread()
                finally:
                    await response.aclose()
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
            await asyncio.sleep(pause)

    async def events(self, feed: EventFeed) -> AsyncIterator[Event]:
        """The events of a feed, over as many connections as it takes."""
        while not feed.is_ended:
            exchange, client = Exchange(self.address, feed.request()), self._client()
            try:
                response = await client.send(exchange.built(client), stream=True)
                try:
                    if response.is_success:
                        async for piece in response.aiter_bytes():
                            for event in feed.read(piece):
                                yield event
                        pause = 0.0 if feed.is_ended else feed.lost(unreachable(self.address.url, ENDED))
                    else:
                        await response.aread()
                        self._follow(exchange, response)
                        pause = feed.lost(*busy(response, self.address.url))
                finally:
                    await response.aclose()
            except httpx2.RequestError as error:
                pause = feed.lost(unreachable(self.address.url, error))
            await asyncio.sleep(pause)

    def _follow(self, exchange: Exchange, response: httpx2.Response) -> bool:
        """Send everything from here on to the server that the response names. True if this request can go there too."""
        address = exchange.moved(response)
        if address is None:
            return False
        if self._http is not None:
            self._earlier.append(self._http)  # Another task may still use the connections.
        self.address, self._http = address, None
        return exchange.is_repeatable_there

    async def close(self) -> None:
        self._closed = True
        clients = [*self._earlier, *([self._http] if self._http else [])]
        self._earlier, self._http = [], None
        for client in clients if self._owner == (os.getpid(), asyncio.get_running_loop()) else ():
            await client.aclose()

    def _client(self) -> httpx2.AsyncClient:
        """The client of this event loop: connections cannot be used by another one."""
        if self._closed:
            raise DatabaseClosed("this AsyncClient was closed; open another one")
        owner = (os.getpid(), asyncio.get_running_loop())
        if self._http is None or self._owner != owner:
            self._http = httpx2.AsyncClient(**self.address.options)
            self._owner = owner
        return self._http
