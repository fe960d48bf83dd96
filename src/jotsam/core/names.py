"""Constants shared by all layers: queue names, job states, memory types, link types, entity categories."""

from __future__ import annotations

# The queues of memory. A job's kind is the name of its queue.
INGEST, ENRICH, MODEL = QUEUES = ("ingest", "enrich", "model")

# One `embed` job serves every memory of a tenant that has no vector yet, so an answer counts those memories and not
# the jobs.
EMBED = "embed"

# Command lines to run later. They hold no accepted text, so they do not make an answer incomplete: coverage counts
# `QUEUES` only.
COMMAND = "command"

# A language model is slow, so what it delays comes before it.
MEMORY_QUEUES = (INGEST, ENRICH, EMBED, MODEL)

# Kinds of engines, which hold a copy of the memories. A database has one of a kind at most, so this is its name.
ENGINES = FALKORDB, QDRANT = ("falkordb", "qdrant")

# A queue for each engine, so that one that is away delays nothing else. Coverage does not count their jobs: a memory is
# found without them.
MIRROR_QUEUES = tuple(f"mirror-{engine}" for engine in ENGINES)

# Steps of the lifecycle: what happens to memories long after they were accepted.
LIFECYCLE = "lifecycle"
STEPS = DECAY, CREATIVE, CLUSTER, CRYSTALS, IDENTITY, FORGET = (
    *("decay", "creative", "cluster", "crystals", "identity", "forget"),
)

# The most tokens that the hooks of an agent give a session at its start, and with a prompt.
BRIEF_TOKENS, PROMPT_TOKENS = 300, 600

# Kind of the jobs of the queue `lifecycle` that ask a language model about a whole session.
SESSION_NOTES = "session-notes"

# All queues that a worker serves, in claim order: an operator's command runs before the backlog it is about.
EVERY_QUEUE = (COMMAND, *MEMORY_QUEUES, *MIRROR_QUEUES, LIFECYCLE)

# A job that is done is deleted, so `done` is not a state.
STATES = ("ready", "leased", "waiting", "dead", "blocked")

# Prefix of the tenants in which `jotsam doctor` runs its round trip. No model is called for them, so it costs nothing.
PROBE = "jotsam-doctor-"

# Whose extraction results are replaced: the rules' only, those of language models too, or an agent's as well. What a
# person entered is never replaced. An extractor is named `llm:...`, `agent ...`, or is a rule set.
BY_RULES, BY_MODELS, BY_ALL = WHOSE = range(3)

# Formats that `import_memories` reads: exports, files of other memory programs, and AutoMem's servers.
MEMORY_FORMATS = ("jotsam", "automem", "server-memory", "basic-memory", "mem0", "claude-mem", "falkordb", "qdrant")

# Memory types that classification assigns. A caller may use any other type.
TYPES = ("Decision", "Preference", "Pattern", "Style", "Habit", "Insight", "Context")

# Kinds of notes, where they hold, how a later note ends one, and what a person says of one.
NOTE_KINDS = RULE, DECISION, OPEN, FIX, DONE = ("rule", "decision", "open", "fix", "done")
PROJECT_SCOPE, PERSON_SCOPE = "project", "person"
MODEL_SURE = (
    0.95  # how sure a note is that a language model made, with a quote of its turn; the rules give other values
)
SURE_RULE = 0.66  # a rule that is less sure may be a decision, and is in no brief unless a person keeps it
REPLACED, CLOSED, REPEATED = "replaced", "closed", "repeated"
VERDICTS = WRONG, OLD, KEEP = ("wrong", "old", "keep")

# Link types that a caller may create.
LINK_TYPES = (
    *("RELATES_TO", "LEADS_TO", "OCCURRED_BEFORE", "PREFERS_OVER", "EXEMPLIFIES", "CONTRADICTS", "REINFORCES"),
    *("INVALIDATED_BY", "EVOLVED_INTO", "DERIVED_FROM", "PART_OF"),
)

# Link types that the step `creative` of the lifecycle creates, and their kinds. Recall does not follow these links.
FOUND_LINK_TYPES = DISCOVERED, CONTRASTS_WITH = ("DISCOVERED", "CONTRASTS_WITH")
FOUND_LINK_KINDS = EXPLAINS, SHARES_THEME, CONTRASTS, PARALLEL_CONTEXT = (
    *("explains", "shares_theme", "contrasts", "parallel_context"),
)

# Link types whose source is replaced by their target: `associate` supersedes it.
SUPERSEDING = ("INVALIDATED_BY", "EVOLVED_INTO")

# Properties of a link of each type that a caller may set, apart from its weight. The other types have no properties.
LINK_PROPERTIES = {
    "PREFERS_OVER": ("context", "reason"),
    "EXEMPLIFIES": ("pattern_type", "confidence"),
    "CONTRADICTS": ("resolution", "reason"),
    "REINFORCES": ("observations",),
    "INVALIDATED_BY": ("reason", "timestamp"),
    "EVOLVED_INTO": ("confidence", "reason"),
    "DERIVED_FROM": ("transformation", "confidence"),
    "PART_OF": ("role", "context"),
}

# Entity categories.
CATEGORIES = ("people", "organizations", "tools", "concepts", "projects")


def as_type(name: str) -> str:
    """A memory type as it is stored: the spelling of `TYPES` if it is one of them in any case, else unchanged."""
    return next((known for known in TYPES if known.lower() == name.lower()), name)


# Before the category and slug of an entity, in a tag and in what a step of the lifecycle names.
ENTITY = "entity:"
# Before the id of the merged entity from which a mention, or its tag, was copied: the extractor of the copy.
MERGED = "merged:"
