"""The cost of storing 500 texts in one commit on a server: `Jotsam.add_many` and `Jotsam.remember_many` against 500
bare INSERTs.

The bare sides send a statement after the other, or all of them at once (`executemany`). The server is on the same
machine, so a round trip is short; far from it, the number of statements that wait for an answer counts more.
"""

from __future__ import annotations

import jotsam
from benchmarks.batches import stored, table
from benchmarks.plan import Plan, main
from benchmarks.postgres.server import Server
from benchmarks.report import Report

BARE, AT_ONCE = "500 inserts and a commit", "the same at once"
INSERT = "insert into text (body) values (%s)"


def measure(plan: Plan) -> Report:
    with Server(plan.folder) as server:
        name = server.new_database()
        with jotsam.Jotsam(server.url(name), worker="off") as jot, server.connect(name) as connection:
            connection.execute("create table text (id bigint generated always as identity primary key, body text)")

            def bare(some: list[str]) -> None:
                with connection.transaction():
                    for text in some:
                        connection.execute(INSERT, [text])

            def at_once(some: list[str]) -> None:
                with connection.transaction(), connection.cursor() as cursor:
                    cursor.executemany(INSERT, [[text] for text in some])

            sides = {BARE: bare, AT_ONCE: at_once}
            sides |= {"Jotsam.add_many": jot.add_many, "Jotsam.remember_many": jot.remember_many}
            rounds = stored(sides, rounds=plan.of(full=31, quick=1))
        version = server.version
    return Report(tables=[table(rounds, bare=BARE)], conditions=("every commit synced", version))


if __name__ == "__main__":
    main(measure, __doc__)
