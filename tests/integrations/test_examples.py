"""The programs of `examples/` run against stubs of the models, with a database of their own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from processes import until

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE_S = 60


class Stub(ThreadingHTTPServer):
    """Speaks the protocols of OpenAI and Anthropic. An answer repeats what was asked, or writes a file first."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[Any] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Stub

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        reply = anthropic(asked) if self.path.startswith("/v1/messages") else openai()
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Prints nothing."""


def openai() -> dict[str, Any]:
    message = {"role": "assistant", "content": "Noted."}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "stub", "choices": [choice]}


def anthropic(asked: Any) -> dict[str, Any]:
    """First a command for the tool, then a text."""
    write = {"command": "create", "path": "/memories/glaze.md", "file_text": "celadon"}
    use = {"type": "tool_use", "id": "t1", "name": "memory", "input": write}
    has_written = "tool_result" in json.dumps(asked["messages"])
    content = [{"type": "text", "text": "Noted."}] if has_written else [use]
    reason = "end_turn" if has_written else "tool_use"
    usage = {"input_tokens": 1, "output_tokens": 1}
    told = {"id": "1", "type": "message", "role": "assistant", "model": "stub", "content": content, "usage": usage}
    return {**told, "stop_reason": reason, "stop_sequence": None}


@pytest.fixture
def stub() -> Iterator[Stub]:
    server = Stub()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def environ(tmp_path: Path, stub: Stub) -> dict[str, str]:
    return {
        **os.environ,
        **{name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")},
        "OPENAI_BASE_URL": f"{stub.url}/v1",
        "ANTHROPIC_BASE_URL": stub.url,
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_API_KEY": "none",
        "JOTSAM_WORKER": "off",
    }


def run(environ: dict[str, str], name: str, *arguments: str, said: str = "") -> str:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments],
        input=said,
        env=environ,
        cwd=environ["HOME"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_plain_loop_is_told_what_an_earlier_chat_said(environ: dict[str, str], stub: Stub) -> None:
    for said in ("My glaze is celadon.\n", "Which glaze is mine?\n"):
        assert run(environ, "plain_loop.py", said=said) == "Noted.\n"
    system, question = stub.asked[1]["messages"]
    assert "My glaze is celadon." in system["content"]
    assert question["content"] == "Which glaze is mine?"


def test_the_queue_tries_again_and_buries(environ: dict[str, str]) -> None:
    assert run(environ, "queue_alone.py") == "sent to ana@example.org\ndead: ['BuryJob: nowhere is no address']\n"


def test_a_graph_finds_what_the_same_user_said(environ: dict[str, str], stub: Stub) -> None:
    for user, said in (("ann", "My glaze is celadon."), ("bob", "Which glaze?"), ("ann", "Which glaze?")):
        assert run(environ, "langgraph_chat.py", user, said=f"{said}\n") == "Noted.\n"
    _, bob, ann = (asked["messages"][0]["content"] for asked in stub.asked)
    assert "celadon" in ann
    assert "celadon" not in bob


def test_a_session_goes_on_after_a_restart(environ: dict[str, str], stub: Stub) -> None:
    assert run(environ, "openai_agents_session.py", "user-7", "My glaze is celadon.").endswith(
        "2 items in the session\n"
    )
    assert run(environ, "openai_agents_session.py", "user-7", "Which glaze?").endswith("4 items in the session\n")
    assert "My glaze is celadon." in json.dumps(stub.asked[1]["messages"])


def test_claude_writes_a_file(environ: dict[str, str]) -> None:
    told = run(environ, "claude_memory_tool.py", "ann", "Remember that my glaze is celadon.")
    assert told.startswith("Noted.\n")
    assert "7B\t/memories/glaze.md" in told


def test_a_service_has_a_memory_for_each_user(environ: dict[str, str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "--app-dir", EXAMPLES, "--port", str(port), "fastapi_users:app"]
    server = subprocess.Popen(command, env=environ, cwd=environ["HOME"], stderr=subprocess.DEVNULL)
    try:
        until(lambda: listens(port))
        url = f"http://127.0.0.1:{port}/users"
        said = json.dumps({"text": "My glaze is celadon."}).encode()
        assert "id" in fetched(f"{url}/ann/memories", said)
        found = fetched(f"{url}/ann/memories?question=which+glaze")
        assert found["found"] == ["My glaze is celadon."]
        assert "pending" in found["coverage"]
        assert fetched(f"{url}/bob/memories?question=which+glaze")["found"] == []
    finally:
        server.terminate()
        server.wait()


def fetched(url: str, data: bytes | None = None) -> Any:
    request = urllib.request.Request(url, data=data, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as reply:
        return json.load(reply)


def listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_every_example_is_in_the_readme_and_has_a_test() -> None:
    told = (EXAMPLES / "README.md").read_text()
    tests = Path(__file__).read_text()
    programs = {path.name for path in EXAMPLES.glob("*.py")}
    assert {name for name in programs if f"]({name})" not in told or name.removesuffix(".py") not in tests} == set()
