"""The registry of tables says of every table of a database what the database itself says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.memory.transfer import export_format
from jotsam.storage import table_catalogue
from jotsam.storage.postgres import tenant_isolation
from jotsam.storage.tables import DATABASE, FORGOTTEN, QUEUE, SHARED, TABLES

if TYPE_CHECKING:
    from jotsam import Jotsam
    from jotsam.storage.table_catalogue import Catalogue

pytestmark = pytest.mark.needs_server

# By whether the database is a file: what only the other kind has. A copy has `jotsam_copy` until it is complete.
ONLY_OTHERS_HAVE = {
    True: {"embedding_index", "held_job", "jotsam_copy", "tenant_move", "text_count", "text_index"},
    False: {"jotsam_copy", "text_index_waiting", "worker_lease"},
}


@pytest.fixture
def there(jot: Jotsam) -> Catalogue:
    with jot.database.snapshot() as tx:
        return table_catalogue.catalogue(tx)


def test_every_table_has_one_record_and_every_record_a_table(jot: Jotsam, there: Catalogue) -> None:
    optional = set() if "embedding_index" in there.columns else {"embedding_index"}  # It needs pgvector.
    assert there.columns.keys() - TABLES.keys() == set(), "add a record to storage/tables.py"
    assert TABLES.keys() - there.columns.keys() == ONLY_OTHERS_HAVE[jot.database.is_file] | optional


def test_the_order_is_that_of_the_references(there: Catalogue) -> None:
    places = {name: place for place, name in enumerate(TABLES)}
    found = [one for references in there.references.values() for one in references]
    assert found
    assert [one for one in found if places[one.table] < places[one.parent]] == []


def test_what_goes_with_a_memory_belongs_to_what_is_forgotten(there: Catalogue) -> None:
    """So it is in the trash. A reference that neither follows nor clears would keep a memory from being forgotten."""
    to_forgotten = {one for some in there.references.values() for one in some if one.parent in FORGOTTEN}
    assert {one for one in to_forgotten if not one.follows and not one.clears} == set()
    follow = {one.table for one in to_forgotten if one.follows}
    kept = {name for name, table in TABLES.items() if table.owner in FORGOTTEN and name in there.columns}
    assert follow - {*FORGOTTEN} == kept
    followers = {one.table for some in there.references.values() for one in some if one.follows and one.parent in kept}
    assert [name for name in followers if not TABLES[name].is_rebuilt] == [], "kept_rows reads no rows of such rows"


def test_columns_that_a_record_names_exist(there: Catalogue) -> None:
    for name in TABLES.keys() & there.columns.keys():
        table = TABLES[name]
        assert {*table.key, *table.summed} <= there.columns[name].keys(), name
        assert {*table.replaced_by} <= {one.column for one in there.references.get(name, ()) if one.clears}, name
        assert table.owner in (QUEUE, DATABASE) or ("tenant" in there.columns[name]) == (table.owner != SHARED), name


def test_row_level_security_hides_the_rows_of_each_tenant(jot: Jotsam, there: Catalogue) -> None:
    hidden = {name for name, table in TABLES.items() if table.is_of_tenant and name in there.columns}
    assert hidden
    if not jot.database.is_file:
        with jot.database.snapshot() as tx:
            assert {row["table"] for row in tx.all("tenant_isolation.policies")} == hidden
            assert tenant_isolation.faults(tx) == []


def test_every_table_is_in_an_export_or_has_a_reason() -> None:
    kinds = {one.__struct_config__.tag for one in export_format.Line.__args__}
    for name, table in TABLES.items():
        assert bool(table.line) != bool(table.not_exported), name
        assert table.line in kinds | {""}, name
