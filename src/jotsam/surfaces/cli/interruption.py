"""Says what an interrupted command has kept, and how to continue. `start` then ends the process with 130."""

from __future__ import annotations

from jotsam.surfaces.cli.output import print_interrupted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


class Interruptible:
    """Within the block, Ctrl-C prints what was kept and how to continue. Put it outside of a progress bar."""

    def __init__(self, kept: str, advice: str) -> None:
        self.kept, self.advice = kept, advice

    def __enter__(self) -> Interruptible:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if kind is KeyboardInterrupt:
            print_interrupted(self.kept, self.advice)
