"""A model server on loopback, scripted by each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jotsam.models.scripted import Scripted


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    with Scripted() as scripted:
        yield scripted
