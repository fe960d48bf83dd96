"""The options of `jotsam server start`, as every process of a server gets them."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from jotsam.admin.logs import Format

    Dashboard = Literal["full", "read", "off"]

DEFAULT_PORT = 8787
MAX_BODY_BYTES = 16 << 20
MAX_UPLOAD_BYTES = 4 << 30
BODY_TIMEOUT_S = 30
ANSWER_TIMEOUT_S = 20.0  # after which a request is given up if the database does not answer


class ServeOptions(Record):
    """How a server answers."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    processes: int = 1
    worker: bool = True  # run a worker beside the server
    allow_hosts: tuple[str, ...] = ()  # more names under which clients reach it
    allow_origins: tuple[str, ...] = ()  # sites whose pages may call it
    max_body: int = MAX_BODY_BYTES  # bytes of a JSON body
    max_upload: int = MAX_UPLOAD_BYTES  # bytes of an import
    body_timeout_s: int = BODY_TIMEOUT_S
    answer_timeout_s: float = ANSWER_TIMEOUT_S
    open_metrics: bool = False  # /metrics needs no token
    dashboard: Dashboard = "full"
    log_format: Format = "text"
