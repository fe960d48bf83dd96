"""A checkpoint: imports sessions, waits until they are processed, and runs the step `crystals`.

Each part is done once for the same turns, so a checkpoint can be repeated at any time.
"""

from __future__ import annotations

from jotsam.core.crystal_records import Checkpoint
from jotsam.core.names import CRYSTALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jotsam.ingest.sessions import ImportResult, Tell
    from jotsam.memory.api.client import Jotsam


def checkpoint(
    jot: Jotsam, paths: Sequence[str], *, project: str | None, dry_run: bool, timeout_ms: int, tell: Tell | None = None
) -> tuple[Checkpoint, ImportResult | None]:
    """Do it, or with `dry_run` tell what would happen to what is stored already. Raises `InvalidInput`."""
    imported = jot.import_sessions(paths, tell=tell, project=project, dry_run=dry_run) if paths else None
    if dry_run:
        plan = jot.lifecycle.plan(CRYSTALS, limit=0)
        return _result(jot, imported, plan.counts, state="planned", run=None, dry_run=True), imported
    _finish(jot, timeout_ms)
    run = jot.lifecycle.run(CRYSTALS)
    if jot.settings.worker == "off":
        jot.work()
    jot.lifecycle.wait(run.id, timeout_ms=timeout_ms)
    shown = jot.lifecycle.show(run.id, limit=0)
    return _result(jot, imported, shown.counts, state=shown.run.state, run=run.id, dry_run=False), imported


def _finish(jot: Jotsam, timeout_ms: int) -> None:
    if jot.settings.worker == "off":
        jot.work()
    jot.wait(timeout_ms=timeout_ms)


def _result(
    jot: Jotsam,
    imported: ImportResult | None,
    counts: Mapping[str, int],
    *,
    state: str,
    run: str | None,
    dry_run: bool,
) -> Checkpoint:
    depth = jot.status().depth
    more: dict[str, Any] = {"state": state, "run": run, "dry_run": dry_run}
    return Checkpoint(
        imported=imported.added if imported else 0,
        duplicates=imported.duplicates if imported else 0,
        problems=len(imported.problems) if imported else 0,
        judged=counts.get("triage", 0),
        promoted=counts.get("crystal", 0),
        supported=counts.get("support", 0),
        refused=counts.get("refusal", 0),
        left=depth.live + depth.dead,
        **more,
    )
