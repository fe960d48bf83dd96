"""weights"""

from __future__ import annotations

from jotsam.records import Record


class Weights(Record):
    words: float = 1.0


WEIGHTS = Weights()
