"""Topics of a text as tags: `testing`, `travel`, from a closed vocabulary with the words of each.

A topic needs one sure word, or two different words that could mean something else. What is not in the vocabulary has no
tag: the words of the text are searched anyway.
"""

from __future__ import annotations

import re
from collections import Counter

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.text.markdown import outline
from jotsam.pipeline.text.tokens import without_noise

MAX_TOPICS = 3
MAX_CHARACTERS = 20_000
SHARE_OF_BEST = 0.4
LONG_TEXT = 40  # words
WORDS_PER_SIGN = 60  # A long text must have more words of a topic.

# Topic: sure words | words of which two are needed. "_" joins a phrase of two words.
_TECHNICAL = """
testing: pytest unittest tox testcase fixture fixtures mock mocks mocking flaky unit_test test_suite test_case | test
  coverage assertion ci
linting: lint linter linting linters flake8 pylint ruff eslint pre-commit code_style | formatter
typing: mypy type_hint type_checker type_annotation pyright | annotation typed
continuous-integration: ci_cd continuous_integration github_action build_pipeline jenkins | ci pipeline build
deployment: deploy deploys deployed deploying deployment rollout rollback staging helm kubernetes k8s | production
  container docker
release: changelog release_note semver prerelease | release version
deprecation: deprecated deprecation deprecate
security: security vulnerability vulnerabilities cve exploit xss csrf | attack secret permission encryption
authentication: authentication login logins oauth sso password passwords authenticator 2fa mfa saml | token session
  credential
certificates: tls ssl certificate | https renew expire
permissions: permission permissions authorization rbac acl | role admin access
configuration: | config configuration configure configured configuring yaml toml environment_variable env_var setting
  option default
installation: pip_install installation npm_install installer apt_get conda_install | install package
package-management: | package_manager pypi npm package_index dependency_manager package dependency virtualenv
dependencies: | dependencies dependency lockfile upgrade bump version package
documentation: | documentation docs readme docstring docstrings tutorial sphinx mkdocs guide manual reference
contributing: contributing pull_request code_of_conduct | contributor contribution issue community contribute
community: mailing_list discord gitter chat_room | community discussions forum slack help
support: bug_report get_help need_help helpdesk | support question issue
licensing: licence licensed license licensing apache_license mit_license | open_source copyright
open-source: open_source foss | community license
funding: donation donations sponsor sponsors sponsorship crowdfunding | fund funding
database: database databases sql sqlite postgres postgresql mysql mariadb mongodb orm nosql | query table schema index
  row
migration: migrated migrate migrating migration migrations | move schema switch
search: search_engine full-text elasticsearch opensearch lucene tantivy meilisearch search_service | search index
  query
caching: cache caches cached caching memcached | invalidation ttl
performance: latency throughput benchmark profiling bottleneck performance_problem | performance slow slower faster
  speed millisecond memory seconds minutes cache
memory-usage: memory_leak memory_usage out_of_memory oom | memory leak
concurrency: concurrency concurrent threading multithreading deadlock race_condition thread-safe | thread lock
  parallel worker async coroutine
async: async asyncio asynchronous await coroutine coroutines event_loop
networking: tcp udp dns firewall vpn networking | network router packet port socket proxy
http: | http https rest_api webhook webhooks http_request status_code request response header client server
api: | api apis endpoint endpoints graphql rest_api grpc request client response
web: | browser browsers javascript css html frontend web_framework web_application page website
cli: command-line command_line cli subcommand terminal | command flag shell
logging: logging logger loggers log_level structured_log | log
monitoring: monitoring grafana prometheus alerting metrics observability | alert dashboard
incident: | incident outage outages postmortem downtime on-call down alert restart
backup: backup backups restic borg restore | snapshot
storage: | disk disks nas s3 object_storage filesystem storage bucket file
cloud: | aws azure gcp cloud hetzner server region
architecture: | architecture microservice microservices monolith adr event-driven service component design
refactoring: | refactor refactored refactoring cleanup rewrite rewrote code
bug-fix: bugfix hotfix | bug fix fixed crash
serialization: serialization deserialization serializer protobuf msgpack pickle serialize deserialize | json encode
  decode parse
parsing: | parser parsers parsing tokenizer grammar parse syntax
data-import: importer csv import_job etl data_import | import export excel spreadsheet
spreadsheets: spreadsheet spreadsheets excel google_sheet | sheet column
data-science: jupyter pandas dataframe dataframes data_science numpy | notebook dataset array
machine-learning: machine_learning neural pytorch tensorflow embeddings training_data llm | model training
plotting: plot plots plotting matplotlib chart charts histogram | figure axis
dates: timezone timezones datetime date_time timestamp timestamps daylight | date calendar
internationalization: | i18n l10n locale locales translation translations language unicode
queue: message_queue rabbitmq kafka celery task_queue job_queue | queue job worker message
scheduling: | cron crontab cronjob scheduler nightly_job schedule job
embedded: firmware microcontroller arduino raspberry_pi | sensor device
mobile: | android ios iphone ipad mobile_app flutter app phone
design: | figma mockup mockups wireframe ux penpot typography design layout color colour
accessibility: accessibility screen_reader wcag a11y
email: email emails mail mails newsletter smtp inbox | message attachment
"""
# The words of these mean something else in technical texts: a candidate, a lease, a budget.
_EVERYDAY = """
printing: toner | printer print
hardware: | laptop laptops keyboard gpu cpu motherboard device screen
meeting: meeting_note team_meeting meetings standup retro agenda workshop | meeting call invite room minutes
schedule: reschedule rescheduled postponed appointment calendar | friday monday tuesday wednesday thursday tomorrow
planning: roadmap milestone milestones sprint deadline okr backlog q1 q2 q3 q4 | plan goal quarter
hiring: hiring hire hires candidate candidates interview recruiter recruiting job_offer | position team
onboarding: onboarding onboard newcomer first_day | account
team: team_lead teammate colleague colleagues org_chart | team manager
parental-leave: parental_leave maternity_leave paternity_leave
vacation: vacation holiday holidays annual_leave day_off | leave away
sales: | sales crm upsell prospect prospects revenue customer offer deal
pricing: pricing price prices discount subscription | cost plan tier
budget: budget budgets expense expenses | cost euro money
invoicing: invoice invoices invoicing vat billing receipt receipts | payment tax
tax: tax taxes vat accountant
marketing: marketing campaign seo newsletter ad_campaign branding | launch audience
customer: | customer customers client_meeting churn support account
legal: | lawyer contract contracts gdpr nda lawsuit compliance clause sign
privacy: gdpr privacy data_protection anonymised anonymized | personal consent
travel: flight flights travel trip train hotel itinerary passport airport ferry | ticket visit
food: restaurant recipe dinner cooking bakery vegetarian vegan pizza cake baking | lunch breakfast dinner bread cook
  eat cafe
health: doctor dentist hospital allergic allergy medication clinic penicillin therapy diabetes physiotherapist | pain
  sick
fitness: gym marathon jogging yoga workout swimming climbing | run training
sports: football soccer basketball tennis tournament rugby | match team game
family: wife husband daughter son kids sister brother mother father parents grandmother grandfather nephew niece |
  child baby
pets: dog dogs cat cats puppy kitten vet | pet
education: university school teacher exam exams lecture thesis student students | course class study
music: | guitar piano violin concert band album choir orchestra song play
books: novel book_club paperback | book read
movies: movie movies film cinema netflix | watch series
gaming: video_game videogame nintendo playstation board_game | game
art: | painting paintings gallery sculpture pottery museum exhibition draw art
photography: | camera photography lens photo
gardening: garden gardening greenhouse seedlings compost | plant tomato
housing: landlord rent apartment lease mortgage | house kitchen
moving: relocating new_flat new_apartment moving_boxes | house city
finance: bank_account mortgage savings loan pension | account money
shopping: groceries shopping supermarket | order buy
errands: | errand errands renew order permit
parking: parking
car: | car garage mechanic tyres tires drive van
birthday: birthday birthdays
wedding: wedding married engaged
volunteering: volunteer volunteering charity shelter
weather: weather rain storm | snow cold
laboratory: pipette lab_results microscope | sample lab
notes: | obsidian diary note
writing: blog blogging essay manuscript latex | write report paper
"""


class _Sign(Record):
    """A word of a topic, and whether it is sure."""

    topic: str
    is_sure: bool
    is_everyday: bool


def _vocabulary() -> dict[str, tuple[_Sign, ...]]:
    signs: dict[str, tuple[_Sign, ...]] = {}
    for is_everyday, vocabulary in ((False, _TECHNICAL), (True, _EVERYDAY)):
        for entry in re.split(r"\n(?=\S)", vocabulary.strip()):
            topic, _, words = entry.partition(":")
            sure, _, unsure = words.partition("|")
            for is_sure, part in ((True, sure), (False, unsure)):
                for word in part.split():
                    sign = _Sign(topic=topic, is_sure=is_sure, is_everyday=is_everyday)
                    signs[word] = (*signs.get(word, ()), sign)
    return signs


_SIGNS = _vocabulary()
_PHRASE_STARTS = frozenset(word.partition("_")[0] for word in _SIGNS if "_" in word)
_WORD = lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_IMAGE = lazy_pattern(r"!\[[^\[\]\n]{0,200}\](?:\[[^\[\]\n]{0,200}\])?")
_DEFINITION = lazy_pattern(r"^[ ]{0,3}(?:\[[^\[\]\n]{1,200}\]:|\.\. (?:_|\|)).*$", re.MULTILINE)


def topic_tags(text: str) -> tuple[str, ...]:
    """The topics of a text, at most three, the one with most words first. () if none of the vocabulary fits."""
    text = text[:MAX_CHARACTERS]
    fences = outline(text).fences if "```" in text or "~~~" in text else ()
    words = _WORD.findall(_without_links(without_noise(text, fences)).lower())
    sure: Counter[str] = Counter()
    found: dict[str, set[str]] = {}
    everyday: set[str] = set()
    for at, word in enumerate(words):
        for sign in _signs(words, at, word):
            found.setdefault(sign.topic, set()).add(word.removesuffix("s"))
            sure[sign.topic] += sign.is_sure
            if sign.is_everyday:
                everyday.add(sign.topic)
    is_technical = "`" in text or not found.keys() <= everyday
    score = {
        topic: sure[topic] + len(signs)
        for topic, signs in found.items()
        if len(signs) > (1 if sure[topic] or len(words) < LONG_TEXT else 2)
        or (sure[topic] and not (is_technical and topic in everyday))
    }
    best = max(score.values(), default=0)
    least = max(2 * max(1, round(len(words) / WORDS_PER_SIGN)), SHARE_OF_BEST * best)
    ranked = sorted((-count, topic) for topic, count in score.items() if count >= least)
    return tuple(topic for _, topic in ranked[:MAX_TOPICS])


def _without_links(text: str) -> str:
    """The text without images, badges and definitions of links, which say nothing about its subject."""
    if "]:" in text or "![" in text or ".. " in text:
        text = _DEFINITION.sub("", _IMAGE.sub("", text))
    return text


def _signs(words: list[str], at: int, word: str) -> tuple[_Sign, ...]:
    """The signs of a word, of its singular, and of the phrase that begins with it."""
    found = _SIGNS.get(word) or (_SIGNS.get(word[:-1], ()) if word.endswith("s") else ())
    if word in _PHRASE_STARTS and at + 1 < len(words):
        following = words[at + 1]
        found += _SIGNS.get(f"{word}_{following}") or _SIGNS.get(f"{word}_{following.removesuffix('s')}", ())
    return found
