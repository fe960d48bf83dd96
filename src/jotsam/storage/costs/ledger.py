"""Ledger of model costs, the daily cap, and the cache of model replies.

The estimated cost of a request is reserved before it is sent and settled afterwards, so that concurrent requests cannot
exceed the cap together. There is one cap for all tenants. Days are UTC days since 1970.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Row, Transaction, Value

DAY_MS = 86_400_000
NO_LIMIT = 2**62


class Spent(Record):
    """Usage of a request. `cost` is in the currency of the configured prices."""

    tokens_in: int
    tokens_out: int
    cost: float
    tokens_cached: int = 0  # included in tokens_in


class Cap(Record):
    """The daily cap. None means no limit."""

    tokens: int | None = None
    cost: float | None = None


def cap_of(settings: Settings) -> Cap:
    """The daily cap of the settings."""
    return Cap(tokens=settings.llm_daily_tokens or None, cost=settings.llm_daily_cost or None)


def reached(cap: Cap) -> str:
    """The error of a job that waits for tomorrow; jobs are also found by it when the cap changes."""
    return f"{describe_cap(cap)} is reached; it goes on at 00:00 UTC"


def describe_cap(cap: Cap) -> str:
    """Describe a cap."""
    parts = [f"{cap.tokens:,} tokens"] if cap.tokens is not None else []
    parts += [f"a cost of {cap.cost:g}"] if cap.cost is not None else []
    return f"the cap of a day, {' or '.join(parts) or 'none'},"


def today(tx: Transaction) -> int:
    """The current day."""
    return tx.now // DAY_MS


def reserve(tx: Transaction, about: Mapping[str, Value], *, estimate: Spent, cap: Cap, until: int) -> int | None:
    """Reserve the estimate of a request. Returns the id of its entry, or None if it would exceed the cap.

    `about` has its `job_id`, `model` and `purpose`. It ends before `until`, or its process has died: then the estimate
    counts as spent.
    """
    most_tokens = NO_LIMIT if cap.tokens is None else cap.tokens
    most_cost = float(NO_LIMIT) if cap.cost is None else float(cap.cost)
    tokens = estimate.tokens_in + estimate.tokens_out
    if tokens > most_tokens or estimate.cost > most_cost:
        return None
    whole = {"day": today(tx), "tokens": tokens, "cost": float(estimate.cost)}
    row = tx.one("ledger.reserve", **whole, most_tokens=most_tokens, most_cost=most_cost, until=until)
    if row is None:
        return None
    opened = tx.one(
        "ledger.add",
        day=today(tx),
        **about,
        tokens_in=estimate.tokens_in,
        tokens_out=estimate.tokens_out,
        cost=float(estimate.cost),
    )
    assert opened is not None
    entry: int = opened["id"]
    return entry


def is_spent(tx: Transaction, *, estimate: Spent, cap: Cap) -> bool:
    """Whether a request would exceed the cap of today even if all running requests cost nothing."""
    row = tx.one("ledger.spent", day=today(tx))
    if row is None:
        return False
    is_running = row["reserved_until"] > tx.now
    tokens = row["tokens"] - (row["reserved_tokens"] if is_running else 0)
    cost = row["cost"] - (row["reserved_cost"] if is_running else 0.0)
    too_many = cap.tokens is not None and tokens + estimate.tokens_in + estimate.tokens_out > cap.tokens
    return too_many or (cap.cost is not None and cost + estimate.cost > cap.cost)


def leave_open(tx: Transaction, entry: int) -> None:
    """Release the reservation of a request whose usage is unknown: it counts as estimated."""
    row = tx.one("ledger.get", id=entry)
    if row is not None:
        tokens = row["tokens_in"] + row["tokens_out"]
        _add_use(tx, row, row["tokens_in"], row["tokens_out"], row["cost"])
        _move(tx, row, tokens=0, cost=0.0, reserved_tokens=-tokens, reserved_cost=-row["cost"])


def settle(tx: Transaction, entry: int, *, spent: Spent) -> None:
    """Record the actual usage of a request."""
    row = tx.one("ledger.get", id=entry)
    if row is None:
        return
    tx.run(
        "ledger.settle",
        id=entry,
        tokens_in=spent.tokens_in,
        tokens_cached=spent.tokens_cached,
        tokens_out=spent.tokens_out,
        cost=float(spent.cost),
    )
    _add_use(tx, row, spent.tokens_in, spent.tokens_out, spent.cost)
    _give_back(tx, row, spent.tokens_in + spent.tokens_out, spent.cost)


def drop(tx: Transaction, entry: int) -> None:
    """Remove a request that cost nothing: it was refused, or no response began."""
    row = tx.one("ledger.get", id=entry)
    if row is None:
        return
    tx.run("ledger.drop", id=entry)
    _give_back(tx, row, 0, 0.0)


def spent(tx: Transaction, *, day: int | None = None) -> tuple[int, float]:
    """Tokens and cost of all tenants on a day, reservations included."""
    row = tx.one("ledger.spent", day=today(tx) if day is None else day)
    return (row["tokens"], max(0.0, round(row["cost"], 9))) if row else (0, 0.0)  # Sums of floats drift.


def by_model(tx: Transaction, *, first: int, last: int) -> list[Row]:
    """By model and purpose: calls, tokens_in, tokens_cached, tokens_out, cost, and how many are open."""
    return tx.all("ledger.by_model", first=first, last=last)


def use_of_all(tx: Transaction) -> list[Row]:
    """Of all tenants since the database was made, by model and purpose: calls, tokens_in, tokens_out, cost.

    Without running requests, and those whose process died.
    """
    return tx.all("ledger.use_of_all")


def by_day(tx: Transaction, *, first: int, last: int) -> list[Row]:
    """By day and model: calls, tokens and cost, the latest day first."""
    return tx.all("ledger.by_day", first=first, last=last)


def of_job(tx: Transaction, *, job_id: int) -> list[Row]:
    """The requests of a job: job_id, model, purpose, state, tokens, cost, and the time `at`."""
    return tx.all("ledger.of_job", job_id=job_id)


def cached_reply(tx: Transaction, *, key: str) -> tuple[str, bool] | None:
    """The cached reply, and whether it was last used more than a day ago. None if it is missing or a request runs."""
    row = tx.one("ledger.cached_reply", key=key)
    return (row["body"], row["used_at"] < tx.now - DAY_MS) if row else None


def count_replies(tx: Transaction, *, extractor: str, since: int, limit: int) -> int:
    """How many valid replies of an extractor arrived since a time, counted up to `limit`."""
    row = tx.one("ledger.count_replies", extractor=extractor, since=since, limit=limit)
    return int(row["replies"]) if row else 0


def touch_reply(tx: Transaction, *, key: str) -> None:
    """Record that a reply was used, so that it is kept."""
    tx.run("ledger.touch_reply", key=key)


def prune_replies(tx: Transaction, *, before: int, limit: int) -> int:
    """Remove at most `limit` replies last used before a time, oldest first. Returns how many."""
    return len(tx.all("ledger.prune_replies", before=before, limit=limit))


def claim_reply(tx: Transaction, *, key: str, asker: str, until: int) -> bool:
    """Claim a key before the request. False if another process has claimed it, or there is a reply by now.

    A claim expires at `until`, in case its process dies; the same `asker` can always claim again.
    """
    return tx.one("ledger.claim_reply", key=key, extractor=asker, until=until) is not None


def release_reply(tx: Transaction, *, key: str) -> None:
    """Release the claim of a request without a reply."""
    tx.run("ledger.release_reply", key=key)


def save_reply(tx: Transaction, *, key: str, body: str, extractor: str, memory: int, job_id: int | None = None) -> None:
    """Save the reply to a request about a memory, unless that was forgotten, or updated after `job_id` was sent."""
    tx.run("ledger.save_reply", key=key, body=body, extractor=extractor, memory_id=memory, job_id=job_id)


def delete_reply(tx: Transaction, *, key: str) -> None:
    """Remove a reply, so that the request is sent again."""
    tx.run("ledger.delete_reply", key=key)


def _add_use(tx: Transaction, row: Row, tokens_in: int, tokens_out: int, cost: float) -> None:
    use = {"tokens_in": tokens_in, "tokens_out": tokens_out, "cost": float(cost)}
    tx.run("ledger.add_use", model=row["model"], purpose=row["purpose"], **use)


def _give_back(tx: Transaction, row: Row, tokens: int, cost: float) -> None:
    if row["state"] == "open":
        reserved = row["tokens_in"] + row["tokens_out"]
        _move(
            tx,
            row,
            tokens=tokens - reserved,
            cost=cost - row["cost"],
            reserved_tokens=-reserved,
            reserved_cost=-row["cost"],
        )


def _move(tx: Transaction, row: Row, **by: float) -> None:
    by = {name: float(value) if name.endswith("cost") else value for name, value in by.items()}
    tx.run("ledger.spend", day=row["day"], **by)
