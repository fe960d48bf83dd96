"""The comments beside the fields of a class: their descriptions in generated pages and schemas."""

from __future__ import annotations

import ast
import inspect
import textwrap


def field_comments(kind: type) -> dict[str, str]:
    """The comment of each field of a class: beside it, or on the lines above it. Empty without the source.

    A syntax tree does not keep comments.
    """
    try:
        lines = textwrap.dedent(inspect.getsource(kind)).splitlines()
    except (OSError, TypeError):
        return {}
    body = ast.parse("\n".join(lines)).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            own = lines[node.lineno - 1 : node.end_lineno]
            beside = next((text for _, mark, text in (line.partition("  # ") for line in own) if mark), "")
            found[node.target.id] = beside if beside and not beside.startswith("type:") else _above(lines, node.lineno)
    return found


def _above(lines: list[str], number: int) -> str:
    above: list[str] = []
    while lines[number - 2].strip().startswith("# "):
        number -= 1
        above.insert(0, lines[number - 1].strip().removeprefix("# "))
    return " ".join(above)
