"""`tools/cpu.py` counts what a command started, even what outlives it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUSY = "import time\nwhile time.process_time() < 0.5: pass"
ORPHANED = f"""import subprocess, sys
subprocess.Popen([sys.executable, "-c", {BUSY!r}], start_new_session=True).returncode = 0
sys.exit(3)"""


def counted(*command: str) -> tuple[int, float]:
    """The exit code, and the seconds of CPU."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.cpu", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = re.search(r"^CPU ([\d.]+) s", done.stderr, re.MULTILINE)
    assert found, done.stderr
    return done.returncode, float(found[1])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans")
def test_a_process_that_outlives_its_parent_is_counted() -> None:
    code, cpu = counted(sys.executable, "-c", ORPHANED)
    assert code == 3
    assert cpu >= 0.5
