"""Builds the docs site strictly and checks that no page loads anything from another host.

python -m tools.site            builds it into a temporary folder and removes it
python -m tools.site FOLDER     builds it into a folder, to read it there

A link that a reader may follow can lead anywhere; a script, style, font or picture must be part of the site.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOADED = re.compile(r"<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=[\"']?(https?:)?//[^\"'> ]+", re.IGNORECASE)
LINKED = re.compile(
    r"<link\b(?=[^>]*\brel=[\"']?(?:stylesheet|icon|preload|preconnect|dns-prefetch))[^>]*\bhref=[\"']?(?:https?:)?//[^>]+",
    re.IGNORECASE,
)
IMPORTED = re.compile(r"(?:@import\s+|url\()[\"']?(?:https?:)?//[^\"')]+", re.IGNORECASE)


def main() -> int:
    if len(sys.argv) > 1:
        if sys.argv[1].startswith("-"):
            print(__doc__)
            return 2
        return build(Path(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        return build(Path(folder))


def build(folder: Path) -> int:
    # Not `--quiet`: it hides the warnings from `--strict` too.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    env = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        return done.returncode
    loads = [f"{path.relative_to(folder)}: {load}" for path, load in other_hosts(folder)]
    for load in loads:
        print(f"error: {load}", file=sys.stderr)
    return 1 if loads else 0


def other_hosts(folder: Path) -> list[tuple[Path, str]]:
    """What the pages and styles of a site load from another host."""
    found = []
    for path in sorted(folder.rglob("*")):
        patterns = {".html": (LOADED, LINKED), ".css": (IMPORTED,)}.get(path.suffix, ())
        text = path.read_text() if patterns else ""
        found += [(path, match[0]) for pattern in patterns for match in pattern.finditer(text)]
    return found


if __name__ == "__main__":
    sys.exit(main())
