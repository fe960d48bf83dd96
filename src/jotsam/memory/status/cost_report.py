"""Use of models by day, model, purpose and job, and how much of the daily cap is left.

It reads the latest `MAX_REQUESTS` requests of a tenant at most, and says from which day on they are all of them.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import format_time
from jotsam.core.records import Record
from jotsam.storage.costs import ledger
from jotsam.storage.status import overview

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from typing import Any

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row

MAX_REQUESTS = 50_000
MAX_JOBS = 20
MAX_DAYS = 366
# What a request to a model is for, and the kind of job that sends it; a question has none.
KIND_OF = {"extraction": "model", "embedding": "embed", "question": "recall"}


class Use(Record):
    """Requests to models, their tokens and their cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0  # included in tokens_in
    tokens_out: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


class DayUse(Record):
    """The requests of one day (UTC), and what all tenants spent on it."""

    day: str  # ISO 8601
    use: Use
    tokens_of_all: int
    cost_of_all: float


class NamedUse(Record):
    """The requests to a model, or those of one kind of job."""

    name: str
    use: Use


class JobCost(Record):
    """A job and what its requests cost."""

    id: int
    kind: str
    model: str
    day: str
    calls: int
    tokens: int
    cost: float


class CostReport(Record):
    """Use of models by a tenant. With `is_partial` only the latest requests are in it: none before the day `since`."""

    days: tuple[DayUse, ...]  # the oldest first, also those without a request
    models: tuple[NamedUse, ...]  # those with the most tokens first
    kinds: tuple[NamedUse, ...]  # of jobs; `recall` for questions
    rows: tuple[tuple[str, str, str, Use], ...]  # by day, model and kind, the latest day first
    jobs: tuple[JobCost, ...]  # the most expensive ones
    total: Use
    since: str
    is_partial: bool
    tokens_today: int  # of all tenants; with those that are reserved
    cost_today: float
    max_tokens: int | None  # the daily cap
    max_cost: float | None


def read_cost_report(database: Database, settings: Settings, *, days: int = 30) -> CostReport:
    """The report of the settings' tenant. Raises `InvalidInput`."""
    validate.check_int("days", days, 1, MAX_DAYS)
    with database.snapshot(tenant=settings.tenant) as tx:
        today = ledger.today(tx)
        first = today - days + 1
        rows = overview.requests(tx, first=first, limit=MAX_REQUESTS)
        jobs = overview.most_expensive_jobs(tx, first=first, limit=MAX_REQUESTS, jobs=MAX_JOBS)
        of_all = {row["day"]: row for row in overview.spent_days(tx, first=first)}
        tokens, cost = ledger.spent(tx)
    is_partial = sum(row["calls"] for row in rows) >= MAX_REQUESTS
    by_day = _sums(rows, lambda row: row["day"])
    cap = ledger.cap_of(settings)
    return CostReport(
        days=tuple(_day(day, by_day.get(day, Use()), of_all.get(day)) for day in range(first, today + 1)),
        models=_named(_sums(rows, lambda row: row["model"])),
        kinds=_named(_sums(rows, lambda row: _kind(row["purpose"]))),
        rows=tuple((_date(row["day"]), row["model"], _kind(row["purpose"]), _use(row)) for row in rows),
        jobs=tuple(_job(row) for row in jobs),
        total=_sums(rows, lambda row: None).get(None, Use()),
        since=_date(min(by_day, default=first) if is_partial else first),
        is_partial=is_partial,
        tokens_today=tokens,
        cost_today=cost,
        max_tokens=cap.tokens,
        max_cost=cap.cost,
    )


def _sums(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, Use]:
    found: dict[Hashable, Use] = {}
    for row in rows:
        before = found.get(key(row), Use())
        found[key(row)] = before.replace(**{name: getattr(before, name) + row[name] for name in Use._fields})
    return found


def _named(sums: dict[Any, Use]) -> tuple[NamedUse, ...]:
    order = sorted(sums.items(), key=lambda item: (-item[1].cost, -item[1].tokens, item[0]))
    return tuple(NamedUse(name=name, use=use) for name, use in order)


def _day(day: int, use: Use, of_all: Row | None) -> DayUse:
    tokens, cost = (of_all["tokens"], max(0.0, of_all["cost"])) if of_all else (0, 0.0)
    return DayUse(day=_date(day), use=use, tokens_of_all=tokens, cost_of_all=cost)


def _job(row: Row) -> JobCost:
    row = {**row, "day": _date(row["day"])}
    return JobCost(id=row.pop("job_id"), kind=_kind(row.pop("purpose")), **row)


def _use(row: Row) -> Use:
    return Use(**{name: row[name] for name in Use._fields})


def _kind(purpose: str) -> str:
    return KIND_OF.get(purpose, purpose)


def _date(day: int) -> str:
    return format_time(day * ledger.DAY_MS)[:10]
