"""Builds a release from the last commit and tries it: `bash scripts/release-check`, which has the tools that it needs.

    python -m tools.release [--tag TAG] [--out FOLDER]

It builds the sdist, and from it the wheel, in two folders under different conditions, and requires the same bytes. What
it writes: `packages/` with both files, which are all that is published on an index; the SBOM; the bundle for MCP
clients, and `server.json` for the registry of MCP servers when the repository has an address; `SHA256SUMS`; and
`notes.md`, the section of CHANGELOG.md. It ends with 1 at the first step that fails, and then writes nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.installed import (
    PROGRAMS,
    Failed,
    install_with_pip,
    install_with_pipx,
    install_with_uv,
    run,
    say,
    start_bundle,
)

ROOT = Path(__file__).parents[1]
WORKFLOWS = ROOT / ".github" / "workflows"
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"


@dataclass(frozen=True, kw_only=True)
class Built:
    wheel: Path
    sdist: Path

    @property
    def hashes(self) -> dict[str, str]:
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (self.sdist, self.wheel)}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="release-check", description="Build a release from the last commit and try it."
    )
    parser.add_argument("--tag", help="fail unless this is v and the version")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder to write (default: dist)")
    given = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="jotsam-release-") as folder:
            check(Path(folder), tag=given.tag, out=given.out)
    except Failed as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def check(folder: Path, *, tag: str | None, out: Path) -> None:
    version = agreed_version(tag)
    say("version", f"{version} in the package and in CHANGELOG.md" + (f", tagged {tag}" if tag else ""))
    check_workflows()
    say("workflows", "valid, and zizmor finds nothing unsafe; forms for issues are valid")
    commit = run("git", "rev-parse", "--short=12", "HEAD").strip()
    if changed := run("git", "status", "--porcelain", "--untracked-files=no"):
        print(f"warning: {len(changed.splitlines())} changed files are not committed, and not part of this build")
    address = repository()
    if not address:
        print(
            "warning: pyproject.toml has no Repository in [project.urls], so the page on an index leads to no"
            " repository, and no server.json is written"
        )
    first = build(folder / "a", umask=0o022, env={"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"})
    other = {"TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"}
    second = build(folder / "b" / "of" / "another" / "depth", umask=0o077, env=other)
    if first.hashes != second.hashes:
        raise Failed(f"two builds of {commit} differ: {first.hashes} and {second.hashes}")
    say("build", f"{commit} twice, under other paths, time zones and umasks: the same bytes")
    tool("twine", "check", "--strict", str(first.sdist), str(first.wheel))
    tool("check-wheel-contents", str(first.wheel), cwd=folder / "a" / "source")
    say("contents", "accepted by twine check --strict and check-wheel-contents")
    environment = install_with_pip(folder / "pip", first.wheel)
    install_with_pip(folder / "pip-sdist", first.sdist)
    install_with_pipx(folder / "pipx", first.wheel)
    install_with_uv(folder / "uv", first.wheel)
    sbom = folder / f"jotsam-{version}.cdx.json"
    components = write_sbom(environment, sbom, version=version)
    say("sbom", f"CycloneDX, {components} components")
    bundle = folder / f"jotsam-{version}.mcpb"
    manifests = (str(environment / PROGRAMS / "python"), "-m", "tools.manifests")
    run(*manifests, "bundle", str(first.wheel), str(bundle))
    start_bundle(folder / "bundle", bundle)
    more = [sbom, bundle]
    if address:
        more.append(folder / "server.json")
        more[-1].write_text(run(*manifests, "server", address, str(bundle)), encoding="utf-8")
        tool("check-jsonschema", "--schemafile", json.loads(more[-1].read_text())["$schema"], str(more[-1]))
        check_readme(json.loads(more[-1].read_text())["name"])
    write(out, first, more=more, notes=changelog_section())
    for name, digest in first.hashes.items():
        print(f"{digest}  {name}")
    print(f"Written to {out}. Not checked here: another operating system than this one, and publishing.")


def agreed_version(tag: str | None) -> str:
    """The version of the package. Raises `Failed` if CHANGELOG.md or the tag has another."""
    source = (ROOT / "src" / "jotsam" / "core" / "version.py").read_text(encoding="utf-8")
    version = re.search(r'^VERSION = "(.+)"$', source, re.MULTILINE)[1]  # type: ignore[index]
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if heading is None or heading[1] != version:
        raise Failed(f"CHANGELOG.md begins with {heading and heading[1]!r}, and core/version.py has {version!r}")
    if tag is not None and tag != f"v{version}":
        raise Failed(f"the tag is {tag!r}, and core/version.py has {version!r}: tag v{version}, or change the version")
    return version


def repository() -> str | None:
    """The address of the repository, if it has one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: str | None = project.get("urls", {}).get("Repository")
    return found


def check_readme(name: str) -> None:
    """The registry of MCP servers looks for the name on the page of the package on the index. Raises `Failed`."""
    if f"mcp-name: {name}" not in (ROOT / "README.md").read_text(encoding="utf-8"):
        raise Failed(f"README.md does not name its entry in the registry: add the line <!-- mcp-name: {name} -->")


def changelog_section() -> str:
    """The newest section of CHANGELOG.md, without its heading, and without links to files of the repository."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.split(r"^## .*\n", text, flags=re.MULTILINE)[1].strip() + "\n"
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", section)


def check_workflows() -> None:
    tool("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *map(str, sorted(WORKFLOWS.glob("*.yml"))))
    forms = sorted(path for path in FORMS.glob("*.yml") if path.name != "config.yml")
    tool("check-jsonschema", "--builtin-schema", "vendor.github-issue-forms", *map(str, forms))
    tool("check-jsonschema", "--builtin-schema", "vendor.github-issue-config", str(FORMS / "config.yml"))
    tool("check-jsonschema", "--builtin-schema", "vendor.dependabot", str(ROOT / ".github" / "dependabot.yml"))
    tool("zizmor", "--offline", "--quiet", "--no-progress", str(ROOT / ".github"))


def build(folder: Path, *, umask: int, env: Mapping[str, str]) -> Built:
    """Build the sdist of the last commit, and the wheel from it. What is not committed is not in it."""
    source, dist, archive = folder / "source", folder / "dist", folder / "source.tar"
    source.mkdir(parents=True)
    run("git", "archive", "--output", str(archive), "HEAD")
    run("tar", "--extract", "--no-same-permissions", f"--file={archive}", f"--directory={source}", umask=umask)
    command = (sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist), str(source))
    run(*command, env={**env, "SOURCE_DATE_EPOCH": committed_at()}, umask=umask)
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    return Built(wheel=wheel, sdist=sdist)


def write_sbom(environment: Path, path: Path, *, version: str) -> int:
    """Write what pip has installed beside the package itself. Returns how many components that are."""
    python = str(environment / PROGRAMS / "python")
    options = ("--pyproject", "pyproject.toml", "--mc-type", "application", "--spec-version", "1.6")
    output = ("--output-reproducible", "--output-file", str(path))
    tool("cyclonedx-py", "environment", *options, *output, python, env={"SOURCE_DATE_EPOCH": committed_at()})
    written = json.loads(path.read_text(encoding="utf-8"))
    # The tool reads no version that the build finds out.
    written["metadata"]["component"] |= {"version": version, "purl": f"pkg:pypi/jotsam@{version}"}
    path.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    return len(written["components"])


def committed_at() -> str:
    return run("git", "log", "-1", "--format=%ct").strip()


def write(out: Path, built: Built, *, more: Sequence[Path], notes: str) -> None:
    """Replace what an earlier run wrote."""
    packages = out / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    for pattern in ("*.cdx.json", "*.mcpb", "server.json"):
        for old in out.glob(pattern):
            old.unlink()
    packages.mkdir(parents=True)
    for path in (built.sdist, built.wheel):
        shutil.copyfile(path, packages / path.name)
    for path in more:
        shutil.copyfile(path, out / path.name)
    digests = built.hashes | {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in more}
    (out / "SHA256SUMS").write_text(
        "".join(f"{digest}  {name}\n" for name, digest in digests.items()), encoding="utf-8"
    )
    (out / "notes.md").write_text(notes, encoding="utf-8")


def tool(name: str, *words: str, env: Mapping[str, str] | None = None, cwd: Path = ROOT) -> str:
    """What a program of this environment printed."""
    return run(str(Path(sys.executable).parent / name), *words, env=env, cwd=cwd)


if __name__ == "__main__":
    sys.exit(main())
