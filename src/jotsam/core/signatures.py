"""Signatures: methods derived from those of another class, and the comments beside fields and parameters.

The comments are their descriptions in generated pages and schemas.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import textwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])


class Derived:
    """A class with such methods: `help` and a traceback name it, not the class they are derived from."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, member in vars(cls).items():
            if hasattr(member, "__wrapped__"):
                member.__module__, member.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"


def derived_from(original: Callable[..., Any]) -> Callable[[F], F]:
    """Gives a function the name, docstring and signature of a method, without `tx`.

    A transaction belongs to the thread that opened it, so nothing that hands a call over can take one.
    """

    def derive(function: F) -> F:
        functools.update_wrapper(function, original)
        signature = inspect.signature(original)
        if "tx" in signature.parameters:
            kept = [parameter for name, parameter in signature.parameters.items() if name != "tx"]
            function.__annotations__ = {name: hint for name, hint in original.__annotations__.items() if name != "tx"}
            vars(function)["__signature__"] = signature.replace(parameters=kept)
        return function

    return derive


def field_comments(kind: type | Callable[..., Any]) -> dict[str, str]:
    """The comment of each field of a class, or parameter of a function: beside it, or on the lines above it.

    Empty without the source.

    A syntax tree does not keep comments.
    """
    try:
        lines, body = _definition(kind)
    except (OSError, TypeError, KeyError):
        return {}
    found: dict[str, str] = {}
    for name, node in _named(body):
        own = lines[node.lineno - 1 : node.end_lineno]
        beside = next((text for _, mark, text in (line.partition("  # ") for line in own) if mark), "")
        found[name] = beside if beside and not beside.startswith("type:") else _above(lines, node.lineno)
    return found


def _definition(kind: type | Callable[..., Any]) -> tuple[list[str], ast.AST]:
    """A class or function in a syntax tree, and the lines to which the numbers of the tree refer."""
    if isinstance(kind, type):
        lines, classes = _module(kind.__module__)
        return lines, classes[kind.__qualname__]
    lines = textwrap.dedent(inspect.getsource(kind)).splitlines()
    return lines, ast.parse("\n".join(lines)).body[0]


# `inspect` parses a whole module for each class that it is asked for. A few, because one is asked for the classes of a
# module one after the other, and a tree takes memory.
@functools.lru_cache(maxsize=8)
def _module(name: str) -> tuple[list[str], dict[str, ast.ClassDef]]:
    """The lines of a module, and its classes by their qualified name."""
    source = inspect.getsource(sys.modules[name])
    return source.splitlines(), dict(_classes(ast.parse(source), ""))


def _classes(tree: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _classes(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield from _classes(node, f"{prefix}{node.name}.<locals>.")
        elif isinstance(node, ast.stmt):
            yield from _classes(node, prefix)


def _named(body: ast.AST) -> list[tuple[str, ast.AnnAssign | ast.arg]]:
    if isinstance(body, ast.FunctionDef):
        return [(one.arg, one) for one in (*body.args.args, *body.args.kwonlyargs)]
    assert isinstance(body, ast.ClassDef)
    fields = (one for one in body.body if isinstance(one, ast.AnnAssign))
    return [(one.target.id, one) for one in fields if isinstance(one.target, ast.Name)]


def _above(lines: list[str], number: int) -> str:
    above: list[str] = []
    while lines[number - 2].strip().startswith("# "):
        number -= 1
        above.insert(0, lines[number - 1].strip().removeprefix("# "))
    return " ".join(above)
