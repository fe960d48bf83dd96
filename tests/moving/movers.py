"""From which kind of database to which a move goes, and what a process does that is killed in the middle of one.

It says how far it is, and waits to be told to go on.
"""

from __future__ import annotations

from typing import Any

import pytest

from jotsam.admin.copy_database import copy_database
from jotsam.admin.move_tenant import move_tenant
from jotsam.core.settings import Settings

TO_A_SERVER, TO_A_FILE = ("sqlite", "postgres"), ("postgres", "sqlite")
WITHIN = [("sqlite", "sqlite"), ("postgres", "postgres")]


def _ends(*, check: list[tuple[str, str]], long: list[tuple[str, str]]) -> pytest.MarkDecorator:
    """Parametrizes the fixture `ends`."""
    later = [pytest.param(ends, marks=pytest.mark.long) for ends in long]
    return pytest.mark.parametrize("ends", [*check, *later], ids=" to ".join)


# In the check a move is made in one direction. What comes along is compared in both.
across = _ends(check=[TO_A_SERVER], long=[TO_A_FILE])
every_way = _ends(check=[TO_A_SERVER], long=[TO_A_FILE, *WITHIN])
both_directions = _ends(check=[TO_A_SERVER, TO_A_FILE], long=WITHIN)


def mover(pipe: Any, db: str, to: str) -> None:
    def tell(what: str, done: int, total: int) -> None:
        pipe.send((what, done, total))
        pipe.recv()

    copy_database(Settings(db=db), to, tell=tell, batch_rows=10)
    pipe.send("moved")


def tenant_mover(pipe: Any, db: str, to: str, tenant: str, undo: bool) -> None:
    def tell(what: str, done: int, total: int) -> None:
        pipe.send(what)
        pipe.recv()

    move_tenant(Settings(db=db), tenant, to, undo=undo, tell=tell)
    pipe.send("ended")
