"""Row-level security on a server: compares the policies with those of the migrations, and restores them."""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.records import Record
from jotsam.storage import migrations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

# No tenant can have this name, because names have no surrounding whitespace.
NOT_A_TENANT = " not a tenant "

NAME = "tenant_isolation"
_POLICY = re.compile(rf"create policy {NAME} on (\w+)\s+using \((.+?)\)(?:\s+with check \((.+?)\))?;", re.DOTALL)


class Fault(Record):
    """What is wrong with the row-level security of a table. `owned`: the current role may restore it."""

    table: str
    text: str
    owned: bool


class _Policy(Record):
    sql: str
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
        expected = None if row["partition_of"] else _expected().get(table)
        if table in _expected() and (text := _fault(row, policies.get(name, []), expected)):
            found.append(Fault(table=name, text=f"{name}: {text}", owned=row["owned"]))
    return found


def tables_with_visible_rows(tx: Transaction) -> list[str]:
    """The tables of memory in which a transaction of `NOT_A_TENANT` sees a row: there must not be any."""
    import json

    probe = tx.one("tenant_isolation.probe", tables=json.dumps([*_expected()]))
    return [row["name"] for row in tx.execute(probe["sql"])] if probe and probe["sql"] else []


def restore(tx: Transaction, table: str) -> None:
    """Drop all policies of a table, and enable row-level security as the migrations do. Needs the owner."""
    for row in tx.all("tenant_isolation.policies"):
        if row["table"] == table:
            tx.execute(row["drop"])
    tx.execute(f"alter table {table} enable row level security, force row level security")
    if table in _expected():
        tx.execute(_expected()[table].sql)


def _fault(table: Row, policies: list[Row], expected: _Policy | None) -> str:
    """A partition has no policy, because no query names it: `expected` is None."""
    if not table["enabled"]:
        return "row-level security is disabled"
    if not table["forced"]:
        return "row-level security is not forced, so it does not apply to the owner"
    others = [row["name"] for row in policies if row["name"] != NAME or expected is None]
    if others:
        return f"it has another policy, {others[0]!r}"
    if expected is None:
        return ""
    if not policies:
        return f"the policy {NAME!r} is missing"
    (policy,) = policies
    same = _bare(policy["qual"]) == expected.using and _bare(policy["with_check"] or policy["qual"]) == expected.check
    return "" if same and policy["for_all"] else f"the policy {NAME!r} was changed"


@lru_cache(maxsize=1)
def _expected() -> dict[str, _Policy]:
    """By table: the policy of the migrations."""
    steps = migrations.outstanding("postgres", found={}, wanted={"memory": 0})
    found = [match for step in steps for match in _POLICY.finditer(step.script)]
    return {one[1]: _Policy(sql=one[0], using=_bare(one[2]), check=_bare(one[3] or one[2])) for one in found}


def _bare(expression: str | None) -> str:
    """An expression without what the server adds when it prints it: parentheses, casts to text, spaces."""
    text = re.sub(r"cast\((.+) as (\w+)\)", r"\1::\2", (expression or "").lower())
    return re.sub(r"::text|[()\s]", "", text)
