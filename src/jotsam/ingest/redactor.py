"""Redacts secrets from everything that is stored with a document or memory, and records what was redacted."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Redaction
from jotsam.ingest.validation import DESCRIPTIVE_FIELDS, IDENTIFYING_FIELDS
from jotsam.pipeline.redaction.redact import may_hold_secrets, redact_and_list
from jotsam.pipeline.tags import clean_tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from jotsam.core.records import Document, Memory
    from jotsam.pipeline.redaction.redact import FoundSecret

    Item = TypeVar("Item", Document, Memory)


class Redactor:
    """Redacts one item. `found` are its redactions so far, `warnings` those of its text for the receipt."""

    def __init__(self, allowed: Callable[[], frozenset[str]] = frozenset) -> None:
        """`allowed` returns the fingerprints of allowed secrets. It is called only if something looks like a secret."""
        self._allowed = allowed
        self.found: list[Redaction] = []
        self.warnings: tuple[str, ...] = ()

    def redact_text(self, text: str) -> str:
        """Raises `InvalidInput` if nothing is left."""
        text, secrets = self._redact(text)
        if secrets:
            count = f"{len(secrets)} {'secret' if len(secrets) == 1 else 'secrets'}"
            self.warnings = (f"{count} replaced by [redacted:...]",)
        if not text.strip():
            raise InvalidInput("invalid text: it is empty, or was only private blocks")
        self.found += [Redaction(kind=kind, place=f"line {line}", fingerprint=mark) for kind, line, mark in secrets]
        return text

    def redact_field(self, name: str, value: str) -> str:
        """A short field without its secrets."""
        value, secrets = self._redact(value)
        self.found += [Redaction(kind=kind, place=name, fingerprint=mark) for kind, _, mark in secrets]
        return value

    def redact_fields(self, item: Item, key: str | None) -> Item:
        """The item with redacted descriptive fields and tags. Raises `InvalidInput` for a secret in an identifier.

        Two identifiers could become equal by redaction, and then the second item would be lost as a duplicate.
        """
        tags: tuple[str, ...] = getattr(item, "tags", ())
        names = (*IDENTIFYING_FIELDS, *DESCRIPTIVE_FIELDS)
        fields: dict[str, str] = {name: getattr(item, name, None) or "" for name in names} | {"key": key or ""}
        if not may_hold_secrets("\n".join([*tags, *fields.values()])):
            return item
        for name in (*IDENTIFYING_FIELDS, "key"):
            self._refuse_secret(name, fields[name])
        changes: dict[str, object] = {}
        for name in DESCRIPTIVE_FIELDS:
            if (redacted := self.redact_field(name, fields[name])) != fields[name]:
                changes[name] = redacted or None
        redacted_tags = tuple(self.redact_field("tag", tag) for tag in tags)
        if redacted_tags != tags:
            changes["tags"] = clean_tags(tag for tag in redacted_tags if tag)
        return item.replace(**changes)

    def redact_metadata(self, json_text: str | None, *, name: str = "metadata") -> str | None:
        """Raises `InvalidInput` if redaction broke the JSON."""
        if json_text is None:
            return None
        import json  # slow to import, and rarely needed

        redacted = self.redact_field(name, json_text)
        try:
            json.loads(redacted)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"invalid {name}: not JSON after its secrets are redacted: {error}") from error
        return redacted

    def _redact(self, text: str) -> tuple[str, list[FoundSecret]]:
        redacted, secrets = redact_and_list(text)
        allowed = self._allowed() if secrets else None
        return redact_and_list(text, allowed=allowed) if allowed else (redacted, secrets)

    def check_identifier(self, name: str, value: str) -> None:
        """Raises `InvalidInput` for a secret."""
        self._refuse_secret(name, value)

    def _refuse_secret(self, name: str, value: str) -> None:
        secrets = self._redact(value)[1] if value else []
        # An identifier such as `token-refresh:ticket-4711` looks like an assignment of a password, but is not.
        is_assignment = any(sign in value for sign in ("=", ": ", "://"))
        kinds = [kind for kind, _, _ in secrets if is_assignment or kind not in ("secret", "password")]
        if kinds:
            raise InvalidInput(
                f"invalid {name}: it contains what looks like a secret ({kinds[0]}); use another {name}, or run"
                " `jotsam db secrets allow` if it is not a secret"
            )
