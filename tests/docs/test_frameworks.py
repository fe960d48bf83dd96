"""The adapter for CrewAI, in an environment of its own. Those for other frameworks are tested beside each check."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_S = 1_500  # pip installs 800 MB


@pytest.mark.long
@pytest.mark.timeout(PATIENCE_S)
def test_the_adapter_for_crewai_passes_its_tests() -> None:
    done = subprocess.run(
        ["bash", "scripts/frameworks", "--crewai"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
