"""Notes of basic-memory: Markdown files with frontmatter, observations and relations.

An observation is a list item `- [category] text #tag (context)`; a relation is `- type [[Note]]`. A note becomes a
memory with its text, and each observation a memory that is PART_OF it.
"""

from __future__ import annotations

import os
import re

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Memory
from jotsam.ingest import files
from jotsam.ingest.memory_formats.items import Item, ItemLink, Rejected, link_type, mark, time_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.ingest.files import Reading

NOTES = ("*.md",)
OBSERVATION = re.compile(r"^\s*[-*+]\s+\[([^\[\]()]+)\]\s+(.+)$")
RELATION = re.compile(r"""^\s*[-*+]\s+(?:"([^"]+)"|'([^']+)'|(\S+))\s+\[\[([^\]]+)\]\]\s*(?:\([^()]*\))?\s*$""")
TASK = re.compile(r"^(?:|[xX]|[^\w]|\d{1,3}:\d{2}.*)$")  # A check box or a time does not count as a category.
TAG = re.compile(r"(?<!\S)#([^\s#]+)")
DATES = ("created", "created_at", "date")


class _Note:
    """A note: its fields, its text without observations, and what it contains."""

    def __init__(self, path: str, name: str, reading: Reading) -> None:
        self.fields, body = _frontmatter(reading.text)
        self.name = name
        self.title = str(self.fields.get("title") or os.path.basename(path).removesuffix(".md"))
        self.permalink = str(self.fields.get("permalink") or name.removesuffix(".md"))
        self.observations: list[tuple[str, str]] = []
        self.relations: list[tuple[str, str]] = []
        kept = [line for line in body.splitlines() if not self._is_observation(line)]
        self.text = "\n".join(kept).strip() or self.title
        self.key = f"basic-memory:{mark(self.permalink, self.text)}"
        given = next((self.fields[name] for name in DATES if self.fields.get(name)), None)
        self.said_at = time_of(given, name="date") or reading.date

    def _is_observation(self, line: str) -> bool:
        """Keep what the line contains. A relation stays in the text."""
        if (found := OBSERVATION.match(line)) and not TASK.match(found[1].strip()):
            self.observations.append((found[1].strip(), found[2].strip()))
            return True
        if found := RELATION.match(line):
            self.relations.append((found[1] or found[2] or found[3], found[4].strip()))
        return False

    def items(self) -> Iterator[Item | ItemLink]:
        tags = self.fields.get("tags", ())
        own = tuple(name for tag in (tags.split(",") if isinstance(tags, str) else tags) if (name := tag.strip(" #")))
        about = {"permalink": self.permalink, "title": self.title}
        same = Memory(text=self.text, source=self.name, section=self.title, metadata=about, said_at=self.said_at)
        text = self.text if self.title in self.text else f"{self.title}\n\n{self.text}"
        yield Item(key=self.key, memory=same.replace(text=text, tags=own))
        for category, observed in self.observations:
            key = f"basic-memory:{mark(self.permalink, category, observed)}"
            tags = (category, *TAG.findall(observed))
            yield Item(key=key, memory=same.replace(text=observed, tags=tags))
            yield ItemLink(source=key, type="PART_OF", target=self.key)


def read_items(path: str) -> Iterator[Item | ItemLink | Rejected]:
    """A note, or all notes below a folder. Relations to notes that are not among them are left out."""
    found = files.below(path, NOTES).matching if os.path.isdir(path) else (path,)
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    named: dict[str, str] = {}
    relations = []
    for one in found:
        try:
            note = _Note(one, os.path.relpath(one, folder or "."), files.read_file(one))
            yield from note.items()
        except InvalidInput as error:
            reason = str(error)
            yield Rejected(line=None, reason=reason if reason.startswith(one) else f"{one}: {reason}")
            continue
        named |= {note.title.lower(): note.key, note.permalink.lower(): note.key}
        relations += [(note.key, type, target.partition("|")[0].lower()) for type, target in note.relations]
    for source, type, target in relations:
        if target in named and named[target] != source:
            yield ItemLink(source=source, type=link_type(type), target=named[target])


def _frontmatter(text: str) -> tuple[dict[str, str | list[str]], str]:
    """The fields before the text, and the text. Of YAML only what notes use: texts, and lists of texts."""
    if not text.startswith("---\n") or "\n---" not in text[3:]:
        return {}, text
    head, _, body = text[4:].partition("\n---")
    fields: dict[str, str | list[str]] = {}
    name = ""
    for line in head.splitlines():
        key, colon, value = line.partition(":")
        if line.lstrip().startswith("- ") and name:
            listed = fields[name]
            fields[name] = [*(listed if isinstance(listed, list) else []), _plain(line.lstrip()[2:])]
        elif colon and not line.startswith((" ", "\t")):
            name, value = key.strip(), value.strip()
            is_list = value.startswith("[") and value.endswith("]")
            fields[name] = [_plain(one) for one in value[1:-1].split(",") if one.strip()] if is_list else _plain(value)
    return fields, body.partition("\n")[2]


def _plain(value: str) -> str:
    return value.strip().strip("'\"")
