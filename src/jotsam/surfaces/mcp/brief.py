"""The brief of a project: its most important and its newest memories."""

from __future__ import annotations

from jotsam.surfaces.mcp.calls import coverage_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.client import Jotsam

TOKENS = 600


def brief(jot: Jotsam, project: str | None = None) -> str:
    """The newest memories of a project, by default the current one; the coverage first."""
    answer = jot.recall("", tokens=TOKENS, hit_tokens=60, project=project or jot.settings.project or None)
    coverage = coverage_of(answer)
    return coverage if not answer.hits else f"{coverage}\n{answer.text.rpartition(chr(10))[0]}"
