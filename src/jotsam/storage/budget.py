"""The till: whoever asks a model pays here, within the cap of a day.

What a request may cost is reserved before it is made, in a short transaction of its own, and settled afterwards. What
was refused is given back. What was cut off may be charged for all the same, so its entry stays open, and counts as
spent as it was estimated. Where only the reservations of requests that run are in the way, whoever comes is asked to
come again in a moment; where what is spent is, tomorrow. It must not know what is asked, nor make a request.
"""

from __future__ import annotations

from contextlib import contextmanager

from jotsam.core.errors import CapReached, DatabaseUnavailable, Malformed, NoAnswer, Refused, RetryJob
from jotsam.core.records import Record
from jotsam.storage import ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from jotsam.storage.database import Database, Transaction
    from jotsam.storage.ledger import Cap, Spent

    Pay = Callable[[int], AbstractContextManager[Callable[[int], object]]]
    """Goes around each request: given how many tokens it may take, it yields what is told how many it took."""

PER_MILLION = 1_000_000
SOON_MS = 5_000
"""So long waits who finds the rest of a day reserved; of what is reserved, a request mostly takes a part."""


class Order(Record):
    """Which model is asked, by whom, and what for."""

    tenant: str
    model: str
    purpose: str  # reading, embedding, question
    job_id: int = 0  # 0: no job asks, but a question


class Till:
    """Pays for requests out of one day's cap. Safe to use from many threads."""

    def __init__(self, database: Database, *, cap: Cap, durable: bool = True) -> None:
        """With `durable`, what was settled survives a power cut; without, it may be kept as it was estimated."""
        self._database = database
        self._cap = cap
        self._durable = durable

    @contextmanager
    def request(self, order: Order, *, estimate: Spent) -> Iterator[int]:
        """Around one request: reserves what it may cost, and gives the entry to `settle`.

        Raises `RetryJob` when today cannot take it for the moment, `CapReached` when today cannot take it any more,
        and `Refused` when no day could.
        """
        entry = self._reserve(order, estimate)
        try:
            yield entry
        except (NoAnswer, Malformed):
            with self._database.transaction(durable=False, tenant=order.tenant) as tx:
                ledger.leave_open(tx, entry)  # It may be charged for.
            raise
        except BaseException:
            with self._database.transaction(durable=False, tenant=order.tenant) as tx:
                ledger.drop(tx, entry)
            raise

    def settle(
        self, order: Order, entry: int, *, spent: Spent, with_it: Callable[[Transaction], None] | None = None
    ) -> None:
        """What a request has really cost, and what else belongs into that commit."""
        with self._database.transaction(durable=self._durable, tenant=order.tenant) as tx:
            ledger.settle(tx, entry, spent=spent)
            if with_it:
                with_it(tx)

    def by_tokens(self, order: Order, *, price: float) -> Pay:
        """How requests are paid that only read, at a price for a million tokens."""

        @contextmanager
        def pay(estimate: int) -> Iterator[Callable[[int], object]]:
            counted: list[int] = []
            with self.request(order, estimate=_read(estimate, price)) as entry:
                yield counted.append
            try:
                self.settle(order, entry, spent=_read(counted[-1] if counted else estimate, price))
            except DatabaseUnavailable:
                pass  # The entry stays open, as it was estimated. What it has bought must not be lost over that.

        return pay

    def _reserve(self, order: Order, estimate: Spent) -> int:
        tokens, cap = estimate.tokens_in + estimate.tokens_out, self._cap
        if tokens > (cap.tokens or tokens) or estimate.cost > (cap.cost or estimate.cost):
            raise Refused(f"one request may take {tokens:,} tokens, which is more than {ledger.told(cap)}", status=0)
        # A power cut may take the reservations of the requests that ran then; the death of a process takes none.
        with self._database.transaction(durable=False, tenant=order.tenant) as tx:
            entry = ledger.reserve(
                tx, job_id=order.job_id, model=order.model, purpose=order.purpose, estimate=estimate, cap=cap
            )
            if entry is not None:
                return entry
            is_spent = ledger.is_spent(tx, estimate=estimate, cap=cap)
            wait = (ledger.today(tx) + 1) * ledger.DAY_MS - tx.now
        if is_spent:
            raise CapReached(ledger.reached(cap), after_ms=wait, spend=False)
        raise RetryJob(f"{ledger.told(cap)} is reserved by requests that run", after_ms=min(SOON_MS, wait), spend=False)


def _read(tokens: int, price: float) -> Spent:
    return ledger.Spent(tokens_in=tokens, tokens_out=0, cost=tokens * price / PER_MILLION)
