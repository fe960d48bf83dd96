"""Hindsight without a language model, which stores whole texts, on the PostgreSQL server that it brings."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.beside.embedding import MODEL
from benchmarks.child import free_port

DISTRIBUTION = "hindsight-api-slim"
REQUIREMENTS = ("hindsight-api-slim[embedded-db]",)
ROWS: dict[str, dict[str, Any]] = {"Hindsight, no model": {}}
EMBEDS = True
REMARK = "`HINDSIGHT_API_LLM_PROVIDER=none`: whole texts and no facts; ranks are fused without a cross-encoder"
BANK, TOKENS, BATCH = "texts", 200_000, 50
NOBODY = 65_534


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        url, process = start_postgresql(Path(folder))
        self.pids = [process]  # it has left the processes that this one started
        os.environ |= {
            "HINDSIGHT_API_LLM_PROVIDER": "none",
            "HINDSIGHT_API_EMBEDDINGS_PROVIDER": "openai",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_API_KEY": "none",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_MODEL": MODEL,
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_BASE_URL": embedder,
            "HINDSIGHT_API_RERANKER_PROVIDER": "rrf",
        }
        from hindsight_api.engine.memory_engine import MemoryEngine
        from hindsight_api.models import RequestContext

        self._context = {"request_context": RequestContext()}
        self._loop = asyncio.new_event_loop()
        self._engine = MemoryEngine(db_url=url)
        self._loop.run_until_complete(self._engine.initialize())

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for first in range(0, len(texts), BATCH):
            given = [{"content": one["text"], "document_id": one["id"]} for one in texts[first : first + BATCH]]
            self._loop.run_until_complete(self._engine.retain_batch_async(BANK, given, **self._context))

    def ask(self, question: str, k: int) -> Iterator[str]:
        asked = self._engine.recall_async(BANK, question, max_tokens=TOKENS, **self._context)
        return (fact.document_id for fact in self._loop.run_until_complete(asked).results)


def start_postgresql(folder: Path) -> tuple[str, int]:
    """Start the server of its package with its data in a folder. Return its address and its process."""
    import pg0

    home = folder.parent / "server"
    home.mkdir(exist_ok=True)
    program = shutil.copy(Path(pg0.__file__).parent / "bin" / "pg0", folder.parent)
    options: dict[str, Any] = {"env": {"HOME": str(home), "PATH": os.environ["PATH"]}, "cwd": home, "check": True}
    if os.geteuid() == 0:  # The server refuses root.
        folder.parent.chmod(0o711)
        for one in (home, folder):
            os.chown(one, NOBODY, NOBODY)
        options |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    names = [option for name in ("username", "password", "database") for option in (f"--{name}", BANK)]
    # Of a server that was killed: nobody may have waited for its process, so that it seems to run.
    (folder / "postgresql" / "postmaster.pid").unlink(missing_ok=True)
    port = str(free_port())  # The package takes its usual one too while a server that was killed still has it.
    own = ["--name", port, "--data-dir", folder / "postgresql", "--port", port]
    subprocess.run([program, "start", *names, *own], stdout=sys.stderr, **options)
    told = subprocess.run([program, "info", "--name", port, "-o", "json"], capture_output=True, **options)
    server = json.loads(told.stdout)
    return f"postgresql://{BANK}:{BANK}@127.0.0.1:{server['port']}/{BANK}", server["pid"]
