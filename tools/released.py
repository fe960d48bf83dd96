"""Keeps the state of a release, for later versions to open: `python -m tools.released 0.1` writes tests/releases/0.1.

`file.sql` and `server.sql` are the same memory as a SQLite file and as a schema of PostgreSQL, with every migration
that exists; `answers.json` is what they answer, of the server only where it differs. Run it again until the release,
and never after it. The clock stands still and random bytes are the same each time, so that another run differs only in
what the program does differently, and in how far the server has added up the rows of `queue_count`.

`python -m tools.released 0.1 --answers` asks the kept dumps again, for an answer that a later version changes on
purpose: the difference of `answers.json` is to be read line by line.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import apsw
import apsw.shell
import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "moving"), str(ROOT)]

import servers  # noqa: E402
from jotsam.core import dsn  # noqa: E402
from jotsam.core.platform import process_identity  # noqa: E402
from tools.released_answers import answers  # noqa: E402
from tools.released_memory import MovedClock, write  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RELEASES = ROOT / "tests" / "releases"
SCHEMA = "jotsam_of_release"
"""The name of the schema in the dump of a server, which is replaced when it is loaded."""

SOMEBODY = process_identity.ProcessIdentity(machine="", host="host", pid=1, started="")
SAME_ORDER = "PYTHONHASHSEED"

DUMP = ("--inserts", "--rows-per-insert=20", "--no-owner", "--no-privileges", "--no-comments", "-n", SCHEMA)
# What only `psql` or one version of a server understands. A line of a stored text does not look like that.
LEFT_OUT = re.compile(
    r"^(?:\\.*|SET (?!check_function_bodies).*|--|-- (?:Name|Data for Name|Dumped|Postgre).*)\n", re.M
)
# The order of rows in a table depends on when the server has cleaned it up.
SORTED = f"""
select format('cluster {SCHEMA}.%I using %I', of_table.relname, of_index.relname)
from pg_index
join pg_class of_table on of_table.oid = indrelid
join pg_class of_index on of_index.oid = indexrelid
where indisprimary and of_table.relkind = 'r' and of_table.relnamespace = '{SCHEMA}'::regnamespace
"""


EMPTY = {"worker_lease", "event", "event_pruned", "recording", "engine", "mirror_change", "mirror_progress"}
"""Tables about processes, servers and engines that run."""


def keep(folder: Path) -> None:
    """Write the dumps of a release, and what they answer. Raises `SystemExit` if a table has no row."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, running_server() as server:
        for name, url, dump in (
            ("file.sql", f"{scratch}/jotsam.db", dump_of_file),
            ("server.sql", server.url(SCHEMA), lambda _: dump_of_server(server)),
        ):
            with _same_each_time():
                write(url, MovedClock())
            (folder / name).write_text(dump(url), encoding="utf-8")
        if empty := _empty_tables(f"{scratch}/jotsam.db") - EMPTY:
            raise SystemExit(f"tools/released_memory.py stores nothing in {', '.join(sorted(empty))}")
    ask(folder)


def ask(folder: Path) -> None:
    """Write what the dumps of a release answer."""
    with tempfile.TemporaryDirectory() as scratch, running_server() as server:
        of_file = answers(loaded_file(folder, f"{scratch}/jotsam.db"))
        of_server = answers(loaded_server(folder, server))
    differing = {
        tenant: {call: answer for call, answer in each.items() if answer != of_file[tenant].get(call)}
        for tenant, each in of_server.items()
    }
    text = json.dumps({"file": of_file, "server": differing}, indent=1, sort_keys=True, ensure_ascii=False)
    (folder / "answers.json").write_text(f"{text}\n", encoding="utf-8")


def kept_answers(folder: Path, kind: str) -> dict[str, Any]:
    """Of a kind of database: `sqlite` or `postgres`."""
    kept = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    if kind == "sqlite":
        return kept["file"]  # type: ignore[no-any-return]
    return {tenant: each | kept["server"][tenant] for tenant, each in kept["file"].items()}


def loaded_file(folder: Path, path: str) -> str:
    """The path of a new file with what `file.sql` has."""
    connection = apsw.Connection(path)
    # The dump adds the tables of the full-text index to the schema, which this protection forbids.
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    for _ in connection.execute((folder / "file.sql").read_text(encoding="utf-8")):
        pass
    connection.close()
    connection = apsw.Connection(path)
    connection.execute("pragma journal_mode = wal").get  # noqa: B018
    connection.close()
    return path


def loaded_server(folder: Path, server: Any) -> str:
    """The address of a new schema with what `server.sql` has."""
    url: str = server.url()
    address, schema = dsn.split_schema(url)
    with psycopg.connect(address) as connection:
        connection.execute((folder / "server.sql").read_text(encoding="utf-8").replace(SCHEMA, schema).encode())
    return url


def dump_of_file(path: str) -> str:
    """The text of all tables, with those of which the full-text index consists."""
    text = io.StringIO()
    shell: Any = apsw.shell.Shell(args=[path], stdout=text, stdin=io.StringIO())
    shell.process_command(".dump")
    return re.sub(r"^--.*\n", "", text.getvalue(), flags=re.M)


def dump_of_server(server: Any) -> str:
    """The text of the schema `SCHEMA`."""
    for (statement,) in server.execute(SORTED):
        server.execute(statement)
    command = [server.programs / "pg_dump", "-h", server.folder / "data", "-U", "postgres", *DUMP, "postgres"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.sub(r"\n{2,}", "\n", LEFT_OUT.sub("", text))


def _empty_tables(path: str) -> set[str]:
    connection = apsw.Connection(path)
    names = {str(name) for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")}
    empty = {name for name in names if not connection.execute(f"select count(*) from {name}").get}
    connection.close()
    return empty


@contextmanager
def running_server() -> Iterator[Any]:
    servers.begin_run()
    server = servers.Server()
    try:
        yield server
    finally:
        server.stop()
        servers.end_run()


@contextmanager
def _same_each_time() -> Iterator[None]:
    """Ids are not random, and no process or machine is named."""
    somebody: Callable[..., Any] = lambda *, is_local: SOMEBODY  # noqa: E731
    with (
        patch.object(os, "urandom", random.Random(0).randbytes),
        patch.object(process_identity, "this_process", somebody),
    ):
        yield


def main(release: str, *options: str) -> None:
    if os.environ.get(SAME_ORDER) != "0":  # Of sets of texts.
        command = [sys.executable, "-m", "tools.released", release, *options]
        sys.exit(subprocess.call(command, env=os.environ | {SAME_ORDER: "0"}))
    (ask if "--answers" in options else keep)(RELEASES / release)


if __name__ == "__main__":
    main(*sys.argv[1:] or sys.exit(__doc__))
