"""The cost of wake-ups for senders: eight processes that send one job after the other, each in its own commit.

A server lets only one transaction at a time commit a notification, so a notification per job would serialise all
senders. A process therefore notifies at most every 25 milliseconds, after its commit. In the rounds without wake-up no
process notifies; a process listens in all of them.
"""

from __future__ import annotations

from contextlib import ExitStack

from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.postgres.server import Server
from benchmarks.report import Bound, Report, Table, number
from benchmarks.timing import middle, ratio, take_turns

PROCESSES = 8
CLIENT = "benchmarks.postgres.client"
KINDS = {"without wake-up": False, "with wake-up": True}


def measure(plan: Plan) -> Report:
    jobs = plan.of(full=400, quick=10)
    with ExitStack() as stack:
        server = stack.enter_context(Server(plan.folder))
        *clients, listener = [stack.enter_context(Child(CLIENT)) for _ in range(PROCESSES + 1)]
        rates = {}
        for durable in (False, True):
            url = server.url(server.new_database(durable=durable))
            for client in (listener, *clients):
                client.ask("start", url=url, durable=durable)
            listener.ask("listen")

            def turn(rings: bool) -> float:
                for client in clients:
                    client.begin("send", jobs=jobs, rings=rings)
                took = [client.answer() for client in clients]
                return PROCESSES * jobs / max(took) * 1e9

            rates[durable] = take_turns(KINDS, plan.of(full=7, quick=1), turn)
            listener.ask("end")
        version = server.version
    rows = [(words, *(number(middle(rates[durable][words])) for durable in (False, True))) for words in KINDS]
    shares = {durable: ratio(taken["with wake-up"], taken["without wake-up"]) for durable, taken in rates.items()}
    rows.append(("ratio", *(number(shares[durable]) for durable in (False, True))))
    bounds = [
        Bound(
            promise=f"sending from {PROCESSES} processes with wake-up, {words}, against without",
            measured=shares[durable],
            limit=0.75,
            at_least=True,
        )
        for durable, words in ((False, "not synced"), (True, "synced"))
    ]
    table = Table(caption=f"{PROCESSES} processes.", columns=("jobs/s", "not synced", "synced"), rows=rows)
    return Report(tables=[table], bounds=bounds, conditions=("payload 200 bytes", version))


if __name__ == "__main__":
    main(measure, __doc__)
