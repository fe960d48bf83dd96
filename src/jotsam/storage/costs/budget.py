"""Spend guard: reserves the estimated cost of a model call within the daily cap, and settles it afterwards.

The reservation is committed before the call. A call that failed before a response gives it back. A call whose response
was cut off may be billed, so its entry stays open and counts as estimated; so does that of a process that died. If
reservations of running calls are in the way, the caller retries soon; if the cap is spent, tomorrow.
"""

from __future__ import annotations

from contextlib import contextmanager

from jotsam.core.errors import CapReached, DatabaseUnavailable, JobError, Refused, RetryJob
from jotsam.core.records import Record
from jotsam.storage.costs import ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from jotsam.storage.costs.ledger import Cap, Spent
    from jotsam.storage.database import Database, Transaction, Value

    Pay = Callable[[int], AbstractContextManager[Callable[[int], object]]]
    # Wraps a request: takes the estimated tokens, and yields a function that takes the tokens used.

PER_MILLION = 1_000_000
# Wait while the rest of the cap is reserved: a request mostly uses only a part of its reservation.
SOON_MS = 5_000


class ModelCall(Record):
    """Who calls which model, and what for."""

    tenant: str
    model: str
    purpose: str  # extraction, embedding, question
    job_id: int = 0  # 0 for a recall query


class Budget:
    """The daily cap for model calls. Thread-safe."""

    def __init__(self, database: Database, *, cap: Cap, timeout_ms: int, durable: bool = True) -> None:
        """`timeout_ms` is the longest time of a request, after which its reservation is no longer one that runs.

        With `durable`, settled costs survive a power failure; otherwise they may revert to the estimates.
        """
        self._database = database
        self._cap = cap
        self._timeout_ms = timeout_ms
        self._durable = durable

    @contextmanager
    def request(self, call: ModelCall, *, estimate: Spent) -> Iterator[int]:
        """Wraps one request: reserves the estimate and yields the ledger entry for `settle`.

        Raises `RetryJob` if reservations leave no room now, `CapReached` if the cap is spent, and `Refused` if the
        estimate exceeds the cap of a whole day.
        """
        entry = self._reserve(call, estimate)
        try:
            yield entry
        except BaseException as error:
            release = ledger.leave_open if isinstance(error, JobError) and error.may_be_billed else ledger.drop
            with self._database.transaction(durable=False, tenant=call.tenant) as tx:
                release(tx, entry)
            raise

    def settle(
        self, call: ModelCall, entry: int, *, spent: Spent, with_it: Callable[[Transaction], None] | None = None
    ) -> None:
        """Record the actual usage of a request. `with_it` runs in the same transaction."""
        with self._database.transaction(durable=self._durable, tenant=call.tenant) as tx:
            ledger.settle(tx, entry, spent=spent)
            if with_it:
                with_it(tx)

    def by_tokens(self, call: ModelCall, *, price: float) -> Pay:
        """A payment function for requests with input tokens only, at a price per million tokens."""

        @contextmanager
        def pay(estimate: int) -> Iterator[Callable[[int], object]]:
            counted: list[int] = []
            with self.request(call, estimate=_read(estimate, price)) as entry:
                yield counted.append
            try:
                self.settle(call, entry, spent=_read(counted[-1] if counted else estimate, price))
            except DatabaseUnavailable:
                pass  # The entry stays open and counts as estimated; the result must not be lost.

        return pay

    def _reserve(self, call: ModelCall, estimate: Spent) -> int:
        tokens, cap = estimate.tokens_in + estimate.tokens_out, self._cap
        if tokens > (cap.tokens or tokens) or estimate.cost > (cap.cost or estimate.cost):
            raise Refused(
                f"one request may take {tokens:,} tokens, which is more than {ledger.describe_cap(cap)}", status=0
            )
        # Not durable: a power failure may lose reservations of running requests, the death of a process loses none.
        with self._database.transaction(durable=False, tenant=call.tenant) as tx:
            about: dict[str, Value] = {"job_id": call.job_id, "model": call.model, "purpose": call.purpose}
            entry = ledger.reserve(tx, about, estimate=estimate, cap=cap, until=tx.now + self._timeout_ms)
            if entry is not None:
                return entry
            is_spent = ledger.is_spent(tx, estimate=estimate, cap=cap)
            wait = (ledger.today(tx) + 1) * ledger.DAY_MS - tx.now
        if is_spent:
            raise CapReached(ledger.reached(cap), after_ms=wait, spend=False)
        raise RetryJob(
            f"{ledger.describe_cap(cap)} is reserved by requests that run", after_ms=min(SOON_MS, wait), spend=False
        )


def _read(tokens: int, price: float) -> Spent:
    return ledger.Spent(tokens_in=tokens, tokens_out=0, cost=tokens * price / PER_MILLION)
