"""What `jotsam doctor` checks of the stored data: backups, runs of the lifecycle, tables, and row-level security."""

from __future__ import annotations

import re

from jotsam.core.clock import system_clock
from jotsam.core.records import CheckResult
from jotsam.memory.status.status import lifecycle_runs
from jotsam.storage import MEMORY, migrations
from jotsam.storage.memories import notes
from jotsam.storage.postgres import tenant_isolation
from jotsam.storage.sqlite import backup_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam
    from jotsam.storage.database import Transaction


DAY_MS = 86_400_000
OBJECT = re.compile(r"^create (?:unique )?(table|index) (\w+)(?: on (\w+))?.*?;$", re.MULTILINE | re.DOTALL)
ROW_LEVEL_SECURITY = "row-level security"
MAX_SHOWN = 5


def advice(jot: Jotsam) -> str:
    """How to restore the newest backup of a damaged database."""
    return backup_files.advice(jot.database.url) if jot.database.is_file else "restore a backup of the server"


def backup(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """The age of the newest backup in the default folder. Backups may be elsewhere, so none is not a problem."""
    path = jot.database.url
    found = backup_files.listed(path)
    if found:
        days = max(0, system_clock() - backup_files.time_of(path, found[-1])) // DAY_MS
        age = "less than a day" if days == 0 else "1 day" if days == 1 else f"{days:,} days"
        text = f"the newest is {age} old: {found[-1]}"
    else:
        text = f"there is none in {backup_files.folder_of(path)}; `jotsam db backup` makes one"
    yield CheckResult(name="backup", level="ok", text=text)


def backup_on_server(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """Whether `pg_dump` as this role saves everything. Row-level security hides all memories from it, without error."""
    with jot.database.snapshot() as tx:
        (found,) = tx.execute(
            "select rolsuper or rolbypassrls as passes, rolname as role from pg_roles where rolname = current_user"
        )
    if found["passes"]:
        text = f"pg_dump as {found['role']} saves everything"
    else:
        text = (
            f"pg_dump as {found['role']} cannot save memories: use a superuser or a role with BYPASSRLS, or"
            " `jotsam db migrate --to backup.db`"
        )
    yield CheckResult(name="backup", level="ok", text=text)


def lifecycle(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    with jot.database.snapshot(tenant=settings.tenant) as tx:
        failed = [one for one in lifecycle_runs(tx) if one.state == "failed"]
    for one in failed:
        text = f"the last run of {one.step} failed: {one.error or 'its job was discarded'}"
        again = f"`jotsam db lifecycle run {one.step} --apply` runs it again"
        repair = f"`jotsam db lifecycle show {one.id[:8]}` shows it, {again}"
        yield CheckResult(name="lifecycle", level="warn", text=text, repair=repair)
    if not failed:
        by_itself = "steps run by themselves" if settings.lifecycle == "on" else "no step runs by itself"
        yield CheckResult(name="lifecycle", level="ok", text=by_itself)


def unread_sessions(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """The sessions that an earlier release enriched: it made no notes of them."""
    with jot.database.snapshot(tenant=settings.tenant) as tx:
        found = notes.unread_sessions(tx)
    if found:
        turns, more = sum(row["turns"] for row in found), len(found) - MAX_SHOWN
        names = ", ".join(row["session"] for row in found[:MAX_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
        what = f"{turns:,} {'turn' if turns == 1 else 'turns'} of the session{'s' if len(found) > 1 else ''} {names}"
        text = f"an earlier version, which looked for no rules and decisions, has read {what}"
        yield CheckResult(name="notes", level="warn", text=text, repair="jotsam models reprocess --all")


def missing_objects(tx: Transaction) -> tuple[dict[str, str], dict[str, str]]:
    """The missing tables, and the missing indexes of tables that are there: by name, the SQL that created each."""
    there = {row["name"] for row in tx.execute("select name from sqlite_schema")}
    found: dict[str, dict[str, str]] = {"table": {}, "index": {}}
    for step in migrations.outstanding("sqlite", found={}, wanted=dict.fromkeys(MEMORY, 1)):
        for one in OBJECT.finditer(step.script):
            if one[2] not in there and (one[3] is None or one[3] in there):
                found[one[1]][one[2]] = one[0]
    return found["table"], found["index"]


def examine_row_level_security(jot: Jotsam) -> CheckResult:
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
        return CheckResult(name=ROW_LEVEL_SECURITY, level="fail", text=text, repair=f"{owner}jotsam doctor --repair")
    if bypassing:
        text = f"the role {bypassing} bypasses row-level security: only the queries isolate tenants"
        return CheckResult(name=ROW_LEVEL_SECURITY, level="warn", text=text, repair="connect as a non-superuser role")
    return CheckResult(name=ROW_LEVEL_SECURITY, level="ok", text="isolates the tenants: an unknown tenant sees no row")


def restore_row_level_security(jot: Jotsam) -> list[str]:
    """Give the tables that the current role owns the policies of the migrations again. Returns the tables changed."""
    with jot.database.transaction() as tx:
        tables = [fault.table for fault in tenant_isolation.faults(tx) if fault.owned]
        for table in tables:
            tenant_isolation.restore(tx, table)
    return tables
