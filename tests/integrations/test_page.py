"""The programs of docs/frameworks.md run as they are there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "frameworks.md"
EVERY = re.findall(r"^## (.+?)\n.*?```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
PROGRAMS = [one for one in EVERY if (one[0] == "CrewAI") == bool(find_spec("crewai"))]
PRINTED = {
    "LangGraph": "[{'text': 'Ann likes celadon.'}]\n",
    "OpenAI Agents SDK": "[{'role': 'user', 'content': 'Hello'}]\n",
    "Anthropic's memory tool": "File created successfully at: /memories/ann.md\n",
    "CrewAI": "The glaze is celadon.\n",
    "LlamaIndex": "['The glaze is celadon.']\n",
    "Pydantic AI": "4\n",
}


@pytest.mark.parametrize(("title", "program"), PROGRAMS, ids=[title for title, _ in PROGRAMS])
def test_a_program_of_the_page_runs(title: str, program: str, tmp_path: Path) -> None:
    environ = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environ, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert PRINTED.get(title, "") in done.stdout


def test_every_adapter_is_on_the_page() -> None:
    assert len(EVERY) == 8
    assert PRINTED.keys() <= {title for title, _ in EVERY}
