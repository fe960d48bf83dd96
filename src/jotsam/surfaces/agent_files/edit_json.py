"""Edits a JSON file by text positions, so that everything else in it stays: order, indentation, comments, line ends.

`remove` undoes `set`: the text is the same again, unless the object or list around it was empty, which becomes `{}`.
Comments and trailing commas are refused where the program that reads the file would refuse them.
"""

from __future__ import annotations

import json
import re

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Path = Sequence[str | int]

SPACE = re.compile(r"[ \t\r\n]*")
TOKEN = re.compile(r'("(?:[^"\\\x00-\x1f]|\\.)*")|([{}\[\]:,])|(//[^\r\n]*|/\*.*?\*/)|([-+.\w]+)', re.DOTALL)
STRING, MARK, COMMENT, WORD = 1, 2, 3, 4
INDENT = "  "
LINE = 200  # characters of an object or list that is written on one line
CLOSING = {"{": "}", "[": "]"}


class Member:
    """A member of an object, or an element of a list: `text[start:node.end]`."""

    __slots__ = ("before", "comma", "key", "node", "start")

    def __init__(self, key: str | int, start: int, before: int, node: Node) -> None:
        self.key, self.start, self.node = key, start, node
        self.before = before  # end of the token or comment in front of it
        self.comma: int | None = None  # position of the comma behind it


class Node:
    """A value and its position. `members` is None for a scalar."""

    __slots__ = ("end", "inner_end", "members", "start", "value")

    def __init__(self, start: int, end: int, value: Any) -> None:
        self.start, self.end, self.value = start, end, value
        self.members: list[Member] | None = None
        self.inner_end = end  # of a container: the end of the last token or comment inside


class JsonDocument:
    """The text of a JSON file, and its value. Raises `InvalidInput` if it is not valid, with the line."""

    def __init__(self, text: str, *, comments: bool = False, trailing_commas: bool = False) -> None:
        self._comments, self._trailing_commas = comments, trailing_commas
        self.text = text
        self._root = self._parsed()

    @property
    def value(self) -> Any:
        return self._root.value

    def set(self, path: Path, value: object) -> None:
        """Set the value at a path of keys and indexes. Missing objects and lists around it are made; the index after
        the last element of a list appends.
        """
        chain = self._find(path)
        depth = len(chain) - 1
        if depth == len(path):
            node, parent = chain[-1], chain[-2]
            self._replace(node.start, node.end, self._rendered(value, parent, len(chain) - 2))
            return
        made = path[depth + 1 :]
        for key in reversed(made):
            value = {key: value} if isinstance(key, str) else [value]
        self._insert(chain, path[depth], value, made=len(made))

    def remove(self, path: Path) -> None:
        """Remove the member at a path, and its parents that are empty then. The whole text stays an object."""
        chain = self._find(path)
        if len(chain) <= len(path):
            return
        while len(path) > 1 and len(chain[len(path) - 1].members or ()) == 1:
            path = path[:-1]
        self._remove(chain[len(path) - 1], path[-1])

    def _remove(self, container: Node, key: str | int) -> None:
        members = container.members or []
        position = next(i for i, member in enumerate(members) if member.key == key)
        member = members[position]
        text, end = self.text, member.node.end if member.comma is None else member.comma + 1
        head, tail = text[: member.before], text[end:]
        if member.comma is None and position > 0:
            comma = members[position - 1].comma
            head = head[:comma] + head[comma + 1 :] if comma is not None else head
        if len(members) == 1:
            inside = text[container.start + 1 : member.before] + text[end : container.end - 1]
            if not inside.strip():
                head, tail = text[: container.start + 1], text[container.end - 1 :]
        self.text = head + tail
        self._root = self._parsed()

    def _replace(self, start: int, end: int, new: str) -> None:
        self.text = self.text[:start] + new + self.text[end:]
        self._root = self._parsed()

    def _find(self, path: Path) -> list[Node]:
        """The nodes along a path, from the root to the last that exists."""
        chain = [self._root]
        for number, key in enumerate(path):
            node = chain[-1]
            kind = dict if isinstance(key, str) else list
            if not isinstance(node.value, kind):
                place = ".".join(map(str, path[:number])) or "the file"
                raise InvalidInput(f"{place} must be {'an object' if kind is dict else 'a list'}")
            found = [member.node for member in node.members or () if member.key == key]
            if len(found) > 1:
                raise InvalidInput(f"the key {key!r} occurs {len(found)} times in one object: remove all but one")
            if not found:
                break
            chain.append(found[0])
        return chain

    def _insert(self, chain: list[Node], key: str | int, value: object, *, made: int) -> None:
        container, depth = chain[-1], len(chain) - 1
        name = f"{json.dumps(key, ensure_ascii=False)}: " if isinstance(key, str) else ""
        new = name + self._rendered(value, container, depth, made=made)
        end, members = container.inner_end, container.members or []
        separator = self._eol + self._indent(container, depth) if self._is_broken(container, depth) else " "
        head, tail = self.text[:end], self.text[end:]
        last = members[-1] if members else None
        if last is None:
            closing = tail[: container.end - 1 - end]
            if separator == " ":
                separator = ""
            elif "\n" not in closing:
                tail = self._eol + self._line_indent(container.start) + tail.lstrip(" \t")
        elif last.comma is None:
            head = head[: last.node.end] + "," + head[last.node.end :]
        else:
            new += ","
        self.text = head + separator + new + tail
        self._root = self._parsed()

    def _rendered(self, value: object, container: Node, depth: int, *, made: int = 0) -> str:
        """The value as text. `made`: how many levels of it were made for what is inside."""
        if not self._is_broken(container, depth):
            return json.dumps(value, ensure_ascii=False)
        lines = _lines(value, self._unit, made=made)
        return (self._eol + self._indent(container, depth)).join(lines)

    def _is_broken(self, container: Node, depth: int) -> bool:
        """Whether the members of a container are on lines of their own."""
        members = container.members or []
        inside = self.text[container.start : container.inner_end]
        if members and "\n" not in self.text[container.start : members[0].start]:
            return "//" in self.text[members[-1].node.end : container.inner_end]
        return "\n" in inside or "//" in inside or depth == 0 or "\n" in self.text[: container.start]

    def _indent(self, container: Node, depth: int) -> str:
        for member in container.members or ():
            if "\n" in self.text[member.before : member.start]:
                return self._line_indent(member.start)
        return self._line_indent(container.start) + self._unit

    def _line_indent(self, position: int) -> str:
        line = self.text[self.text.rfind("\n", 0, position) + 1 : position]
        return line[: len(line) - len(line.lstrip(" \t"))]

    @property
    def _unit(self) -> str:
        for member in self._root.members or ():
            if "\n" in self.text[member.before : member.start]:
                return self._line_indent(member.start) or INDENT
        return INDENT

    @property
    def _eol(self) -> str:
        first = self.text.find("\n")
        return "\r\n" if first > 0 and self.text[first - 1] == "\r" else "\n"

    def _parsed(self) -> Node:
        try:
            return _Parser(self.text, comments=self._comments, trailing_commas=self._trailing_commas).document()
        except RecursionError:
            raise InvalidInput("it is nested too deeply") from None


def _lines(value: object, unit: str, name: str = "", *, made: int = 0) -> list[str]:
    """The value as lines: what is short is on one line, but not its outermost `made` levels."""
    short = name + json.dumps(value, ensure_ascii=False)
    if not (isinstance(value, dict | list) and value) or (len(short) <= LINE and not made):
        return [short]
    pairs = [(f"{json.dumps(key)}: ", one) for key, one in value.items()] if isinstance(value, dict) else []
    items = [_lines(one, unit, key, made=max(0, made - 1)) for key, one in pairs or [("", one) for one in value]]
    commas = [[*item[:-1], f"{item[-1]}{',' if number < len(items) else ''}"] for number, item in enumerate(items, 1)]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return [name + first, *(unit + line for item in commas for line in item), last]


class _Parser:
    """A parser of JSON with positions. `kind`, `start` and `end` are those of the next token."""

    def __init__(self, text: str, *, comments: bool, trailing_commas: bool) -> None:
        self.text, self.comments, self.trailing_commas = text, comments, trailing_commas
        self.before, self.start, self.end, self.kind = 0, 0, 0, 0
        self.next()

    def document(self) -> Node:
        root = self.value()
        if self.kind:
            raise self.error(f"unexpected {self.token!r} behind the end")
        if not isinstance(root.value, dict):
            raise InvalidInput("the file must be an object: {...}")
        return root

    def next(self) -> None:
        """Step to the next token. `before` is the end of the token or comment in front of it."""
        self.before = self.end
        while True:
            self.start = self.end = SPACE.match(self.text, self.end).end()  # type: ignore[union-attr]
            found = TOKEN.match(self.text, self.start)
            if found is None:
                self.kind = 0
                if self.start < len(self.text):
                    raise self.error(f"unexpected character {self.text[self.start]!r}")
                return
            self.end, self.kind = found.end(), found.lastindex or 0
            if self.kind != COMMENT:
                return
            if not self.comments:
                raise self.error("a comment, which is not allowed here")
            self.before = self.end

    @property
    def token(self) -> str:
        return self.text[self.start : self.end]

    def value(self) -> Node:
        if self.kind == MARK and self.token in CLOSING:
            return self.container(self.token)
        if self.kind not in (STRING, WORD):
            raise self.error(f"expected a value, found {self.token!r}" if self.kind else "it ends too early")
        try:
            node = Node(self.start, self.end, json.loads(self.token))
        except ValueError:
            raise self.error(f"invalid value {self.token[:40]!r}") from None
        self.next()
        return node

    def container(self, opening: str) -> Node:
        """An object or a list, whose opening bracket is the next token."""
        node, members, closing = Node(self.start, 0, None), list[Member](), CLOSING[opening]
        self.next()
        while not (self.kind == MARK and self.token == closing):
            if members and members[-1].comma is None:
                raise self.error(f"expected ',' or {closing!r}")
            members.append(self.member(len(members), is_object=opening == "{"))
            if self.kind == MARK and self.token == ",":
                members[-1].comma = self.start
                self.next()
        if members and members[-1].comma is not None and not self.trailing_commas:
            raise self.error("a trailing comma, which is not allowed here")
        node.members, node.inner_end, node.end = members, self.before, self.end
        node.value = [one.node.value for one in members]
        if opening == "{":
            node.value = {str(one.key): one.node.value for one in members}
        self.next()
        return node

    def member(self, index: int, *, is_object: bool) -> Member:
        start, before = self.start, self.before
        if not is_object:
            return Member(index, start, before, self.value())
        if self.kind != STRING:
            raise self.error(f"expected a key, found {self.token!r}" if self.kind else "it ends too early")
        key = self.value().value
        if not (self.kind == MARK and self.token == ":"):
            raise self.error("expected ':'")
        self.next()
        return Member(key, start, before, self.value())

    def error(self, problem: str) -> InvalidInput:
        line = self.text.count("\n", 0, self.start) + 1
        return InvalidInput(f"line {line}: {problem}")


__all__ = ["JsonDocument"]
