"""Jotsam as a memory provider of agent-memory-benchmark, https://github.com/vectorize-io/agent-memory-benchmark."""

REQUIREMENTS = ["{root}", "rank-bm25", "rich", "tiktoken", "openai", "google-genai"]  # the last two for answers only
DISTRIBUTION = "jotsam"
