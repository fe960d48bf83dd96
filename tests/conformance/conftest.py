"""Whatever stands in this folder is promised by every database, so each test runs on each of them and asks nothing."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind
