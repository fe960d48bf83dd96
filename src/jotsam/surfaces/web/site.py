"""Dispatches the pages of the dashboard: sign-in, scope, form token, handler, template.

It decides nothing about memory. A browser is signed in by a cookie, which the API does not accept.
"""

from __future__ import annotations

from functools import partial
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from jotsam.core import dsn
from jotsam.core.clock import monotonic_seconds, new_id
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.token_records import AuditEntry, Principal
from jotsam.memory.access.audit import audited_client
from jotsam.memory.access.sign_ins import find_sign_in, sign_in, use_link
from jotsam.memory.access.tokens import mark_used, revoke_token
from jotsam.memory.reading.projects import labels
from jotsam.surfaces.http import events
from jotsam.surfaces.http.requests import access, problem
from jotsam.surfaces.http.requests.pieces import pieces_of
from jotsam.surfaces.http.server import hosts
from jotsam.surfaces.http.server.http_error import HttpError
from jotsam.surfaces.http.server.request_log import RequestEnd, log_request
from jotsam.surfaces.web import cookies, templates
from jotsam.surfaces.web.pages.page import Confirm, Download, Page, PageCall, Redirect
from jotsam.surfaces.web.pages.routes import PAGES, navigation
from jotsam.surfaces.web.templates import Templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

    from starlette.routing import BaseRoute

    from jotsam.memory.api.client import Jotsam
    from jotsam.surfaces.http.server.server import Server
    from jotsam.surfaces.web.pages.page import PageRoute, Result

HOME, SIGN_IN, SIGN_OUT, EVENTS = "/ui/", "/ui/sign-in", "/ui/sign-out", "/ui/events"
PROJECT = "/ui/project"
SIGN_IN_S = 7 * 86_400
MAX_FIELDS = 20_000  # of a form
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
FOREVER = "public, max-age=31536000, immutable"
NOT_SIGNED_IN = "you are not signed in, or your sign-in has ended: nothing was changed"
OTHER_SIGN_IN = "this form is from an earlier sign-in, and nothing was changed: load the page again"
NO_COOKIE = (
    "your browser did not keep the sign-in, because it keeps it over HTTPS only: put a proxy with TLS in front of the "
    "server, or open the dashboard on the machine of the server"
)


class _SignedOut(Exception):
    """The browser is not signed in."""


def pages(server: Server) -> list[BaseRoute]:
    """The routes of the dashboard of a server."""
    return _Site(server).routes()


class _Visit:
    """A request of a browser: its sign-in, and what is sent back with the answer."""

    def __init__(self, request: Request) -> None:
        self.request = request
        given = request.headers.get("x-request-id", "")
        self.id = given if given.isalnum() and len(given) <= 64 else new_id()
        self.host = request.headers.get("host", "")
        self.cookie_name = cookies.cookie_name(self.host)
        self.secret = request.cookies.get(self.cookie_name, "")
        self.principal: Principal | None = None
        self.status = 500

    @property
    def project(self) -> str:
        """The key of the project that the visitor chose to see on all pages; "" for all."""
        return cookies.read_project(self.request.cookies.get(f"{self.cookie_name}_project", ""))

    @property
    def url(self) -> str:
        return self.request.url.path + (f"?{self.request.url.query}" if self.request.url.query else "")

    @property
    def is_part(self) -> bool:
        """Whether a script replaces a part of a page."""
        return self.request.headers.get("hx-request") == "true"


class _Site:
    """The dashboard of one server process."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._assets = templates.load_assets()
        self._templates = Templates(self._assets)

    def routes(self) -> list[BaseRoute]:
        by_path: dict[str, dict[str, PageRoute]] = {}
        for page in PAGES:
            by_path.setdefault(page.path, {})[page.method] = page
        # A path without parameters comes first: "failures" is no id of a job.
        ordered = sorted(by_path.items(), key=lambda one: ("{" in one[0], one[0]))
        return [
            Route("/", _to_home),
            Route("/ui", _to_home),
            Route(templates.PREFIX + "{name}", self._static),
            Route(EVENTS, self._endpoint(EVENTS, self._events)),
            Route(SIGN_IN, self._endpoint(SIGN_IN, self._sign_in), methods=["GET", "POST"]),
            Route(SIGN_OUT, self._endpoint(SIGN_OUT, self._sign_out), methods=["POST"]),
            Route(PROJECT, self._endpoint(PROJECT, self._choose_project), methods=["POST"]),
            *(Route(path, self._endpoint(path, self._page(of)), methods=[*of]) for path, of in ordered),
            Route("/ui/{path:path}", self._endpoint("/ui/{path}", self._unknown), methods=["GET", "POST"]),
        ]

    def _endpoint(
        self, path: str, answer: Callable[[_Visit], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Answers a request, also with an error, and logs it."""

        async def endpoint(request: Request) -> Response:
            began, visit = monotonic_seconds(), _Visit(request)
            response = await self._answered(visit, answer)
            response.headers["X-Request-Id"] = visit.id
            end = RequestEnd(
                request_id=visit.id,
                method=request.method,
                route=path,
                status=response.status_code,
                seconds=monotonic_seconds() - began,
                token=visit.principal.token if visit.principal else None,
                tenant=visit.principal.tenant if visit.principal else None,
            )
            log_request(end)
            self._server.metrics.request_ended(end)
            return response

        return endpoint

    async def _answered(self, visit: _Visit, answer: Callable[[_Visit], Awaitable[Response]]) -> Response:
        try:
            hosts.check_host(visit.request.headers, self._server.hosts)
            hosts.check_origin(visit.request.headers, hosts=self._server.hosts, origins=frozenset())
            return await answer(visit)
        except _SignedOut:
            return self._to_sign_in(visit)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            found = problem.describe(error, request_id=visit.id)
            values = {"title": found.title, "detail": found.detail, "request_id": visit.id, "status": found.status}
            return self._html(visit, "error.html", values, status=found.status)

    def _page(self, methods: Mapping[str, PageRoute]) -> Callable[[_Visit], Awaitable[Response]]:
        async def answer(visit: _Visit) -> Response:
            route = methods.get(visit.request.method) or methods["GET"]  # HEAD
            await self._check(visit, route)
            forms = await self._form(visit) if visit.request.method == "POST" else []
            return await run_in_threadpool(self._handled, visit, route, forms)

        return answer

    async def _check(self, visit: _Visit, route: PageRoute) -> None:
        """Raise unless the browser is signed in with the scope of the route."""
        await self._find_principal(visit)
        principal = visit.principal
        assert principal is not None
        if route.scope not in principal.scopes:
            detail = f"this needs the scope {route.scope}, and you are signed in with the scope {principal.scope}"
            raise HttpError(403, "forbidden", detail)

    async def _find_principal(self, visit: _Visit) -> None:
        """Find who is signed in. Raises `_SignedOut`."""
        if visit.secret:
            visit.principal = await run_in_threadpool(self._principal, visit.secret)
        if visit.principal is None:
            raise _SignedOut

    def _principal(self, secret: str) -> Principal | None:
        def find(jot: Jotsam) -> Principal | None:
            found = find_sign_in(jot.database, secret)
            if found and found.used:
                mark_used(jot.database, found)
            return found

        found = self._server.use(find)
        # A sign-in from before the dashboard was made read-only.
        return found.replace(scope="read") if found and self._server.options.dashboard == "read" else found

    async def _form(self, visit: _Visit) -> list[tuple[str, str]]:
        """The fields of the form, after its token was checked."""
        fields = await self._fields(visit)
        if not cookies.is_form_token(visit.secret, dict(fields).get("form_token", "")):
            raise HttpError(403, "forbidden", OTHER_SIGN_IN)
        return [(name, value) for name, value in fields if name != "form_token"]

    async def _fields(self, visit: _Visit) -> list[tuple[str, str]]:
        limit, body = self._server.options.max_body, bytearray()
        kind = visit.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/x-www-form-urlencoded":
            raise HttpError(415, "unsupported-media-type", f"content type {kind[:100]!r}: must be a form")
        seconds = self._server.options.body_timeout_s
        try:
            with anyio.fail_after(seconds):
                async for part in visit.request.stream():
                    body += part
                    if len(body) > limit:
                        message = f"the form is too large: at most {limit:,} bytes are accepted"
                        raise HttpError(413, "too-large", message)
        except TimeoutError:
            raise HttpError(408, "timeout", f"the form did not arrive within {seconds} seconds") from None
        try:
            pairs = parse_qsl(
                body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict", strict_parsing=True
            )
        except ValueError:
            raise InvalidInput("invalid form: must be URL-encoded UTF-8 with at most 20,000 fields") from None
        # Browsers send the line ends of a text field as CRLF.
        return [(name, value.replace("\r\n", "\n")) for name, value in pairs]

    def _handled(self, visit: _Visit, route: PageRoute, forms: list[tuple[str, str]]) -> Response:
        """The response of the handler. Runs in a thread."""
        result, found = self._server.use(lambda jot: self._result(self._call(visit, jot, route, forms), route))
        if isinstance(result, Redirect):
            return self._redirect(visit, result)
        if isinstance(result, Download):
            headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{result.name}"'}
            return StreamingResponse(pieces_of(result.write), 200, headers, result.media_type)
        if isinstance(result, Confirm):
            values = {"project_labels": found, **result.as_dict(), "action": visit.request.url.path}
            return self._html(visit, "confirm.html", values)
        values = {"project_labels": found, **result.values}
        return self._html(visit, result.template, values, status=result.status)

    def _result(self, call: PageCall, route: PageRoute) -> tuple[Result, Mapping[str, str]]:
        """The result of the handler, and if it is shown, what people see of each project."""
        result = route.handler(call)
        is_shown = isinstance(result, Page | Confirm)
        return result, labels(call.jot.database, tenant=call.principal.tenant) if is_shown else {}

    def _call(self, visit: _Visit, jot: Jotsam, route: PageRoute, forms: list[tuple[str, str]]) -> PageCall:
        principal = visit.principal
        assert principal is not None
        scoped = access.client_of(jot, principal)
        path = {name: str(value) for name, value in visit.request.path_params.items()}
        if route.method == "POST":
            entry = AuditEntry(
                tenant=principal.tenant,
                request=visit.id,
                token=principal.token,
                name=principal.name,
                action=f"POST {route.path}",
                subject=" ".join(path.values()),
                address=visit.request.client.host if visit.request.client else "",
            )
            scoped = audited_client(scoped, entry)
        queries = visit.request.query_params.multi_items()
        if visit.project and "project" not in visit.request.query_params and not forms:
            queries.append(("project", visit.project))
        return PageCall(
            path=path,
            queries=tuple(queries),
            forms=tuple(forms),
            url=visit.url,
            jot=scoped,
            principal=principal,
            server=self._server,
            headers=dict(visit.request.headers),
            may_write=principal.scope != "read",
            is_operator=principal.is_operator,
        )

    def _redirect(self, visit: _Visit, result: Redirect) -> Response:
        response = RedirectResponse(result.to, 303, HEADERS)
        if result.said:
            value = cookies.write_said(visit.secret, result)
            options = cookies.cookie_options(visit.host)
            response.set_cookie(f"{visit.cookie_name}_said", value, max_age=cookies.SAID_S, **options)
        return response

    def _html(self, visit: _Visit, template: str, values: Mapping[str, Any], *, status: int = 200) -> Response:
        """A page in the layout, with what the last action did."""
        principal = visit.principal
        said_name, said = f"{visit.cookie_name}_said", None
        if not visit.is_part and (kept := visit.request.cookies.get(said_name)):
            said = cookies.read_said(visit.secret, kept)
        common: dict[str, Any] = {
            "url": visit.url,
            "path": visit.request.url.path,
            "form_token": cookies.form_token(visit.secret),
            "principal": principal,
            "may_write": principal is not None and principal.scope != "read",
            "is_operator": principal is not None and principal.is_operator,
            "navigation": navigation(principal, visit.request.url.path) if principal else (),
            "project_labels": {},
            "switched": visit.project,
            "said": said,
            "database": dsn.mask_address(self._server.settings.db) if principal and principal.is_operator else "",
        }
        response = Response(
            self._templates.render(template, {**common, **values}), status, HEADERS, "text/html; charset=utf-8"
        )
        if said is not None:
            response.delete_cookie(said_name, **cookies.cookie_options(visit.host))
        return response

    def _to_sign_in(self, visit: _Visit) -> Response:
        if visit.is_part:
            shown = urlsplit(visit.request.headers.get("hx-current-url", ""))
            back = (
                f"?next={quote(shown._replace(scheme='', netloc='', fragment='').geturl(), safe='/')}"
                if shown.path
                else ""
            )
            return Response(None, 401, {**HEADERS, "HX-Redirect": SIGN_IN + back})
        if visit.request.method == "POST":
            return self._html(visit, "sign_in.html", {"error": NOT_SIGNED_IN, "next": HOME}, status=401)
        error = "&kept=no" if "signed-in" in visit.request.query_params else ""
        return RedirectResponse(f"{SIGN_IN}?next={quote(visit.url, safe='/')}{error}", 303, HEADERS)

    async def _sign_in(self, visit: _Visit) -> Response:
        """Ask for a token, or sign in with the link or the token that was sent."""
        query = visit.request.query_params
        if visit.request.method == "POST":
            fields = dict(await self._fields(visit))
            return await run_in_threadpool(self._signed_in_by_token, visit, fields)
        if "link" in query and visit.request.method != "HEAD":  # Programs that look at links send one.
            return await run_in_threadpool(self._signed_in_by_link, visit, query["link"])
        error = NO_COOKIE if query.get("kept") == "no" else ""
        return self._html(visit, "sign_in.html", {"error": error, "next": _own_path(query.get("next", HOME))})

    def _signed_in_by_link(self, visit: _Visit, link: str) -> Response:
        found = self._server.use(lambda jot: use_link(jot.database, link))
        if found is None:
            error = "this link was used or has expired: `jotsam server dashboard` makes another"
            return self._html(visit, "sign_in.html", {"error": error, "next": HOME}, status=401)
        return self._with_cookie(visit, found, HOME)

    def _signed_in_by_token(self, visit: _Visit, fields: Mapping[str, str]) -> Response:
        following = _own_path(fields.get("next", HOME))
        try:
            found = self._server.use(lambda jot: access.principal_of(jot, fields.get("token", "").strip()))
        except HttpError:
            error = "the token is unknown or expired"
            return self._html(visit, "sign_in.html", {"error": error, "next": following}, status=401)
        return self._with_cookie(visit, found, following)

    def _with_cookie(self, visit: _Visit, principal: Principal, following: str) -> Response:
        scope: Any = "read" if self._server.options.dashboard == "read" else principal.scope
        made = self._server.use(lambda jot: sign_in(jot.database, principal, scope=scope))
        mark = "&" if "?" in following else "?"
        response = RedirectResponse(f"{following}{mark}signed-in", 303, HEADERS)
        options = cookies.cookie_options(visit.host)
        response.set_cookie(visit.cookie_name, made.secret, max_age=SIGN_IN_S, **options)
        return response

    async def _sign_out(self, visit: _Visit) -> Response:
        await self._find_principal(visit)
        await self._form(visit)
        principal = visit.principal
        assert principal is not None
        end = partial(revoke_token, tenant=principal.tenant, id=principal.token, by=principal.name)
        await run_in_threadpool(self._server.use, lambda jot: end(jot.database))
        response = RedirectResponse(SIGN_IN, 303, HEADERS)
        response.delete_cookie(visit.cookie_name, **cookies.cookie_options(visit.host))
        return response

    async def _choose_project(self, visit: _Visit) -> Response:
        """Show one project on all pages, or all again."""
        await self._find_principal(visit)
        form = dict(await self._form(visit))
        response = RedirectResponse(_without_project(_own_path(form.get("back", HOME))), 303, HEADERS)
        name, options = f"{visit.cookie_name}_project", cookies.cookie_options(visit.host)
        if key := form.get("project", ""):
            response.set_cookie(name, cookies.write_project(key), max_age=SIGN_IN_S, **options)
        else:
            response.delete_cookie(name, **options)
        return response

    async def _events(self, visit: _Visit) -> Response:
        """Something changed: pages load their parts again."""
        await self._find_principal(visit)
        assert visit.principal is not None
        after = visit.request.headers.get("last-event-id")
        reply = events.open_stream(self._server, visit.principal, after=after)
        return StreamingResponse(reply.body, 200, {**HEADERS, **reply.headers}, reply.media_type)  # type: ignore[arg-type]

    async def _unknown(self, visit: _Visit) -> Response:
        await self._find_principal(visit)
        raise NotFound("there is no such page")

    async def _static(self, request: Request) -> Response:
        found = self._assets.get(request.path_params["name"])
        if found is None:
            return Response("not found", 404, {"X-Content-Type-Options": "nosniff"})
        headers = {"Cache-Control": FOREVER, "X-Content-Type-Options": "nosniff"}
        return Response(found.content, 200, headers, found.media_type)


async def _to_home(request: Request) -> Response:
    return RedirectResponse(HOME, 303, HEADERS)


def _own_path(text: str) -> str:
    """The path of a page of the dashboard; home for anything else, as the address of another site."""
    return text if text.startswith("/ui/") and "\\" not in text and text.isprintable() else HOME


def _without_project(url: str) -> str:
    """An address without the project that it was for, because another is chosen."""
    found = urlsplit(url)
    return found._replace(query=urlencode([one for one in parse_qsl(found.query) if one[0] != "project"])).geturl()
