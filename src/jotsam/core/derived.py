"""Methods derived from those of another class, which is where their signatures and docstrings are declared."""

from __future__ import annotations

import functools
import inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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
