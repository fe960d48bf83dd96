"""Words that are not names: days, roles, headings and jargon, and helpers to write lists of words.

Names themselves are not listed here: they come from `known_names`, which a script builds from public sources.
"""

from __future__ import annotations


def comma_separated(text: str) -> tuple[str, ...]:
    """The comma-separated names of a text."""
    return tuple(" ".join(name.split()) for name in text.split(","))


def word_set(text: str) -> frozenset[str]:
    """The words of a text, separated by white space."""
    return frozenset(text.split())


# Slugs of aliases to the slug of the technology.
CANONICAL = {
    "postgres": "postgresql",
    "golang": "go",
    "nodejs": "node-js",
    "vscode": "vs-code",
    "visual-studio-code": "vs-code",
    "mongo": "mongodb",
    "apache-kafka": "kafka",
    "apache-airflow": "airflow",
}
NOT_NAMES = frozenset(
    comma_separated(
        """
        monday, tuesday, wednesday, thursday, friday, saturday, sunday, mondays, tuesdays, wednesdays,
        thursdays, fridays, saturdays, sundays, january, february, march, april, may, june,
        july, august, september, october, november, december, mon, tue, wed, thu, fri, sat, sun, jan, feb, mar, apr,
        jun, jul, aug, sep, sept, oct, nov, dec, today, tomorrow, yesterday, christmas, easter, english, german, french,
        spanish, chinese, japanese, european, american, internet, email, web, api, team, support, sales, marketing,
        engineering, legal, finance, product, design, security, customer, customers, user, users, client, clients,
        everyone, everybody, nobody, somebody, someone, people, management, option, plan, approach, version, step,
        phase, part, section, chapter, figure, table, note, todo, warning, error, example, default, important, summary,
        wow, hey, hi, oh, yeah, yep, nope, lol, haha, awww, aww, cheers, congrats, mom, dad, mum, grandma, grandpa, sir,
        overview, yes, ok, okay, thanks, hello, dear, open, new, old, north, south, east, west, god, earth, option,
        agent, agents, memory, data, database, copyright, docs, readme, markdown, json, yaml, html, css, sql, http,
        the thing, yup, nah, hiya, woah, whoa, woohoo, yay, ah, ooh, ugh, hmm, haha, thx, dang, gosh, geez,
        sorry, please,
        anytime, anyway, maybe, perhaps, someday, morning, afternoon, evening, tonight, happy, glad
        """
    )
)

# Often capitalised, but not useful as entities to link memories by.
JARGON = word_set(
    """
    cli api apis pr prs ci cd llm llms ui ux db os io cpu gpu ram rest rpc http https url urls uri tcp udp dns ssl
    tls ssh jwt oauth sso sdk ide orm crud sql nosql fts bm25 wal ttl lru fifo uuid json jsonl xml yaml toml csv
    html css js ts mcp sse rag ai ml nlp ner mvp poc qa sla kpi eta faq tbd tldr fyi asap iirc imo btw lol omg rt ff
    diy cv ceo cto cfo hr unicode utf-8 ascii cjk docs readme issue issues bug bugs feature features release
    releases branch commit merge test tests unit check use create select run add remove update enable disable
    verify set open close phase step lgbt lgbtq lgbtqia btw r&r 5k 10k bbq ac tv pc dj b2b b2c saas
    async sync await utils util bindings binding filesystem struct structs regex regexes repo repos config configs
    plugin plugins middleware backend backends frontend frontends endpoint endpoints webhook webhooks
    timestamp timestamps
    metadata namespace namespaces changelog boolean booleans linter linters wildcard wildcards dataset datasets tooltip
    polyfill codebase localhost stdin stdout stderr tuple tuples enum enums runtime runtimes hostname username usernames
    subprocess subprocesses subcommand subcommands submodule submodules subclass subclasses dict dicts param params args
    kwargs env vars src tmp dev devs prod admin admins app apps quickstart todo fixme deduplicate deduplication
    serializer serializers parser parsers tokenizer tokenizers decorator decorators iterable iterables mixin mixins
    cron multi non pre auth init sys lib libs bool int str float utf diff diffs standup retro demo onboarding offline
    upsert upserts rollout rollouts failover rebase changesets
    """
)
NOT_PROJECTS = frozenset(
    comma_separated(
        """
        manager, management, structure, plan, plans, planning, status, overview, goal, goals, setup, owner, owners, id,
        name, names, root, roots, board, team, teams, description, directory, folder, file, files, contract, layout,
        settings, configuration, config, lead, leads, leader, scope, rules, rule, specific, level, type, url, path,
        none, null, true, false, page, pages, key, keys, token, tokens, dashboard, documentation, docs, readme, review,
        links, link, history, memory, skeleton, roadmap, timeline, instructions, standards, context, boundaries, phase,
        info, information, background, summary, introduction, requirements, guide, guidelines, conventions, code, x, y,
        projectname, project-name, my-project, myproject, store, text, scope, integer
        """
    )
)
