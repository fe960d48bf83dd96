"""Files from before the scope `operator`: tokens stay, and in a file with one tenant its admin runs the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from jotsam import Jotsam
from jotsam.memory.access.tokens import find_principal
from jotsam.storage.statements import SQL

TABLE = Path(SQL) / "sqlite" / "migrations" / "memory_0001_initial" / "6_api_tokens.sql"


@pytest.mark.parametrize(
    ("tenants", "scopes"), [(["ana"], {"ana": "operator"}), (["ana", "eve"], {"ana": "admin", "eve": "admin"})]
)
def test_tokens_are_kept_and_the_only_admin_becomes_the_operator(
    url: str, tenants: list[str], scopes: dict[str, str]
) -> None:
    secrets = {}
    with Jotsam(url, worker="off") as jot:
        for tenant in tenants:
            view = jot.scoped(tenant=tenant)
            view.remember("Ana leads billing.")
            secrets[tenant] = view.admin.create_token(name="laptop", scope="admin", rate=5).secret
        writer = jot.scoped(tenant="ana").admin.create_token(name="agent", scope="write").secret
        _go_back(jot)
    with Jotsam(url, worker="off") as jot:
        found = {tenant: find_principal(jot.database, secret) for tenant, secret in secrets.items()}
        assert {tenant: one.scope for tenant, one in found.items() if one} == scopes
        assert [one.rate for one in found.values() if one] == [5.0] * len(tenants)
        agent = find_principal(jot.database, writer)
        assert agent
        assert agent.scope == "write"
        assert jot.scoped(tenant="ana").admin.create_token(name="more", scope="operator").token.scope == "operator"


def _go_back(jot: Jotsam) -> None:
    """Give the file the table of version 1 again, with its rows."""
    table, _, _ = TABLE.read_text().partition("create index")
    with jot.database.transaction() as tx:
        tx.execute("alter table api_token rename to later")
        tx.execute(table)
        tx.execute("insert into api_token select * from later")
        tx.execute("drop table later")
        tx.execute("create index api_token_tenant on api_token (tenant, created_at)")
        tx.execute("drop table note")
        tx.execute("drop table hint_word")
        tx.execute("drop table given_text")
        tx.execute("drop table text_index_waiting")
        for table in ("item_vector", "item_word", "item_field", "item"):
            tx.execute(f"drop table {table}")
        tx.execute("alter table trash drop column rows")
        tx.execute("delete from jotsam_migration where schema = 'memory' and version >= 3")
