"""The examples in `deploy/` can be read by the programs they are for, and name what exists."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from jotsam.core.settings import Settings
from jotsam.surfaces.cli.parser import full_parser
from jotsam.surfaces.http.options import ServeOptions

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


def panels() -> list[dict[str, Any]]:
    return [panel for panel in json.loads((DEPLOY / "grafana.json").read_text())["panels"] if panel["type"] != "row"]


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yml").read_text())
    return found


def dockerfile(instruction: str) -> list[str]:
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    return [line.partition(" ")[2] for line in text.splitlines() if line.startswith(instruction + " ")]


def test_each_alert_says_what_is_wrong_and_what_to_do() -> None:
    found = rules()
    assert len({rule["alert"] for rule in found}) == len(found) == 9
    for rule in found:
        assert rule["labels"]["severity"] in ("warning", "critical"), rule["alert"]
        assert rule["annotations"].keys() == {"summary", "description"}, rule["alert"]
        assert rule["expr"].count("(") == rule["expr"].count(")"), rule["alert"]


def test_each_metric_in_a_rule_or_a_panel_is_one_of_the_server(metric_names: set[str]) -> None:
    expressions = {rule["alert"]: rule["expr"] for rule in rules()}
    expressions |= {panel["title"]: " ".join(one["expr"] for one in panel["targets"]) for panel in panels()}
    named = {name: set(re.findall(r"\bjotsam_\w+", text)) for name, text in expressions.items()}
    assert {name: found - metric_names for name, found in named.items() if found - metric_names} == {}
    assert [name for name, found in named.items() if not found] == ["JotsamDown"]


@pytest.fixture(scope="module")
def metric_names() -> set[str]:
    """The names of all samples, as they are exposed for an empty database."""
    from prometheus_client.parser import text_string_to_metric_families

    from jotsam.memory.metrics import Metrics
    from jotsam.surfaces.http.server_metrics import ServerMetrics

    empty = Metrics(jobs=(), oldest_ms={}, paused=(), models=(), workers=0, spooled=0, bytes=0)
    metrics = ServerMetrics()
    try:
        text = metrics.text(empty, ready=True).decode()
    finally:
        metrics.close()
    suffixes = {"gauge": ("",), "counter": ("_total",), "summary": ("_sum", "_count")}
    suffixes["histogram"] = ("_sum", "_count", "_bucket")
    found = text_string_to_metric_families(text)
    return {family.name + suffix for family in found for suffix in suffixes[family.type]}


def test_the_panels_of_the_dashboard_do_not_overlap() -> None:
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    taken = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells


def test_every_command_line_is_one_of_jotsam() -> None:
    lines = [
        re.search(r"^ExecStart=/opt/jotsam/bin/jotsam (.*)$", unit.read_text(), re.MULTILINE)[1].split()  # type: ignore[index]
        for unit in UNITS
    ]
    lines += [json.loads(text) for text in dockerfile("CMD")]
    lines += [service["command"] for service in compose()["services"].values() if "command" in service]
    assert len(lines) == 5
    for line in lines:
        parsed = full_parser().parse_args(line)
        assert (parsed.module, parsed.log_format) in (("serve", "json"), ("work", "json"))


def test_the_settings_and_ports_that_are_named_exist() -> None:
    services = compose()["services"]
    named = {name for service in services.values() for name in service.get("environment", {})}
    named |= {name for unit in UNITS for name in re.findall(r"^Environment=(\w+)=", unit.read_text(), re.MULTILINE)}
    named |= {name for text in dockerfile("ENV") for name in re.findall(r"(\w+)=", text)}
    ours = {name.removeprefix("JOTSAM_").lower() for name in named if name.startswith("JOTSAM_")}
    assert ours
    assert ours <= {*Settings._fields}
    port = str(ServeOptions().port)
    assert dockerfile("EXPOSE") == [port]
    assert services["server"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    targets = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())["scrape_configs"][0]["static_configs"]
    assert targets == [{"targets": [f"server:{port}"]}]
    assert "server" in services["server"]["command"], "its own name must be allowed as a host"


def test_the_image_is_built_from_files_that_are_sent_to_its_builder() -> None:
    copied = [name for text in dockerfile("COPY") if "--from" not in text for name in text.split()[:-1]]
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert copied
    for name in copied:
        assert (DEPLOY.parent / name).exists(), name
        assert f"!{name}" in ignored, name


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """The program, the user and the settings of the examples do not exist here."""
    for unit in UNITS:
        text = unit.read_text().replace("/opt/jotsam/bin/jotsam", sys.executable).replace("User=jotsam", "User=root")
        copy = tmp_path / unit.name
        copy.write_text(text)
        checked = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False)
        assert (checked.returncode, [line for line in checked.stderr.splitlines() if unit.name in line]) == (0, [])


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed: apt-get install prometheus")
def test_prometheus_accepts_its_files() -> None:
    for command in (["rules", "alerts.yml"], ["config", "--syntax-only", "prometheus.yml"]):
        checked = subprocess.run(
            ["promtool", "check", *command], cwd=DEPLOY, capture_output=True, text=True, check=False
        )
        assert checked.returncode == 0, checked.stderr + checked.stdout
