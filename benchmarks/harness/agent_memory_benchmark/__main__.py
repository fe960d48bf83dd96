"""Run agent-memory-benchmark with Jotsam and with the harness's own BM25, on its LoCoMo.

    python -m benchmarks.harness.agent_memory_benchmark CLONE            shares of sessions found
    python -m benchmarks.harness.agent_memory_benchmark CLONE --answer   its score of answers, by your model

CLONE is a copy of the harness. Without a model, it is measured which sessions of a conversation are found: the share of
those that answer a question among the first 1, 3, 5 and 10. With `--answer`, a model that is set by the variables of
the harness (OMB_ANSWER_LLM, OMB_JUDGE_LLM, OPENAI_API_KEY and so on) answers and judges, and the harness leaves its
reports in --into. Jotsam takes its settings from JOTSAM_*, as always.

The BM25 of the harness counts tokens with tiktoken, which fetches a file from the web once. Without the web,
TIKTOKEN_CACHE_DIR names a folder that has it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.beside.environments import NotInstalled, environment_of
from benchmarks.child import ROOT
from benchmarks.harness import agent_memory_benchmark

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "jotsam-harness"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path, help="folder with a copy of agent-memory-benchmark")
    parser.add_argument("--first", metavar="N", help="take N conversations (default: all)")
    parser.add_argument("--answer", action="store_true", help="let a model answer and judge, too")
    parser.add_argument("--into", type=Path, default=Path("outputs"), help="folder for reports (default: outputs)")
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"folder of the environment (default: {CACHE})")
    given = parser.parse_args()
    code = given.clone / "src"
    if not (code / "memory_bench").is_dir():
        parser.error(f"{given.clone} is no copy of agent-memory-benchmark: it has no src/memory_bench")
    try:
        made = environment_of(agent_memory_benchmark, into=given.cache, python="python3", source=None)
    except NotInstalled as error:
        print(f"error: no environment in {given.cache}: {error}", file=sys.stderr)
        return 1
    options = [f"--first={given.first}"] * (given.first is not None) + ["--answer"] * given.answer
    ended = subprocess.run(
        [made.python, "-m", f"{agent_memory_benchmark.__name__}.provider", given.into.absolute(), *options],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(code.absolute())},
        check=False,
    )
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main())
