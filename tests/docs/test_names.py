"""Names of modules, files and settings on the pages exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from doc_pages import PAGES, ROOT

from jotsam.core.settings import Settings

PACKAGE = ROOT / "src" / "jotsam"
# Folders of the package: a name in backticks that begins with one of them and a slash is a module.
OURS = ("core", "storage", "models", "pipeline", "queueing", "ingest", "retrieval", "worker", "memory", "admin")
REPOSITORY = ("src", "docs", "benchmarks", "tests", "tools", "scripts")
PROSE = [page for page in PAGES if "reference" not in page.parts]


def test_every_module_that_a_page_names_exists() -> None:
    missing = [f"{page.name}: {path}" for page, path in named(OURS) if not exists(PACKAGE / path)]

    assert missing == []


def test_every_file_of_the_repository_that_a_page_names_exists() -> None:
    missing = [f"{page.name}: {path}" for page, path in named(REPOSITORY) if not exists(ROOT / path)]

    assert missing == []


def test_every_setting_that_a_page_names_exists() -> None:
    known = {f"JOTSAM_{name.upper()}" for name in Settings._fields}
    known |= {"JOTSAM_ASYNC", "JOTSAM_TEST_POSTGRES", "JOTSAM_EMBED", "JOTSAM_"}
    found = {(page.name, name) for page in PROSE for name in re.findall(r"\bJOTSAM_[A-Z_]*", page.read_text())}

    assert {(page, name) for page, name in found if name not in known} == set()


def named(folders: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """The paths in backticks that begin with one of these folders."""
    pattern = re.compile(rf"`((?:{'|'.join(folders)})/[\w./-]+)`")
    for page in PROSE:
        for path in pattern.findall(page.read_text()):
            yield page, path


def exists(path: Path) -> bool:
    """A page may leave out the ending of a module, as an import does."""
    return path.exists() or path.with_name(f"{path.name}.py").exists()
