"""What the models cost: by day, model and kind of job, the most expensive jobs, and the daily cap."""

from __future__ import annotations

from jotsam.memory.status import cost_report
from jotsam.surfaces.web.drawings.bar_chart import bars_up
from jotsam.surfaces.web.pages.home import caps
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute

DAYS = 30


def cost(call: PageCall) -> Page:
    """Tokens and cost of the last 30 days."""
    settings = call.jot.settings
    report = cost_report.read_cost_report(call.jot.database, settings, days=DAYS)
    values = {
        "report": report,
        "days": DAYS,
        "most": cost_report.MAX_REQUESTS,
        "chart": bars_up((day.use.tokens, f"{day.day}: {day.use.tokens:,} tokens") for day in report.days),
        "caps": caps(report.tokens_today, report.cost_today, settings) if call.is_operator else [],
        "llm": settings.model_name if settings.has_model else "",
        "embedder": settings.embed_model if settings.embed_url else "",
        "reranker": settings.rerank_url and (settings.rerank_model or "its only model"),
        "has_prices": bool(
            settings.llm_price_in
            or settings.llm_price_out
            or settings.embed_price
            or settings.rerank_price
            or report.total.cost
        ),
    }
    return Page(template="cost.html", values=values)


ROUTES = (PageRoute(method="GET", path="/ui/cost", handler=cost),)
