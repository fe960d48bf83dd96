"""Memory blocks of an export on their way back. One that exists is kept as it is."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import MemoryBlock
from jotsam.memory.writing.blocks import LIMIT, MAX_LIMIT, redacted
from jotsam.storage.forgetting import tombstones
from jotsam.storage.memories import blocks, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.transfer.export_format import BlockLine
    from jotsam.storage.database import Transaction

KIND = "block"


def import_block(tx: Transaction, line: BlockLine, number: int) -> tuple[str, *tuple[object, ...]]:
    """Store the block of a line. Returns what to count: the name of a method of `Tally`, and its arguments."""
    project = projects.of_row(tx, line.project, None)["project"]
    if blocks.get(tx, name=line.name, project=project or "", actor=line.actor or "") is not None:
        return "repeat", KIND
    block = MemoryBlock(
        id=line.id,
        name=line.name,
        text=line.text,
        limit=line.limit if 1 <= line.limit <= MAX_LIMIT else LIMIT,
        pinned=line.pinned,
        project=project,
        actor=line.actor or None,
        version=max(line.version, 1),
        created_at=line.created_at,
        changed_at=line.changed_at,
    )
    try:
        block = redacted(tx, block)
    except InvalidInput as error:
        return "reject", number, str(error)
    if tombstones.is_forgotten(tx, ((tombstones.TEXT, block.text),)):
        return "forget", KIND
    blocks.save(tx, block)
    return "add", KIND
