"""The page of JSON output: runs every command with `--json` on an example and describes what it prints.

Fields and types come from the records that the commands print, descriptions from the comments beside these fields.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import io
import os
import pkgutil
import re
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec import json

import jotsam
from jotsam import Queue
from jotsam.core.records import Record
from jotsam.core.signatures import field_comments
from jotsam.models.download import REQUIRED, WEIGHTS
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.surfaces.cli.output import _plain, is_time
from jotsam.surfaces.cli.parser import full_parser, parse
from tools.command_names import command_names

SESSION = '{"session": "monday", "actor": "Ana", "text": "We use Redis.", "timestamp": "2026-03-02T09:00:00Z"}\n'
SECRET = "The key is AKIAIOSFODNN7REALKEY."

EXAMPLES: tuple[tuple[str, ...], ...] = (
    ("db", "migrate"),
    ("add", "notes.md", "missing.md", "secrets", "--glob", "*"),
    ("remember", "Bob works at Acme.", "--external-id", "old", "--type", "Decision"),
    ("remember", "Bob works at Initech and uses Redis.", "--external-id", "new", "--type", "Decision"),
    *(("remember", f"The gateway restarts on {day}.", "--type", "Habit") for day in ("Monday", "Friday", "Sunday")),
    ("import", "monday.jsonl"),
    ("jobs", "list"),
    ("jobs", "work"),
    ("jobs", "wait", "--timeout", "0"),  # A job of an unknown kind is never done.
    ("recall", "where does Bob work?"),
    ("update", "link", "new", "LEADS_TO", "old"),
    ("show", "new"),  # After the link: whether a worker links the two as similar depends on timing.
    ("update", "supersede", "old", "new"),
    ("undo", "--dry-run"),
    ("update", "archive", "new"),
    ("update", "unarchive", "new"),
    ("facts", "--history"),
    ("entities",),
    ("entities", "show", "Bob"),
    ("entities", "candidates"),
    ("entities", "merge", "mongodb", "postgresql"),
    ("entities", "split", "mongodb"),
    ("themes",),
    ("themes", "patterns"),
    *(("remember", "Use tabs.", "--project", name) for name in ("github.com/acme/shop", "shop-old")),
    ("remember", "Always use pnpm.", "--session", "s-1"),
    ("log",),
    ("sessions",),
    ("sessions", "s-1"),
    ("db",),
    ("db", "projects"),
    ("db", "projects", "list"),
    ("db", "projects", "merge", "shop-old", "shop", "--yes"),
    ("db", "projects", "split", "shop-old", "--yes"),
    ("db", "projects", "rename", "shop-old", "old"),
    ("show", "--links", "new"),
    ("status", "--cost"),
    ("status",),
    ("jobs", "groups"),
    ("jobs", "list", "--stuck"),
    ("jobs", "retry", "all", "--dry-run"),
    ("models", "reprocess", "--all", "--dry-run"),
    ("brief", "blocks", "set", "human", "Ana writes Python."),
    ("brief", "blocks", "append", "human", "She works in Bonn."),
    ("brief", "blocks", "get", "human"),
    ("brief", "blocks"),
    ("brief", "blocks", "list"),
    ("brief", "blocks", "delete", "human"),
    ("brief", "rules", "add", "tabs, never spaces"),
    ("brief", "rules", "edit", "RULE_ID", "tabs for Go, spaces for Python"),
    ("brief", "rules", "strike", "RULE_ID", "--old"),
    ("brief", "rules"),
    ("brief", "rules", "list", "--all"),
    ("brief",),
    ("brief", "show"),
    ("themes", "crystals", "confirm", "new"),
    ("themes", "crystals"),
    ("themes", "crystals", "list"),
    ("themes", "crystals", "retract", "CRYSTAL_ID"),
    ("themes", "checkpoint", "--dry-run"),
    ("list", "--limit", "2"),
    ("update", "new", "--importance", "0.9"),
    ("db", "secrets"),
    ("db", "secrets", "list"),
    ("db", "secrets", "allow", "AKIAIOSFODNN7REALKEY", "--reason", "an example"),
    ("db", "secrets", "allow"),
    ("agents", "extract-prompt", "new"),
    ("agents", "extract-apply", "extraction.json"),
    ("jobs",),
    ("jobs", "show", "1"),
    ("jobs", "discard", "all", "--dry-run"),
    ("entities", "list"),
    ("themes", "distill"),
    ("jobs", "pause", "enrich"),
    ("jobs", "resume", "enrich"),
    ("agents", "capture"),
    ("db", "retention"),
    ("db", "lifecycle", "run", "decay"),
    ("db", "lifecycle", "run", "decay", "--apply", "--no-wait"),
    ("jobs", "work"),
    ("db", "lifecycle"),
    ("db", "lifecycle", "list"),
    ("db", "lifecycle", "show", "RUN_ID"),
    ("db", "lifecycle", "undo", "RUN_ID", "--yes"),
    ("db", "lifecycle", "allow-again"),
    ("db", "lifecycle", "links"),
    ("forget", "old"),
    ("forget", "old", "--trash", "--yes"),
    ("db", "trash"),
    ("db", "export", "all.jsonl"),
    ("db", "backup", "copy.db"),
    ("db", "maintain"),
    ("server", "tokens", "create", "--name", "laptop"),
    ("server", "tokens", "list"),
    ("server", "tokens"),
    ("server", "tokens", "revoke", "TOKEN_ID"),
    ("server", "dashboard", "--url", "SERVER_URL"),
    ("server", "audit"),
    ("doctor",),
    ("models",),
    ("models", "show"),
    ("models", "refresh", "--dry-run"),
    ("models", "fetch", "model"),
    ("db", "engine", "add", "ENGINE_ADDRESS"),
    ("db", "engine", "rebuild"),
    ("db", "engine"),
    ("db", "engine", "status"),
    ("db", "engine", "compare"),
    ("db", "engine", "remove", "qdrant"),
    ("install", "claude", "--dry-run"),
    ("agents", "uninstall", "claude", "--dry-run"),
    ("agents",),
    ("agents", "list"),
    ("config",),
    ("config", "show"),
    ("config", "set", "soft_cap", "200"),
    ("config", "unset", "soft_cap"),
    ("help", "exit-codes"),
    ("db", "salvage", "copy.db", "saved.db"),
    ("db", "restore", "copy.db"),
)

# They print none, need two PostgreSQL servers or a package, or are `update set` by another name.
NOT_SHOWN = {"demo", "agents hook", "agents mcp", "server", "server start", "config completion", "db move-tenant"}
NOT_SHOWN |= {"models install", "update"}

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_WORDS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "None": "null", "bytes": "string"}

MANY = 9
EARLIEST_MS = 10**12  # of the year 2001: no example has an earlier time, nor as large a number of anything else

Row = tuple[str, str, tuple[type[Record], ...], str]
"""Of a table: a field, its type, the records in it, and what it is."""


def json_page() -> str:
    printed = _printed()
    _check(printed)
    records = Records(_every_record())
    tables = {name: records.rows(fields) for name, fields in printed.items()}
    shown = records.mentioned(row for table in tables.values() for row in table)
    lines = [*HEAD]
    for name, table in tables.items():
        lines += [f"## `jotsam {name} --json`", "", *_table(table, shown), ""]
    lines += ["## Records", "", "The objects inside the output of the commands.", ""]
    for name, kind in sorted(shown.items()):
        lines += [f"### {name}", "", *_paragraph(kind), *_table(records.fields(kind), shown), ""]
    return "\n".join(lines)


HEAD = (
    "# JSON output",
    "",
    "Generated by `python -m tools.reference` from what the commands print.",
    "",
    "With `--json` a command prints one JSON object on standard output. Its `schema` is the version of this page:"
    " within a version, fields are added and never renamed or removed.",
    "",
    "- A time is ISO 8601 text in UTC with milliseconds, such as `2026-03-01T14:00:00.123Z`. Options take it too."
    " Over HTTP and in Python, a time is an integer of milliseconds since 1970.",
    "- A field that ends in `_ms` is a duration in milliseconds.",
    "- An id of a document, memory or fact is a UUID; an id of a job is a number.",
    "- An optional value is `null`, never missing.",
    '- An error that ends a command is `{"schema": 1, "error": {...}}`: `type` is the name of the exception or'
    " `UsageError`, `message`, `hints` an array of strings, `exit_code`, and `retry` whether the same command can"
    " succeed later. What is wrong is printed on standard error too.",
    "",
)


def _printed() -> dict[str, dict[str, Any]]:
    """What each command prints, before it becomes JSON. The examples run in this process, in a folder of their own."""
    from jotsam.surfaces.cli import start

    found: dict[str, dict[str, Any]] = {}
    encode = json.encode
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        _write_files()
        home = {"HOME": folder, "XDG_DATA_HOME": f"{folder}/data", "XDG_CONFIG_HOME": f"{folder}/config"}
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        environment = {**home, **kept}
        with FakeEndpoint() as model, _server() as url, mock.patch.dict(os.environ, environment, clear=True):
            os.environ.update(_settings(model))
            words = {"SERVER_URL": url, "ENGINE_ADDRESS": f"qdrant://{folder}/qdrant"}
            with Queue(f"{folder}/jotsam.db", "enrich") as queue:
                queue.send(None, kind="unknown")  # No handler knows it, so it becomes a dead letter.
            for example in EXAMPLES:
                objects: list[Any] = []

                def kept_encode(value: Any, *rest: Any, objects: list[Any] = objects, **options: Any) -> bytes:
                    if isinstance(value, dict) and "schema" in value:
                        objects.append(value)
                    return encode(value, *rest, **options)

                argv = ["jotsam", *(words.get(word, word) for word in example), "--json"]
                with (
                    mock.patch.object(json, "encode", kept_encode),
                    mock.patch.object(sys, "argv", argv),
                    contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())),
                    contextlib.redirect_stderr(io.StringIO()) as complaints,
                ):
                    code = start.main()
                if not objects:
                    raise SystemExit(f"{' '.join(argv)} printed no JSON (exit code {code}): {complaints.getvalue()}")
                found.setdefault(_name(example), objects[-1])
                if example[:3] == ("server", "tokens", "create"):
                    words["TOKEN_ID"] = objects[-1]["token"].id
                if example[:3] == ("brief", "rules", "add"):
                    words["RULE_ID"] = objects[-1]["note"].id
                if example[:3] == ("themes", "crystals", "confirm"):
                    words["CRYSTAL_ID"] = objects[-1]["crystal"].id
                if example[-1] == "--no-wait":
                    words["RUN_ID"] = objects[-1]["runs"][0].id
    return found


def _write_files() -> None:
    """Write the files that the examples read, and that the server answers with."""
    Path("notes.md").write_text(f"# Billing\n\nWe chose PostgreSQL over MongoDB.\n\n{SECRET}\n")
    Path("secrets").mkdir()
    Path("secrets/server.pem").touch()
    Path("secrets/why.md").write_text("Ask Ana.")
    Path("monday.jsonl").write_text(SESSION)
    Path("extraction.json").write_text('{"extractions": []}')
    Path("model").mkdir()
    for file in (*REQUIRED, WEIGHTS[0]):  # Whether the files are a model is found when they are used.
        Path("model", file).touch()
    Path("healthz").touch()


@contextlib.contextmanager
def _server() -> Iterator[str]:
    """The address of a server of these files. `dashboard` asks it only for /healthz."""
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _settings(model: FakeEndpoint) -> dict[str, str]:
    return {
        "JOTSAM_DB": "jotsam.db",
        "JOTSAM_WORKER": "off",
        "JOTSAM_WORKER_IDLE_MS": "0",
        "JOTSAM_ASYNC": "0",
        "JOTSAM_LLM_URL": model.url,
        "JOTSAM_LLM_MODEL": "example",
        "JOTSAM_EMBED_MODEL": "hashing",
    }


def _name(example: Sequence[str]) -> str:
    options = [word for word in example if word in ("--stuck", "--links", "--cost")]
    return " ".join([parse(example).command, *options])


def _check(printed: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises `SystemExit` for a command without an example, and for a time that is printed as a number."""
    missing = set(command_names(full_parser())) - printed.keys() - NOT_SHOWN
    if missing:
        raise SystemExit(f"EXAMPLES has no example of {', '.join(sorted(missing))}")
    for name, fields in printed.items():
        numbers = set(_numbers(json.decode(json.encode(fields, enc_hook=_plain)), ""))
        if numbers:
            raise SystemExit(f"jotsam {name} --json prints a time as a number in {', '.join(sorted(numbers))}")


def _numbers(value: object, field: str) -> Iterator[str]:
    """The fields that hold numbers as large as times in milliseconds."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _numbers(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _numbers(inner, field)
    elif isinstance(value, int | float) and value >= EARLIEST_MS and not field.endswith("bytes"):
        yield field


class Records:
    """The records of the package, by name. Where two have one name, the module that mentions it decides."""

    def __init__(self, kinds: Iterable[type[Record]]) -> None:
        self._kinds: dict[str, list[type[Record]]] = {}
        for kind in kinds:
            self._kinds.setdefault(kind.__name__, []).append(kind)
        self._tables: dict[type[Record], list[Row]] = {}

    def rows(self, fields: dict[str, Any]) -> list[Row]:
        """One row for each field of the object that a command prints."""
        names = tuple(name for name in fields if name != "schema")
        whole = [kind for kinds in self._kinds.values() for kind in kinds if kind._fields == names]
        if whole:
            return self.fields(whole[0])
        return [(name, *_type_of(fields[name]), "") for name in names]

    def fields(self, kind: type[Record]) -> list[Row]:
        """Name, type and comment of each field of a record, inherited ones first."""
        if kind not in self._tables:
            rows: dict[str, Row] = {}
            for owner in reversed(kind.__mro__):
                if isinstance(owner, type(Record)) and owner is not Record:
                    comments = field_comments(owner)
                    for name, annotation in inspect.get_annotations(owner).items():
                        what = _type_named(annotation)
                        what = what.replace("integer", "time") if is_time(name) else what
                        rows[name] = (name, what, self._held(annotation, owner), comments[name])
            self._tables[kind] = [row for name, row in rows.items() if name in kind._fields]
        return self._tables[kind]

    def mentioned(self, rows: Iterable[Row]) -> dict[str, type[Record]]:
        """The records that these rows hold, and all that the fields of those hold."""
        found: dict[str, type[Record]] = {}
        queue = [kind for row in rows for kind in row[2]]
        while queue:
            kind = queue.pop()
            if kind.__name__ not in found:
                found[kind.__name__] = kind
                queue += [inner for row in self.fields(kind) for inner in row[2]]
        return found

    def _held(self, annotation: str, owner: type[Record]) -> tuple[type[Record], ...]:
        """The records that an annotation in the module of `owner` names."""
        namespace = vars(sys.modules[owner.__module__])
        held = []
        for word in re.findall(r"\w+", annotation):
            same = [kind for kind in self._kinds.get(word, []) if kind.__module__ == owner.__module__]
            held += (
                same or [namespace[word]]
                if word in namespace and word in self._kinds
                else self._kinds.get(word, [])[:1]
            )
        return tuple(held)


def _type_of(value: object) -> tuple[str, tuple[type[Record], ...]]:
    """The type of a value in JSON, and the records in it."""
    if value is None:
        return "null", ()
    if isinstance(value, Record):
        return type(value).__name__, (type(value),)
    if isinstance(value, dict):
        keys = ", ".join(f"`{key}`" for key in value)
        return (f"object with {keys}" if 0 < len(value) < MANY else "object"), ()
    if isinstance(value, list | tuple):
        inner = dict(_type_of(one) for one in value)
        return f"array of {' or '.join(inner)}" if inner else "array", tuple(
            k for kinds in inner.values() for k in kinds
        )
    return _PLAIN.get(type(value), "string"), ()


def _type_named(annotation: str) -> str:
    """An annotation in the words of JSON: `tuple[Hit, ...] | None` is `array of Hit or null`."""
    return _in_json(ast.parse(annotation, mode="eval").body)


def _in_json(node: ast.expr) -> str:
    if isinstance(node, ast.BinOp):
        kinds = dict.fromkeys((_in_json(node.left), _in_json(node.right)))
        return " or ".join(kinds)
    if isinstance(node, ast.Subscript):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if ast.unparse(node.value).lower() in ("mapping", "dict"):
            return f"object of {_in_json(inner[-1])}" if _in_json(inner[-1]) != "any" else "object"
        kinds = dict.fromkeys(_in_json(one) for one in inner if ast.unparse(one) != "...")
        return f"array of {' or '.join(kinds)}"
    name = ast.unparse(node)
    return {"Any": "any", "object": "any"}.get(name, _WORDS.get(name, name))


def _every_record() -> Iterator[type[Record]]:
    """Every record of the package, the public ones among them."""
    for module in pkgutil.walk_packages(jotsam.__path__, "jotsam."):
        # A module of an optional dependency, or one that runs when it is imported, holds no record that is printed.
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    queue = [Record]
    while queue:
        subclasses = queue.pop().__subclasses__()
        queue += subclasses
        yield from subclasses


def _paragraph(kind: type[Record]) -> list[str]:
    text = inspect.getdoc(kind) if kind.__doc__ else ""
    return [*(text or "").splitlines(), ""] if text else []


def _table(rows: Sequence[Row], shown: dict[str, type[Record]]) -> list[str]:
    if not rows:
        return ["No fields besides `schema`."]
    lines = ["| field | type | |", "|---|---|---|"]
    for name, kind, _, about in rows:
        linked = re.sub(r"\w+", lambda word: f"[{word[0]}](#{word[0].lower()})" if word[0] in shown else word[0], kind)
        lines.append(f"| `{name}` | {linked} | {about.replace('|', chr(92) + '|')} |")
    return lines
