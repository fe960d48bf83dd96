"""The house: arrows point only downwards, pure rooms stay pure, every outside library has one door, rooms stay small.

The table of who may import whom stands in docs/design.md. Function-local and type-checking imports count like any
other: an arrow that is hidden is still an arrow.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "jotsam"

GROUND = {"records", "answers", "errors", "settings", "clock", "given", "address"}
STORAGE_ROOMS = {"queue", "documents", "memories", "graph", "search", "lease", "facts", "ledger", "vectors", "patterns"}
STORAGE_ROOMS |= {"entities", "tables", "allowed", "redactions"}
DOOR = {"door", "accept", "intake", "files", "spool", "status", "doctor", "jobs", "tenure", "queues", "processor"}
DOOR |= {"knowledge", "upgrade", "embedding", "reprocess", "move", "forget", "supersede", "questions", "sessions"}
DOOR |= {"reindex", "trial"}
LIGHT_PIPELINE = {"pipeline.redact", "pipeline.words", "pipeline.tag"}
FLOORS = {"storage": 2, "models": 2, "pipeline": 3, "worker": 4, "retrieval": 4, "surfaces": 6}
FLOORS |= dict.fromkeys(GROUND, 1) | dict.fromkeys(DOOR, 5)

# Whoever may import whom, beside the ground and its own floor.
ALLOWED = {
    "storage": set(),
    "models": set(),
    "pipeline": set(),
    "worker": {"storage", "models", "pipeline"},
    "retrieval": {
        "storage",
        "models",
        "pipeline.words",
        "pipeline.slugs",
        "pipeline.dates",
        "pipeline.days",
        "pipeline.predicates",
    },
    "door": {
        "storage",
        "models",
        "worker",
        "retrieval",
        "pipeline.predicates",
        "pipeline.slugs",
        "pipeline.transcript",
    }
    | LIGHT_PIPELINE,
    "surfaces": {"door"},
}
LIBRARY_DOORS = {
    "spacy": {"models.spacy"},
    "httpx2": {"models.endpoint"},
    "apsw": {"storage.sqlite"},
    "psycopg": {"storage.postgres", "storage.line"},
    "msgspec": {"surfaces", "retrieval.show", "queues"},
    "shtab": {"surfaces"},
}
LIBRARY_DOORS |= {
    "numpy": {"models.weights", "models.bert", "models.local", "storage.matrix"},
    "tokenizers": {"models.local"},
    "onnxruntime": {"models.onnx"},
}
PURE = {"pipeline", "retrieval.parse", "retrieval.fuse", "retrieval.pack", "retrieval.footer", "worker.backoff"}
PURE |= {"retrieval.forms", "retrieval.excerpt", "retrieval.render", "retrieval.sheet"}
PURE |= {"retrieval.asks", "retrieval.context", "retrieval.rivals", "retrieval.scores", "retrieval.weights"}
IMPURE_MODULES = {
    "os",
    "io",
    "sys",
    "time",
    "random",
    "secrets",
    "logging",
    "threading",
    "socket",
    "subprocess",
    "pathlib",
}
CHANCE_AND_TIME = {"time": {"clock"}, "random": set(), "secrets": set(), "uuid": set()}

MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS = 400, 60, 7


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def arrows() -> list[tuple[str, str]]:
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found += [(module_name(file), alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                found += [(module_name(file), f"{node.module}.{alias.name}") for alias in node.names]
    return found


ARROWS = arrows()
INSIDE = sorted(
    {(a, b.removeprefix("jotsam.")) for a, b in ARROWS if b.startswith("jotsam.") and a not in ("__init__", "__main__")}
)
OUTSIDE = sorted({(a, b.split(".")[0]) for a, b in ARROWS if not b.startswith("jotsam")})


def room(module: str) -> str:
    """The floor's name for what stands on it: `storage.queue.send` is in `storage`, `accept.add` in `door`."""
    top = module.split(".")[0]
    return "door" if top in DOOR else "ground" if top in GROUND else top


def test_every_module_stands_on_a_floor():
    modules = {module_name(file).split(".")[0] for file in PACKAGE.rglob("*.py")} - {
        "__init__",
        "__main__",
        "jotsam",
        "",
    }
    assert modules - set(FLOORS) == set()


@pytest.mark.parametrize(("source", "target"), INSIDE)
def test_arrows_point_downwards(source: str, target: str):
    above, below = room(source), room(target)
    if above == below or below in ("ground", "__version__"):
        return
    assert above != "ground", "the ground imports nothing of ours"
    names = {below, ".".join(target.split(".")[:2])}
    assert names & ALLOWED[above], f"{source} may not import {target}"


@pytest.mark.parametrize("source", sorted({a for a, b in INSIDE if a == "accept"}))
def test_the_light_door_stays_light(source: str):
    targets = {target for origin, target in INSIDE if origin == source}
    heavy = {t for t in targets if room(t) not in ("ground", "storage") and not t.startswith("worker.spawn")}
    assert {".".join(t.split(".")[:2]) for t in heavy if not t.startswith("worker")} <= LIGHT_PIPELINE


def test_rooms_of_storage_do_not_know_each_other():
    crossing = [
        (a, b)
        for a, b in INSIDE
        if a.startswith("storage.")
        and a.split(".")[1] in STORAGE_ROOMS
        and b.startswith("storage.")
        and b.split(".")[1] in STORAGE_ROOMS - {a.split(".")[1]}
    ]
    assert crossing == []


def test_the_queue_knows_no_memory():
    sql = "".join(file.read_text() for file in (PACKAGE / "storage" / "sql").rglob("queue*.sql"))
    words = set(re.findall(r"[a-z]+", sql.split("-- name", 1)[1]))
    assert words & {"document", "memory", "entity", "chunk"} == set()


@pytest.mark.parametrize(("source", "library"), OUTSIDE)
def test_every_library_has_one_door(source: str, library: str):
    doors = LIBRARY_DOORS.get(library)
    assert doors is None or source in doors or source.split(".")[0] in doors


@pytest.mark.parametrize(("source", "library"), [(a, b) for a, b in OUTSIDE if any(a.startswith(p) for p in PURE)])
def test_pure_rooms_ask_nothing_of_the_world(source: str, library: str):
    assert library not in IMPURE_MODULES


@pytest.mark.parametrize(("source", "target"), [(a, b) for a, b in INSIDE if any(a.startswith(p) for p in PURE)])
def test_pure_rooms_know_only_the_ground_and_each_other(source: str, target: str):
    assert room(target) == "ground" or any(target.startswith(pure) for pure in PURE)
    assert not target.startswith(("clock.system_clock", "clock.random_float", "clock.new_id", "settings"))


@pytest.mark.parametrize(("source", "library"), [(a, b) for a, b in OUTSIDE if b in CHANCE_AND_TIME])
def test_only_the_clock_asks_for_time_and_chance(source: str, library: str):
    assert source in CHANCE_AND_TIME[library]


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=module_name)
def test_sizes_fit_a_head(file: Path):
    text = file.read_text()
    assert text.count("\n") <= MOST_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < MOST_LINES_OF_A_FUNCTION, node.name
            assert len([a for a in arguments if a.arg not in ("self", "cls", "tx")]) <= MOST_PARAMETERS, node.name


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=module_name)
def test_no_broad_except_but_in_the_loop_and_at_the_outermost_call_of_a_surface(file: Path):
    if module_name(file).startswith(("worker.loop", "surfaces")):
        return
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ExceptHandler):
            swallows = not any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
            names = ast.unparse(node.type) if node.type else "BaseException"
            assert not (swallows and names in ("Exception", "BaseException")), f"line {node.lineno}"
