"""Proposals out of stored sessions: of which tenant and project, and that nothing is written unasked."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.memory.lifecycle import distil

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jotsam import Jotsam

STEPS = "I ran `uv sync --all-extras`, then `uv run pytest -q`."
RULE = "Always run the migrations before you start the server."


def filled(jot: Jotsam, *, sessions: int = 3, project: str = "shop") -> None:
    for number in range(sessions):
        jot.remember(RULE, session=f"{project}{number}", actor="user", project=project)
        jot.remember(STEPS, session=f"{project}{number}", actor="assistant", project=project)


def test_sessions_of_a_tenant_and_a_project_are_read(open_jot: Callable[..., Jotsam]) -> None:
    jot, eve = open_jot(), open_jot(tenant="eve")
    filled(jot)
    filled(jot, sessions=2, project="bank")
    filled(eve, sessions=2)
    found = jot.distil()
    assert (found.sessions, found.examined, found.is_complete) == (5, 10, True)
    assert [(one.kind, len(one.sessions)) for one in found.workflows] == [("script", 5), ("convention", 5)]
    shop = jot.distil(project="shop").workflows
    assert {session for one in shop for session in one.sessions} == {"shop0", "shop1", "shop2"}
    assert eve.distil().workflows == ()
    assert len(eve.distil(min_sessions=2).workflows) == 2


def test_files_are_written_when_asked_for_and_never_replaced(jot: Jotsam, tmp_path: Path) -> None:
    filled(jot)
    (tmp_path / "AGENTS.md").write_text(f"- {RULE}\n")
    found = distil.distil(jot.database, tenant="default", folder=str(tmp_path))
    script, rule = found.workflows
    assert (script.covered_by, rule.covered_by) == (None, "AGENTS.md")
    drafts = tmp_path / "drafts"
    (path,) = distil.write_proposals(found, str(drafts))
    lines = (drafts / "scripts").joinpath(path.rsplit("/", 1)[1]).read_text().splitlines()
    assert lines[0] == "#!/bin/sh"
    assert lines[-2:] == ["uv sync --all-extras", "uv run pytest -q"]
    assert "shop0, shop1, shop2" in lines[1]
    assert not stat.S_IMODE((tmp_path / path).stat().st_mode) & 0o111, "nothing runs before it was read"
    with pytest.raises(InvalidInput, match="exists already"):
        distil.write_proposals(found, str(drafts), ids=[rule.id, script.id])
    assert len([*drafts.rglob("*.md")]) == 0, "nothing was written"
    (path,) = distil.write_proposals(found, str(drafts), ids=[rule.id])
    assert path.endswith(".md")
    with pytest.raises(NotFound, match="no proposal"):
        distil.write_proposals(found, str(drafts), ids=["none"])
