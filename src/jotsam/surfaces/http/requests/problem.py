"""Errors as a client gets them: `application/problem+json` (RFC 9457), or the shape of AutoMem's routes."""

from __future__ import annotations

import logging

from jotsam.core.errors import (
    Conflict,
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnavailable,
    DatabaseUnusable,
    InvalidInput,
    JotsamError,
    KeyReused,
    NotFound,
    TenantMoved,
)
from jotsam.core.records import Record
from jotsam.surfaces.http.requests.route import Reply
from jotsam.surfaces.http.server.http_error import HttpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

log = logging.getLogger("jotsam.http")

PROBLEM = "application/problem+json"
RETRY_AFTER_S = 1
INTERNAL = "an internal error: the log of the server has it under this request id"

# The first that matches.
KINDS: tuple[tuple[type[JotsamError], int, str], ...] = (
    (InvalidInput, 400, "invalid-input"),
    (NotFound, 404, "not-found"),
    (Conflict, 412, "conflict"),
    (KeyReused, 422, "key-reused"),
    (DatabaseUnavailable, 503, "unavailable"),
    (DatabaseUnusable, 500, "unusable"),
)
# The first that matches. The message of the error itself has the address of the database, which is for the log alone.
DATABASE_ERRORS: tuple[tuple[type[JotsamError], str], ...] = (
    (DatabaseBusy, "the database is busy, and nothing was written: try again"),
    (TenantMoved, "the memory of this tenant is on another server, or is being moved there: ask its operator"),
    (DatabaseFull, "the disk of the database is full, and nothing was written: try again when there is space"),
    (DatabaseUnavailable, "the database cannot be reached: try again"),
    (DatabaseUnusable, "the database cannot be used: the log of the server has the reason under this request id"),
)
TITLES = {
    400: "Invalid input",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timeout",
    409: "Conflict",
    410: "Gone",
    412: "Precondition failed",
    413: "Content too large",
    415: "Unsupported media type",
    421: "Misdirected request",
    422: "Unprocessable content",
    429: "Too many requests",
    500: "Internal error",
    501: "Not implemented",
    503: "Unavailable",
}


class Problem(Record):
    """An error as a client is told of it."""

    status: int
    code: str
    title: str
    detail: str
    headers: Mapping[str, str]
    server: str = ""  # the address of the HTTP API that has the tenant of the token


def describe(error: BaseException, *, request_id: str) -> Problem:
    """What a client is told of an error.

    One that is unexpected is logged with its traceback, and not described to the client; one of the database is logged.
    """
    if isinstance(error, TenantMoved) and error.server:
        detail = f"the memory of this tenant is on {error.server}: send its requests there, with the same token"
        return Problem(
            status=410, code="tenant-moved", title=TITLES[410], detail=detail, headers={}, server=error.server
        )
    status, code, detail, headers = _kind(error)
    if status == 500:
        log.error("request %s failed: %s", request_id, error, exc_info=error)
    elif isinstance(error, DatabaseUnavailable):
        log.warning("request %s failed: %s", request_id, error)
    if status == 503:
        headers = {"Retry-After": str(RETRY_AFTER_S), **headers}
    return Problem(status=status, code=code, title=TITLES.get(status, "Error"), detail=detail, headers=headers)


def reply_to(error: BaseException, *, shape: str, path: str, request_id: str) -> Reply:
    """The answer to an error."""
    found = describe(error, request_id=request_id)
    status, detail, headers = found.status, found.detail, found.headers
    if shape == "automem":
        return Reply(body=automem_error(status, detail), status=status, headers=headers)
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": found.title,
        "status": status,
        "detail": detail,
        "instance": path,
        "code": found.code,
        "request_id": request_id,
    }
    if found.server:
        body["server"] = found.server
    return Reply(body=body, status=status, headers=headers, media_type=PROBLEM)


def automem_error(status: int, detail: str) -> dict[str, object]:
    """An error with every name under which AutoMem's clients look for its text."""
    return {
        "status": "error",
        "code": status,
        "message": detail,
        "error": detail,
        "detail": detail,
        "description": detail,
    }


def _kind(error: BaseException) -> tuple[int, str, str, dict[str, str]]:
    if isinstance(error, HttpError):
        return error.status, error.code, str(error), error.headers
    for kind, status, code in KINDS:
        if isinstance(error, kind):
            return status, code, _detail(error), {}
    return 500, "internal", INTERNAL, {}


def _detail(error: JotsamError) -> str:
    """The reply of a client for an error of the library."""
    for kind, detail in DATABASE_ERRORS:
        if isinstance(error, kind):
            return detail
    return "\n".join([str(error), *getattr(error, "__notes__", ())])
