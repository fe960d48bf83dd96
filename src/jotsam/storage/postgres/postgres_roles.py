"""Privileges of a role that uses the database and owns nothing in it."""

from __future__ import annotations

from jotsam.core import dsn
from jotsam.core.errors import DatabaseUnusable, InvalidInput
from jotsam.storage.postgres import postgres_connection, postgres_errors
from jotsam.storage.postgres.postgres_connection import Translated
from jotsam.storage.postgres.postgres_errors import named
from jotsam.storage.statements import statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row
    from jotsam.storage.postgres.postgres_connection import Connection


def grant(url: str, role: str, *, apply: bool, wait_ms: int) -> list[str]:
    """The statements that let a role use the schema of the address; executed in one transaction if `apply`.

    Raises `InvalidInput` for a role that does not exist, or to which row-level security would not apply, and
    `DatabaseUnusable` if the current role may not grant.
    """
    schema = dsn.split_schema(url)[1]
    with Translated(url), postgres_connection.opened(url) as connection:
        postgres_connection.begin(connection, postgres_errors.begin(schema, lock_ms=wait_ms))
        owner = _checked(_all(connection, "roles.role", schema=schema, role=role), role)
        statements = [row["sql"] for row in _all(connection, "roles.grants", schema=schema, role=role, owner=owner)]
        for sql in statements if apply else ():
            connection.execute(sql)
        connection.execute("commit")
    return statements


def _checked(found: list[Row], role: str) -> str:
    """The owner of the tables."""
    if not found:
        quoted = role.replace('"', '""')
        raise InvalidInput(
            f'invalid role {role!r}: it does not exist; an administrator can create it: create role "{quoted}" login'
        )
    (row,) = found
    if row["bypasses"]:
        raise InvalidInput(
            f"invalid role {role!r}: row-level security does not apply to a superuser or a role with bypassrls"
        )
    if row["is_owner"]:
        raise InvalidInput(
            f"invalid role {role!r}: it is or can become {row['owner']!r}, which owns the tables and may disable"
            " row-level security; grant to a role that owns nothing"
        )
    if not row["may_grant"]:
        raise DatabaseUnusable(f"the tables belong to the role {row['owner']!r}: grant as that role")
    owner: str = row["owner"]
    return owner


def _all(connection: Connection, query: str, **params: str) -> list[Row]:
    return connection.execute(named(statement("postgres", query)), params).fetchall()
