"""What each method of `Client.admin` sends. The signatures are those of `Admin`.

What concerns all tenants is refused here, and the error names the place to do it.
"""

from __future__ import annotations

import jotsam
from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.remote.request import Request, given, list_of, member, reading, record, segment, tuple_of, writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike
    from typing import Any, NoReturn, TypeVar

    from jotsam.core.token_records import Scope
    from jotsam.memory.options import JobState, Timestamp
    from jotsam.remote.request import Steps

    T = TypeVar("T")

PAGE = 200  # items that a server returns at once


class AdminCalls:
    """The methods of `Admin` as requests."""

    def jobs(
        self,
        *,
        state: JobState | None = None,
        kind: str | None = None,
        error: str | None = None,
        older_ms: int | None = None,
        after: int = 0,
        limit: int = 100,
        all_tenants: bool = False,
    ) -> Steps[list[jotsam.Job]]:
        _refuse_all_tenants(all_tenants)
        query = {"state": state, "kind": kind, "error": error, "older_ms": older_ms}
        return (yield from _every("/v1/jobs", lambda: jotsam.Job, query, after=after, limit=limit))

    def job(self, id: int) -> Request[jotsam.JobDetails]:
        return reading(f"/v1/jobs/{validate.check_job_id(id)}", record(lambda: jotsam.JobDetails))

    def stuck(
        self, *, kind: str | None = None, after: int = 0, limit: int = 100, all_tenants: bool = False
    ) -> Steps[list[jotsam.StuckJob]]:
        _refuse_all_tenants(all_tenants)
        return (yield from _every("/v1/jobs/stuck", lambda: jotsam.StuckJob, {"kind": kind}, after=after, limit=limit))

    def failure_groups(
        self, *, kind: str | None = None, all_tenants: bool = False
    ) -> Request[list[jotsam.FailureGroup]]:
        _refuse_all_tenants(all_tenants)
        return reading("/v1/jobs/failures", list_of(lambda: jotsam.FailureGroup), {"kind": kind})

    def dead(
        self,
        *,
        kind: str | None = None,
        error: str | None = None,
        group: str | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> Steps[list[jotsam.Job]]:
        query = {"kind": kind, "error": error, "group": group}
        return (yield from _every("/v1/jobs/dead", lambda: jotsam.Job, query, after=after, limit=limit))

    def retry(self, job_id: int) -> Steps[None]:
        _raise_refused((yield self.retry_many([job_id])))

    def discard(self, job_id: int) -> Steps[None]:
        _raise_refused((yield self.discard_many([job_id])))

    def retry_many(self, ids: Iterable[int], *, dry_run: bool = False) -> Request[list[jotsam.JobChange]]:
        return _change("/v1/jobs/retry", ids, dry_run)

    def discard_many(self, ids: Iterable[int], *, dry_run: bool = False) -> Request[list[jotsam.JobChange]]:
        return _change("/v1/jobs/discard", ids, dry_run)

    def pause(self, name: str, *, reason: str | None = None) -> NoReturn:
        raise InvalidInput("pausing a queue concerns all tenants: run `jotsam pause` where the database is")

    def resume(self, name: str) -> NoReturn:
        raise InvalidInput("resuming a queue concerns all tenants: run `jotsam resume` where the database is")

    def costs(self, *, days: int = 30) -> Request[list[jotsam.DailyCost]]:
        return reading("/v1/costs", list_of(lambda: jotsam.DailyCost), {"days": days})

    def expired(self) -> Request[jotsam.Expired]:
        return reading("/v1/retention", record(lambda: jotsam.Expired))

    def send_command(
        self,
        arguments: Iterable[str],
        *,
        input: str | None = None,
        documents: Iterable[dict[str, Any]] = (),
        turns: Iterable[dict[str, Any]] = (),
    ) -> NoReturn:
        raise InvalidInput("commands are queued where the database is: call the method of this client instead")

    def engines(self) -> NoReturn:
        raise InvalidInput("an engine holds the memories of all tenants: run `jotsam engine` where the database is")

    def add_engine(self, address: str, *, replace: bool = False) -> NoReturn:
        self.engines()

    def rebuild_engines(self, name: str | None = None) -> NoReturn:
        self.engines()

    def compare_engines(self, name: str | None = None, *, repair: bool = False, limit: int = 100) -> NoReturn:
        self.engines()

    def remove_engine(self, name: str, *, purge: bool = False) -> NoReturn:
        self.engines()

    def backup(self, path: str | PathLike[str] | None = None, *, keep: int | None = None) -> NoReturn:
        raise InvalidInput("a backup contains all tenants: run `jotsam backup` where the database is")

    def trash(self) -> Request[tuple[jotsam.ForgottenBatch, ...]]:
        return reading("/v1/trash", tuple_of(lambda: jotsam.ForgottenBatch))

    def restore_forgotten(self, id: str) -> Request[jotsam.ForgottenBatch]:
        return writing(f"/v1/trash/{segment('id', id)}/restore", record(lambda: jotsam.ForgottenBatch), {})

    def empty_trash(self) -> Request[bool]:
        return Request(method="DELETE", path="/v1/trash", read=member("erased", bool))

    def tokens(self) -> Request[tuple[jotsam.Token, ...]]:
        return reading("/v1/tokens", tuple_of(lambda: jotsam.Token))

    def create_token(
        self,
        *,
        name: str,
        scope: Scope,
        expires_at: Timestamp | None = None,
        rate: float | None = None,
        max_bytes: int | None = None,
    ) -> Request[jotsam.NewToken]:
        limits = given(expires_at=expires_at, rate=rate, max_bytes=max_bytes)
        return writing("/v1/tokens", record(lambda: jotsam.NewToken), {"name": name, "scope": scope, **limits})

    def revoke_token(self, id: str) -> Request[jotsam.Token]:
        return Request(method="DELETE", path=f"/v1/tokens/{segment('id', id)}", read=record(lambda: jotsam.Token))

    def audit(self, *, after: int = 0, limit: int = 100) -> Steps[tuple[jotsam.AuditEntry, ...]]:
        return tuple((yield from _every("/v1/audit", lambda: jotsam.AuditEntry, {}, after=after, limit=limit)))

    def forget_tenant(self) -> NoReturn:
        raise InvalidInput("a tenant is forgotten where the database is: call Jotsam(tenant=...).admin.forget_tenant()")


def _every(
    path: str, kind: Callable[[], type[T]], query: Mapping[str, object], *, after: int, limit: int
) -> Steps[list[T]]:
    """As many records of a list as are wanted, page by page."""
    found: list[T] = []
    cursor: object = after or None
    while True:
        page = {**query, "cursor": cursor, "limit": min(limit - len(found), PAGE)}
        records, cursor = yield reading(path, lambda answer: (list_of(kind)(answer), answer.get("next_cursor")), page)
        found += records
        if cursor is None or len(found) >= limit:
            return found


def _change(path: str, ids: Iterable[int], dry_run: bool) -> Request[list[jotsam.JobChange]]:
    body = {"ids": validate.check_list("ids", ids), "dry_run": dry_run}
    return writing(path, list_of(lambda: jotsam.JobChange), body)


def _raise_refused(changes: list[jotsam.JobChange]) -> None:
    for one in changes:
        if one.error is not None:
            raise one.error


def _refuse_all_tenants(all_tenants: bool) -> None:
    if all_tenants:
        raise InvalidInput("all_tenants is not offered over HTTP: a token belongs to one tenant")
