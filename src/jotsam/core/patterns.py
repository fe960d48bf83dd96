"""Regular expressions of modules, compiled when they are first used.

Compiling those of a prompt would take a third of the hook's time, and one prompt needs few of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import compile as lazy_pattern
    from typing import Any

    __all__ = ["lazy_pattern"]
else:
    METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")

    class lazy_pattern:
        """What `re.compile` returns, but compiled by the first use. Its methods are then those of the pattern."""

        __slots__ = (*METHODS, "_flags", "_pattern", "_source")

        def __init__(self, source: str, flags: int = 0) -> None:
            self._source, self._flags = source, flags

        def __getattr__(self, name: str) -> Any:
            """What is not set yet."""
            if name == "_pattern":
                import re

                self._pattern = re.compile(self._source, self._flags)
                for method in METHODS:
                    setattr(self, method, getattr(self._pattern, method))
                return self._pattern
            return getattr(self._pattern, name)
