"""What `jotsam doctor` reports about engines."""

from __future__ import annotations

from jotsam.core.clock import system_clock
from jotsam.core.records import CheckResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.engine_records import EngineStatus
    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam

MINUTE_MS = 60_000
LATE_MS = 10 * MINUTE_MS  # after this time, changes that an engine was not told are a problem


def engines(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """Whether each engine can be used, and how far it is. Nothing without engines."""
    for engine in jot.admin.engines():
        level, text, repair = _checked(engine)
        yield CheckResult(name="engine", level=level, text=f"{engine.name}: {text}", repair=repair)


def _checked(engine: EngineStatus) -> tuple[str, str, str]:
    """Level, text and repair."""
    if engine.problem:
        repair = "fix what the error describes, and see `jotsam engine`; nothing else waits for it"
        return "warn", engine.problem, repair
    held = "" if engine.held is None else f"{engine.held:,} of "
    text = f"{engine.address}, version {engine.version}, {held}{engine.memories:,} memories"
    if engine.held is None:
        text += ", open in another process"
    if engine.paused:
        return "warn", f"{text}; its queue is paused: {engine.paused}", f"jotsam resume mirror-{engine.name}"
    late = 0 if engine.oldest is None else system_clock() - engine.oldest
    if late > LATE_MS:
        text += f"; {engine.pending:,} memories have waited for up to {late // MINUTE_MS:,} minutes"
        return "warn", text, "see `jotsam jobs --stuck`, and run a worker"
    if engine.error:
        return "warn", f"{text}; {engine.error}", f"jotsam engine compare {engine.name}"
    if engine.lacking:
        return "warn", f"{text}; no job writes the others", f"jotsam engine compare {engine.name} --repair"
    return "ok", text, ""
