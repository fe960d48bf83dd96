"""The check of `jotsam doctor` that finds steps of the lifecycle whose last run failed."""

from __future__ import annotations

from jotsam.core.records import CheckResult
from jotsam.memory.status.status import lifecycle_runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam


def lifecycle(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    with jot.database.snapshot(tenant=settings.tenant) as tx:
        failed = [one for one in lifecycle_runs(tx) if one.state == "failed"]
    for one in failed:
        text = f"the last run of {one.step} failed: {one.error or 'its job was discarded'}"
        repair = (
            f"`jotsam lifecycle show {one.id[:8]}` shows it, `jotsam lifecycle run {one.step} --apply` runs it again"
        )
        yield CheckResult(name="lifecycle", level="warn", text=text, repair=repair)
    if not failed:
        by_itself = "steps run by themselves" if settings.lifecycle == "on" else "no step runs by itself"
        yield CheckResult(name="lifecycle", level="ok", text=by_itself)
