"""Git: commits, which are no turns of a session, from the `post-commit` hook of a repository."""

from __future__ import annotations

from jotsam.agents.agent import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.agent import Event


def _event_in(text: str, folder: str) -> Event | None:
    from jotsam.agents.git import commits

    return commits.event_of(text, folder)


def _test_event(text: str) -> str:
    from jotsam.core.clock import system_clock

    return f"{system_clock() // 1_000}\0jotsam\0{text}\0"


AGENT = Agent(
    name="git",
    title="git",
    events={},
    event_in=_event_in,
    test_event=_test_event,
    note="a commit whose message says nothing, such as `wip`, is not stored",
    captures="the messages of your commits in this repository, and the names of the changed files",
    scopes=("project",),
    is_in_worktree=False,
    may_be_silent=True,  # A repository may have no commit for long.
    instructions="",
)
