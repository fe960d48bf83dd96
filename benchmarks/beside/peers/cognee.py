"""cognee: a row with its reason."""

from __future__ import annotations

from typing import Any

ROWS: dict[str, dict[str, Any]] = {"cognee": {}}
REASON = (
    "not tried: by its documentation `cognify`, before which its search finds nothing, asks a language model about each"
    " text"
)
