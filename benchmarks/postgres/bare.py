"""The least that is still a durable queue: one table with a state, two partial indexes, and a statement each for a
batch that is claimed and a batch that is acknowledged, by id and token. No history, no counters, no handlers: it is the
ceiling, and not a queue that anybody could use.
"""

from __future__ import annotations

import psycopg

TABLES = """
create table job (
  id bigint generated always as identity primary key, queue text not null, priority smallint not null default 0,
  state smallint not null default 0, wake_at timestamptz, received int not null default 0, owner text,
  created_at timestamptz not null default clock_timestamp(), body jsonb not null
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
create index job_ready on job (queue, priority desc, id) where state = 0;
create index job_wake on job (wake_at) where wake_at is not null;
"""
FILL = "insert into job (queue, body) select 'default', to_jsonb(repeat('x', 198)) from generate_series(1, %s)"
CLAIM = """
with pick as materialized (
  select id from job where queue = 'default' and state = 0 order by priority desc, id limit %s for update skip locked
)
update job set state = 1, wake_at = clock_timestamp() + interval '60 s', received = received + 1, owner = 'me'
from pick where job.id = pick.id
returning job.id, job.received, job.body
"""
ACKNOWLEDGE = """
delete from job using unnest(%s::bigint[], %s::int[]) given (id, received)
where job.id = given.id and job.received = given.received and job.state = 1
"""


class Bare:
    table = "job"

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True, prepare_threshold=0)

    def install(self) -> None:
        self._connection.execute(TABLES, prepare=False)

    def fill(self, count: int) -> None:
        self._connection.execute(FILL, (count,))

    def prepare(self, batch: int) -> None:
        self._batch = batch

    def drain(self) -> None:
        while jobs := self._connection.execute(CLAIM, (self._batch,)).fetchall():
            self._connection.execute(ACKNOWLEDGE, ([job[0] for job in jobs], [job[1] for job in jobs]))

    def claim(self) -> tuple[int, int]:
        job, received, _ = self._connection.execute(CLAIM, (1,)).fetchall()[0]
        return job, received

    def acknowledge(self, job: tuple[int, int]) -> None:
        self._connection.execute(ACKNOWLEDGE, ([job[0]], [job[1]]))

    def close(self) -> None:
        self._connection.close()
