"""Claude Code in a terminal stores each turn once: `/clear`, `/compact`, `/exit`, a fork, a closed window, a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from agent_programs import Claude
from stub_models import StubModels
from terminals import Terminal

from processes import until

if TYPE_CHECKING:
    from agent_programs import Agent
    from tests.agents.conftest import Program

pytestmark = pytest.mark.agents


IN_TERMINAL = ("--permission-mode", "default")  # Newer versions have another default, with another line below.
READY = "? for shortcuts"
MENU = {  # What the program shows below a command once it has read it.
    "/clear": "Start a new session with empty context",
    "/compact": "Free up context by summarizing",
}


class Session:
    """A person at Claude Code."""

    def __init__(self, agent: Claude, models: StubModels, folder: Path, *options: str) -> None:
        self.models = models
        self.terminal = Terminal([agent.program, *IN_TERMINAL, *options], folder=folder, env=agent.env)
        self.terminal.shows(READY)

    def says(self, prompt: str, answer: str) -> None:
        """Send a prompt to the model, which gives this answer."""
        self.models.will(answer)
        self.terminal.type(prompt)
        self.terminal.press_until("\r", lambda: self.models.requests and prompt in self.models.requests[-1].text)

    def commands(self, command: str) -> None:
        self.terminal.type_and_see(command, MENU[command])
        self.terminal.type_and_see("\r", READY)

    def exits(self) -> None:
        self.terminal.type("/exit")
        self.terminal.press_until("\r", lambda: self.terminal.process.poll() is not None)


@pytest.fixture
def claude(start_agent: Callable[[str], Agent], jotsam: Program) -> Claude:
    agent = start_agent("claude")
    assert isinstance(agent, Claude)
    agent.trust(jotsam.project("shop"))
    jotsam.install("claude")
    return agent


@pytest.fixture
def sit_down(claude: Claude, jotsam: Program, models: StubModels) -> Iterator[Callable[..., Session]]:
    """A session in a terminal of its own, in the project."""
    sessions: list[Session] = []

    def start(*options: str) -> Session:
        sessions.append(Session(claude, models, jotsam.home / "shop", *options))
        return sessions[-1]

    yield start
    for session in sessions:
        session.terminal.end()


def stored_when_there(jotsam: Program, count: int) -> list[tuple[str, str]]:
    """A hook may still run after the answer is shown."""
    until(lambda: len(jotsam.said()) >= count)
    return jotsam.said()


def test_clear_begins_another_session_that_gets_the_brief(
    sit_down: Callable[..., Session], jotsam: Program, models: StubModels
) -> None:
    session = sit_down()
    session.says("We decided to keep the zebra in Bonn.", "Noted, Bonn.")
    stored_when_there(jotsam, 2)
    session.commands("/clear")
    session.says("Where do we keep the zebra?", "In Bonn again.")
    stored_when_there(jotsam, 4)
    assert "We decided to keep the zebra in Bonn." in models.requests[-1].text
    session.exits()
    stored = jotsam.stored()
    assert [memory["text"] for memory in stored] == [
        "We decided to keep the zebra in Bonn.",
        "Noted, Bonn.",
        "Where do we keep the zebra?",
        "In Bonn again.",
    ]
    assert stored[0]["session"] == stored[1]["session"] != stored[2]["session"] == stored[3]["session"]


def test_a_compacted_session_keeps_its_turns_and_its_summary(
    sit_down: Callable[..., Session], jotsam: Program, models: StubModels
) -> None:
    session = sit_down()
    session.says("We keep the zebra in Bonn.", "Noted, Bonn.")
    stored_when_there(jotsam, 2)
    session.says("It eats hay.", "Hay it is.")
    stored_when_there(jotsam, 4)
    models.will("<summary>The user keeps a zebra in Bonn and asked for nothing else.</summary>")
    session.commands("/compact")
    session.terminal.shows("Compacted")
    session.says("And the lion?", "In Cologne.")
    stored_when_there(jotsam, 7)
    session.exits()
    texts = [text for _, text in jotsam.said()]
    summaries = [text for text in texts if "asked for nothing else" in text]
    assert [text for text in texts if text not in summaries] == [
        "We keep the zebra in Bonn.",
        "Noted, Bonn.",
        "It eats hay.",
        "Hay it is.",
        "And the lion?",
        "In Cologne.",
    ]
    assert len(summaries) == 1


def test_a_killed_and_a_closed_terminal_lose_nothing_and_a_resume_doubles_nothing(
    sit_down: Callable[..., Session], jotsam: Program
) -> None:
    session = sit_down()
    session.says("We keep the zebra in Bonn.", "Noted, Bonn.")
    stored_when_there(jotsam, 2)
    session.terminal.kill()
    session = sit_down("--continue")
    session.says("And the lion?", "In Cologne.")
    stored_when_there(jotsam, 4)
    session.terminal.hang_up()
    session = sit_down("--continue", "--fork-session")
    session.says("And the gnu?", "In Kiel.")
    stored_when_there(jotsam, 6)
    session.exits()
    assert jotsam.said() == [
        ("user", "We keep the zebra in Bonn."),
        ("assistant", "Noted, Bonn."),
        ("user", "And the lion?"),
        ("assistant", "In Cologne."),
        ("user", "And the gnu?"),
        ("assistant", "In Kiel."),
    ]
