"""Checks of the language model of the settings: its server, or the program of a coding agent. They cost nothing."""

from __future__ import annotations

from jotsam.core import settings as configured
from jotsam.core.errors import InvalidInput, JotsamError, ProviderUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings

MODELS_TIMEOUT_MS = 5_000


def check_model(settings: Settings) -> tuple[str, str, str]:
    """Level, text and repair."""
    if settings.llm == configured.NO_AGENT:
        return _server(settings)
    try:
        configured.check_model(settings)
    except InvalidInput as error:
        return "fail", str(error), "keep one of them"
    return _program(settings)


def _program(settings: Settings) -> tuple[str, str, str]:
    from jotsam.models.agent_commands import COMMANDS
    from jotsam.models.agent_program import AgentProgram, find_program

    command = COMMANDS[settings.llm]
    try:
        version = AgentProgram(settings.llm, timeout_ms=MODELS_TIMEOUT_MS).version()
    except JotsamError as error:
        return "fail", str(error), f"install {command.title}, or `jotsam config unset llm`"
    chosen = settings.llm_model or "its cheapest model"
    place = f"{find_program(settings.llm)}, {version}"
    return "ok", f"{command.title} ({place}) with {chosen}; its sign-in is tried by the first job", ""


def _server(settings: Settings) -> tuple[str, str, str]:
    from jotsam.models.openai_endpoint import Endpoint

    repair = "check llm_url, llm_model, llm_api_key and the server; pending jobs then continue by themselves"
    if not settings.llm_model:
        return "fail", "llm_url is set and llm_model is not", "set llm_model (JOTSAM_LLM_MODEL)"
    endpoint = Endpoint(settings.llm_url, key=settings.llm_api_key, timeout_ms=MODELS_TIMEOUT_MS)
    try:
        found = endpoint.get("/models").get("data")
    except ProviderUnavailable as error:
        if error.status not in (404, 405):
            return "fail", str(error), repair
        return "warn", f"{endpoint.url} does not list its models; is the address correct?", repair
    except JotsamError as error:
        return "warn", str(error), repair
    finally:
        endpoint.close()
    names = [str(one.get("id")) for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    if names and settings.llm_model not in names:
        text = f"{endpoint.url} has no model {settings.llm_model!r}, but {', '.join(names[:5])}"
        return "warn", text, "set llm_model to one of these, or install it on the server"
    return "ok", f"{settings.llm_model} at {endpoint.url}: reachable, API key accepted", ""
