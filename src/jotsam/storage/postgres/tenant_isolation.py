"""Row-level security on a server: compares the policies with those of the migrations, and restores them."""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.records import Record
from jotsam.storage import migrations, tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

# No tenant can have this name, because names have no surrounding whitespace.
NOT_A_TENANT = " not a tenant "

_POLICY = re.compile(
    r"drop policy (?P<gone>\w+) on (?P<of>\w+);"
    r"|create policy (?P<name>\w+) on (?P<table>\w+)\s+(?:for (?P<command>\w+)\s+)?"
    r"using \((?P<using>.+?)\)(?:\s+with check \((?P<check>.+?)\))?;",
    re.DOTALL,
)


class Fault(Record):
    """What is wrong with the row-level security of a table. `owned`: the current role may restore it."""

    table: str
    text: str
    owned: bool


class _Policy(Record):
    sql: str
    command: str  # that it is for: `all`, `select`
    using: str
    check: str


def bypassing_role(tx: Transaction) -> str | None:
    """The current role if row-level security does not apply to it."""
    row = tx.one("tenant_isolation.bypassing_role")
    return row["role"] if row else None


def faults(tx: Transaction) -> list[Fault]:
    """The tables of memory whose row-level security differs from that of the migrations, each with the first fault."""
    policies: dict[str, list[Row]] = {}
    for row in tx.all("tenant_isolation.policies"):
        policies.setdefault(row["table"], []).append(row)
    found = []
    for row in tx.all("tenant_isolation.tables"):
        name = row["name"]
        table = row["partition_of"] or name
        expected = {} if row["partition_of"] else _expected().get(table, {})
        if table in _hidden() and (text := _fault(row, policies.get(name, []), expected)):
            found.append(Fault(table=name, text=f"{name}: {text}", owned=row["owned"]))
    return found


def tables_with_visible_rows(tx: Transaction) -> list[str]:
    """The tables of memory in which a transaction of `NOT_A_TENANT` sees a row: there must not be any."""
    import json

    probe = tx.one("tenant_isolation.probe", tables=json.dumps(_hidden()))
    return [row["name"] for row in tx.execute(probe["sql"])] if probe and probe["sql"] else []


def restore(tx: Transaction, table: str) -> None:
    """Drop all policies of a table, and enable row-level security as the migrations do. Needs the owner."""
    for row in tx.all("tenant_isolation.policies"):
        if row["table"] == table:
            tx.execute(row["drop"])
    tx.execute(f"alter table {table} enable row level security, force row level security")
    for policy in _expected().get(table, {}).values():
        tx.execute(policy.sql)


def _hidden() -> list[str]:
    """The tables whose rows other tenants must not see."""
    return [name for name, table in tables.TABLES.items() if table.is_of_tenant]


def _fault(table: Row, policies: list[Row], expected: dict[str, _Policy]) -> str:
    """A partition has no policy, because no query names it: `expected` is empty."""
    if not table["enabled"]:
        return "row-level security is disabled"
    if not table["forced"]:
        return "row-level security is not forced, so it does not apply to the owner"
    found = {row["name"]: row for row in policies}
    others = [name for name in found if name not in expected]
    if others:
        return f"it has another policy, {others[0]!r}"
    for name, policy in expected.items():
        if name not in found:
            return f"the policy {name!r} is missing"
        if not _is_same(found[name], policy):
            return f"the policy {name!r} was changed"
    return ""


def _is_same(row: Row, policy: _Policy) -> bool:
    same = _bare(row["qual"]) == policy.using and _bare(row["with_check"] or row["qual"]) == policy.check
    return same and row["for_every_role"] and row["command"].lower() == policy.command


@lru_cache(maxsize=1)
def _expected() -> dict[str, dict[str, _Policy]]:
    """By table and name: the policies of the migrations."""
    steps = migrations.outstanding("postgres", found={}, wanted={"memory": 0})
    found: dict[str, dict[str, _Policy]] = {}
    for one in (match for step in steps for match in _POLICY.finditer(step.script)):
        if one["gone"]:
            del found[one["of"]][one["gone"]]
            continue
        using, check = _bare(one["using"]), _bare(one["check"] or one["using"])
        made = _Policy(sql=one[0], command=one["command"] or "all", using=using, check=check)
        found.setdefault(one["table"], {})[one["name"]] = made
    return found


def _bare(expression: str | None) -> str:
    """An expression without what the server adds when it prints it: parentheses, casts to text, spaces."""
    text = re.sub(r"cast\((.+) as (\w+)\)", r"\1::\2", (expression or "").lower())
    return re.sub(r"::text|[()\s]", "", text)
