"""The TypeScript client: what can be checked without Node, and in the long suites its own tests."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest
from doc_pages import ROOT

from jotsam.core.version import VERSION

CLIENT = ROOT / "clients" / "typescript"
ROUTE = re.compile(r'"(GET|POST|PUT|PATCH|DELETE)", "(/v1/[^"]+)"')


def test_every_route_that_the_client_calls_exists() -> None:
    api = json.loads((ROOT / "docs" / "reference" / "openapi.json").read_text())["paths"]
    sources = [*(CLIENT / "src").glob("*.ts"), *(CLIENT / "test").glob("*.ts"), ROOT / "docs" / "typescript.md"]
    calls = {found for path in sources if path.name != "api.ts" for found in ROUTE.findall(path.read_text())}
    assert len(calls) >= 15
    assert [f"{method} {path}" for method, path in calls if method.lower() not in api.get(path, {})] == []


def test_its_version_is_that_of_the_package() -> None:
    package = json.loads((CLIENT / "package.json").read_text())
    lock = json.loads((CLIENT / "package-lock.json").read_text())
    assert [package["version"], lock["version"], lock["packages"][""]["version"]] == [VERSION] * 3
    assert "dependencies" not in package


def test_its_lock_file_has_hashes_and_no_address_of_a_registry() -> None:
    lock = json.loads((CLIENT / "package-lock.json").read_text())
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert [name for name, one in packages.items() if "resolved" in one or "integrity" not in one] == []


@pytest.mark.long
@pytest.mark.timeout(900)
def test_it_is_built_and_passes_its_own_tests_against_a_real_server() -> None:
    if not shutil.which("npm"):
        pytest.skip("npm is not installed, so the client cannot be built")
    done = subprocess.run(["bash", "scripts/typescript"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# pass 19$", done.stdout, re.MULTILINE), done.stdout
    assert "# fail 0\n" in done.stdout
    assert "# skipped 0\n" in done.stdout
