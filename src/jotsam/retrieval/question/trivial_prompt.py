"""Prompts that name no subject, such as "yes", "go on" or "/compact". Pure, and light: it is asked for each prompt."""

from __future__ import annotations

from jotsam.pipeline.languages import may_be
from jotsam.pipeline.languages.en import LANGUAGE, STOP_WORDS
from jotsam.pipeline.text.words import bigrams

MIN_WORDS = 2  # one word in common is a coincidence
MIN_PAIRS = 3  # the same for scripts without spaces
TRIVIAL_CHARACTERS = 400  # a longer prompt is never trivial

COMMANDS = ("/", "!", "#")  # a prompt that starts with one is a command of the agent

# Words of prompts that name no subject but an action, about which there may be a rule.
ACTIONS = frozenset(
    """
    push commit deploy release publish merge install test tests migrate ship flash
    pushe pushen committe committen deploye deployen veröffentliche veröffentlichen veroeffentliche veroeffentlichen
    merge mergen installiere installieren teste testen migriere migrieren ausliefern flashe flashen
    pousse pousser commite commiter committer déploie déployer deploie deployer publie publier fusionne fusionner
    installe installer teste tester migre migrer livre livrer flashe flasher
    sube subir commitea commitear despliega desplegar publica publicar lanza lanzar fusiona fusionar instala instalar
    prueba pruebas probar migra migrar entrega entregar flashea flashear
    envia envie enviar commite commitar implanta implante implantar publique lança lance lançar mescla mescle mesclar
    instale testa teste testar testes migre entregue
    """.split()  # noqa: SIM905 - words read better
)


def is_trivial(prompt: str) -> bool:
    """Whether a prompt names no subject, such as "yes", "go on" or "/compact".

    A question needs one word that is not a filler, another prompt two.
    """
    text = prompt.strip()
    if text.startswith(COMMANDS) and "\n" not in text:
        return True
    if len(text) > TRIVIAL_CHARACTERS or len(bigrams(text)) >= MIN_PAIRS:
        return False
    return len(subjects(text)) < (1 if text.endswith(("?", "？")) else MIN_WORDS)


def asks_action(prompt: str) -> bool:
    """Whether a prompt asks for an action, such as "push it"."""
    return not prompt.lstrip().startswith(COMMANDS) and not ACTIONS.isdisjoint(_words(prompt))


def subjects(text: str) -> set[str]:
    """The words of a text that are neither stop words nor fillers."""
    found = {word for word in _words(text) if len(word) > 1} - STOP_WORDS - {*LANGUAGE.courtesy.split()}
    return found - fillers(text) if found else found


def _words(text: str) -> list[str]:
    return "".join([c if c.isalnum() else " " for c in text.lower()]).split()


def fillers(text: str) -> frozenset[str]:
    """The words of prompts that carry no subject, in the languages in which a text may be."""
    return frozenset(word for one in may_be(text) for word in one.courtesy.split())
