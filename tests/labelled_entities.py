"""Texts with the entities that a person would label, on which another system was measured."""

LABELLED = [
    (
        "Deployed SuperWhisper with Alice during Project Launchpad review",
        ["tools:superwhisper", "people:alice", "projects:launchpad"],
    ),
    (
        "Met with John Smith about PostgreSQL vs MongoDB. We chose PostgreSQL over MongoDB.",
        ["people:john-smith", "tools:postgresql", "tools:mongodb"],
    ),
    ("met with José García at Zürich office", ["people:jose-garcia", "concepts:zurich"]),
    ("Using Docker and Kubernetes with Redis", ["tools:docker", "tools:kubernetes", "tools:redis"]),
    ("using docker and kubernetes with redis", ["tools:docker", "tools:kubernetes", "tools:redis"]),
    ("We will use The Thing via Email with Friday", []),
    (
        "I decided to use FastAPI instead of Flask because Marcus prefers it",
        ["tools:fastapi", "tools:flask", "people:marcus"],
    ),
    ("Working in project: claude-automation-hub", ["projects:claude-automation-hub"]),
    ("Met with MetricForge about B2B SaaS pipeline automation.", ["tools:metricforge"]),
    (
        "spoke with Dr. Jane O'Neill about Google and NASA in New York",
        # A brand counts as a tool: a service and its company have one name.
        ["people:jane-o-neill", "tools:google", "tools:nasa", "concepts:new-york"],
    ),
    ("Deployed with AuthService using PaymentHandler via HTTP_PROXY", []),
]
