"""A password or key within an address is in no output, no log and no file, whatever the address looks like."""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path
from typing import Any

import pytest

from jotsam import InvalidInput, Jotsam
from jotsam.core.settings import Settings
from jotsam.surfaces.cli.dispatch import run_line
from jotsam.surfaces.cli.output import Captured, report

SECRET = "zebra77"
PLACE = "127.0.0.1:1/x"
DATABASES = [
    *(f"postgresql://ana:{SECRET}@{PLACE}", f"postgres://:{SECRET}@{PLACE}", f"postgresql://{PLACE}?password={SECRET}"),
    *(f"postgresql://ana:S3cr@t#{SECRET}@{PLACE}", f"postgresql://ana:a#{SECRET}@{PLACE}"),
    *(f"postgresql://ana:a@{SECRET}@{PLACE}", f"postgresql://ana:a/{SECRET}@{PLACE}"),
    *(f"postgresql://ana:a?{SECRET}@{PLACE}", f"postgresql://ana:a%zz{SECRET}@{PLACE}"),
    *(f"postgresql://ana:{SECRET}@127.0.0.1:port/x", f"postgresql://ana:{SECRET}@{PLACE}?nonsense=1"),
    *(f"postgresql://{PLACE}?sslpassword={SECRET}", f"postgresql://{PLACE}?{SECRET}", f"mysql://ana:{SECRET}@{PLACE}"),
    *(f"host=127.0.0.1 port=1 password={SECRET}", f"dbname=x password={SECRET}", f"postgresql:/ana:{SECRET}@{PLACE}"),
]
MODELS = [
    *(f"http://bob:{SECRET}@127.0.0.1:9/v1", f"http://127.0.0.1:9/v1?api_key={SECRET}"),
    *(f"http://127.0.0.1:9/v1?key={SECRET}&token={SECRET}", f"http://bob:a#b@{SECRET}@127.0.0.1:9/v1"),
    *(f"http://bob:{SECRET}@127.0.0.1:port/v1", f"bob:{SECRET}@127.0.0.1", f"ftp://bob:{SECRET}@127.0.0.1/v1"),
]
CALLS = ["status", "--json status", "config", "--json config --origin", "doctor", "recall x", "jobs", "migrate"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("JOTSAM_WORKER_IDLE_MS", "0")
    return tmp_path


def printed_by(*line: str) -> str:
    with Captured() as printed:
        try:
            run_line(["--no-worker", *line])
        except SystemExit:
            pass
        except Exception as error:
            report(error)
            printed.stderr.write(repr(error) + repr(error.__cause__))
    return printed.stdout.getvalue() + printed.stderr.getvalue()


def written_below(folder: Path) -> list[str]:
    """Files whose name or bytes contain the secret."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if SECRET in path.name or SECRET.encode() in path.read_bytes()]


def test_of_a_database(here: Path) -> None:
    leaks = [
        f"{url}: {line}"
        for url in DATABASES
        for line in (CALLS if "://" in url and "ana:S3cr" in url else ["status", "config"])
        if SECRET in printed_by("--db", url, *line.split())
    ]
    leaks += [f"{url}: repr" for url in DATABASES if SECRET in repr(Settings(db=url))]
    assert leaks + written_below(here) == []


def test_of_a_model(here: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    leaks = []
    caplog.set_level(logging.INFO, logger="jotsam")
    for number, url in enumerate(MODELS):
        db = str(here / f"{number}.db")
        same: dict[str, Any] = {"db": db, "worker": "off", "worker_idle_ms": 0}
        given: dict[str, Any] = {"llm_url": url, "llm_model": "m", "embed_url": url, "embed_model": "e"}
        with Jotsam(settings=Settings(**same)) as jot:
            jot.remember("Ana moved to Bonn.")
        with contextlib.suppress(InvalidInput), Jotsam(settings=Settings(**same, **given)) as jot:
            jot.work()
        for name, value in given.items():
            monkeypatch.setenv(f"JOTSAM_{name.upper()}", value)
        lines = CALLS if number < 2 else ["config", "jobs", "status"]
        leaks += [f"{url}: {line}" for line in lines if SECRET in printed_by("--db", db, *line.split())]
        leaks += [f"{url}: repr"] if SECRET in repr(Settings(**same, **given)) else []
    assert leaks + written_below(here) == []
    assert SECRET not in caplog.text
