"""Run MemoryBench with Jotsam: a temporary server with a worker, and the harness in a copy with our provider.

    python -m benchmarks.harness.memorybench CLONE ingest -b locomo -r try
    python -m benchmarks.harness.memorybench CLONE run -b locomo -j gpt-4o -r scored

CLONE is a copy of the harness; the rest is given to it, with `-p jotsam` for a new run. Its data, runs and packages
stay in CLONE (data, node_modules). Models answer and judge by the variables of the harness, OPENAI_API_KEY and so on.
It needs bun, or npm to get it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.http.server import served

HERE = Path(__file__).parent
NAMES = '"supermemory" | "mem0" | "zep"'
KEEP = ("data", "node_modules")

# What is put before a text of the harness, to make our provider known to it.
CHANGES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "src/types/provider.ts": ((NAMES, '"jotsam" | '),),
    "src/providers/index.ts": (
        ("const providers:", 'import { JotsamProvider } from "./jotsam"\n'),
        ("supermemory: SupermemoryProvider", "jotsam: JotsamProvider, "),
    ),
    "src/utils/config.ts": (
        (
            'case "zep"',
            'case "jotsam":\n            return '
            '{ apiKey: process.env.JOTSAM_TOKEN || "", baseUrl: process.env.JOTSAM_SERVER }\n        ',
        ),
    ),
}


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    clone, options = Path(sys.argv[1]).absolute(), sys.argv[2:]
    if not (clone / "src" / "providers").is_dir():
        print(f"error: {clone} is no copy of MemoryBench: it has no src/providers", file=sys.stderr)
        return 2
    data = clone / "data"
    data.mkdir(exist_ok=True)
    bun = shutil.which("bun") or _installed(data / "bun", "bun")
    if not (clone / "node_modules" / "zod").exists():
        # The scripts of the packages compile what other providers need.
        subprocess.run([bun, "install", "--ignore-scripts"], cwd=clone, check=True)
    code = changed(clone)
    new = [] if "-p" in options or options[0] not in ("run", "ingest") else ["-p", "jotsam"]
    with served(str(data / "jotsam.db"), worker=True) as server:
        ended = subprocess.run(
            [bun, "run", "src/index.ts", *options, *new],
            cwd=code,
            env=os.environ | {"JOTSAM_SERVER": server.url, "JOTSAM_TOKEN": server.token},
            check=False,
        )
    return ended.returncode


def changed(clone: Path) -> Path:
    """A copy of the harness in its folder `data`, which knows our provider."""
    code = clone / "data" / "with-jotsam"
    shutil.rmtree(code, ignore_errors=True)
    shutil.copytree(clone / "src", code / "src")
    for path in clone.iterdir():
        if path.is_file():
            shutil.copy(path, code)
    for name in KEEP:
        (code / name).symlink_to(clone / name)
    (code / "src" / "providers" / "jotsam").mkdir()
    shutil.copy(HERE / "jotsam.ts", code / "src" / "providers" / "jotsam" / "index.ts")
    for name, changes in CHANGES.items():
        path = code / name
        text = path.read_text(encoding="utf-8")
        for before, added in changes:
            if text.count(before) != 1:
                raise SystemExit(f"error: {name} of this version of MemoryBench has no single {before!r}")
            text = text.replace(before, added + before)
        path.write_text(text, encoding="utf-8")
    return code


def _installed(folder: Path, name: str) -> str:
    """A program from the packages of npm, in a folder of its own."""
    path = folder / "node_modules" / ".bin" / name
    if not path.exists():
        subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", name], check=True)
    return str(path)


if __name__ == "__main__":
    sys.exit(main())
