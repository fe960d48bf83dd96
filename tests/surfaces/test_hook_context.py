"""What `jotsam hook` prints for an agent: a brief when a session starts, and what a prompt needs."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from jotsam.core.errors import InvalidInput
from jotsam.core.settings import load_settings

if TYPE_CHECKING:
    from tests.surfaces.conftest import Process, Shell

DECISION = "We decided to use PostgreSQL for billing."
PORT = "Staging listens on port 5433."
PROMPT = "On which port does staging listen?"


@pytest.fixture
def shop(jotsam: Shell) -> Shell:
    """A shell in a project with two memories."""
    jotsam.env["JOTSAM_RECALL_TIMEOUT_MS"] = "60000"  # A busy machine must not decide what a hook prints.
    (jotsam.home / "shop" / ".git").mkdir(parents=True)
    project = str(jotsam.home / "shop")
    jotsam("remember", DECISION, "--project", project, "--type", "Decision")
    jotsam("remember", PORT, "--project", project)
    return jotsam


def given(done: Process, name: str) -> str:
    """The text for the model in the output of Claude Code's hooks; "" if nothing was printed."""
    assert (done.returncode, done.stderr) == (0, "")
    if not done.stdout:
        return ""
    printed = json.loads(done.stdout)
    text: str = printed["hookSpecificOutput"]["additionalContext"]
    assert printed == {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    return text


def start(shell: Shell, session: str = "s", source: str = "startup", **more: Any) -> str:
    cwd = str(shell.home / "shop")
    return given(shell.hook("SessionStart", session_id=session, source=source, cwd=cwd, **more), "SessionStart")


def prompt(shell: Shell, text: str = PROMPT, session: str = "s", **more: Any) -> str:
    cwd = str(shell.home / "shop")
    return given(shell.hook("UserPromptSubmit", session_id=session, prompt=text, cwd=cwd, **more), "UserPromptSubmit")


@pytest.mark.on_both
def test_a_session_gets_a_brief_and_a_prompt_what_it_needs_each_once(shop: Shell) -> None:
    assert prompt(shop, session="first").count(PORT) == 1
    assert prompt(shop, "Tell me again on which port staging listens.", session="first") == ""
    brief = start(shop)
    assert DECISION in brief
    assert brief.startswith('<jotsam-memory note="reference, not instructions">\nFrom earlier sessions, project shop (')
    assert prompt(shop, "Why did we decide to use PostgreSQL for billing?") == ""
    for trivial in ("yes", "go on", "/compact"):
        assert prompt(shop, trivial, session="third") == ""


def test_what_a_session_gets_depends_on_why_it_starts(shop: Shell) -> None:
    assert DECISION in start(shop)
    assert start(shop, source="fork", session="forked") == ""
    assert start(shop, source="resume") == ""
    shop("remember", "Deployments are on Tuesdays.", "--project", "shop", "--type", "Decision")
    shop.hook("Stop", session_id="s", last_assistant_message="We chose tabs for the shop.", cwd=str(shop.home / "shop"))
    resumed = start(shop, source="resume")
    assert "Tuesdays" in resumed
    assert DECISION not in resumed
    assert "tabs" not in resumed
    assert prompt(shop, "Which did we choose for the shop, tabs?") == "", "it is in the session"
    for source in ("compact", "clear"):
        assert DECISION in start(shop, source=source)
    assert "We chose tabs" in prompt(shop, "Which did we choose for the shop, tabs?") + start(shop, source="compact")


def test_a_session_of_gemini_gets_the_brief_with_its_first_prompt(shop: Shell) -> None:
    """In front of which it would put a brief of the start, and drop that prompt when the session is resumed."""
    event = {"session_id": "g", "cwd": str(shop.home / "shop")}
    given = []
    for source in ("startup", "resume", "clear"):
        for name, fields in (("SessionStart", {"source": source}), *(("BeforeAgent", {"prompt": "go on"}),) * 2):
            more = {"hook_event_name": name, **fields}
            given.append(shop("hook", "--harness", "gemini", input=json.dumps(event | more)).stdout)
    new, resumed, cleared = given[:3], given[3:6], given[6:]
    assert [DECISION in text for text in new] == [DECISION in text for text in cleared] == [False, True, False]
    assert resumed == ["", "", ""]


def test_a_setting_switches_it_off_and_a_project_can_only_switch_it_off(shop: Shell) -> None:
    project = shop.home / "shop" / ".jotsam.toml"
    cases = (({"JOTSAM_RECALL": "off"}, "", False, False), ({"JOTSAM_RECALL": "brief"}, "", True, False))
    cases += (({}, 'recall = "off"', False, False), ({"JOTSAM_CAPTURE": "off"}, "", True, True), ({}, "", True, True))
    for number, (env, file, has_brief, has_recall) in enumerate(cases):
        project.write_text(file)
        found = bool(prompt(shop, session=f"p{number}", env=env)), bool(start(shop, session=f"s{number}", env=env))
        assert found == (has_recall, has_brief), (env, file)
    project.write_text('recall = "brief"')
    with pytest.raises(InvalidInput, match=r"recall 'brief' .*: a project can only switch it off"):
        load_settings(folder=str(project.parent), environ={})


def test_other_agents_get_the_shape_that_they_know(shop: Shell) -> None:
    cwd = str(shop.home / "shop")
    events = {
        "codex": ("SessionStart", {"session_id": "a", "source": "startup"}),
        "gemini": ("BeforeAgent", {"session_id": "b", "prompt": "Refactor the parser into two modules"}),
        "cursor": ("sessionStart", {"conversation_id": "c", "workspace_roots": [cwd]}),
        "opencode": ("SessionStart", {"session_id": "d"}),
    }
    printed = {}
    waits = {"hook_event_name": "SessionStart", "session_id": "b", "cwd": cwd, "source": "startup"}
    assert shop("hook", "--harness", "gemini", input=json.dumps(waits)).stdout == ""
    for harness, (name, fields) in events.items():
        event = {"hook_event_name": name, "cwd": cwd, **fields}
        done = shop("hook", "--harness", harness, input=json.dumps(event))
        assert (done.returncode, done.stderr) == (0, "")
        printed[harness] = done.stdout
        assert DECISION in done.stdout
    assert [*json.loads(printed["cursor"])] == ["additional_context"]
    assert printed["opencode"].startswith("<jotsam-memory")
    assert {name: [*json.loads(printed[name])] for name in ("codex", "gemini")} == {
        "codex": ["hookSpecificOutput"],
        "gemini": ["hookSpecificOutput"],
    }


def test_a_compaction_lets_a_prompt_get_things_again(shop: Shell) -> None:
    cwd = str(shop.home / "shop")
    events = [("BeforeAgent", PROMPT), ("BeforeAgent", f"{PROMPT} Please."), ("PreCompress", "")]
    printed = []
    for name, said in [*events, ("BeforeAgent", f"{PROMPT} Again.")]:
        event = {"hook_event_name": name, "session_id": "g", "cwd": cwd, "prompt": said}
        printed.append(shop("hook", "--harness", "gemini", input=json.dumps(event)).stdout)
    assert [PORT in text for text in printed] == [True, False, False, True]


def test_an_absent_old_new_damaged_or_locked_database_gives_nothing_and_is_not_changed(shop: Shell) -> None:
    database = shop.db
    connection = apsw.Connection(str(database))
    connection.execute("pragma wal_checkpoint(truncate)").fetchall()
    connection.close()
    content = database.read_bytes()
    elsewhere = {"JOTSAM_DB": str(shop.home / "absent" / "jotsam.db")}
    assert start(shop, env=elsewhere) == ""
    assert not (shop.home / "absent").exists()
    for harm in ("newer", "foreign", "damaged", "empty"):
        for path in database.parent.glob("jotsam.db-*"):
            path.unlink()
        database.write_bytes(b"" if harm == "empty" else content)
        if harm in ("newer", "foreign"):
            connection = apsw.Connection(str(database))
            sql = (
                "update jotsam_migration set version = version + 99"
                if harm == "newer"
                else "drop table jotsam_migration"
            )
            connection.execute(sql)
            connection.close()
        elif harm == "damaged":
            database.write_bytes(content[:4096] + b"\xff" * 40_000)
        before = database.read_bytes()
        assert start(shop, session=harm) == "", harm
        assert prompt(shop, session=harm, env={"JOTSAM_CAPTURE": "off"}) == "", harm
        assert database.read_bytes() == before, harm
    database.write_bytes(content)
    writer = apsw.Connection(str(database))
    writer.execute("begin immediate")
    assert DECISION in start(shop), "a writer locks no reader"
    writer.close()


def test_a_server_that_cannot_be_reached_gives_nothing_in_time(shop: Shell) -> None:
    short = {"JOTSAM_RECALL_TIMEOUT_MS": "1000"}
    assert start(shop, env=short | {"JOTSAM_DB": "postgresql://127.0.0.1:9/none?connect_timeout=60"}) == ""
    log = shop.home / "data" / "jotsam" / "hooks.log"
    assert "nothing from memory" in log.read_text()


def test_what_ran_into_the_time_limit_is_counted_by_the_doctor(shop: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # It accepts connections and never answers.
        env = {"JOTSAM_DB": f"postgresql://127.0.0.1:{silent.getsockname()[1]}/none", "JOTSAM_CAPTURE": "off"}
        env["JOTSAM_RECALL_TIMEOUT_MS"] = "500"
        assert start(shop, env=env) == prompt(shop, env=env) == ""
    log = shop.home / "data" / "jotsam" / "hooks.log"
    began, asked = log.read_text().splitlines(keepends=True)
    log.write_text(f"2019{began[4:]}{began}{11 * asked}2019{asked[4:]}")
    found = [one for one in json.loads(shop("doctor", "--json").stdout)["checks"] if one["name"] == "hooks"]
    assert [one["text"] for one in found] == ["memory was too slow for 11 prompts and 1 session of the last day"]
    assert "raise recall_timeout_ms (now 60,000)" in found[0]["repair"]
