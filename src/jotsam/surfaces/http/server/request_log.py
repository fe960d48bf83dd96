"""One log line for each request: what was asked and how it ended, never a text of memory, a token or a query string."""

from __future__ import annotations

import logging

from jotsam.core.records import Record

log = logging.getLogger("jotsam.http")

PROBES = ("/healthz", "/readyz", "/metrics")  # asked every few seconds


class RequestEnd(Record):
    """A request that was answered. `route` is the template of its path, so that it names no memory and no key."""

    request_id: str
    method: str
    route: str
    status: int
    seconds: float
    token: str | None = None  # the id of the token, which is not secret
    tenant: str | None = None
    job_id: int | None = None  # of what it made: a worker logs the same
    ids: tuple[str, ...] | None = None  # of the documents and memories that it stored or changed, the first of them


def log_request(end: RequestEnd) -> None:
    """Log an answered request: as a warning if the server failed, and a probe that found nothing wrong not at all."""
    if end.route in PROBES and end.status == 200:
        return
    level = logging.WARNING if end.status >= 500 else logging.INFO
    fields = {**end.as_dict(), "duration_ms": round(end.seconds * 1000, 1)}
    del fields["seconds"]
    log.log(
        level,
        "%s %s %d in %.1f ms, request %s, token %s, tenant %s",
        *(end.method, end.route, end.status, end.seconds * 1000, end.request_id, end.token or "-", end.tenant or "-"),
        extra={"fields": fields},
    )
