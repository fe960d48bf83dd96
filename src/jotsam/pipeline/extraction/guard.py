"""Calls rules so that one that fails costs what it would have found, and nothing else."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")

# What a wrong rule raises. A model's server, a full disk and an interruption are not the fault of a rule.
RULE_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Guard:
    """Calls rules, and keeps which of them failed in `failures`, without words of their text."""

    def __init__(self) -> None:
        self.failures: list[str] = []

    def one(self, rule: Callable[P, T], *args: P.args, **options: P.kwargs) -> T | None:
        """What the rule returns, or None if it fails."""
        try:
            return rule(*args, **options)
        except RULE_ERRORS as error:
            self.failures.append(f"the rule {getattr(rule, '__name__', rule)} failed: {_place(error)}")
            return None

    def all(self, rule: Callable[P, Iterable[T]], *args: P.args, **options: P.kwargs) -> tuple[T, ...]:
        """All that the rule finds, or nothing if it fails, also after it has found something."""

        def found() -> tuple[T, ...]:
            return tuple(rule(*args, **options))

        found.__name__ = rule.__name__
        return self.one(found) or ()


def _place(error: BaseException) -> str:
    """The error and the line that raised it. Its message may hold words of the text."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return type(error).__name__
    return f"{type(error).__name__} in {last.tb_frame.f_globals.get('__name__')}, line {last.tb_lineno}"
