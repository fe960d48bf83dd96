"""The tests of the adapters run where the frameworks are installed: `bash scripts/frameworks`, also with `--crewai`.

CrewAI has an environment of its own, because it needs other versions of the same libraries.
"""

from __future__ import annotations

from importlib.util import find_spec

OF_CREWAI = ["test_crewai.py"]

collect_ignore_glob = OF_CREWAI if find_spec("langgraph") else ["test_*.py"]
if find_spec("crewai"):
    collect_ignore_glob = ["test_[!cp]*.py", "test_pydantic_ai.py"]
