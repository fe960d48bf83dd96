"""The pages of the documentation and their fenced code blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOP = ("README.md", "CONTRIBUTING.md", "ROADMAP.md", "SECURITY.md", "CHANGELOG.md")
PAGES = [*(ROOT / name for name in TOP), *sorted((ROOT / "docs").rglob("*.md"))]

RUN = ("console", "bash", "python")
DATA = ("json", "jsonl", "toml", "yaml")
# Cypher is run by tests/graph_engine/test_falkordb_page.py, TypeScript by clients/typescript/test/page.test.ts.
PLAIN = ("text", "cypher", "ts")

_FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<language>[\w-]*)[^\n]*\n", re.MULTILINE)
_COMMENT = re.compile(r"<!-- *(?P<what>not run|file): *(?P<value>.+?) *-->\n\s*\Z")


@dataclass(frozen=True, kw_only=True)
class Block:
    """One fenced block. `reason` says why it is not run; `file` names the file that a reader saves it as."""

    page: Path
    line: int
    language: str
    text: str
    reason: str | None = None
    file: str | None = None

    @property
    def where(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order. A block may be marked by an HTML comment on the line above it."""
    text = page.read_text()
    found, at = [], 0
    while opening := _FENCE.search(text, at):
        indent, marks = opening["indent"], opening["marks"]
        closing = re.compile(rf"^{indent}{marks}[{marks[0]}]* *$", re.MULTILINE).search(text, opening.end())
        assert closing, f"{page}: a code block is not closed"
        body = re.sub(rf"^{indent}", "", text[opening.end() : closing.start()], flags=re.MULTILINE)
        marked = _COMMENT.search(text[at : opening.start()])
        given = {marked["what"]: marked["value"]} if marked else {}
        found.append(
            Block(
                page=page,
                line=text.count("\n", 0, opening.start()) + 1,
                language=opening["language"],
                text=body,
                reason=given.get("not run"),
                file=given.get("file"),
            )
        )
        at = closing.end()
    return found


def steps(block: Block) -> list[tuple[str, str]]:
    """Each command of a console block, with the lines that it goes on in, and what the page shows of its output."""
    found = []
    for step in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        lines = step.splitlines()
        end = next(number for number, line in enumerate(lines) if not line.endswith("\\"))
        found.append(("\n".join(lines[: end + 1]), "\n".join(lines[end + 1 :]).rstrip()))
    return found
