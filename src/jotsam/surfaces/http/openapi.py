"""The OpenAPI 3.1 document of the server, made from the table of routes. It contains nothing of a database."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

import jotsam
from jotsam.core.records import Record
from jotsam.surfaces.http.requests.problem import PROBLEM, TITLES, automem_error
from jotsam.surfaces.http.requests.route import JSON, Call, Reply, Route
from jotsam.surfaces.http.schemas import REF, Schemas, parameters_of, struct_schemas
from jotsam.surfaces.http.v1.staleness import Staleness

ABOUT = (
    "Durable background memory for AI agents. What is accepted is committed and searchable at once; a worker enriches"
    " it later. Times are milliseconds since 1970-01-01 UTC; what takes a time also takes ISO 8601. Errors are"
    " `application/problem+json` with a `code`. A token belongs to one tenant and has a scope: read, write,"
    " admin or operator, each with the ones before. What concerns the server and all its tenants needs operator."
)
CODES = (
    *("invalid-input", "unauthorized", "forbidden", "not-found", "conflict", "too-large", "unsupported-media-type"),
    *(
        "key-reused",
        "method-not-allowed",
        "wrong-host",
        "tenant-moved",
        "wrong-origin",
        "rate-limited",
        "timeout",
        "unavailable",
        "unusable",
        "internal",
    ),
)
EXAMPLES: dict[tuple[str, str], object] = {
    ("POST", "/v1/memories"): {"text": "We use PostgreSQL.", "type": "Decision", "tags": ["database"]},
    ("POST", "/v1/documents"): {"text": "# ADR 4\n\nWe chose PostgreSQL over MongoDB.", "source": "adr-004.md"},
    ("POST", "/v1/turns"): {"text": "Use tabs, please.", "session": "2026-03-02", "actor": "ana", "position": 1},
    ("POST", "/v1/recall"): {"question": "which database did we choose?", "tokens": 500},
    ("POST", "/v1/links"): {"source": "new", "type": "LEADS_TO", "target": "old", "weight": 0.8},
}
# The answers that a client has to expect beside the result.
STATUSES = {
    400: "The request is invalid; `detail` says where and what is allowed",
    401: "The token is missing, unknown, revoked or expired",
    403: "The token has not the scope",
    404: "There is no such memory, document or job in the tenant of the token",
    412: "It has another version than If-Match",
    413: "The body is too large",
    415: "The body is not JSON",
    422: "The Idempotency-Key was used with another payload",
    429: "The limit of the token is reached; Retry-After says when to try again",
    503: "The database is busy or cannot be reached; Retry-After says when to try again",
}
RESPONSES = "#/components/responses/"
NAMES = {status: TITLES[status].title().replace(" ", "") for status in STATUSES}


def document(routes: Sequence[Route]) -> dict[str, Any]:
    """The document as plain values."""
    kinds = [kind for route in routes for kind in (route.query, route.body) if kind is not None]
    by_kind, components = struct_schemas(list(dict.fromkeys(kinds)))
    queries = {_name_of(by_kind[route.query]) for route in routes if route.query is not None}
    bodies = {_name_of(by_kind[route.body]) for route in routes if route.body is not None}
    schemas = Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for route in sorted(routes, key=lambda one: (one.path, one.method)):
        query = components[_name_of(by_kind[route.query])] if route.query is not None else {}
        body = by_kind[route.body] if route.body is not None else None
        operation = _operation(route, parameters_of(query), _request_body(route, body, components), schemas)
        paths.setdefault(_template(route.path), {})[route.method.lower()] = operation
    used = {name: schema for name, schema in components.items() if name in bodies or name not in queries}
    assert not used.keys() & schemas.found.keys(), "a body and a record have the same name"
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Jotsam",
            "version": jotsam.__version__,
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "tags": [{"name": name} for name in dict.fromkeys(map(tag, routes))],
        "paths": paths,
        "components": {
            "schemas": dict(sorted({**used, **schemas.found, **_error_schemas()}.items())),
            "responses": {
                name: _response(about, PROBLEM, {"$ref": f"{REF}Problem"})
                for name, about in {"Problem": "An error", **{NAMES[one]: STATUSES[one] for one in STATUSES}}.items()
            },
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "A token of `jotsam server tokens`"},
                "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }


def tag(route: Route) -> str:
    """The group of a route: its first name after `/v1`."""
    if route.errors == "automem":
        return "automem"
    parts = [part for part in route.path.split("/") if part and not part.startswith("{")]
    return parts[1] if parts[0] == "v1" and len(parts) > 1 else "server"


def _operation(
    route: Route, query: list[dict[str, Any]], body: dict[str, Any] | None, schemas: Schemas
) -> dict[str, Any]:
    parameters = [*_path_parameters(route), *query, *_headers(route)]
    needs = f"Needs the scope {route.scope}." if route.scope else "Open: needs no token."
    about = " ".join((route.handler.__doc__ or "").split())
    found: dict[str, Any] = {
        "operationId": _operation_id(route),
        "summary": route.summary,
        "description": needs if about.rstrip(".") == route.summary.rstrip(".") else f"{about} {needs}".strip(),
        "tags": [tag(route)],
    }
    if parameters:
        found["parameters"] = parameters
    if body is not None:
        found["requestBody"] = body
    found["responses"] = _responses(route, schemas)
    if route.scope is None:
        found["security"] = []
    elif route.errors == "automem":
        found["security"] = [{"bearer": []}, {"key": []}]
    return found


def _responses(route: Route, schemas: Schemas) -> dict[str, Any]:
    media_type = route.media_type
    found: dict[str, Any] = {}
    result = _result(route, schemas)
    ok = _response(route.summary, media_type, result) if result is not None else {"description": route.summary}
    found[str(route.status)] = ok
    if route.path.endswith("/batch"):
        found["207"] = _response("Some items were not accepted", media_type, result or {})
    if route.status == 202:
        found["200"] = _response("The same, and the jobs are done: with `Prefer: wait`", media_type, result or {})
    if route.errors == "automem":
        found["2XX"] = _response("Another success, as for some of several items", JSON, {})
        found["default"] = _response("An error", JSON, {"$ref": f"{REF}AutoMemError"})
        return found
    if route.undecoded:  # A message of JSON-RPC has errors of its own.
        both = {JSON: {"schema": {}}, PROBLEM: {"schema": {"$ref": f"{REF}Problem"}}}
        return {**found, "default": {"description": "An error", "content": both}}
    for status in _expected(route):
        found[str(status)] = {"$ref": f"{RESPONSES}{NAMES[status]}"}
    found["default"] = {"$ref": f"{RESPONSES}Problem"}
    return dict(sorted(found.items()))


def _expected(route: Route) -> list[int]:
    """The errors of a route that are worth a line of their own."""
    has_input = "{" in route.path or route.body or route.query or route.raw
    found = [400] if has_input else []
    found += [401, 403, 429, 503] if route.scope else []
    found += [404] if "{" in route.path or route.body else []
    found += [413, 415] if route.body else [413] if route.raw else []
    found += [412] if route.checks_version else []
    found += [422] if route.takes_key else []
    return sorted(found)


def _headers(route: Route) -> list[dict[str, Any]]:
    found = []
    if route.takes_key:
        found.append(("Idempotency-Key", "A new UUID for each request; a repetition with it gets the first answer"))
    if route.takes_key and route.status == 202:
        found.append(("Prefer", "`wait=10`: answer when the jobs are done, after at most so many seconds (1 to 30)"))
    if route.checks_version:
        found.append(("If-Match", "The ETag of what was read: 412 if it was changed since"))
    return [
        {"name": name, "in": "header", "required": False, "description": about, "schema": {"type": "string"}}
        for name, about in found
    ]


def _path_parameters(route: Route) -> list[dict[str, Any]]:
    names = re.findall(r"{(\w+)", route.path)
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}} for name in names
    ]


def _request_body(
    route: Route, schema: dict[str, Any] | None, components: dict[str, dict[str, Any]]
) -> dict[str, Any] | None:
    if route.raw:
        binary = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        return {"required": True, "content": binary}
    if route.undecoded:
        return {"required": True, "content": {JSON: {"schema": {}}}}
    if schema is None:
        return None
    content: dict[str, Any] = {"schema": schema}
    example = EXAMPLES.get((route.method, route.path))
    if example is not None:
        content["example"] = example
    return {"required": bool(components[_name_of(schema)].get("required")), "content": {JSON: content}}


def _result(route: Route, schemas: Schemas) -> dict[str, Any] | None:
    """The schema of the answer; None if it has no description."""
    own = _own_result(route, schemas)
    if own is None or not route.with_staleness:
        return own
    stale = {"type": "object", "properties": {"staleness": schemas.of(Staleness)}, "required": ["staleness"]}
    return {"allOf": [own, stale]}


def _own_result(route: Route, schemas: Schemas) -> dict[str, Any] | None:
    result = route.result
    if isinstance(result, str):
        name = result.removesuffix("[]")
        kind = getattr(inspect.unwrap(route.handler), "__globals__", {}).get(name) or getattr(jotsam, name)
        return schemas.list_of(kind) if result.endswith("[]") else schemas.of(kind)
    if isinstance(result, type) and issubclass(result, Record):
        return schemas.of(result)
    if isinstance(result, dict):
        return result
    return None if route.media_type == JSON else {"type": "string"}


def _response(about: str, media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {media_type: {"schema": schema}}}


def _error_schemas() -> dict[str, Any]:
    text = {"type": "string"}
    fields = {
        "type": text,
        "title": text,
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, with the value, and what to do"},
        "instance": {"type": "string", "description": "The path of the request"},
        "code": {"type": "string", "description": f"One of {', '.join(CODES)}, or more in a later version"},
        "request_id": {"type": "string", "description": "As in the header X-Request-Id, and in the log of the server"},
        "server": {"type": "string", "description": "With `tenant-moved`: the address to send the request to instead"},
    }
    required = ["type", "title", "status", "detail", "instance", "code"]
    automem = {name: {"type": "integer"} if name == "code" else text for name in automem_error(400, "")}
    return {
        "Problem": {
            "description": "An error, by RFC 9457.",
            "type": "object",
            "properties": fields,
            "required": required,
        },
        "AutoMemError": {
            "description": "An error as AutoMem's clients read it.",
            "type": "object",
            "properties": automem,
            "required": [*automem],
        },
    }


def _name_of(schema: dict[str, Any]) -> str:
    return str(schema["$ref"]).removeprefix(REF)


def _template(path: str) -> str:
    """The path without converters: "{key:path}" is "{key}"."""
    return re.sub(r"{(\w+):\w+}", r"{\1}", path)


def _operation_id(route: Route) -> str:
    words = re.findall(r"\w+", _template(route.path).replace("{", "by_"))
    return "_".join([route.method.lower(), *words])


def route(routes: Callable[[], Sequence[Route]]) -> Route:
    """The route of this document, which describes itself too."""
    found: list[dict[str, Any]] = []

    def serve(call: Call) -> Reply:
        """This document."""
        if not found:
            found.append(document(routes()))
        return Reply(body=found[0])

    return Route(method="GET", path="/openapi.json", handler=serve, result={}, summary="The OpenAPI document")
