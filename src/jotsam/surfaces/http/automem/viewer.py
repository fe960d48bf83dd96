"""AutoMem's `/viewer`: sends a browser to the graph viewer, which is a server of its own."""

from __future__ import annotations

from urllib.parse import quote, urlencode, urlsplit

from jotsam.surfaces.http.requests.route import Call, Reply, Route
from jotsam.surfaces.http.server.http_error import HttpError

NO_VIEWER = "Graph Viewer URL is not configured. Set GRAPH_VIEWER_URL or JOTSAM_VIEWER_URL to where the viewer runs."


def viewer(call: Call) -> Reply:
    """Redirect to the viewer with this server's address. A browser keeps the part after `#`, with the token."""
    base = call.server.settings.viewer_url.strip().rstrip("/")
    if not base:
        raise HttpError(503, "unavailable", NO_VIEWER)
    path = quote(call.path.get("path", "").lstrip("/"))
    query = urlsplit(call.target).query
    if "server=" not in query:
        scheme = "https" if call.headers.get("x-forwarded-proto", "").lower() == "https" else "http"
        mine = urlencode({"server": f"{scheme}://{call.headers.get('host', '')}"})
        query = f"{query}&{mine}" if query else mine
    return Reply(status=302, headers={"Location": f"{base}/{path}?{query}"})


ROUTES = tuple(
    Route(
        method="GET",
        path=path,
        handler=viewer,
        summary="Redirect to the graph viewer",
        status=302,
        errors="automem",
    )
    for path in ("/viewer", "/viewer/{path:path}")
)
