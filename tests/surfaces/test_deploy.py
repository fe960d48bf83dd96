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
from jotsam.surfaces.http.server.options import ServeOptions

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


def test_each_metric_and_label_in_a_rule_or_a_panel_is_one_of_the_server(labels: dict[str, set[str]]) -> None:
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    texts = {rule["alert"]: rule["expr"] + " " + str(rule["annotations"]) for rule in rules()}
    texts |= {panel["title"]: json.dumps(panel["targets"]) for panel in panels()}
    texts |= {one["name"]: one["definition"] for one in dashboard["templating"]["list"] if "definition" in one}
    wrong = {}
    for name, text in texts.items():
        metrics = set(re.findall(r"\bjotsam_\w+", text))
        allowed = {"job", "instance", "le"}.union(*(labels.get(one, ()) for one in metrics))
        used = set(re.findall(r"[{,]\s*(\w+)\s*(?:=~|!~|!=|=)", text)) | set(re.findall(r"\$labels\.(\w+)", text))
        used |= {one.strip() for group in re.findall(r"\b(?:by|on) \((.*?)\)", text) for one in group.split(",")}
        used |= set(re.findall(r"\{\{(\w+)\}\}", text))
        if found := (metrics - labels.keys()) | (used - allowed) or (not metrics and {"no metric"}):
            wrong[name] = found
    assert wrong == {"JotsamDown": {"no metric"}}


@pytest.fixture(scope="module")
def labels() -> dict[str, set[str]]:
    """The labels of all samples by their names, as they are exposed for a database that has some of everything."""
    from prometheus_client.parser import text_string_to_metric_families

    from jotsam.memory.status.health import Counted, Facts, findings
    from jotsam.memory.status.metrics import JobMetrics, Metrics, ModelUse, StepMetrics
    from jotsam.surfaces.http.server.request_log import RequestEnd
    from jotsam.surfaces.http.server.server_metrics import ServerMetrics

    numbers = ("ready", "leased", "waiting", "dead", "accepted", "done", "retried", "buried", "redriven", "discarded")
    job = JobMetrics(queue="q", kind="k", busy_ms=1, **dict.fromkeys(numbers, 1))
    use = ModelUse(model="m", purpose="p", calls=1, tokens_in=1, tokens_out=1, cost=1)
    step = StepMetrics(step="decay", state="done", runs=1, changed=1, ended_ms=1)
    found = Metrics(
        jobs=(job,),
        oldest_ms={"q": 1},
        paused=(),
        models=(use,),
        workers=0,
        spooled=0,
        bytes=0,
        findings=findings(Facts(dead=Counted(number=1))),
        steps=(step,),
    )
    metrics = ServerMetrics()
    try:
        metrics.request_ended(RequestEnd(request_id="r", method="GET", route="/", status=200, seconds=1))
        text = metrics.text(found, ready=True).decode()
    finally:
        metrics.close()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {sample.name: set(sample.labels) for sample in samples}


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
    assert len(lines) == 6
    for line in lines:
        parsed = full_parser().parse_args(line)
        assert (parsed.module, getattr(parsed, "log_format", "")) in (
            ("operate.serve", "json"),
            ("operate.work", "json"),
            ("keep.migrate", ""),
        )


def test_what_runs_beside_postgresql_does_not_own_its_tables() -> None:
    """So it can disable no row-level security: tests/postgres/test_grant.py shows what such a role may do."""
    found = compose()
    roles = found["configs"]["role"]["content"]
    (owner,) = re.findall(r"create database jotsam owner (\w+);", roles)
    services = {
        name: re.fullmatch(r"postgresql://(\w+):\$\{(\w+):\?\}@postgres/jotsam", one["environment"]["JOTSAM_DB"])
        for name, one in found["services"].items()
        if "JOTSAM_DB" in one.get("environment", {})
    }
    assert services.keys() == {"server", "migrate", "worker"}
    used = {name: one.groups() for name, one in services.items() if one}
    assert used["migrate"][0] == owner
    assert used["server"] == used["worker"]
    role, password = used["server"]
    assert (role != owner, password != used["migrate"][1]) == (True, True)
    assert f"create role {role} login password '${{{password}:?}}';" in roles
    assert found["services"]["migrate"]["command"] == ["migrate", "--grant", role]
    for name in ("server", "worker"):
        assert found["services"][name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}


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


def copied() -> list[str]:
    """The files and folders of the repository from which the image is built."""
    return [name for text in dockerfile("COPY") if "--from" not in text for name in text.split()[:-1]]


def test_the_image_is_built_from_files_that_are_sent_to_its_builder() -> None:
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert copied()
    for name in copied():
        assert (DEPLOY.parent / name).exists(), name
        assert f"!{name}" in ignored, name


def test_the_package_can_be_built_from_what_the_image_gets(tmp_path: Path) -> None:
    for name in copied():
        source, target = DEPLOY.parent / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
    (line,) = (text for text in dockerfile("RUN") if "hatchling" in text)
    command = line.partition(" && ")[0].split()[1:]
    command[command.index("--directory") + 1] = str(tmp_path / "wheels")
    built = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert len([*(tmp_path / "wheels").glob("jotsam-*.whl")]) == 1


def test_what_the_image_installs_is_locked_with_hashes_in_the_versions_that_were_tested() -> None:
    installs = [step for text in dockerfile("RUN") for step in text.split(" && ") if " install --no-deps " in step]
    assert len(installs) == 3
    assert [
        step for step in installs if not re.search(r"--require-hashes --requirement deploy/\w+.lock|--no-index", step)
    ] == []
    tested = versions(DEPLOY.parent / "requirements.lock")
    for lock in ("requirements.lock", "build.lock"):
        assert versions(DEPLOY / lock).items() <= tested.items(), "run `bash scripts/lock`"


def versions(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(), re.MULTILINE))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """The program, the user and the settings of the examples do not exist here."""
    for unit in UNITS:
        text = unit.read_text().replace("/opt/jotsam/bin/jotsam", sys.executable).replace("User=jotsam", "User=root")
        copy = tmp_path / unit.name
        copy.write_text(text)
        checked = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False)
        assert (checked.returncode, [line for line in checked.stderr.splitlines() if unit.name in line]) == (0, [])


NEEDS_PROMTOOL = pytest.mark.skipif(
    not shutil.which("promtool"), reason="promtool is not installed: apt-get install prometheus"
)


@NEEDS_PROMTOOL
def test_prometheus_accepts_its_files() -> None:
    for command in (["rules", "alerts.yml"], ["config", "--syntax-only", "prometheus.yml"]):
        checked = subprocess.run(
            ["promtool", "check", *command], cwd=DEPLOY, capture_output=True, text=True, check=False
        )
        assert checked.returncode == 0, checked.stderr + checked.stdout


# What Prometheus reads in a healthy hour, and what makes each rule fire: a value each minute, in its notation.
SERVER = 'job="jotsam",instance="server:8787"'
UP, READY, WORKERS = (f"{name}{{{SERVER}}}" for name in ("up", "jotsam_ready", "jotsam_workers"))
SPOOLED = f"jotsam_spooled_turns{{{SERVER}}}"
REQUESTS = f'jotsam_http_request_duration_seconds_count{{{SERVER},status="202"}}'
RECALLS = f'jotsam_recall_duration_seconds_bucket{{{SERVER},le="+Inf"}}'
OLDEST, PAUSED = (
    f'{name}{{{SERVER},queue="enrich"}}' for name in ("jotsam_oldest_job_age_seconds", "jotsam_queue_paused")
)
DEAD = f'jotsam_jobs_dead_total{{{SERVER},queue="enrich",kind="enrich"}}'
HEALTHY = {
    UP: "1x60",
    READY: "1x60",
    WORKERS: "1x60",
    SPOOLED: "0x60",
    REQUESTS: "0+60x60",
    **{RECALLS.replace("+Inf", le): "0+60x60" for le in ("0.1", "5.0", "+Inf")},
    OLDEST: "30x60",
    PAUSED: "0x60",
    DEAD: "3x60",
    f'jotsam_jobs{{{SERVER},queue="enrich",kind="enrich",state="ready"}}': "9x60",
}
INSTANCE = {"job": "jotsam", "instance": "server:8787"}
QUEUE = {"job": "jotsam", "queue": "enrich"}
FIRING: dict[str, tuple[dict[str, str], dict[str, str], str]] = {  # with the labels and the summary of the alert
    "JotsamDown": ({UP: "0x60"}, INSTANCE, "Jotsam on server:8787 does not answer"),
    "JotsamNotReady": ({READY: "0x60"}, INSTANCE, "Jotsam on server:8787 answers and cannot work"),
    "JotsamErrors": (
        {REQUESTS.replace("202", "503"): "0+15x60"},
        {"job": "jotsam"},
        "20% of the requests to Jotsam fail",
    ),
    "JotsamSlowRecall": (
        {RECALLS.replace("+Inf", "0.1"): "0+30x60"},
        {"job": "jotsam"},
        "One search in a hundred takes 4.902s or longer",
    ),
    "JotsamOldJobs": ({OLDEST: "3000+60x60"}, QUEUE, "A job of the queue enrich is 1h 50m 0s old"),
    "JotsamNoWorker": ({WORKERS: "0x60"}, {"job": "jotsam"}, "Jobs are ready and no worker runs"),
    "JotsamDeadLetters": (
        {DEAD: "3x55 4x5"},
        {**QUEUE, "kind": "enrich"},
        "Jobs of the kind enrich became dead letters",
    ),
    "JotsamQueuePaused": ({PAUSED: "1x60"}, QUEUE, "The queue enrich is paused"),
    "JotsamSpooledTurns": ({SPOOLED: "2x60"}, INSTANCE, "2 turns of hooks on server:8787 are not in the database"),
}


@NEEDS_PROMTOOL
def test_each_rule_fires_when_it_should_and_no_other_does(tmp_path: Path) -> None:
    assert FIRING.keys() == {rule["alert"] for rule in rules()}
    cases = []
    for case in ("", *FIRING):
        expected = []
        for rule in rules():
            test = {"alertname": rule["alert"], "eval_time": "60m", "exp_alerts": []}
            if rule["alert"] == case:
                _, labels, summary = FIRING[case]
                about = {"summary": summary, "description": rule["annotations"]["description"]}
                labels = {"severity": rule["labels"]["severity"], **labels}
                test["exp_alerts"] = [{"exp_labels": labels, "exp_annotations": about}]
            expected.append(test)
        series = {**HEALTHY, **(FIRING[case][0] if case else {})}
        read = [{"series": name, "values": values} for name, values in series.items()]
        cases.append({"interval": "1m", "input_series": read, "alert_rule_test": expected})
    file = tmp_path / "cases.yml"
    whole = {"rule_files": [str(DEPLOY / "alerts.yml")], "evaluation_interval": "1m", "tests": cases}
    file.write_text(yaml.safe_dump(whole))
    tested = subprocess.run(["promtool", "test", "rules", str(file)], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr + tested.stdout
