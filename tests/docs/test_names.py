"""Names of modules, files and settings on the pages exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from doc_pages import PAGES, ROOT
from tools.reference import every_command

from jotsam.core.settings import Settings
from jotsam.surfaces.cli.command_index import MOVED, PROGRAMS, current
from jotsam.surfaces.cli.parser import full_parser

PACKAGE = ROOT / "src" / "jotsam"
# Folders of the package: a name in backticks that begins with one of them and a slash is a module.
OURS = (
    *("core", "storage", "models", "pipeline", "queueing", "ingest", "retrieval", "worker", "memory", "admin"),
    *("agents", "engines", "remote", "surfaces"),
)
REPOSITORY = ("src", "docs", "benchmarks", "tests", "tools", "scripts", "deploy")
DATA = ("agents/backups",)  # a folder in the data of a user
PROSE = [page for page in PAGES if "reference" not in page.parts]


def test_every_module_that_a_page_names_exists() -> None:
    missing = [f"{page.name}: {path}" for page, path in named(OURS) if not exists(PACKAGE / path) and path not in DATA]

    assert missing == []


def test_every_file_of_the_repository_that_a_page_names_exists() -> None:
    missing = [f"{page.name}: {path}" for page, path in named(REPOSITORY) if not exists(ROOT / path)]

    assert missing == []


def test_every_test_that_a_command_of_a_page_runs_exists() -> None:
    missing = [
        f"{page.name}: {path}"
        for page in PROSE
        for command in re.findall(r"`((?:[A-Z_]+=\S+ )*pytest [^`]+)`", page.read_text())
        for path in re.findall(r"\b(?:tests|benchmarks)/[\w./-]+", command)
        if not exists(ROOT / path)
    ]

    assert missing == []


def test_every_setting_that_a_page_names_exists() -> None:
    known = {f"JOTSAM_{name.upper()}" for name in Settings._fields}
    known |= {
        "JOTSAM_ASYNC",
        "JOTSAM_ACCESSIBLE",
        "JOTSAM_TEST_POSTGRES",
        "JOTSAM_TEST_AGENTS",
        "JOTSAM_TEST_MEMORIES",
        "JOTSAM_TEST_MODELS",
        "JOTSAM_TEST_PARTITIONS",
        "JOTSAM_TEST_QDRANT",
        "JOTSAM_TEST_QDRANT_KEY",
        "JOTSAM_EMBED",
        "JOTSAM_",
    }
    known |= {"JOTSAM_URL", "JOTSAM_TOKEN"}  # of a `Client`, which has no settings
    found = {(page.name, name) for page in PROSE for name in re.findall(r"\bJOTSAM_[A-Z_]*", page.read_text())}

    assert {(page, name) for page, name in found if name not in known} == set()


def named(folders: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """The paths in backticks that begin with one of these folders, but for those with a part such as NAME."""
    pattern = re.compile(rf"`((?:{'|'.join(folders)})/(?![\w/]*[A-Z]{{4}})[\w./-]+)`")
    for page in PROSE:
        for path in pattern.findall(page.read_text()):
            yield page, path


def exists(path: Path) -> bool:
    """A page may leave out the ending of a module, as an import does."""
    return path.exists() or path.with_name(f"{path.name}.py").exists()


def test_every_command_and_option_that_a_page_names_exists() -> None:
    known = dict(every_command(full_parser(), "jotsam"))
    wrong = []
    for page in (*PROSE, ROOT / "deploy" / "alerts.yml"):
        for line in commands_in(page.read_text()):
            words = line.split()
            if words[1:2] and words[1] in MOVED and words[1] not in PROGRAMS:
                wrong.append(f"{page.name}: {line}: the name of an earlier version")
            words = [words[0], *current(words[1:])]
            count = max(size for size in range(1, len(words) + 1) if " ".join(words[:size]) in known)
            has_verbs = any(name.startswith(" ".join([*words[:count], ""])) for name in known)
            if has_verbs and len(words) > count and re.fullmatch("[a-z][a-z-]*", words[count]):
                wrong.append(f"{page.name}: {line}: no such command")
            allowed = {option for action in known[" ".join(words[:count])]._actions for option in action.option_strings}
            allowed |= {option for action in known["jotsam"]._actions for option in action.option_strings}
            options = {word.partition("=")[0] for word in words if re.fullmatch(r"--[a-z][a-z-]*(=.*)?", word)}
            wrong += [f"{page.name}: {line}: no option {option}" for option in sorted(options - allowed)]

    assert wrong == []


def commands_in(text: str) -> Iterator[str]:
    """What follows `jotsam` in inline code and in blocks, also in those that are not run."""
    for code in re.findall(r"`(jotsam [^`\n]+)`|^\s*\$? ?(jotsam .+)$", text, re.MULTILINE):
        line = next(part for part in code if part)
        # An option with a value before the command would be taken for the command.
        line = re.sub(r" --(?:db|tenant) \S+", "", re.sub(r"(['\"]).*?\1", "TEXT", line))
        yield re.split(r"[|>#;)]| -- ", line)[0].strip()
