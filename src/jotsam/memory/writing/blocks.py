"""`Jotsam.blocks`: small named texts that are always at hand, with a limit, a version and a pin.

A block is not a memory: it is not extracted from, not linked and not found by `recall`. It is read by its name, and the
pinned ones come first in a brief.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import new_id
from jotsam.core.errors import Conflict, InvalidInput, NotFound
from jotsam.core.names import ENRICH
from jotsam.core.operations import Operation
from jotsam.core.records import MemoryBlock
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.validation import check_line, storable_text
from jotsam.storage import queue
from jotsam.storage.forgetting import tombstones
from jotsam.storage.memories import allowed_secrets, blocks, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database, Transaction

LIMIT, MAX_LIMIT = 2_000, 100_000  # characters of a text
MAX_LISTED = 10_000
PLACE = ("project", "actor")


class Blocks:
    """The memory blocks of one tenant.

    A block is identified by its name, project and actor. By default these are the project and the actor of the client;
    "" is none, and such a block applies to all.
    """

    def __init__(self, database: Database, *, tenant: str, project: str, actor: str | None) -> None:
        self._database, self._tenant = database, tenant
        self._project, self._actor = project, actor or ""

    @Operation(
        route="PUT /v1/blocks/{name}",
        scope="write",
        body="BlockBody: The text of a block. What is not given stays: at first a limit of 2,000 characters, pinned.",
        in_query=PLACE,
        of_client=PLACE,
        versioned=True,
        summary="Create a memory block, or replace its text",
    )
    def set(
        self,
        name: str,
        text: str,
        *,
        limit: int | None = None,
        pinned: bool | None = None,
        project: str | None = None,
        actor: str | None = None,
        version: int | None = None,
    ) -> MemoryBlock:
        """Create a block or replace its text. The same text, limit and pin change nothing.

        `limit` is the maximum of characters, at first 2,000; `pinned`, at first true, puts it into each brief. With
        `version`, raises `Conflict` if the block has another one; 0: if it exists. Raises `InvalidInput`.
        """
        address = self._address(name, project, actor)
        stored = storable_text(text)[0]
        if limit is not None:
            validate.check_int("limit", limit, 1, MAX_LIMIT)
        if pinned is not None:
            validate.check_bool("pinned", pinned)
        with self._database.transaction(tenant=self._tenant) as tx:
            address = _placed(tx, address)
            old = self._locked(tx, address, version)
            before = old or _new(tx, address)
            block = _saved(
                tx,
                before.replace(
                    text=stored,
                    limit=before.limit if limit is None else limit,
                    pinned=before.pinned if pinned is None else pinned,
                ),
                old,
            )
        if old and old.text != block.text:  # Nothing keeps the earlier text.
            self._database.maintain()
        return block

    @Operation(
        route="POST /v1/blocks/{name}/append",
        scope="write",
        body="AppendBody: A line to add.",
        in_query=PLACE,
        of_client=PLACE,
        versioned=True,
        summary="Add a line to a memory block",
    )
    def append(
        self,
        name: str,
        text: str,
        *,
        project: str | None = None,
        actor: str | None = None,
        version: int | None = None,
    ) -> MemoryBlock:
        """Add a line to the text of a block. Raises `NotFound`, `Conflict`, `InvalidInput`."""
        address = self._address(name, project, actor)
        added = storable_text(text)[0]
        with self._database.transaction(tenant=self._tenant) as tx:
            address = _resolved(tx, address)
            old = _existing(self._locked(tx, address, version), address)
            return _saved(tx, old.replace(text=f"{old.text}\n{added}"), old)

    @Operation(route="GET /v1/blocks/{name}", scope="read", of_client=PLACE, versioned=True, summary="One memory block")
    def get(self, name: str, *, project: str | None = None, actor: str | None = None) -> MemoryBlock:
        """One block. Raises `NotFound`, `InvalidInput`."""
        address = self._address(name, project, actor)
        with self._database.snapshot(tenant=self._tenant) as tx:
            address = _resolved(tx, address)
            return _existing(blocks.get(tx, **address), address)

    @Operation(route="GET /v1/blocks", scope="read", limits={"limit": (1, MAX_LISTED)}, summary="Memory blocks by name")
    def list(
        self, *, project: str | None = None, actor: str | None = None, pinned: bool | None = None, limit: int = 200
    ) -> tuple[MemoryBlock, ...]:
        """Blocks by name, of all projects and actors, or of those that are given; "" is none. Raises `InvalidInput`."""
        validate.check_int("limit", limit, 1, MAX_LISTED)
        if pinned is not None:
            validate.check_bool("pinned", pinned)
        names = {"project": _part("project", project), "actor": _part("actor", actor)}
        with self._database.snapshot(tenant=self._tenant) as tx:
            names["project"] = projects.asked(tx, names["project"])
            return blocks.every(tx, **names, pinned=pinned, limit=limit)

    @Operation(
        route="DELETE /v1/blocks/{name}",
        scope="write",
        of_client=PLACE,
        versioned=True,
        summary="Delete a memory block",
    )
    def delete(
        self, name: str, *, project: str | None = None, actor: str | None = None, version: int | None = None
    ) -> MemoryBlock:
        """Delete a block. Returns it as it was. Raises `NotFound`, `Conflict`, `InvalidInput`."""
        address = self._address(name, project, actor)
        with self._database.transaction(tenant=self._tenant) as tx:
            address = _resolved(tx, address)
            old = _existing(self._locked(tx, address, version), address)
            blocks.delete(tx, **address)
        self._database.erase()
        return old

    def _address(self, name: str, project: str | None, actor: str | None) -> dict[str, str]:
        found = check_line("name", name)
        if found is None:
            raise InvalidInput(f"invalid name {name!r}: must have a visible character")
        part = _part("project", project)
        who = _part("actor", actor)
        return {
            "name": found,
            "project": self._project if part is None else part,
            "actor": self._actor if who is None else who,
        }

    def _locked(self, tx: Transaction, address: dict[str, str], version: int | None) -> MemoryBlock | None:
        """The block, which no other transaction changes until this one ends. Raises `Conflict`."""
        tx.lock(f"blocks {self._tenant}")
        found = blocks.get(tx, **address)
        has = 0 if found is None else found.version
        if version is not None and validate.check_int("version", version, 0) != has:
            state = f"has version {has}" if has else "does not exist"
            raise Conflict(f"block {address['name']!r} {state}, not version {version}: read it again")
        return found


def _resolved(tx: Transaction, address: dict[str, str]) -> dict[str, str]:
    """The address with the key of its project. Raises `InvalidInput`."""
    return address | {"project": projects.resolve(tx, address["project"])}


def _placed(tx: Transaction, address: dict[str, str]) -> dict[str, str]:
    """The same for a block that may be new. A secret in the name of the project is refused before it is stored."""
    Redactor(lambda: allowed_secrets.fingerprints(tx)).check_identifier("project", address["project"])
    place = projects.place(tx, address["project"])
    if place.project and place.is_new:
        projects.add(tx, place.project)
    return address | {"project": place.project or ""}


def redacted(tx: Transaction, block: MemoryBlock) -> MemoryBlock:
    """The block without secrets. Raises `InvalidInput` for a secret in its name, and for a text above the limit."""
    redactor = Redactor(lambda: allowed_secrets.fingerprints(tx))
    for field in ("name", "project", "actor"):
        redactor.check_identifier(field, getattr(block, field) or "")
    text = redactor.redact_text(block.text)
    if len(text) > block.limit:
        raise InvalidInput(
            f"the text of block {block.name!r} would have {len(text):,} characters, and its limit is {block.limit:,}: "
            "shorten it, or give a larger limit"
        )
    return block.replace(text=text)


def _new(tx: Transaction, address: dict[str, str]) -> MemoryBlock:
    return MemoryBlock(
        id=new_id(),
        name=address["name"],
        project=address["project"] or None,
        actor=address["actor"] or None,
        text="",
        limit=LIMIT,
        pinned=True,
        version=0,
        created_at=tx.now,
        changed_at=tx.now,
    )


def _saved(tx: Transaction, block: MemoryBlock, old: MemoryBlock | None) -> MemoryBlock:
    """The block as it is stored, with the next version if something is different."""
    block = redacted(tx, block)
    if tombstones.is_forgotten(tx, ((tombstones.TEXT, block.text),)):
        raise InvalidInput("this text was forgotten for good: `jotsam forget --allow-again` takes that back")
    if block == old:
        return block
    block = block.replace(version=block.version + 1, changed_at=tx.now)
    blocks.save(tx, block)
    if old is None:
        # A copy of a server asks the queue which tenants there are.
        queue.register_tenant(tx, queue=ENRICH, tenant=tx.tenant)
    return block


def _existing(found: MemoryBlock | None, address: dict[str, str]) -> MemoryBlock:
    if found is not None:
        return found
    whose = "".join(f" of {name} {address[name]!r}" for name in ("project", "actor") if address[name])
    raise NotFound(f"there is no block {address['name']!r}{whose}: `jotsam brief blocks` lists them")


def _part(name: str, value: str | None) -> str | None:
    """A project or an actor: None if it is not given, "" for none."""
    return None if value is None else check_line(name, value) or ""
