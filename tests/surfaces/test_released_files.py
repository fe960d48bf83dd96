"""What a released version wrote: each later one opens it, also after a kill in a migration, and answers the same."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from tools.fingerprints import computed
from tools.released import RELEASES, ROOT, kept_answers, loaded_file, loaded_server
from tools.released_answers import answers, differences

from jotsam.storage import migrations, outstanding

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEPT = sorted(RELEASES.iterdir())
DUMPS = {"sqlite": "file.sql", "postgres": "server.sql"}
APPLIED = re.compile(r"\('(\w+)', ?(\d+), ?'\1_\d{4}_\w+', ?'([0-9a-f]+)'")
MORE = """
alter table queue_job add column colour text;
create table queue_more (id bigint primary key);
insert into queue_more (id) select id from queue_job;
"""
OPEN = """
import runpy, sys
sys.path += {paths!r}
sys.argv[1:] = [{url!r}]
runpy.run_module("killed_openings", {{}}, "__main__")
"""


@pytest.fixture(params=KEPT, ids=lambda folder: folder.name)
def release(request: pytest.FixtureRequest) -> Path:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def loaded(release: Path, kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database as the release has left it."""
    if kind == "postgres":
        return loaded_server(release, request.getfixturevalue("server"))
    return loaded_file(release, str(tmp_path / "released.db"))


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.on_both
@pytest.mark.needs_server
def test_it_is_opened_and_answers_as_it_did(loaded: str, release: Path, kind: str) -> None:
    found = as_json(answers(loaded))
    assert list(differences(kept_answers(release, kind), found)) == []
    assert outstanding(loaded) == []


@pytest.mark.on_both
@pytest.mark.needs_server
def test_it_is_opened_after_a_kill_at_each_step_of_its_migration(
    loaded: str, release: Path, kind: str, next_version: Callable[..., Any]
) -> None:
    paths = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "moving")]
    done = next_version(OPEN.format(paths=paths, url=loaded), migration=MORE)
    assert done.stderr == ""
    found = json.loads(done.stdout)
    steps = found["left"]
    assert set(steps) == {steps[0], 0}, "a migration was applied in part"
    assert steps.count(steps[0]) > 5, "it was killed before the migration, and in it"
    assert list(differences(kept_answers(release, kind), found["answers"])) == []


def test_no_migration_that_it_has_applied_was_changed(release: Path) -> None:
    """A change of the schema is a new migration with its data."""
    changed, scripts = [], computed()
    for dialect, dump in DUMPS.items():
        rows = APPLIED.findall((release / dump).read_text(encoding="utf-8"))
        assert {schema for schema, *_ in rows} == {"queue", "memory"}
        for schema, version, kept in rows:
            script = scripts[dialect][schema][int(version) - 1]
            if not kept == script == migrations.fingerprint(dialect, schema, int(version)):
                changed.append(f"{dialect}/migrations/{schema}_{int(version):04}*: was {kept}, is {script}")
    assert changed == []


def test_it_names_no_folder_of_the_machine_that_made_it(release: Path) -> None:
    for dump in (*DUMPS.values(), "answers.json"):
        text = (release / dump).read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if re.search(r"/(home|root|tmp|work|dev)/", line)] == []
