"""`jotsam mcp` as a process: how it starts, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.surfaces.mcp_client import request

from jotsam.surfaces.cli.parser import parse
from jotsam.surfaces.cli.start import MCP_OPTIONS, MCP_PROFILES
from processes import PATIENCE, until

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
# Keeps the input of its child open after its own end, as wrappers do, and says the child's process id.
WRAPPER = """
import subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=0, stdout=1)
print(child.pid, file=sys.stderr, flush=True)
child.wait()
"""


class Server:
    """A running `jotsam mcp`."""

    def __init__(self, shell: Shell, *arguments: str, command: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            command or shell.command("mcp", *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=shell.env,
            cwd=shell.home,
            bufsize=0,
        )
        shell.started.append(self.process)  # type: ignore[arg-type]  # It is killed at the end of the test.

    def write(self, *messages: object) -> None:
        assert self.process.stdin
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(line + b"\n")

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        line = b""
        while not line.endswith(b"\n"):
            byte = self.process.stdout.read(1)
            assert byte, "the server ended"
            line += byte
        return json.loads(line)  # type: ignore[no-any-return]

    def ask(self, method: str, params: dict[str, Any] | None = None, *, id: object = 1) -> dict[str, Any]:
        self.write(request(method, params, id=id))
        reply = self.read()
        assert reply["id"] == id
        return reply

    def ends(self) -> int:
        return self.process.wait(PATIENCE)


def call(tool: str, *, id: object = 1, **arguments: Any) -> dict[str, Any]:
    return request("tools/call", {"name": tool, "arguments": arguments}, id=id)


def test_it_answers_all_that_was_asked_before_its_input_ends(jotsam: Shell) -> None:
    server = Server(jotsam, "--harness", "claude")
    lines = [request("initialize", INITIALIZE, id="i"), {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    lines += [call("remember", id=1, text="Tabs."), call("recall", id=2, query="tabs"), request("ping", id=3)]
    server.write(*lines, b"not json", b"", b"\xff", call("memory_status", id=4))
    out, err = server.process.communicate(timeout=PATIENCE)
    assert (server.process.returncode, err) == (0, b"")
    replies = [json.loads(line) for line in out.splitlines()]
    by_id = {reply["id"]: reply for reply in replies}
    assert by_id.keys() == {"i", 1, 2, 3, 4, None}
    assert [reply["id"] for reply in replies if reply["id"] in (1, 2, 4)] == [1, 2, 4]
    assert [reply["error"]["code"] for reply in replies if reply["id"] is None] == [-32700, -32700]
    [hit] = by_id[2]["result"]["structuredContent"]["hits"]
    assert (hit["text"], hit["source"]) == ("Tabs.", "claude")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_it_though_its_input_is_open(jotsam: Shell, name: str) -> None:
    server = Server(jotsam)
    assert "result" in server.ask("initialize", INITIALIZE)
    if name == "SIGTERM":  # The other two end a server that has not opened the memory.
        assert "result" in server.ask("tools/call", {"name": "recall"})
    server.process.send_signal(getattr(signal, name))
    assert server.ends() == 0


def test_it_ends_with_its_parent_though_its_input_is_open(jotsam: Shell) -> None:
    ours, theirs = os.pipe()  # Both ends stay open here, so the input of the server never ends.
    command = [sys.executable, "-c", WRAPPER, *jotsam.command("mcp")]
    wrapper = subprocess.Popen(
        command, stdin=ours, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=jotsam.env, cwd=jotsam.home
    )
    jotsam.started.append(wrapper)  # type: ignore[arg-type]
    assert wrapper.stderr
    assert wrapper.stdout
    pid = int(wrapper.stderr.readline())
    os.write(theirs, json.dumps(request("initialize", INITIALIZE)).encode() + b"\n")
    assert b"protocolVersion" in wrapper.stdout.readline()
    wrapper.kill()
    wrapper.wait()
    until(lambda: _has_ended(pid))
    os.close(ours)
    os.close(theirs)


def _has_ended(pid: int) -> bool:
    """Whether a process that is no child of this one has ended; where nobody waits for it, it stays as a zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_a_kill_loses_nothing_that_was_answered(jotsam: Shell) -> None:
    server = Server(jotsam)
    for number in range(3):
        server.ask("tools/call", {"name": "remember", "arguments": {"text": f"Note {number}."}})
    server.process.kill()
    server.ends()
    again = Server(jotsam)
    reply = again.ask("tools/call", {"name": "remember", "arguments": {"text": "Note 2."}})
    assert reply["result"]["structuredContent"]["duplicate"]
    assert jotsam.json("status")["status"]["memories"] == 3


def test_two_servers_use_one_file_at_once_and_other_commands_too(jotsam: Shell) -> None:
    one, two = Server(jotsam), Server(jotsam)
    for number in range(5):
        for name, server in (("one", one), ("two", two)):
            server.write(call("remember", text=f"Note {number} of {name}."))
        for server in (one, two):
            assert "result" in server.read()
    jotsam("remember", "Note 9.")
    found = one.ask("tools/call", {"name": "recall", "arguments": {"query": "note"}})
    assert len(found["result"]["structuredContent"]["hits"]) == 11


def test_a_call_waits_for_a_lock_while_a_ping_is_answered_and_a_cancelled_one_is_not(jotsam: Shell) -> None:
    import apsw

    jotsam("migrate")
    jotsam.env["JOTSAM_LOCK_TIMEOUT_MS"] = "60000"
    server = Server(jotsam)
    server.ask("tools/call", {"name": "memory_status"})
    blocker = apsw.Connection(str(jotsam.db))
    blocker.execute("begin immediate")
    server.write(call("remember", id="first", text="First."), call("remember", id="second", text="Second."))
    server.write(call("remember", id="third", text="Third."))
    assert server.ask("ping", id="ping")["result"] == {}
    for id in ("first", "second", "none", None):
        server.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
    server.write({"jsonrpc": "2.0", "method": "notifications/cancelled"})
    assert server.ask("ping", id="again")["result"] == {}
    blocker.execute("rollback")
    blocker.close()
    assert server.read()["id"] == "third"
    found = server.ask("tools/call", {"name": "recall"})["result"]["structuredContent"]["hits"]
    assert "Second." not in {hit["text"] for hit in found}


def test_a_message_that_is_too_long_is_refused_and_the_next_one_answered(jotsam: Shell) -> None:
    code = (
        "import sys; from jotsam.surfaces.mcp import stdio; stdio.MAX_LINE = 300_000;"
        " from jotsam.surfaces.cli.start import main; sys.argv = ['jotsam', 'mcp']; sys.exit(main())"
    )
    server = Server(jotsam, command=[sys.executable, "-c", code])
    server.write(b"x" * 1_000_000, request("ping", id=1), b"y" * 300_001, request("ping", id=2))
    replies = [server.read() for _ in range(4)]
    assert [reply.get("error", {}).get("code") for reply in replies] == [-32700, None, -32700, None]
    assert "more than 300,000 bytes" in replies[0]["error"]["message"]


def test_it_serves_inside_an_agent_and_starts_the_worker_where_work_waits(jotsam: Shell) -> None:
    jotsam("remember", "Tabs.")
    jotsam.env |= {"AI_AGENT": "claude-code_2-1-197_harness", "CLAUDE_PROJECT_DIR": str(jotsam.home)}
    jotsam.env |= {"JOTSAM_WORKER": "auto"}
    server = Server(jotsam)
    assert "result" in server.ask("initialize", INITIALIZE)
    outside = {name: value for name, value in jotsam.env.items() if name not in ("AI_AGENT", "CLAUDE_PROJECT_DIR")}
    jotsam.env = outside | {"JOTSAM_WORKER": "off"}
    until(lambda: jotsam.json("status")["status"]["done"] == 1)
    assert server.process.poll() is None


def test_the_settings_are_those_of_the_folder_it_is_started_in(jotsam: Shell) -> None:
    (jotsam.home / ".jotsam.toml").write_text('project = "shop"')
    jotsam("remember", "Elsewhere.", "--project", "other")
    server = Server(jotsam)
    server.ask("initialize", {**INITIALIZE, "clientInfo": {"name": "gemini-cli", "version": "1"}})
    server.ask("tools/call", {"name": "remember", "arguments": {"text": "Here."}})
    found = server.ask("tools/call", {"name": "recall", "arguments": {"project": "shop"}})
    [hit] = found["result"]["structuredContent"]["hits"]
    assert (hit["text"], hit["source"]) == ("Here.", "gemini-cli")
    (jotsam.home / ".jotsam.toml").write_text("project = 7")
    broken = Server(jotsam)
    assert "result" in broken.ask("initialize", INITIALIZE)
    failed = broken.ask("tools/call", {"name": "recall"})["result"]
    assert failed["isError"]
    assert "invalid project 7" in failed["content"][0]["text"]
    (jotsam.home / ".jotsam.toml").unlink()
    assert not broken.ask("tools/call", {"name": "recall"})["result"]["isError"]


def test_both_parsers_read_its_options_alike(jotsam: Shell) -> None:
    given = {option: "automem" if option == "--profile" else "x" for option in MCP_OPTIONS}
    full = vars(parse(["mcp", *(word for pair in given.items() for word in pair), "--no-worker"]))
    assert {option: full[option.removeprefix("--")] for option in MCP_OPTIONS} == given
    for profile in MCP_PROFILES:
        assert parse(["mcp", "--profile", profile]).profile == profile
    assert "invalid --profile 'nope'" in jotsam("mcp", "--profile", "nope").stderr
    for arguments in (("--debug", "mcp"), ("--db", str(jotsam.db), "mcp"), ("mcp", "--json")):
        done = jotsam(*arguments, input=json.dumps(request("ping")))
        assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_initialize_imports_nothing_of_the_memory(jotsam: Shell) -> None:
    command = [sys.executable, "-X", "importtime", "-c", "from jotsam.surfaces.cli.start import main; main()", "mcp"]
    given = json.dumps(request("initialize", INITIALIZE)) + "\n" + json.dumps(request("tools/list"))
    done = subprocess.run(
        command, env=jotsam.env, cwd=jotsam.home, input=given, capture_output=True, text=True, check=True
    )
    names = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    ours = {name.removeprefix("jotsam.") for name in names if name.startswith("jotsam.")}
    assert {name for name in ours if not name.startswith("surfaces")} == {
        *("core", "core.clock", "core.errors", "core.validate", "core.version")
    }
    heavy = {"argparse", "asyncio", "datetime", "hashlib", "msgspec", "pathlib", "subprocess", "typing", "apsw"}
    assert heavy & set(names) == set()
