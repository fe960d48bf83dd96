"""The contract of an agent, and the events of its hooks.

It names no agent, and imports nothing that slows the start of a hook. The other modules in the folder of an agent are
imported when they are needed: `sessions` has `FORMAT`, how its session files are read, `install` has `files`, which
gives what is written into its settings, and `model` has `COMMAND`, how it is run as a language model.
"""

from __future__ import annotations

from jotsam.agents.registry import AGENTS, SOURCES
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.validate import MAX_NAME_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jotsam.agents.agent_files import AgentFile
    from jotsam.agents.as_model import AgentCommand
    from jotsam.agents.session_format import SessionFormat

# What happened.
START, PROMPT, ANSWER, COMPACT, SUMMARY, END = "start", "prompt", "answer", "compact", "summary", "end"
COMMIT = "commit"

# The events that most agents send: by name the kind, and the field with the text.
EVENTS = {
    "SessionStart": (START, ""),
    "UserPromptSubmit": (PROMPT, "prompt"),
    "Stop": (ANSWER, "last_assistant_message"),
    "SubagentStop": (ANSWER, "last_assistant_message"),
    "PreCompact": (COMPACT, ""),
    "PostCompact": (SUMMARY, "compact_summary"),
    "SessionEnd": (END, ""),
}

MAX_ID = MAX_NAME_BYTES - 100  # a longer session or agent is cut, with room for what redaction adds

_TYPES = {SUMMARY: "Summary", COMMIT: "Context"}


class Event(Record):
    """One event of an agent.

    `text` is the prompt, the answer or the summary. `prompt` identifies the prompt within the session, and is empty if
    the agent names none. `reason` is why a session starts, is compacted or ends, in the words of the agent.
    """

    kind: str  # one of the constants above
    name: str  # as the agent calls it
    harness: str  # one of `AGENTS`, or another name that was given
    session: str
    text: str = ""
    prompt: str = ""
    actor: str = "user"  # `user`, `assistant`, `summary`, `agent` and a subagent's name, or `git` and an author's
    folder: str | None = None
    transcript: str | None = None
    reason: str | None = None
    said_at: int | None = None  # milliseconds since 1970, if the agent gives it
    metadata: Mapping[str, str] | None = None  # of its memory

    @property
    def memory_type(self) -> str | None:
        """The type of its memory; None if the extraction shall find it."""
        return _TYPES.get(self.kind)

    @property
    def source(self) -> str:
        """The source of the memories of this agent."""
        return SOURCES.get(self.harness, self.harness)


def _same(kind: str, text: str) -> str:
    return text


def _nothing(kind: str, fields: Mapping[str, Any]) -> bool:
    return False


def _specific_output(kind: str, name: str, context: str) -> str:
    import json

    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}})


class Agent(Record):
    """One agent. The defaults are what most agents do."""

    name: str  # of its folder
    title: str

    # Its hooks.
    events: Mapping[str, tuple[str, str]] = EVENTS
    prompt_event: str = "UserPromptSubmit"
    prompt_ids: tuple[str, ...] = ("prompt_id", "turn_id", "generation_id")  # fields that identify a prompt
    has_transcripts: bool = False  # if not, its hooks see everything, or its files cannot be read
    takes_brief_at_start: bool = True
    is_ignored: Callable[[str, Mapping[str, Any]], bool] = _nothing  # by kind and fields of the event
    as_typed: Callable[[str, str], str] = _same  # by kind and text: without what the agent added to it
    printed: Callable[[str, str, str], str] = _specific_output  # by kind, name of the event and context
    event_in: Callable[[str, str], Event | None] | None = None  # by text and folder, if it sends no JSON object
    test_event: Callable[[str], str] | None = None  # by text: what it sends, if that is no JSON object

    # Its installation.
    note: str = ""  # what its user has to know
    captures: str = ""  # what its hooks store, if it is not what those of other agents store
    scopes: tuple[str, ...] = ("user", "project")
    is_in_worktree: bool = True  # whether git sees the files that are written for a project
    silent_until: str = ""  # what its user has to do before the hooks run
    may_be_silent: bool = False  # whether it is no sign of a fault that nothing arrives

    # Files of a project that tell it how to work, and folders of such files. Lines about memory are written into the
    # first, `instructions`, of the project or of the user.
    instructions: str = "AGENTS.md"  # "": none
    has_user_instructions: bool = True  # if not, the user's are in a setting
    rule_files: tuple[str, ...] = ()
    rule_folders: tuple[str, ...] = ()

    plugin: str = ""  # the folder of its plugin, beside its modules
    variables: tuple[str, ...] = ()  # of the environment, set for the commands that it runs

    @property
    def has_hooks(self) -> bool:
        return self.name in SOURCES

    @property
    def sessions(self) -> SessionFormat:
        found: SessionFormat = __import__(f"jotsam.agents.{self.name}.sessions", fromlist=["FORMAT"]).FORMAT
        return found

    @property
    def model_command(self) -> AgentCommand:
        """Of those that the setting `llm` allows."""
        found: AgentCommand = __import__(f"jotsam.agents.{self.name}.model", fromlist=["COMMAND"]).COMMAND
        return found

    def files(self, scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
        """The files that have to start `program`, and what belongs into each. Raises `InvalidInput`."""
        module = __import__(f"jotsam.agents.{self.name}.install", fromlist=["files"])
        found: tuple[AgentFile, ...] = module.files(scope, folder, program)
        return found


def agent_of(harness: str) -> Agent:
    """The agent of a harness. One that is not known is taken to send the events of the first one."""
    name = harness if harness in AGENTS else AGENTS[0]
    found: Agent = __import__(f"jotsam.agents.{name}", fromlist=["AGENT"]).AGENT  # `importlib` is slow to import.
    return found


def agent_named(name: str) -> Agent:
    """The agent of a name. Raises `InvalidInput`."""
    if name not in AGENTS:
        raise InvalidInput(f"unknown agent {name!r}: must be one of {', '.join(AGENTS)}")
    return agent_of(name)


def every_agent() -> tuple[Agent, ...]:
    return tuple(map(agent_of, AGENTS))


def has_transcripts(harness: str) -> bool:
    """Whether the transcript of a running session is read; that of an agent that is not known is not."""
    return harness in SOURCES and agent_of(harness).has_transcripts
