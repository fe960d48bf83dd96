"""The tests of the adapters run where the frameworks are installed: `bash scripts/frameworks`."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("langgraph") else ["test_*.py"]
