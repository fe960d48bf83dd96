"""What a connection finds out about the schema of a server: whether it exists, its versions and its partitions."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.storage import migrations
from jotsam.storage import partitions as storage_partitions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.postgres.postgres_connection import Connection

LEDGER = f"{migrations.LEDGER};\n{migrations.ADD_PROGRAM.format('if not exists ')}"


def partitions(connection: Connection, url: str, found: dict[str, int], wanted: int | None) -> int:
    """The number of partitions: of the tables that exist, else the wanted one. Raises `InvalidInput` if they differ."""
    number = storage_partitions.checked(storage_partitions.DEFAULT if wanted is None else wanted)
    if "memory" not in found:
        return number
    (row,) = connection.execute("select count(*) as number from pg_inherits where inhparent = 'memory'::regclass")
    existing: int = row["number"]
    if wanted is not None and wanted != existing:
        has = f"{existing:,} partitions" if existing else "no partitions"
        raise InvalidInput(
            f"invalid number of partitions {wanted:,}: {url} has {has}, and the number is chosen when a database is"
            f" made; copy it: jotsam db migrate --partitions {wanted} --to NEW_DATABASE"
        )
    return existing


def exists(connection: Connection, schema: str) -> bool:
    """Checked first, because a role without the right to create schemas may use one that exists."""
    return bool(connection.execute("select 1 from pg_namespace where nspname = %s", [schema]).fetchone())


def applied(connection: Connection, schema: str, url: str) -> migrations.Versions:
    """The version of each schema; empty if Jotsam never wrote to the database. Raises `DatabaseUnusable`."""
    there = connection.execute("select to_regclass(%s) as there", [f"{schema}.jotsam_migration"]).fetchone()
    if there is None or there["there"] is None:
        return migrations.Versions()
    return migrations.versions(url, connection.execute(migrations.APPLIED), dialect="postgres")
