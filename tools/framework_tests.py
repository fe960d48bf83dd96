"""Run the own tests of an agent framework with our class in the place of its own.

    python -m tools.framework_tests langgraph CLONE
    python -m tools.framework_tests openai-agents CLONE
    python -m tools.framework_tests anthropic CLONE
    python -m tools.framework_tests crewai CLONE
    python -m tools.framework_tests adk CLONE

CLONE is a copy of the framework's repository, which is not changed. The installed framework is tested, so its version
and that of the copy should be the same. It needs pytest-asyncio and pytest-mock, and for CrewAI qdrant-edge-py, without
which 19 tests are skipped. Options after CLONE are pytest's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Which files of a repository are run, and what is replaced in them."""

    tests: str  # folder
    files: tuple[str, ...]
    replaced: dict[str, str]  # each file has one of these at least
    stand_in: str  # a module `jotsam_under_test` with what takes the place of the framework's class


LANGGRAPH = Suite(
    tests="libs/checkpoint/tests",
    files=("test_store.py",),
    replaced={"from langgraph.store.memory import InMemoryStore": "from jotsam_under_test import InMemoryStore"},
    stand_in='''
import tempfile
from jotsam import Jotsam
from jotsam.integrations.langgraph import JotsamStore


class InMemoryStore(JotsamStore):
    """A store in a new file."""

    def __init__(self, **options):
        super().__init__(Jotsam(tempfile.mkdtemp() + "/a.db", worker="off"), **options)
''',
)

OPENAI_AGENTS = Suite(
    tests="tests",
    files=("memory/test_session.py", "memory/test_session_limit.py"),
    replaced={"SQLiteSession(": "JotsamTestSession("},
    stand_in='''
import tempfile
from jotsam import AsyncJotsam
from jotsam.integrations.openai_agents import JotsamSession

opened = {}


class JotsamTestSession(JotsamSession):
    """One with the arguments of `SQLiteSession`. Sessions with the same path share a database."""

    def __init__(self, session_id, db_path=None, **options):
        path = f"{db_path or tempfile.mkdtemp()}.jotsam"
        memory = opened.setdefault(path, None) or AsyncJotsam(path, worker="off")
        opened[path] = memory
        super().__init__(session_id, memory, **options)

    def close(self):
        """Does nothing: a client belongs to its program."""
''',
)

CREWAI = Suite(
    tests="lib/crewai/tests",
    files=("memory/test_unified_memory.py", "memory/test_qdrant_edge_storage.py"),
    replaced={
        f"from crewai.memory.storage.{module} import {name}": f"from jotsam_under_test import TestStorage as {name}"
        for module, name in (("lancedb_storage", "LanceDBStorage"), ("qdrant_edge_storage", "QdrantEdgeStorage"))
    },
    stand_in='''
import os
import tempfile
from crewai.memory.storage.factory import set_memory_storage_factory
from jotsam import Jotsam
from jotsam.integrations.crewai import JotsamStorage


class TestStorage(JotsamStorage):
    """One with the arguments of CrewAI's own. Those with the same path share a database."""

    def __init__(self, path=None, **options):
        path = str(path or tempfile.mkdtemp())
        os.makedirs(path, exist_ok=True)
        super().__init__(Jotsam(path + "/a.db", worker="off"))


set_memory_storage_factory(TestStorage)  # of every `Memory` that is given a path
''',
)
ANTHROPIC = Suite(
    tests="tests/lib/tools/memory_tools",
    files=("test_filesystem.py",),
    replaced={
        "from anthropic.lib.tools._beta_builtin_memory_tool import": "from jotsam_under_test import",
        "\ndef get_directory_snapshot(": "\nfrom jotsam_under_test import get_directory_snapshot\n\n\ndef of_a_folder(",
    },
    stand_in='''
from pathlib import Path
from anthropic.lib.tools._beta_builtin_memory_tool import BetaAsyncLocalFilesystemMemoryTool
from jotsam import Jotsam
from jotsam.integrations.anthropic import JotsamMemoryTool

opened = {}


class BetaLocalFilesystemMemoryTool(JotsamMemoryTool):
    """One with the arguments of the tool for a folder, whose database is there."""

    def __init__(self, base_path):
        self.base_path = str(base_path)
        self.memory_root = Path(base_path) / "memories"
        opened[self.base_path] = Jotsam(self.base_path + "/a.db", worker="off")
        super().__init__(opened[self.base_path])


def get_directory_snapshot(base_path):
    """The files, with the paths that they have in a folder."""
    found = opened[base_path].store.search(("anthropic-memory", "default", "texts"), limit=1_000)
    return {item.key.removeprefix("/"): item.value for item in found}
''',
)
ADK = Suite(
    tests="tests/unittests/memory",
    files=("test_in_memory_memory_service.py",),
    replaced={
        "from google.adk.memory.in_memory_memory_service import": "from jotsam_under_test import",
    },
    stand_in='''
import tempfile
from jotsam import AsyncJotsam
from jotsam.integrations.adk import JotsamMemoryService


class InMemoryMemoryService(JotsamMemoryService):
    """A service in a new file."""

    def __init__(self):
        super().__init__(AsyncJotsam(tempfile.mkdtemp() + "/a.db", worker="off"))
''',
)
SUITES = {"langgraph": LANGGRAPH, "openai-agents": OPENAI_AGENTS, "anthropic": ANTHROPIC, "crewai": CREWAI, "adk": ADK}


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[1] not in SUITES:
        print(__doc__)
        return 2
    suite, clone = SUITES[sys.argv[1]], Path(sys.argv[2])
    if not (clone / suite.tests / suite.files[0]).exists():
        print(f"error: {clone} has no {suite.tests}/{suite.files[0]}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="jotsam-framework-") as folder:
        copied = Path(folder) / "tests"
        shutil.copytree(clone / suite.tests, copied)
        (Path(folder) / "jotsam_under_test.py").write_text(suite.stand_in)
        (Path(folder) / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\npythonpath = .\n")
        for name in suite.files:
            put_in(copied / name, suite)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *sys.argv[3:]]
        command += [f"tests/{name}" for name in suite.files]
        return subprocess.run(command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False).returncode


def put_in(path: Path, suite: Suite) -> None:
    text = path.read_text(encoding="utf-8")
    if not any(before in text for before in suite.replaced):
        raise SystemExit(
            f"error: {path.name} has none of {[*suite.replaced]} any more: change tools/framework_tests.py"
        )
    for before, after in suite.replaced.items():
        text = text.replace(before, after)
    if suite is OPENAI_AGENTS:
        text = text.replace("\nimport ", "\nfrom jotsam_under_test import JotsamTestSession\nimport ", 1)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
