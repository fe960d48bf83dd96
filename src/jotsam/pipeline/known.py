"""Names that everybody in this trade knows, as plain data for `extract`.

A name stands here when a reader needs no context to know its category. Names that are also ordinary words stand apart
as ambiguous and need a context. This room holds no rule.
"""

from __future__ import annotations


def names(text: str) -> tuple[str, ...]:
    """The names of a text that sets them apart by commas."""
    return tuple(" ".join(name.split()) for name in text.split(","))


def words(text: str) -> frozenset[str]:
    """The words of a text that sets them apart by space."""
    return frozenset(text.split())


TECHNOLOGIES = names(
    """
    PostgreSQL, Postgres, MySQL, MariaDB, SQLite, MongoDB, Redis, Valkey, Memcached, Cassandra, ScyllaDB, DynamoDB,
    CockroachDB, TiDB, ClickHouse, DuckDB, Snowflake, BigQuery, Redshift, Neo4j, FalkorDB, Kuzu, ArangoDB, Dgraph,
    Elasticsearch, OpenSearch, Meilisearch, Typesense, Solr, Lucene, Qdrant, Weaviate, Pinecone, Milvus, Chroma,
    ChromaDB, pgvector, FAISS, LanceDB, InfluxDB, TimescaleDB, QuestDB, Supabase, Firebase, Firestore,
    PlanetScale, Turso, libSQL, RocksDB, LevelDB, LMDB, etcd, ZooKeeper, Couchbase, CouchDB, FTS5, pg_trgm, PgBouncer,
    RabbitMQ, Kafka, Apache Kafka, NATS, ActiveMQ, ZeroMQ, Redpanda, MQTT, Sidekiq, BullMQ, persist-queue, goqite,
    Procrastinate, Dramatiq, Huey, Airflow, Apache Airflow, Dagster, Prefect, Apache Spark, PySpark, Apache Flink, dbt,
    Docker, Docker Compose, docker-compose, Podman, containerd, Kubernetes, k8s, Helm, Istio, Envoy, Traefik, nginx,
    HAProxy, Caddy, Terraform, OpenTofu, Pulumi, Ansible, Vagrant, Packer, Jenkins, GitHub, GitHub Actions, GitLab,
    GitLab CI, Bitbucket, CircleCI, Travis CI, Argo CD, ArgoCD, Grafana, Prometheus, Datadog, Sentry, Kibana, Logstash,
    Jaeger, Zipkin, OpenTelemetry, PagerDuty, Splunk, New Relic, AWS, Amazon Web Services, Azure, GCP, Google Cloud,
    AWS Lambda, CloudFront, CloudFormation, Cloudflare, Cloudflare Workers, Vercel, Netlify, Heroku, Railway, Fly.io,
    DigitalOcean, Hetzner, S3, EC2, SQS, Kinesis, Python, Java, JavaScript, TypeScript, Kotlin, Scala, Haskell, OCaml,
    Erlang, Elixir, Clojure, Perl, PHP, Golang, C++, C#, F#, Objective-C, Fortran, COBOL, WebAssembly, WASM, Zig,
    Node.js, NodeJS, Deno, Django, Flask, FastAPI, Starlette, aiohttp, httpx, uvicorn, gunicorn, Pydantic, SQLAlchemy,
    Alembic, NumPy, SciPy, scikit-learn, PyTorch, TensorFlow, Keras, JAX, Hugging Face, spaCy, NLTK, OpenCV, Matplotlib,
    Jupyter, JupyterLab, pytest, mypy, pre-commit, virtualenv, PyPI, npm, pnpm, Webpack, Vite, esbuild, Babel, ESLint,
    Vitest, Playwright, Cypress, Puppeteer, Selenium, React Native, Next.js, Nuxt, Vue.js, Vue, Angular, Svelte,
    SvelteKit, SolidJS, jQuery, Express.js, NestJS, Electron, Tauri, Tailwind, Tailwind CSS, GraphQL, gRPC, Protobuf,
    OpenAPI, Swagger, Spring Boot, Hibernate, Gradle, Apache Maven, Ruby on Rails, Laravel, Symfony, ASP.NET, .NET,
    Linux, Ubuntu, Debian, Fedora, Alpine Linux, NixOS, macOS, iOS, Android, Windows 11, WSL, systemd, tmux, Vim,
    Neovim, Emacs, VS Code, VSCode, Visual Studio Code, IntelliJ, PyCharm, Xcode, Postman, Figma, Jira, Confluence,
    Trello, Asana, Zendesk, Salesforce, HubSpot, Stripe, Twilio, SendGrid, Auth0, Okta, Keycloak, OAuth, OpenSSL,
    WireGuard, Tailscale, LangChain, LangGraph, LlamaIndex, LiteLLM, Ollama, vLLM, llama.cpp, ChatGPT, GPT-4, GPT-4o,
    GPT-5, Claude Code, claude-code, Claude Desktop, GitHub Copilot, Gemini CLI, Whisper, Stable Diffusion,
    Midjourney, AutoMem,
    Mem0, Graphiti, Zep, Letta, MemGPT, OpenRouter, ElevenLabs, Voyage AI, Raspberry Pi, Arduino, Unity3D, Blender,
    HashiCorp Vault, Homebrew, Wireshark, ripgrep, FFmpeg, ImageMagick, Tesseract, Git, Mercurial
    """
)

CAPITALISED = frozenset(
    names(
        """
        railway, whisper, chroma, prefect, babel, cypress, playwright, caddy, envoy, helm, packer, vagrant, electron,
        blender, postman, homebrew, sentry, stripe, angular, asana, procrastinate, zep, letta, huey, snowflake,
        pinecone, puppeteer, selenium, hibernate, postman, trello, vite, svelte, neon, scala, figma, wireshark,
        tesseract, mercurial, confluence, redshift, kinesis, azure, swagger, kibana, turso, tauri, typesense
        """
    )
)
"""Technologies that in lower case are ordinary words, or look like them."""

AMBIGUOUS_TECHNOLOGIES = names(
    """
    Go, R, C, D, Rust, Swift, Ruby, Dart, Julia, Lua, Elm, Crystal, Nim, Scheme, Bash, Make, Spring, Express, Rails,
    React, Redux, Flink, Spark, Storm, Beam, Ray, Celery, Pandas, Polars, Black, Ruff, Poetry, Bun, Remix, Astro, Gin,
    Echo, Rocket, Phoenix, Fiber, Consul, Vault, Nomad, Chef, Puppet, Salt, Notion, Linear, Slack, Discord, Zoom, Teams,
    Excel, Tableau, Looker, Oracle, Access, Hadoop, Hive, Presto, Trino, Ninja, Bazel, Maven, Ant, Lambda, Claude,
    Gemini, Llama, Mistral, Cursor, Codex, Copilot, Unity, Unreal, Godot, Nix, Arch, Zed, Atom, Sublime, Obsidian,
    Mocha, Jest, Chai, Parcel, Rollup, Turbo, Ember, Backbone, Meteor, Pony, Temporal, Windows, Safari, Chrome, Firefox
    """
)

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
"""Slugs that are another name of a technology."""

CONCEPTS = names(
    """
    machine learning, deep learning, reinforcement learning, knowledge graph, vector search, full-text search,
    semantic search, retrieval-augmented generation, prompt engineering, event sourcing, eventual consistency,
    strong consistency, exponential backoff, circuit breaker, rate limiting, dead letter queue, dependency injection,
    domain-driven design, test-driven development, continuous integration, continuous delivery, continuous deployment,
    feature flags, blue-green deployment, zero-downtime deployment, optimistic locking, pessimistic locking,
    two-phase commit, write-ahead logging, row-level security, role-based access control, single sign-on,
    technical debt, pair programming, code review, load balancing, change data capture, consistent hashing,
    infrastructure as code, property-based testing, chaos engineering
    """
)

ORGANIZATIONS = names(
    """
    Google, Microsoft, NASA, ESA, CERN, IBM, Intel, AMD, NVIDIA, Netflix, Facebook, Twitter, LinkedIn, OpenAI,
    Anthropic, DeepMind, Google DeepMind, Spotify, Airbnb, Uber, Lyft, Tesla, SpaceX, Samsung, Sony, Siemens, Bosch,
    SAP, Volkswagen, BMW, Toyota, Honda, Boeing, Airbus, Lockheed Martin, Red Hat, VMware, Cisco, Dell, Lenovo, Huawei,
    Alibaba, Tencent, ByteDance, Baidu, Xiaomi, PayPal, Mastercard, JPMorgan, Goldman Sachs, Deloitte, McKinsey,
    Accenture, PwC, KPMG, Mozilla, Wikipedia, Wikimedia, Mistral AI, Databricks, Palantir, Stanford, UNESCO,
    UNICEF, NATO, World Bank, European Union, European Commission, Linux Foundation, Apache Software Foundation, Pfizer,
    Novartis, Bayer, Nestlé, Unilever, Nintendo, Qualcomm, Y Combinator, 3M
    """
)

GIVEN_NAMES = names(
    """
    Aaron, Abigail, Adam, Ahmed, Aisha, Alan, Alejandro, Alex, Alexander, Alexandra, Alexis, Alfred, Ali, Alice,
    Alicia, Allison, Alyssa, Amanda, Amir, Amy, Andrea, Andreas, Andrew, Angela, Angelina, Anita, Anna, Anne,
    Anthony, Antonio, Arjun, Arthur, Ashley, Audrey, Barbara, Bella, Ben, Benjamin, Bernard, Bernd, Beth, Bob,
    Bobby, Bradley, Brandon, Brenda, Brian, Bruno, Bryan, Caitlin, Calvin, Cameron, Camille, Carl, Carla, Carlos,
    Carmen, Carol, Caroline, Carolyn, Catherine, Cathy, Cecilia, Charles, Charlie, Charlotte, Chelsea, Chloe, Chris,
    Christian, Christina, Christopher, Cindy, Claire, Clara, Claudia, Clement, Colin, Connor, Courtney, Craig,
    Cynthia, Daniel, Daniela, Danielle, Danny, Dave, David, Debbie, Deborah, Deepak, Denise, Dennis, Derek, Diana,
    Diane, Diego, Dmitri, Dominic, Donald, Donna, Dorothy, Doug, Douglas, Dylan, Eddie, Edward, Edwin, Eileen,
    Elaine, Eleanor, Elena, Eleonora, Elizabeth, Ella, Ellen, Emily, Emma, Eric, Erica, Erik, Erin, Esther, Ethan,
    Eugene, Eva, Evan, Evelyn, Fatima, Felix, Fernando, Fiona, Francesco, Francisco, Friedrich, Gabriel, Gary,
    Gavin, Georg, George, Gerald, Gina, Giulia, Gloria, Gordon, Graham, Greg, Gregory, Guillaume, Hannah, Hans,
    Harold, Harriet, Harry, Hassan, Heather, Hector, Heidi, Helen, Henry, Hiroshi, Hugo, Ian, Ibrahim, Igor, Ingrid,
    Irene, Irina, Isaac, Isabel, Isabella, Ivan, Jackie, Jacob, Jacqueline, Jake, James, Jamie, Jane, Janet, Jared,
    Jason, Javier, Jean, Jeff, Jeffrey, Jennifer, Jenny, Jeremy, Jerry, Jessica, Jill, Jim, Jimmy, Joan, Joanna,
    Joanne, Joe, Joel, Johan, Johann, John, Jon, Jonathan, Jordan, Jorge, Joseph, Josh, Joshua, José, Joyce, Juan,
    Judith, Julia, Julian, Julie, Justin, Jürgen, Karen, Karin, Karl, Kate, Katherine, Kathrin, Katie, Keith, Kelly,
    Ken, Kenji, Kenneth, Kevin, Kim, Kimberly, Klaus, Kumar, Kyle, Lance, Larry, Lars, Laura, Lauren, Leah, Lena,
    Leon, Leonardo, Leslie, Liam, Lillian, Linda, Lisa, Logan, Lori, Louis, Louise, Lucas, Lucia, Lucy, Ludwig,
    Luis, Lukas, Luke, Lydia, Lynn, Madison, Maggie, Magnus, Marcel, Marco, Marcus, Margaret, Margot, Maria, Marie,
    Marilyn, Marina, Mario, Markus, Martha, Martin, Marvin, Mary, Mateo, Matt, Matthew, Matthias, Maureen, Maya,
    Megan, Mehmet, Mei, Mel, Melanie, Melissa, Mia, Michael, Michelle, Miguel, Mike, Mitchell, Mohamed, Mohammed,
    Molly, Monica, Nancy, Naomi, Natalia, Natalie, Nate, Nathan, Neil, Nicholas, Nick, Nicolas, Nicole, Nikhil,
    Nina, Noah, Nora, Norman, Oliver, Olivia, Omar, Oscar, Pablo, Pamela, Patricia, Patrick, Paul, Paula, Pedro,
    Peggy, Peter, Petra, Phil, Philip, Phoebe, Pierre, Priya, Rachel, Rafael, Rahul, Raj, Rajesh, Ralph, Randy,
    Ravi, Raymond, Rebecca, Renee, Rhonda, Ricardo, Richard, Rita, Robert, Roberto, Robin, Rodney, Roger, Ron,
    Ronald, Roy, Russell, Ruth, Ryan, Sally, Samantha, Samuel, Sandra, Sanjay, Sara, Sarah, Scott, Sean, Sebastian,
    Sergei, Seth, Shane, Shannon, Sharon, Sheila, Shirley, Simon, Sofia, Sophia, Sophie, Stacy, Stanley, Stefan,
    Stella, Stephanie, Stephen, Steve, Steven, Stuart, Suresh, Susan, Susanne, Sven, Sylvia, Søren, Takeshi, Tammy,
    Tanja, Tara, Ted, Teresa, Theodore, Thomas, Tiffany, Tim, Timothy, Tina, Todd, Tom, Tomas, Tony, Tracy, Travis,
    Trevor, Tyler, Ursula, Valentina, Vanessa, Vera, Veronica, Victor, Victoria, Vikram, Vincent, Viola, Violet,
    Vivian, Vladimir, Walter, Wayne, Wei, Wendy, William, Wolfgang, Xavier, Yasmin, Yuki, Yusuf, Yvonne, Zoe
    """
)

AMBIGUOUS_GIVEN_NAMES = names(
    """
    April, Amber, Art, Bill, Chase, Dawn, Drew, Frank, Grace, Grant, Hope, Jack, Joy, June, Mark, May, Pat, Rich, Rob,
    Rose, Sam, Sue, Summer, Will, Max, Jan, Li, Jin, Chen, Ana, Leo, Art
    """
)

NO_NAMES = frozenset(
    names(
        """
        monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, march, april, may, june,
        july, august, september, october, november, december, mon, tue, wed, thu, fri, sat, sun, jan, feb, mar, apr,
        jun, jul, aug, sep, sept, oct, nov, dec, today, tomorrow, yesterday, christmas, easter, english, german, french,
        spanish, chinese, japanese, european, american, internet, email, web, api, team, support, sales, marketing,
        engineering, legal, finance, product, design, security, customer, customers, user, users, client, clients,
        everyone, everybody, nobody, somebody, someone, people, management, option, plan, approach, version, step,
        phase, part, section, chapter, figure, table, note, todo, warning, error, example, default, important, summary,
        wow, hey, hi, oh, yeah, yep, nope, lol, haha, awww, aww, cheers, congrats, mom, dad, mum, grandma, grandpa, sir,
        overview, yes, ok, okay, thanks, hello, dear, open, new, old, north, south, east, west, god, earth, option,
        agent, agents, memory, data, database, copyright, docs, readme, markdown, json, yaml, html, css, sql, http
        """
    )
)

JARGON = words(
    """
    cli api apis pr prs ci cd llm llms ui ux db os io cpu gpu ram rest rpc http https url urls uri tcp udp dns ssl
    tls ssh jwt oauth sso sdk ide orm crud sql nosql fts bm25 wal ttl lru fifo uuid json jsonl xml yaml toml csv
    html css js ts mcp sse rag ai ml nlp ner mvp poc qa sla kpi eta faq tbd tldr fyi asap iirc imo btw lol omg rt ff
    diy cv ceo cto cfo hr unicode utf-8 ascii cjk docs readme issue issues bug bugs feature features release
    releases branch commit merge test tests unit check click use create select run add remove update enable disable
    verify set open close phase step
    """
)
"""What is often written with a capital and names nothing that memories should be linked by."""

NO_PROJECTS = frozenset(
    names(
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
