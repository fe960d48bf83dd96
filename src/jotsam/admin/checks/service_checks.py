"""What `jotsam doctor` checks outside the database: engines, the language model, a reranker. It costs nothing."""

from __future__ import annotations

from jotsam.core import settings as configured
from jotsam.core.clock import system_clock
from jotsam.core.errors import InvalidInput, JotsamError, ProviderUnavailable
from jotsam.core.records import CheckResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jotsam.core.engine_records import EngineStatus
    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam
    from jotsam.models.openai_endpoint import Endpoint


MINUTE_MS = 60_000
LATE_MS = 10 * MINUTE_MS  # after this time, changes that an engine has not received are a problem
MODELS_TIMEOUT_MS = 5_000


def engines(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """Whether each engine can be used, and how far it is. Nothing without engines."""
    for engine in jot.admin.engines():
        level, text, repair = _checked(engine)
        yield CheckResult(name="engine", level=level, text=f"{engine.name}: {text}", repair=repair)


def _checked(engine: EngineStatus) -> tuple[str, str, str]:
    """Level, text and repair."""
    if engine.problem:
        repair = "fix what the error describes, and see `jotsam db engine`; nothing else waits for it"
        return "warn", engine.problem, repair
    held = "" if engine.held is None else f"{engine.held:,} of "
    text = f"{engine.address}, version {engine.version}, {held}{engine.memories:,} memories"
    if engine.held is None:
        text += ", open in another process"
    if engine.paused:
        return "warn", f"{text}; its queue is paused: {engine.paused}", f"jotsam jobs resume mirror-{engine.name}"
    late = 0 if engine.oldest is None else system_clock() - engine.oldest
    if late > LATE_MS:
        text += f"; {engine.pending:,} memories have waited for up to {late // MINUTE_MS:,} minutes"
        return "warn", text, "see `jotsam jobs --stuck`, and run a worker"
    if engine.error:
        return "warn", f"{text}; {engine.error}", f"jotsam db engine compare {engine.name}"
    if engine.lacking:
        return "warn", f"{text}; no job writes the others", f"jotsam db engine compare {engine.name} --repair"
    return "ok", text, ""


def check_model(settings: Settings) -> tuple[str, str, str]:
    """Level, text and repair."""
    if settings.llm == configured.NO_AGENT:
        return _server(settings)
    try:
        configured.check_model(settings)
    except InvalidInput as error:
        return "fail", str(error), "keep one of them"
    return _program(settings)


def check_reranker(settings: Settings) -> Iterator[CheckResult]:
    """Whether the reranking server can be reached, and which model it has. Nothing without one.

    It is asked for no order, which may cost something. A problem is a warning, because answers come without it.
    """
    from jotsam.models.openai_endpoint import Endpoint

    if not settings.rerank_url:
        return
    chosen, key = settings.rerank_model, settings.rerank_api_key
    endpoint = Endpoint(settings.rerank_url, key=key, timeout_ms=MODELS_TIMEOUT_MS)
    level, text, repair = "ok", "", ""
    try:
        names = _reranking_models(endpoint)
    except JotsamError as error:
        level, text = "warn", f"{error}; answers have the order without it"
        repair = "check rerank_url, rerank_api_key and the server"
    else:
        text = f"{chosen or ', '.join(names[:5]) or 'its model'} at {endpoint.url}: reachable"
        if chosen and names and chosen not in names:
            level, text = "warn", f"{endpoint.url} has no model {chosen!r}, but {', '.join(names[:5])}"
            repair = "set rerank_model to one of these, or install it on the server"
        elif not names:
            text += ", but it does not list its models; the footer of `jotsam recall` tells whether it is used"
    finally:
        endpoint.close()
    yield CheckResult(name="reranker", level=level, text=text, repair=repair)


def _reranking_models(endpoint: Endpoint) -> list[str]:
    """The models of a server, or of Text Embeddings Inference the one. Empty if it lists none, as Cohere's."""
    for path in ("/models", "/info"):
        try:
            found = endpoint.get(path)
        except ProviderUnavailable as error:
            if error.status not in (404, 405):
                raise
        else:
            return [str(found["model_id"])] if "model_id" in found else _names(found)
    return []


def _names(found: Mapping[str, object]) -> list[str]:
    """The names in a list of models."""
    listed = found.get("data")
    return [str(one.get("id")) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _program(settings: Settings) -> tuple[str, str, str]:
    from jotsam.agents.agent import agent_named
    from jotsam.models.agent_program import AgentProgram, find_program

    title = agent_named(settings.llm).title
    try:
        version = AgentProgram(settings.llm, timeout_ms=MODELS_TIMEOUT_MS).version()
    except JotsamError as error:
        return "fail", str(error), f"install {title}, or `jotsam config unset llm`"
    chosen = settings.llm_model or "its cheapest model"
    place = f"{find_program(settings.llm)}, {version}"
    return "ok", f"{title} ({place}) with {chosen}; its sign-in is tried by the first job", ""


def _server(settings: Settings) -> tuple[str, str, str]:
    from jotsam.models.openai_endpoint import Endpoint

    repair = "check llm_url, llm_model, llm_api_key and the server; pending jobs then continue by themselves"
    if not settings.llm_model:
        return "fail", "llm_url is set and llm_model is not", "set llm_model (JOTSAM_LLM_MODEL)"
    endpoint = Endpoint(settings.llm_url, key=settings.llm_api_key, timeout_ms=MODELS_TIMEOUT_MS)
    try:
        names = _names(endpoint.get("/models"))
    except ProviderUnavailable as error:
        if error.status not in (404, 405):
            return "fail", str(error), repair
        return "warn", f"{endpoint.url} does not list its models; is the address correct?", repair
    except JotsamError as error:
        return "warn", str(error), repair
    finally:
        endpoint.close()
    if names and settings.llm_model not in names:
        text = f"{endpoint.url} has no model {settings.llm_model!r}, but {', '.join(names[:5])}"
        return "warn", text, "set llm_model to one of these, or install it on the server"
    return "ok", f"{settings.llm_model} at {endpoint.url}: reachable, API key accepted", ""
