"""The row-level security of a server: `jotsam doctor` examines it, and `jotsam doctor --repair` restores it."""

from __future__ import annotations

from jotsam.core.records import CheckResult
from jotsam.storage.postgres import tenant_isolation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.api.client import Jotsam

NAME = "row-level security"
MAX_SHOWN = 5


def examine(jot: Jotsam) -> CheckResult:
    """Whether each table of memory has the policy of the migrations and shows no row to an unknown tenant."""
    with jot.database.snapshot(tenant=tenant_isolation.NOT_A_TENANT) as tx:
        bypassing = tenant_isolation.bypassing_role(tx)
        faults = tenant_isolation.faults(tx)
        visible = [] if bypassing else tenant_isolation.tables_with_visible_rows(tx)
    found = [fault.text for fault in faults]
    known = {fault.table for fault in faults}
    found += [f"{table}: an unknown tenant sees its rows" for table in visible if table not in known]
    if found:
        more = f"; and {len(found) - MAX_SHOWN:,} more" if len(found) > MAX_SHOWN else ""
        text = f"does not isolate the tenants: {'; '.join(found[:MAX_SHOWN])}{more}"
        owner = "" if all(fault.owned for fault in faults) else "as the owner of the tables: "
        return CheckResult(name=NAME, level="fail", text=text, repair=f"{owner}jotsam doctor --repair")
    if bypassing:
        text = f"the role {bypassing} bypasses row-level security: only the queries isolate tenants"
        return CheckResult(name=NAME, level="warn", text=text, repair="connect as a non-superuser role")
    return CheckResult(name=NAME, level="ok", text="isolates the tenants: an unknown tenant sees no row")


def restore(jot: Jotsam) -> list[str]:
    """Give the tables that the current role owns the policies of the migrations again. Returns the tables changed."""
    with jot.database.transaction() as tx:
        tables = [fault.table for fault in tenant_isolation.faults(tx) if fault.owned]
        for table in tables:
            tenant_isolation.restore(tx, table)
    return tables
