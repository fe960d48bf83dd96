"""The ASGI application: makes a `Call` of each request, runs its handler in a thread, and sends the `Reply`.

It decides nothing about memory. Every request goes through the same steps: host and origin, route, token, limits, body,
handler. An error in any step is answered in the shape of the route.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from urllib.parse import unquote

import anyio
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route as Path

from jotsam.core import tracing
from jotsam.core.clock import monotonic_ms, monotonic_seconds, new_id
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.tracing import REQUEST
from jotsam.memory.access.tokens import mark_used
from jotsam.memory.jobs.jobs import PendingJobs
from jotsam.surfaces.http import probes
from jotsam.surfaces.http.requests import access, decode, problem
from jotsam.surfaces.http.requests.route import JSON, Call, Reply, Route, wants_wait
from jotsam.surfaces.http.routes import ROUTES
from jotsam.surfaces.http.server import hosts
from jotsam.surfaces.http.server.http_error import HttpError
from jotsam.surfaces.http.server.request_log import RequestEnd, log_request
from jotsam.surfaces.http.time_limit import in_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from collections.abc import Awaitable, Callable, Sequence
    from typing import IO

    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from jotsam.core.token_records import Principal
    from jotsam.memory.api.client import Jotsam
    from jotsam.surfaces.http.server.server import Server

    Body = bytes | IO[bytes]

log = logging.getLogger("jotsam.http")

MAX_REQUEST_ID = 128
READING = ("GET", "HEAD")
SLASH = "\ue000"  # in the place of an encoded slash while a path is matched: a character of no text
POLL_S, LONGEST_POLL_S = 0.02, 0.25
NO_ROUTE = "(none)"
CUT = "the server stopped before this request was done: send it again with the same idempotency key, if it has one"
TWO_LENGTHS = "invalid request: it has Content-Length and Transfer-Encoding: send one of them"
JOB = "/v1/jobs/"
LOGGED_IDS = 20
CLIENT_LEFT = 499  # as proxies log it
SPOOLED_BYTES = 1 << 20  # of an upload in memory; the rest goes to a temporary file
EXPOSED = ("ETag", "Idempotency-Replayed", "Location", "Retry-After", "X-Pending-Ingests", "X-Request-Id")


def create_app(server: Server, routes: Sequence[Route] = ROUTES, *, pages: Sequence[BaseRoute] = ()) -> Starlette:
    """The application of a server, with the pages of its dashboard."""
    by_path: dict[str, dict[str, Route]] = {}
    for route in routes:
        if route.path == probes.METRICS_PATH and server.options.open_metrics:
            route = route.replace(scope=None)
        by_path.setdefault(route.path, {})[route.method] = route
    # A path without parameters comes first: "by-tag" is not an id.
    paths = [
        Path(path, _endpoint(server, methods), methods=[*methods])
        for path, methods in sorted(by_path.items(), key=lambda one: ("{" in one[0], one[0]))
    ]
    middleware = [Middleware(CutRequests, stopping=server.stopping)]
    if server.origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=sorted(server.origins),
                allow_methods=["*"],
                allow_headers=["*"],
                expose_headers=EXPOSED,
            )
        )
    handlers = {404: _unknown_path, 405: _wrong_method}
    middleware += [Middleware(OneLength), Middleware(EncodedSlashes)]
    app = Starlette(
        routes=[*paths, *pages],
        middleware=middleware,
        exception_handlers=handlers,
        lifespan=lambda _: _lifespan(server),
    )
    app.router.redirect_slashes = False  # A redirect would send the token to the address in `Host`.
    app.state.server = server
    return app


class CutRequests:
    """Answers a request that the server no longer waits for when it stops, which would else end with a traceback."""

    def __init__(self, app: ASGIApp, stopping: threading.Event) -> None:
        self._app, self._stopping = app, stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_answered = False

        async def received() -> Message:
            try:
                return await receive()
            except anyio.get_cancelled_exc_class():
                if scope["type"] != "lifespan":
                    raise
                return {"type": "lifespan.shutdown"}  # A second signal: the framework does not ask for it any more.

        async def sent(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            await send(message)

        try:
            await self._app(scope, received, sent)
        except anyio.get_cancelled_exc_class():
            if not self._stopping.is_set():
                raise
            if is_answered:
                log.warning("an answer was cut, because the server stops")
            else:
                await _refused(Request(scope), HttpError(503, "stopping", CUT))(scope, receive, send)


class OneLength:
    """Refuses a request that states the end of its body in two ways, and closes the connection.

    A proxy that believes the other one would take the rest of the body for the next request.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names = {name for name, _ in scope.get("headers", ())}
        if {b"content-length", b"transfer-encoding"} <= names:
            error = HttpError(400, "invalid-input", TWO_LENGTHS, headers={"Connection": "close"})
            await _refused(Request(scope), error)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class EncodedSlashes:
    """Keeps an encoded slash inside one part of a path: an id of a caller can have one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw: bytes = scope.get("raw_path") or b""
        if b"%2f" in raw.lower():
            marked = raw.decode("ascii", "replace").replace("%2f", "%2F").replace("%2F", SLASH)
            scope = {**scope, "path": unquote(marked)}
        await self._app(scope, receive, send)


@asynccontextmanager
async def _lifespan(server: Server) -> AsyncIterator[None]:
    server.stop_on_signals()
    await run_in_threadpool(server.start)
    try:
        yield
    finally:
        server.stopping.set()
        await run_in_threadpool(server.close)


def _endpoint(server: Server, methods: dict[str, Route]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        route = methods.get(request.method) or methods["GET"]  # HEAD
        return await _answer(server, route, request)

    return endpoint


async def _answer(server: Server, route: Route, request: Request) -> Response:
    """The response to a request, observed."""
    began, request_id = monotonic_seconds(), _request_id(request)
    known = {"http.request.method": request.method, "http.route": route.path, "jotsam.request_id": request_id}
    title = f"{request.method} {route.path}"
    with tracing.span(REQUEST, title=title, kind="SERVER", carrier=request.headers, attributes=known) as span:
        reply, principal = await _reply(server, route, request, request_id)
        response = _response(reply, request_id, status=route.status, is_head=request.method == "HEAD")
        span.set("http.response.status_code", response.status_code)
    if principal and principal.used:
        response.background = BackgroundTask(run_in_threadpool, _mark_used, server, principal)
    end = RequestEnd(
        request_id=request_id,
        method=request.method,
        route=route.path,
        status=response.status_code,
        seconds=monotonic_seconds() - began,
        token=principal.token if principal else None,
        tenant=principal.tenant if principal else None,
        job_id=int(job) if (job := reply.headers.get("Location", "").removeprefix(JOB)).isdecimal() else None,
        ids=tuple(reply.wait_for[:LOGGED_IDS]) or None if reply.waited is None else None,
    )
    _observe(server, end)
    return response


def _observe(server: Server, end: RequestEnd) -> None:
    log_request(end)
    server.metrics.request_ended(end)


async def _reply(server: Server, route: Route, request: Request, request_id: str) -> tuple[Reply, Principal | None]:
    """The reply to a request, also after an error, and who asked."""
    principal: Principal | None = None
    try:
        if route.path not in probes.PATHS:  # A probe names the address of the container.
            hosts.check_host(request.headers, server.hosts)
        hosts.check_origin(request.headers, hosts=server.hosts, origins=server.origins)
        if route.scope:
            principal = await in_thread(server, partial(_principal, server, route, request), writes=False, safe=True)
        payload = await _payload(server, route, request, principal)
        try:
            if route.probe:
                reply = await _handle_probe(server, route, request, request_id)
            elif route.raw:  # An upload takes its time, and its thread reads the file.
                reply = await run_in_threadpool(_handle, server, route, request, request_id, principal, payload)
            else:
                handle = partial(_handle, server, route, request, request_id, principal, payload)
                reply = await in_thread(server, handle, writes=route.scope != "read", safe=request.method in READING)
        finally:
            if not isinstance(payload, bytes):
                payload.close()
        reply = await _waited(server, reply, request, principal)
        reply = reply.replace(body=_encoded(reply.body))
    except ClientDisconnect:
        reply = Reply(status=CLIENT_LEFT)  # For the log: it reaches no client.
    except Exception as error:
        reply = problem.reply_to(error, shape=route.errors, path=_path_of(request), request_id=request_id)
    return reply, principal


def _path_of(request: Request) -> str:
    """The path as it was sent."""
    raw: bytes = request.scope.get("raw_path") or b""
    return raw.partition(b"?")[0].decode("ascii", "replace") or request.url.path


def _mark_used(server: Server, principal: Principal) -> None:
    server.use(lambda jot: mark_used(jot.database, principal))


def _request_id(request: Request) -> str:
    """The id that the client gave, or a new one."""
    given = request.headers.get("x-request-id", "")
    is_plain = given.isascii() and given.isprintable() and 0 < len(given) <= MAX_REQUEST_ID
    return given if is_plain and " " not in given else new_id()


def _principal(server: Server, route: Route, request: Request) -> Principal:
    """The sender, checked for the route: token, scope, rate."""
    query, headers = request.query_params, request.headers
    token = access.token_of(route, headers, query)

    def find(jot: Jotsam) -> Principal:
        found = access.principal_of(jot, token)
        access.check_scope(found, route)
        if route.admin_token:
            names = headers.get("x-admin-token"), headers.get("x-admin-api-key"), query.get("admin_token")
            access.check_admin_token(jot, found, names)
        return found

    found = server.use(find)
    access.check_rate(server.rate_limit, found, now_ms=monotonic_ms())
    access.warn_of_query(route, query, found)
    return found


async def _payload(server: Server, route: Route, request: Request, principal: Principal | None) -> Body:
    """The body, if the route takes one. Raises `HttpError` 408, 413, 415."""
    if route.body is None and not route.raw and not route.undecoded:
        return b""
    coding = request.headers.get("content-encoding", "").strip().lower()
    if coding not in ("", "identity"):
        message = f"content encoding {coding[:100]!r}: send the body uncompressed"
        raise HttpError(415, "unsupported-media-type", message, headers={"Accept-Encoding": "identity"})
    options = server.options
    limit = min(options.max_upload if route.raw else options.max_body, getattr(principal, "max_bytes", None) or 1 << 62)
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:20]) > limit:
        raise HttpError(413, "too-large", f"the body has {length[:20]} bytes: at most {limit:,} are accepted")
    kind = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
    if not route.raw and kind != JSON and not (kind.endswith("+json") or route.errors == "automem"):
        raise HttpError(415, "unsupported-media-type", f"content type {kind[:100]!r}: must be {JSON}")
    seconds = options.body_timeout_s
    try:
        if route.raw:
            return await _spooled(request, limit, idle_s=seconds)
        with anyio.fail_after(seconds):
            return await _whole(request, limit)
    except TimeoutError:
        arrived = "nothing more of the body arrived" if route.raw else "the body did not arrive"
        message = f"{arrived} within {seconds} seconds"
        raise HttpError(408, "timeout", message, headers={"Connection": "close"}) from None


async def _whole(request: Request, limit: int) -> Body:
    parts, size = [], 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > limit:
            raise HttpError(413, "too-large", f"the body is too large: at most {limit:,} bytes are accepted")
    return b"".join(parts)


async def _spooled(request: Request, limit: int, *, idle_s: int) -> Body:
    """An upload as a file at its beginning. It may take long, but is refused after this many seconds without a byte."""
    file = tempfile.SpooledTemporaryFile(max_size=SPOOLED_BYTES)  # noqa: SIM115  # The caller closes it.
    size, stream = 0, request.stream()
    try:
        while True:
            with anyio.fail_after(idle_s):
                part = await anext(stream, None)
            if part is None:
                break
            size += len(part)
            if size > limit:
                raise HttpError(413, "too-large", f"the upload is too large: at most {limit:,} bytes are accepted")
            await run_in_threadpool(file.write, part)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


async def _handle_probe(server: Server, route: Route, request: Request, request_id: str) -> Reply:
    """The reply of the handler of a probe, which needs no thread."""
    reply = route.handler(_call(server, route, request, request_id))
    assert not isinstance(reply, Reply)
    return await reply


def _handle(
    server: Server, route: Route, request: Request, request_id: str, principal: Principal | None, payload: Body
) -> Reply:
    """The reply of the handler. Runs in a thread."""
    call = _call(server, route, request, request_id, payload)
    if principal is None:
        reply = route.handler(call)
    else:
        call = call.replace(principal=principal)
        reply = server.use(lambda jot: route.handler(access.in_tenant(call.replace(jot=jot), route)))
    assert isinstance(reply, Reply)
    return reply


def _call(server: Server, route: Route, request: Request, request_id: str, payload: Body = b"") -> Call:
    """The call of a request, decoded and checked."""
    query = request.query_params.multi_items()
    pairs = [(name, value) for name, value in query if name not in ("api_key", "admin_token")]
    if route.errors == "automem" and any(name == "actor" for name, _ in pairs):
        # It would filter nothing, and show what belongs to others.
        raise InvalidInput("invalid query: the routes of AutoMem have no actor, and /v1 has")
    if route.query is None and pairs and route.errors == "problem":
        raise InvalidInput(f"invalid query: there is no parameter {pairs[0][0][:100]}")
    body: object = None
    if route.body is not None:
        body = decode.decode_body(payload or b"{}", route.body) if isinstance(payload, bytes) else None
    return Call(
        path={name: value.replace(SLASH, "/") for name, value in request.path_params.items()},
        query=decode.decode_query(pairs, route.query) if route.query else None,
        body=payload if route.raw else body,
        headers=dict(request.headers),
        request_id=request_id,
        address=request.client.host if request.client else "",
        server=server,
        payload=payload if isinstance(payload, bytes) else b"",
        target=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
    )


async def _waited(server: Server, reply: Reply, request: Request, principal: Principal | None) -> Reply:
    """The reply, after the jobs that it names if it or the client asks to wait."""
    preferred = wants_wait(request.headers) * 1_000 if reply.wait_for and reply.wait_ms is None else 0
    wait_ms = preferred if reply.wait_ms is None else reply.wait_ms
    if principal is None or (reply.waited is None and not wait_ms):
        return reply
    try:
        is_done = await _are_done(server, reply, principal.tenant, request, wait_ms=wait_ms)
    except NotFound:
        if reply.waited is not None:
            raise
        return reply  # It was forgotten just now.
    if reply.waited is not None:
        return await run_in_threadpool(reply.waited, is_done)
    headers = {**reply.headers, "Preference-Applied": f"wait={preferred // 1_000}"}
    was_accepted = reply.status in (None, 202)
    return reply.replace(headers=headers, status=200 if is_done and was_accepted else reply.status)


async def _are_done(server: Server, reply: Reply, tenant: str, request: Request, *, wait_ms: int) -> bool:
    """Whether what a reply waits for, or without ids all of the tenant, is done within a time. It needs no thread."""
    deadline, pause_s, is_pending = monotonic_ms() + wait_ms, POLL_S, reply.wait_while
    if is_pending is None:
        ids = reply.wait_for
        jobs = await run_in_threadpool(lambda: PendingJobs(server.open().database, ids, tenant=tenant))
        is_pending = jobs.any_left
    while await run_in_threadpool(is_pending):
        if monotonic_ms() >= deadline or server.stopping.is_set() or await request.is_disconnected():
            return False
        await anyio.sleep(pause_s)
        pause_s = min(pause_s * 1.2, LONGEST_POLL_S)
    return True


def _response(reply: Reply, request_id: str, *, status: int, is_head: bool = False) -> Response:
    status = status if reply.status is None else reply.status
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **reply.headers}
    headers["X-Request-Id"] = request_id
    body = reply.body
    if isinstance(body, AsyncIterator | Iterator) and is_head:
        return Response(None, status, headers, reply.media_type)
    if isinstance(body, AsyncIterator):
        return StreamingResponse(body, status, headers, reply.media_type)
    if isinstance(body, Iterator):
        return StreamingResponse(_pieces(body), status, headers, reply.media_type)
    content = _encoded(body)
    return Response(content, status, headers, reply.media_type if content else None)


def _encoded(body: object) -> object:
    """A body as bytes. Pieces stay what they are."""
    is_ready = body is None or isinstance(body, bytes | Iterator | AsyncIterator)
    return body if is_ready else decode.encode(body)


async def _pieces(body: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The pieces of an iterator that runs in a thread. It is closed when the client is gone."""
    try:
        while piece := await run_in_threadpool(next, body, b""):
            yield piece
    finally:
        close = getattr(body, "close", None)
        if close is not None:
            with anyio.CancelScope(shield=True):
                await run_in_threadpool(close)


async def _unknown_path(request: Request, error: Exception) -> Response:
    way_out = "leave out the slash at its end" if request.url.path.endswith("/") else "/openapi.json lists all"
    return _refused(request, HttpError(404, "not-found", f"there is no such path: {way_out}"))


async def _wrong_method(request: Request, error: Exception) -> Response:
    allowed = (getattr(error, "headers", None) or {}).get("Allow", "")
    message = f"{request.method} is not allowed here: use {allowed}"
    return _refused(request, HttpError(405, "method-not-allowed", message, headers={"Allow": allowed}))


def _refused(request: Request, error: HttpError) -> Response:
    """The response to a request that is for no route. Its path is not logged: it may be anything."""
    request_id = _request_id(request)
    reply = problem.reply_to(error, shape="problem", path=_path_of(request), request_id=request_id)
    end = RequestEnd(request_id=request_id, method=request.method, route=NO_ROUTE, status=error.status, seconds=0.0)
    _observe(request.app.state.server, end)
    return _response(reply, request_id, status=error.status)
