"""A small memory as a team could have it: notes, a document, turns, a correction. For pictures of the dashboard."""

from __future__ import annotations

from jotsam import Jotsam
from jotsam.core.clock import system_clock
from jotsam.storage import connect
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.costs.ledger import DAY_MS, Cap, Spent
from tools.example_jobs import fail

NOTES = (
    ("We chose PostgreSQL over MongoDB for the billing service, because invoices need transactions.", "decision"),
    ("Ana Lima leads the billing team since January 2026.", "fact"),
    ("Ana Lima moved from Lisbon to Porto in March 2026.", "fact"),
    ("Ben Okafor prefers early returns and small functions in Python.", "preference"),
    ("The nightly export of Northwind fails when a customer name is empty. Fixed by skipping such rows.", "insight"),
    ("Deploy on Tuesdays only: support is complete then.", "habit"),
    ("The staging server of Northwind runs in Frankfurt.", "fact"),
    ("Use uv instead of pip for every new service.", "decision"),
    ("Clara Sommer reviews all migrations before they are merged.", "fact"),
    ("Clara Sommer works at Northwind.", "fact"),
    ("Clara Sommer works at Initech.", "fact"),
    ("The retry limit of the mail queue is five, with exponential backoff.", "fact"),
)
TURNS = (
    ("user", "Which database do we use for billing?"),
    ("assistant", "PostgreSQL, since January: invoices need transactions."),
    ("user", "Who reviews the migrations?"),
    ("assistant", "Clara Sommer does."),
    ("user", "ok. never change the schema of billing without a migration that can be undone"),
    ("assistant", "Understood: each migration gets its way back. Open: the export has no test for empty names."),
)
PLAN = """Three things keep the export from failing:

1. **Skip rows** without a customer name, and write them to `skipped.csv`.
2. Report how many were skipped, see [the runbook](https://example.org/runbook).
3. A test for it:

```python
def test_a_row_without_a_name_is_skipped():
    assert export([Row(name="")]).skipped == 1
```

| file | lines |
|---|--:|
| export.py | 12 |
| test_export.py | 9 |
"""
LATER_TURNS = (
    ("user", "the nightly export of Northwind failed again, please look"),
    ("assistant", "I look at the log of last night."),
    ("assistant", "The customer name of invoice 4711 is empty."),
    ("assistant", "Now I read `export.py`."),
    ("assistant", PLAN),
    ("user", "good, do that. always write what was skipped to a file, we decided to keep these for 30 days"),
    ("assistant", "Done. Open: nobody is told about skipped rows yet."),
)
DOCUMENT = """# Billing: decisions

## Storage
On 2026-01-15 we chose PostgreSQL for the billing service. Ana Lima proposed it; Ben Okafor compared it with MongoDB.
MongoDB was faster to start with, but invoices must never be half written.

## Mail
Invoices are sent by the mail queue. A message that fails five times goes to the dead letters, and Clara Sommer looks at
them each morning.

## Open
- Who owns the nightly export to Northwind?
- Do we keep invoices for ten years, or for seven?
"""


def fill(jot: Jotsam) -> None:
    """Store the memory, and let everything be done but what waits for the next worker."""
    for text, type in NOTES:
        jot.remember(text, type=type, project="billing", tags=["team"], said_at="2026-03-02T09:00:00Z")
    jot.add(DOCUMENT, source="docs/billing-decisions.md", project="billing")
    for position, (actor, text) in enumerate(TURNS):
        jot.add_turn(text, actor=actor, session="session-1", position=position, project="billing", source="claude")
    for position, (actor, text) in enumerate(LATER_TURNS):
        jot.add_turn(text, actor=actor, session="session-2", position=position, project="billing", source="claude-code")
    jot.work()
    old = jot.remember("Ana Lima lives in Lisbon.", project="billing").id
    new = jot.remember("Ana Lima lives in Porto now, no longer in Lisbon.", project="billing").id
    jot.work()
    jot.supersede(old, new)
    for step in ("decay", "cluster"):
        jot.lifecycle.run(step)
    jot.work()
    for number in range(3):
        jot.remember(f"Release {number + 1} of the billing service went out without a rollback.", project="billing")
    for days in range(12, -1, -1):
        _spend(jot, days, requests=(days * 7) % 5 + 1)
    fail(jot)


def _spend(jot: Jotsam, days: int, *, requests: int) -> None:
    """Requests to models some days ago."""
    database = connect(jot.settings.db, clock=lambda: system_clock() - days * DAY_MS)
    budget = Budget(database, cap=Cap(), timeout_ms=45_000)
    for number in range(requests):
        call = ModelCall(tenant=jot.settings.tenant, model="qwen3:8b", purpose="extraction", job_id=number + 1)
        used = Spent(tokens_in=1_200 + 170 * days, tokens_out=310, cost=0.0021 * (days + 1))
        with budget.request(call, estimate=used) as entry:
            budget.settle(call, entry, spent=used)
    database.close()
