"""A release is a tag away: the version agrees, the packages have what they need, and the workflows run what exists."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from doc_pages import ROOT
from tools import release
from tools.installed import MAN_PAGE, Failed

from jotsam.core.version import VERSION

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# The commands of workflows that are no script of this repository.
OTHER_COMMANDS = ("sudo apt-get --quiet update && sudo apt-get --quiet --yes install zsh fish", "gh release create ")


def test_the_version_is_the_same_everywhere() -> None:
    assert release.agreed_version(f"v{VERSION}") == VERSION
    printed = subprocess.run([sys.executable, "-m", "jotsam", "--version"], capture_output=True, text=True, check=True)
    assert printed.stdout == f"jotsam {VERSION}\n"


def test_a_tag_of_another_version_is_refused() -> None:
    with pytest.raises(Failed, match=rf"the tag is '{VERSION}', .* tag v{re.escape(VERSION)}, or change the version"):
        release.agreed_version(VERSION)


def test_the_changelog_of_a_version_is_one_page_and_the_notes_of_its_release_have_no_dead_link() -> None:
    notes = release.changelog_section()
    assert 10 < len(notes.splitlines()) <= 60
    assert re.findall(r"\]\((?!https?:)", notes) == []


def test_the_sdist_builds_a_wheel_with_every_file_of_the_package(tmp_path: Path) -> None:
    hatchling("sdist", into=tmp_path, source=ROOT)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as file:
        file.extractall(tmp_path, filter="data")
    source = tmp_path / f"jotsam-{VERSION}"
    unwanted = {"__pycache__", ".git", ".test", ".venv", ".venv-release", "dist", "node_modules"}
    assert [path for path in source.rglob("*") if unwanted & {*path.relative_to(source).parts}] == []
    hatchling("wheel", into=tmp_path, source=source)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = {*file.namelist()}
        (metadata,) = (file.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    package = ROOT / "src"
    files = {
        path.relative_to(package) for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }
    assert {path.as_posix() for path in files} - names == set()
    licences = [path for path in files if "LICENSE" in path.name]
    beside = f"jotsam-{VERSION}"
    wanted = {f"{beside}.dist-info/licenses/src/{path.as_posix()}" for path in licences}
    wanted |= {f"{beside}.dist-info/licenses/LICENSE", f"{beside}.data/data/{MAN_PAGE.as_posix()}"}
    assert len(licences) == 6
    assert wanted - names == set()
    assert "Metadata-Version: 2.4\n" in metadata


def hatchling(target: str, *, into: Path, source: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(into)]
    subprocess.run(command, cwd=source, capture_output=True, check=True)


def test_each_program_of_the_release_check_is_locked() -> None:
    locked = set(re.findall(r"^([\w.-]+)==", (ROOT / "scripts" / "release.lock").read_text(), re.MULTILINE))
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    named = {
        re.match(r"[\w-]+", one)[0] for group in ("build", "release") for one in groups[group] if isinstance(one, str)
    }
    assert named - locked == set(), "run `bash scripts/lock`"


def steps() -> list[tuple[str, dict[str, Any]]]:
    """Each step, and each job that calls a workflow, with the name of its file."""
    found = []
    for path in WORKFLOWS:
        for job in yaml.safe_load(path.read_text())["jobs"].values():
            found += [(path.name, step) for step in job.get("steps", [job])]
    return found


def test_workflows_run_scripts_that_exist() -> None:
    commands = [(name, step["run"]) for name, step in steps() if "run" in step]
    scripts = [(name, re.match(r"bash (\S+)", command)) for name, command in commands]
    assert [name for name, found in scripts if found and not (ROOT / found[1]).is_file()] == []
    others = [command for (_, command), (_, found) in zip(commands, scripts, strict=True) if not found]
    assert [command for command in others if not command.startswith(OTHER_COMMANDS)] == []
    run = {found[1] for _, found in scripts if found}
    assert run == {
        ".ci/run",
        *(f"scripts/{name}" for name in ("image-check", "portable-check", "release-check", "site")),
    }


def test_each_action_is_pinned_by_its_commit_with_the_version_beside_it() -> None:
    lines = [line.strip(" -") for path in WORKFLOWS for line in path.read_text().splitlines() if "uses:" in line]
    others = [line for line in lines if not line.startswith("uses: ./.github/workflows/")]
    assert len(others) == len(lines) - 1
    assert [line for line in others if not re.fullmatch(r"uses: [\w/-]+@[0-9a-f]{40} # v[\d.]+", line)] == []
    assert len({re.match(r"uses: ([^ ]+)", line)[1] for line in others}) == len(
        {line.partition("@")[0] for line in others}
    ), "an action has two versions"


@pytest.mark.long
def test_a_release_can_be_built_twice_and_tried(tmp_path: Path) -> None:
    command = ["bash", "scripts/release-check", "--tag", f"v{VERSION}", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path.name for path in (tmp_path / "packages").iterdir()} == {
        f"jotsam-{VERSION}.tar.gz",
        f"jotsam-{VERSION}-py3-none-any.whl",
    }
    assert (tmp_path / f"jotsam-{VERSION}.mcpb").exists()
    subprocess.run(["sha256sum", "--check", "--ignore-missing", "../SHA256SUMS"], cwd=tmp_path / "packages", check=True)
