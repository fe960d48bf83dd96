"""The programs of docs/frameworks.md run as they are there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "frameworks.md"
PROGRAMS = re.findall(r"^## (.+?)\n.*?```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
PRINTED = {
    "LangGraph": "[{'text': 'Ann likes celadon.'}]\n",
    "OpenAI Agents SDK": "[{'role': 'user', 'content': 'Hello'}]\n",
    "Anthropic's memory tool": "File created successfully at: /memories/ann.md\n",
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
    assert done.stdout.startswith(PRINTED.get(title, "")), done.stdout


def test_every_adapter_is_on_the_page() -> None:
    assert len(PROGRAMS) == 7
    assert PRINTED.keys() <= {title for title, _ in PROGRAMS}
