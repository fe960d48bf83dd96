"""What a process does that is killed in the middle of a move: it says how far it is, and waits to be told to go on."""

from __future__ import annotations

from typing import Any

from jotsam.admin.copy_database import copy_database
from jotsam.admin.move_tenant import move_tenant
from jotsam.core.settings import Settings


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
