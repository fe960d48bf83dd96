"""The operator's client, `Jotsam.admin`: jobs, dead letters, pausing queues, costs, deleting a tenant."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.job_records import QueuedCommand
from jotsam.core.names import EVERY_QUEUE
from jotsam.core.operations import Erased, Operation, not_over_http
from jotsam.ingest import start_worker, validation
from jotsam.memory.forgetting import forget, retention
from jotsam.memory.jobs import jobs
from jotsam.memory.status import status
from jotsam.memory.transfer import backup
from jotsam.pipeline.redaction.redact import redact
from jotsam.storage import queue
from jotsam.worker import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike
    from typing import Any

    from jotsam.core.engine_records import EngineComparison, EngineStatus
    from jotsam.core.job_records import Job, Sent
    from jotsam.core.settings import Settings
    from jotsam.core.token_records import AuditEntry, NewToken, Scope, Token
    from jotsam.memory.forgetting.retention import Expired
    from jotsam.memory.jobs.job_details import JobDetails
    from jotsam.memory.jobs.jobs import FailureGroup, JobChange, StuckJob
    from jotsam.memory.options import JobState, Timestamp
    from jotsam.memory.status.status import DailyCost
    from jotsam.memory.transfer.backup import Backup
    from jotsam.memory.transfer.trash import ForgottenBatch
    from jotsam.storage.database import Database

ENGINES = "an engine holds the memories of all tenants: run `jotsam db engine` where the database is"


class Admin:
    """Operations on the jobs of one tenant, and on the queues that all tenants share."""

    def __init__(self, database: Database, settings: Settings, *, start_worker: Callable[[], None]) -> None:
        """`start_worker` starts a worker if there is work and none is running."""
        self._database = database
        self._settings = settings
        self._tenant = settings.tenant
        self._start_worker = start_worker

    @Operation(route="GET /v1/jobs", scope="read", paged=True, summary="Jobs that are not done, oldest first")
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
    ) -> list[Job]:
        """Jobs that are not done, oldest first. `error` is part of the error, `after` the last id of the page before.

        Raises `InvalidInput`.
        """
        tenant = None if all_tenants else self._tenant
        with self._database.snapshot() as tx:
            before = None if older_ms is None else tx.now - validate.check_int("older_ms", older_ms)
            return jobs.listed(
                tx, after=after, limit=limit, tenant=tenant, state=state, kind=kind, error=error or None, before=before
            )

    @Operation(
        route="GET /v1/jobs/{id}",
        scope="read",
        about="It can be read after it is done, too.",
        summary="One job in any state, with its deliveries",
    )
    def job(self, id: int) -> JobDetails:
        """One job in any state, with its deliveries. Raises `NotFound`, `InvalidInput`."""
        from jotsam.memory.jobs.job_details import job_details

        with self._database.snapshot(tenant=self._tenant) as tx:
            return job_details(tx, id=id)

    @Operation(route="GET /v1/jobs/stuck", scope="read", paged=True, summary="Jobs without progress, with the reason")
    def stuck(
        self, *, kind: str | None = None, after: int = 0, limit: int = 100, all_tenants: bool = False
    ) -> list[StuckJob]:
        """Jobs without progress, oldest first, with the reason. Raises `InvalidInput`."""
        tenant = None if all_tenants else self._tenant
        with self._database.snapshot() as tx:
            return jobs.stuck(tx, tenant=tenant, kind=kind, after=after, limit=limit)

    @Operation(route="GET /v1/jobs/failures", scope="read", summary="Dead and failed jobs by similar errors")
    def failure_groups(self, *, kind: str | None = None, all_tenants: bool = False) -> list[FailureGroup]:
        """Dead and failed jobs grouped by similar errors, the largest group first."""
        with self._database.snapshot() as tx:
            return jobs.groups(tx, tenant=None if all_tenants else self._tenant, kind=kind)

    @Operation(route="GET /v1/jobs/dead", scope="read", paged=True, summary="Dead letters, oldest first")
    def dead(
        self,
        *,
        kind: str | None = None,
        error: str | None = None,
        group: str | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> list[Job]:
        """Dead letters, oldest first: all, those whose error contains a text, or those of a failure group (its key)."""
        validate.check_int("limit", limit, 1)
        found = jobs.dead(self._database, tenant=self._tenant, kind=kind, error=error or None, group=group, after=after)
        return [job for job, _ in zip(found, range(limit), strict=False)]

    def retry(self, job_id: int) -> None:
        """Revive a dead job, or run a waiting one now. Raises `NotFound`, `InvalidInput`."""
        _raise_refused(self.retry_many([job_id]))

    def discard(self, job_id: int) -> None:
        """Delete a job. Raises `NotFound`, and `InvalidInput` while it is running."""
        _raise_refused(self.discard_many([job_id]))

    @Operation(
        route="POST /v1/jobs/retry",
        scope="write",
        body="JobIds: Which jobs to change.",
        summary="Revive dead jobs, and run waiting ones now",
    )
    def retry_many(self, ids: Iterable[int], *, dry_run: bool = False) -> list[JobChange]:
        """Revive dead jobs and run waiting ones now. A refused job has an `error`, and does not stop the others.

        With `dry_run` nothing is changed. Raises `InvalidInput`.
        """
        changes = jobs.retry(self._database, validate.check_list("ids", ids), tenant=self._tenant, dry_run=dry_run)
        if not dry_run:
            self._start_worker()
        return changes

    @Operation(
        route="POST /v1/jobs/discard",
        scope="write",
        body="JobIds: Which jobs to change.",
        summary="Delete jobs that are not running",
    )
    def discard_many(self, ids: Iterable[int], *, dry_run: bool = False) -> list[JobChange]:
        """Delete jobs that are not running. See `retry_many`."""
        return jobs.discard(self._database, validate.check_list("ids", ids), tenant=self._tenant, dry_run=dry_run)

    @not_over_http("pausing a queue concerns all tenants: run `jotsam jobs pause` where the database is")
    def pause(self, name: str, *, reason: str | None = None) -> None:
        """Stop delivery from a queue, for all tenants. Jobs are still accepted, and running jobs finish."""
        _check_queue(name)
        with self._database.transaction() as tx:
            queue.pause(tx, name, reason=redact(validation.check_line("reason", reason) or "paused by hand")[0])

    @not_over_http("resuming a queue concerns all tenants: run `jotsam jobs resume` where the database is")
    def resume(self, name: str) -> bool:
        """End the pause of a queue, also one that its circuit breaker began. False: it was not paused."""
        _check_queue(name)
        with self._database.transaction() as tx:
            was_paused = any(row["queue"] == name for row in queue.paused(tx))
            queue.resume(tx, name)
        self._start_worker()
        return was_paused

    @Operation(
        route="GET /v1/costs", scope="admin", limits={"days": (1, 100_000)}, summary="Use of models by day and model"
    )
    def costs(self, *, days: int = 30) -> list[DailyCost]:
        """Calls, tokens and cost by day (UTC) and model, the latest first."""
        return status.costs(self._database, tenant=self._tenant, days=days)

    @Operation(route="GET /v1/retention", scope="admin", summary="What a worker will remove because of its age")
    def expired(self) -> Expired:
        """What is older than the settings `keep_..._days` and `trash_days` allow. A worker removes it."""
        return retention.expired(self._database, self._settings)

    @not_over_http("commands are queued where the database is: call the method of this client instead")
    def send_command(
        self,
        arguments: Iterable[str],
        *,
        input: str | None = None,
        documents: Iterable[dict[str, Any]] = (),
        turns: Iterable[dict[str, Any]] = (),
    ) -> Sent:
        """Queue a `jotsam` command line for a worker, in this tenant and project. Raises `InvalidInput`.

        A worker opens no file for it: `documents` and `turns` are what the command stores, redacted, in the form of
        `jotsam.ingest.carried`. A worker refuses a command that may not be queued.
        """
        settings = self._settings
        spec = command.job_spec(
            QueuedCommand(
                arguments=tuple(redact(argument)[0] for argument in arguments),
                project=settings.project,
                input=None if input is None else redact(input)[0],
                documents=tuple(documents),
                turns=tuple(turns),
                tenant=self._tenant,
            )
        )
        return start_worker.commit(self._database, lambda tx: queue.send(tx, spec), worker=settings.worker)

    @not_over_http("a backup contains all tenants: run `jotsam db backup` where the database is")
    def backup(self, path: str | PathLike[str] | None = None, *, keep: int | None = None) -> Backup:
        """Copy the database file, with all tenants, to a checked backup, in use. Restore: `jotsam db restore`.

        `path` is a new file, or a folder for a name with the time; by default the folder `backups` beside the database.
        With `keep`, only this number of the newest named backups in the folder are kept. Raises `InvalidInput` for a
        server; `DatabaseUnusable` if the database is damaged or `path` exists; `DatabaseFull`.
        """
        return backup.backup(self._database.url, path, keep=keep)

    @Operation(route="GET /v1/trash", scope="admin", summary="What was forgotten to the trash")
    def trash(self) -> tuple[ForgottenBatch, ...]:
        """What `Jotsam.forget` put into the trash, the latest first. A worker removes it after `trash_days`."""
        from jotsam.memory.transfer import trash

        return trash.batches(self._database, tenant=self._tenant)

    @Operation(route="POST /v1/trash/{id}/restore", scope="admin", summary="Store a batch of the trash again")
    def restore_forgotten(self, id: str) -> ForgottenBatch:
        """Store a batch of the trash again, with the same ids, but for what was forgotten for good since.

        Returns what was restored. Raises `NotFound`, and `InvalidInput` if another memory has a key or external id by
        now: then it stays in the trash.
        """
        from jotsam.memory.transfer import trash

        return trash.restore(self._database, self._settings, validate.check_text("id", id))

    @Operation(route="DELETE /v1/trash", scope="admin", result=Erased, summary="Delete what is in the trash")
    def empty_trash(self) -> bool:
        """Delete what is in the trash. Returns whether the bytes are gone, as `ForgetReceipt.erased`."""
        from jotsam.memory.transfer import trash

        return trash.empty(self._database, tenant=self._tenant)

    @Operation(route="GET /v1/tokens", scope="admin", summary="Tokens of the tenant, without their secrets")
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the HTTP API, the oldest first, with those that were revoked or have expired."""
        from jotsam.memory.access import tokens

        return tokens.list_tokens(self._database, tenant=self._tenant)

    @Operation(
        route="POST /v1/tokens",
        scope="admin",
        status=201,
        body="TokenBody: A token to create for the tenant of this one.",
        summary="Create a token; its secret is in this answer only",
    )
    def create_token(
        self,
        *,
        name: str,
        scope: Scope,
        expires_at: Timestamp | None = None,
        rate: float | None = None,
        max_bytes: int | None = None,
    ) -> NewToken:
        """Create a token of the HTTP API. Its secret is in the result, and nowhere else.

        `scope` is `read`, `write` (and read) or `admin` (and both), `rate` the limit in requests per second,
        `max_bytes` the largest body of a request. Raises `InvalidInput`.
        """
        from jotsam.memory.access import tokens

        limits: tokens.TokenLimits = {"expires_at": expires_at, "rate": rate, "max_bytes": max_bytes}
        return tokens.create_token(self._database, tenant=self._tenant, name=name, scope=scope, **limits)

    @Operation(route="DELETE /v1/tokens/{id}", scope="admin", summary="Refuse a token from now on")
    def revoke_token(self, id: str) -> Token:
        """Refuse a token from now on. Raises `NotFound`."""
        from jotsam.memory.access import tokens

        return tokens.revoke_token(self._database, tenant=self._tenant, id=id)

    @Operation(
        route="GET /v1/audit", scope="admin", paged=True, summary="Requests that changed something, the newest first"
    )
    def audit(self, *, after: int = 0, limit: int = 100) -> tuple[AuditEntry, ...]:
        """Requests over HTTP and commands that changed something, and changes of tokens, the newest first.

        `after` is the id of the last entry of the page before. A worker removes entries after `keep_audit_days`.
        Raises `InvalidInput`.
        """
        from jotsam.memory.access import audit

        return audit.latest(self._database, tenant=self._tenant, after=after, limit=limit)

    @not_over_http(ENGINES)
    def engines(self) -> tuple[EngineStatus, ...]:
        """The engines of the database, and how far each is with the memories of all tenants. Asks each."""
        from jotsam.memory.engines import engines

        return engines.status(self._database, self._settings)

    @not_over_http(ENGINES)
    def add_engine(self, address: str, *, replace: bool = False) -> EngineStatus:
        """Have workers keep a copy of all memories in the engine at `falkordb://...` or `qdrant://...`.

        With `replace` it first deletes the memories that the engine holds. Raises `InvalidInput`, also if it holds some
        or another engine of its kind is registered; `ProviderUnavailable` if it cannot be reached.
        """
        from jotsam.memory.engines import engines

        added = engines.add(
            self._database, self._settings, validate.check_text("address", address), replace=bool(replace)
        )
        self._start_worker()
        return added

    @not_over_http(ENGINES)
    def rebuild_engines(self, name: str | None = None) -> tuple[EngineStatus, ...]:
        """Have workers write all memories to an engine again, or to all, and delete what else it holds.

        Raises `NotFound`, `ProviderUnavailable`.
        """
        from jotsam.memory.engines import engines

        rebuilt = engines.rebuild(self._database, self._settings, name)
        self._start_worker()
        return rebuilt

    @not_over_http(ENGINES)
    def compare_engines(
        self, name: str | None = None, *, repair: bool = False, limit: int = 100
    ) -> tuple[EngineComparison, ...]:
        """Compare an engine, or each, with the memories of all tenants. At most `limit` differences are listed.

        With `repair`, workers write what is missing or differs again, and delete what is left over. Raises `NotFound`,
        `ProviderUnavailable`.
        """
        from jotsam.memory.engines import engine_compare

        checked = validate.check_int("limit", limit, 0)
        found = engine_compare.compare(self._database, self._settings, name, repair=bool(repair), limit=checked)
        if repair:
            self._start_worker()
        return found

    @not_over_http(ENGINES)
    def remove_engine(self, name: str, *, purge: bool = False) -> EngineStatus:
        """Remove an engine from the database; with `purge`, delete the memories that it holds too.

        Returns its last status. Raises `NotFound`; with `purge` `ProviderUnavailable`, and then nothing is removed.
        """
        from jotsam.memory.engines import engines

        return engines.remove(self._database, self._settings, name, purge=bool(purge))

    @not_over_http("a tenant is forgotten where the database is: call Jotsam(tenant=...).admin.forget_tenant()")
    def forget_tenant(self) -> bool:
        """Delete everything the tenant has: documents, memories, graph, jobs, tokens, audit.

        Returns whether the bytes are gone from the database's files too, as in `ForgetReceipt.erased`.
        """
        return forget.tenant(self._database, self._settings)


def _raise_refused(changes: list[JobChange]) -> None:
    for one in changes:
        if one.error is not None:
            raise one.error


def _check_queue(name: str) -> None:
    if name not in EVERY_QUEUE:
        raise InvalidInput(f"there is no queue {name!r}; there are {', '.join(EVERY_QUEUE)}")
