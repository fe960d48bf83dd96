"""What a server process asks the database for its probes, its metrics and the sign-in of its dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.admin.readiness import why_not_ready
from jotsam.core.names import DECAY
from jotsam.memory.access import sign_ins
from jotsam.memory.automem import consolidation
from jotsam.memory.status import metrics

if TYPE_CHECKING:
    from conftest import StandingClock
    from jotsam import Jotsam

pytestmark = pytest.mark.needs_server


def test_a_link_signs_in_once_and_only_while_it_is_new(jot: Jotsam, clock: StandingClock) -> None:
    first, second = (sign_ins.create_link(jot.database, tenant="default", scope="read") for _ in range(2))
    found = sign_ins.use_link(jot.database, first)
    assert found is not None
    assert (found.tenant, found.scope) == ("default", "read")
    assert sign_ins.use_link(jot.database, first) is None
    made = sign_ins.sign_in(jot.database, found, scope="read")
    signed_in = sign_ins.find_sign_in(jot.database, made.secret)
    assert signed_in is not None
    assert signed_in.tenant == "default"
    assert sign_ins.use_link(jot.database, made.secret) is None
    clock.tick(sign_ins.LINK_MS)
    assert sign_ins.use_link(jot.database, second) is None
    clock.tick(1)
    sign_ins.create_link(jot.database, tenant="default", scope="read")
    with jot.database.snapshot(tenant="default") as tx:
        rows = tx.execute("select purpose from api_token where tenant = :tenant")
    assert sorted(row["purpose"] for row in rows) == ["dashboard", "link"], "expired links are removed"


def test_a_database_is_ready_unless_its_schema_is_newer(jot: Jotsam) -> None:
    assert why_not_ready(jot.database) is None
    with jot.database.transaction() as tx:
        tx.execute("update jotsam_migration set version = 999 where schema = 'memory' and version = 3")
    assert why_not_ready(jot.database) == "the schema of the database is newer than this program"


def test_metrics_count_the_runs_of_each_step_of_the_tenant(jot: Jotsam) -> None:
    jot.remember("Ana moved to Bonn.")
    jot.work()
    jot.lifecycle.run(DECAY)
    jot.work()
    (step,) = metrics.read_metrics(jot.database, tenant="default").steps
    assert (step.step, step.runs) == (DECAY, 1)
    assert metrics.read_metrics(jot.database, tenant="other").steps == ()
    assert consolidation.relevance(jot)["memories"] == 1
