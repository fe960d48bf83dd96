"""Seeded faults in any Python or SQL file of the package, and which of them given tests find.

`python -m tools.mutate FILE TESTS...` prints them. Each fault is one change of one line in a copy of the package.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "jotsam"
SECONDS = 900
"""After which tests that do not end have found a fault."""

SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


# Changes that no test can tell from the program, and why.
SAME = {
    "queueing/loop.py": {
        # A watermark saves a server time, and a file needs none: the same jobs are claimed with and without it.
        "{} if database.is_file else {name: queue.Watermark() for ... -> "
        "({name: queue.Watermark() for name in queues} if database...",
        "queue.wake(tx) -> pass",  # The next claim wakes them, before the loop looks again.
        "return [] -> return None",  # of `_take`: its caller asks only whether it is empty.
        "return outcome -> return None",  # No caller of a reported write reads it.
    }
}


class Mutant(NamedTuple):
    line: int
    what: str
    source: str  # of the whole file


def mutants(path: Path, *, number: int, seed: int) -> list[Mutant]:
    """So many of the faults that this file can get, the same for the same seed."""
    found = list((_of_sql if path.suffix == ".sql" else _of_python)(path.read_text(encoding="utf-8")))
    return sorted(random.Random(seed).sample(found, min(number, len(found))))


def survivors(file: str, tests: Sequence[str], *, number: int = 10, seed: int = 7) -> tuple[list[str], int]:
    """Those that the tests do not find, and how many there were without `SAME`. `file` is relative to the package.

    Raises `SystemExit` if the tests fail without a fault, or if there are none.
    """
    path = PACKAGE / file
    if not run(path, path.read_text(encoding="utf-8"), tests):
        raise SystemExit(f"{' '.join(tests)} fails without any fault in {file}")
    made = [one for one in mutants(path, number=number, seed=seed) if one.what not in SAME.get(file, ())]
    return [f"{file}:{line} {what}" for line, what, source in made if run(path, source, tests)], len(made)


def run(path: Path, source: str, tests: Sequence[str]) -> bool:
    """Whether the tests succeed on a copy of the package whose file has this text."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "jotsam"
        shutil.copytree(PACKAGE, copy)  # With its bytecode, which is not that of the changed file: its time differs.
        (copy / path.relative_to(PACKAGE)).write_text(source, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout=120"]
        command += ["--hypothesis-profile=unshrunk", "--confcutdir", str(ROOT / "tests"), *tests]
        unwanted = {"PYTEST_XDIST_WORKER", "PYTHONDONTWRITEBYTECODE"}
        environment = {name: value for name, value in os.environ.items() if name not in unwanted}
        environment["PYTHONPATH"] = folder
        try:
            ended = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return False
    if ended.returncode > 2:  # 1: a test failed; 2: a test module or the package cannot be imported.
        raise SystemExit(ended.stdout + ended.stderr)
    return ended.returncode == 0


def _of_python(source: str) -> Iterator[Mutant]:
    """In functions, and outside of f-strings, whose parts Python gives no places."""
    tree, text = ast.parse(source), source.encode()
    starts = [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    inside = {node for function in functions for part in function.body for node in ast.walk(part)}
    inside -= {node for one in ast.walk(tree) if isinstance(one, ast.JoinedStr) for node in ast.walk(one)}
    for node in ast.walk(tree):
        if node in inside and (new := _changed(node)) and isinstance(node, ast.expr | ast.stmt):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            what = f"{_short(text[start:end].decode())} -> {_short(new)}"
            yield Mutant(node.lineno, what, (text[:start] + new.encode() + text[end:]).decode())


def _changed(node: ast.AST) -> str | None:
    """Another expression or statement in the place of this one."""
    match node:
        case ast.Compare(left, [operator], comparators) if type(operator) in SWAPPED:
            return f"({ast.unparse(ast.Compare(left, [SWAPPED[type(operator)]()], comparators))})"
        case ast.BoolOp(operator, values):
            other = ast.And() if isinstance(operator, ast.Or) else ast.Or()
            return f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.UnaryOp(ast.Not(), operand):
            return f"bool({ast.unparse(operand)})"
        case ast.IfExp(test, body, orelse):
            return f"({ast.unparse(ast.IfExp(test, orelse, body))})"
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right) if not _is_text(left) and not _is_text(right):
            other_sign = ast.Sub() if isinstance(operator, ast.Add) else ast.Add()
            return f"({ast.unparse(ast.BinOp(left, other_sign, right))})"
        case ast.Expr(ast.Call()):
            return "pass"
        case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
            return "return None"
    return None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:57]}..."


def _of_sql(source: str) -> Iterator[Mutant]:
    """In lines of queries; conditions of the tenant have their own test."""
    lines = source.split("\n")
    for number, line in enumerate(lines):
        if line.lstrip().startswith("--") or "tenant" in line:
            continue
        for new in dict.fromkeys(_changed_lines(line)):
            whole = "\n".join([*lines[:number], new, *lines[number + 1 :]])
            yield Mutant(number + 1, f"{_short(line)} -> {_short(new)}", whole)


def _changed_lines(line: str) -> Iterator[str]:
    end = ";" if line.rstrip().endswith(";") else ""
    if re.match(r"\s*(and|or) ", line) and line.count("(") == line.count(")"):
        yield end  # a condition of its own line
    if found := re.search(r"\s+(and|or) [^()]+$", line):
        yield line[: found.start()] + end
    for old, new in ((" is null", " is not null"), (" is not null", " is null"), (" desc", ""), (" distinct", "")):
        if old in line:
            yield line.replace(old, new, 1)
    if found := re.search(r" [<>] ", line):
        yield f"{line[: found.end() - 1]}= {line[found.end() :]}"
    if found := re.search(r" limit :\w+", line):
        yield f"{line[: found.end()]} + 1{line[found.end() :]}"
