"""The ledger of what models cost, the cap of a day, and the answers that were paid for.

What a request may cost is reserved before it is made, and settled afterwards; nobody passes the cap, however many ask
at once. The cap is one for all tenants, as the bill is. Days are those of UTC, counted since 1970.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Row, Transaction

DAY_MS = 86_400_000
NO_LIMIT = 2**62
LONGEST_REQUEST_MS = 600_000
"""No request runs for so long. What was reserved before is of a process that died, and is spent as far as is known."""


class Spent(Record):
    """What a request has used. `cost` is in the currency of the prices."""

    tokens_in: int
    tokens_out: int
    cost: float
    tokens_cached: int = 0  # of those in


class Cap(Record):
    """How much a day may take. None: as much as there is."""

    tokens: int | None = None
    cost: float | None = None


def cap_of(settings: Settings) -> Cap:
    """The cap of a day that the settings name, for everything that costs something."""
    return Cap(tokens=settings.llm_daily_tokens or None, cost=settings.llm_daily_cost or None)


def reached(cap: Cap) -> str:
    """What a job is told that waits for tomorrow; by it those are known that wait for a cap which holds no more."""
    return f"{told(cap)} is reached; it goes on at 00:00 UTC"


def told(cap: Cap) -> str:
    """A cap in words."""
    parts = [f"{cap.tokens:,} tokens"] if cap.tokens is not None else []
    parts += [f"a cost of {cap.cost:g}"] if cap.cost is not None else []
    return f"the cap of a day, {' or '.join(parts) or 'none'},"


def today(tx: Transaction) -> int:
    """The number of this day."""
    return tx.now // DAY_MS


def reserve(tx: Transaction, *, job_id: int, model: str, purpose: str, estimate: Spent, cap: Cap) -> int | None:
    """Write a request down before it is made. Returns its entry, or None: the day's cap would be passed."""
    most_tokens = NO_LIMIT if cap.tokens is None else cap.tokens
    most_cost = float(NO_LIMIT) if cap.cost is None else float(cap.cost)
    tokens = estimate.tokens_in + estimate.tokens_out
    if tokens > most_tokens or estimate.cost > most_cost:
        return None
    whole = {"day": today(tx), "tokens": tokens, "cost": float(estimate.cost)}
    row = tx.one("ledger.reserve", **whole, most_tokens=most_tokens, most_cost=most_cost)
    if row is None:
        return None
    opened = tx.one(
        "ledger.open",
        day=today(tx),
        job_id=job_id,
        model=model,
        purpose=purpose,
        tokens_in=estimate.tokens_in,
        tokens_out=estimate.tokens_out,
        cost=float(estimate.cost),
    )
    assert opened is not None
    entry: int = opened["id"]
    return entry


def is_spent(tx: Transaction, *, estimate: Spent, cap: Cap) -> bool:
    """Whether a request would pass the cap of today even if all that run now took nothing."""
    row = tx.one("ledger.spent", day=today(tx))
    if row is None:
        return False
    is_running = row["updated_at"] > tx.now - LONGEST_REQUEST_MS
    tokens = row["tokens"] - (row["reserved_tokens"] if is_running else 0)
    cost = row["cost"] - (row["reserved_cost"] if is_running else 0.0)
    too_many = cap.tokens is not None and tokens + estimate.tokens_in + estimate.tokens_out > cap.tokens
    return too_many or (cap.cost is not None and cost + estimate.cost > cap.cost)


def leave_open(tx: Transaction, entry: int) -> None:
    """A request has ended, and nobody knows what it has used: it counts as it was estimated."""
    row = tx.one("ledger.get", id=entry)
    if row is not None:
        tokens = row["tokens_in"] + row["tokens_out"]
        _move(tx, row, tokens=0, cost=0.0, reserved_tokens=-tokens, reserved_cost=-row["cost"])


def settle(tx: Transaction, entry: int, *, spent: Spent) -> None:
    """Write down what a request has really used."""
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
    _give_back(tx, row, spent.tokens_in + spent.tokens_out, spent.cost)


def drop(tx: Transaction, entry: int) -> None:
    """A request has cost nothing: it was refused, or never arrived."""
    row = tx.one("ledger.get", id=entry)
    if row is None:
        return
    tx.run("ledger.drop", id=entry)
    _give_back(tx, row, 0, 0.0)


def spent(tx: Transaction, *, day: int | None = None) -> tuple[int, float]:
    """Tokens and cost of all tenants on a day, with what is reserved."""
    row = tx.one("ledger.spent", day=today(tx) if day is None else day)
    return (row["tokens"], row["cost"]) if row else (0, 0.0)


def of_day(tx: Transaction, *, first: int, last: int) -> list[Row]:
    """By model and purpose: calls, tokens_in, tokens_cached, tokens_out, cost, and how many are still open."""
    return tx.all("ledger.of_day", first=first, last=last)


def of_days(tx: Transaction, *, first: int, last: int) -> list[Row]:
    """By day and model: calls, tokens and cost, the latest day first."""
    return tx.all("ledger.of_days", first=first, last=last)


def of_job(tx: Transaction, *, job_id: int) -> list[Row]:
    """Each request of a job: job_id, model, purpose, state, tokens, cost, and when it was made (`at`)."""
    return tx.all("ledger.of_job", job_id=job_id)


def reading(tx: Transaction, *, key: str) -> tuple[str, bool] | None:
    """What was answered to this before, and whether that was last used more than a day ago, as far as is written.

    None: nothing, or somebody is asking it now.
    """
    row = tx.one("ledger.reading", key=key)
    return (row["body"], row["used_at"] < tx.now - DAY_MS) if row else None


def use_reading(tx: Transaction, *, key: str) -> None:
    """Write down that an answer is used, so that it is kept."""
    tx.run("ledger.use_reading", key=key)


def forget_unused(tx: Transaction, *, before: int, limit: int) -> int:
    """Remove answers that were last used before a time, at most `limit`, the oldest first. Returns how many."""
    return len(tx.all("ledger.forget_unused", before=before, limit=limit))


def begin_reading(tx: Transaction, *, key: str, asker: str, until: int) -> bool:
    """Note that this is asked now. False: somebody else asks it, or it is answered by now.

    Whoever dies over it keeps others from asking up to `until`, and the same asker never.
    """
    return tx.one("ledger.begin_reading", key=key, extractor=asker, until=until) is not None


def end_reading(tx: Transaction, *, key: str) -> None:
    """It was asked in vain: whoever wants may ask now."""
    tx.run("ledger.end_reading", key=key)


def keep_reading(tx: Transaction, *, key: str, body: str, extractor: str) -> None:
    tx.run("ledger.keep_reading", key=key, body=body, extractor=extractor)


def drop_reading(tx: Transaction, *, key: str) -> None:
    """Forget an answer, so that it is asked for again."""
    tx.run("ledger.drop_reading", key=key)


def forget_tenant(tx: Transaction) -> None:
    """Remove the answers and the entries of a tenant; what was spent on a day stays spent."""
    tx.run("ledger.forget_readings")
    tx.run("ledger.forget_ledger")


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
