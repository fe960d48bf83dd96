"""Gazetteer: well-known technologies, organizations, concepts and given names, as data for the entity rules.

Names whose category is clear without context are listed here. Names that are also ordinary words are listed
separately as ambiguous and need context.
"""

from __future__ import annotations


def comma_separated(text: str) -> tuple[str, ...]:
    """The comma-separated names of a text."""
    return tuple(" ".join(name.split()) for name in text.split(","))


def word_set(text: str) -> frozenset[str]:
    """The words of a text, separated by white space."""
    return frozenset(text.split())


TECHNOLOGIES = comma_separated(
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

# Technologies that are ordinary words in lower case, so they count only when capitalised.
CAPITALISED = frozenset(
    comma_separated(
        """
        railway, whisper, chroma, prefect, babel, cypress, playwright, caddy, envoy, helm, packer, vagrant, electron,
        blender, postman, homebrew, sentry, stripe, angular, asana, procrastinate, zep, letta, huey, snowflake,
        pinecone, puppeteer, selenium, hibernate, postman, trello, vite, svelte, neon, scala, figma, wireshark,
        tesseract, mercurial, confluence, redshift, kinesis, azure, swagger, kibana, turso, tauri, typesense
        """
    )
)
AMBIGUOUS_TECHNOLOGIES = comma_separated(
    """
    Go, R, C, D, Rust, Swift, Ruby, Dart, Julia, Lua, Elm, Crystal, Nim, Scheme, Bash, Make, Spring, Express, Rails,
    React, Redux, Flink, Spark, Storm, Beam, Ray, Celery, Pandas, Polars, Black, Ruff, Poetry, Bun, Remix, Astro, Gin,
    Echo, Rocket, Phoenix, Fiber, Consul, Vault, Nomad, Chef, Puppet, Salt, Notion, Linear, Slack, Discord, Zoom, Teams,
    Excel, Tableau, Looker, Oracle, Access, Hadoop, Hive, Presto, Trino, Ninja, Bazel, Maven, Ant, Lambda, Claude,
    Gemini, Llama, Mistral, Cursor, Codex, Copilot, Unity, Unreal, Godot, Nix, Arch, Zed, Atom, Sublime, Obsidian,
    Mocha, Jest, Chai, Parcel, Rollup, Turbo, Ember, Backbone, Meteor, Pony, Temporal, Windows, Safari, Chrome, Firefox
    """
)

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
CONCEPTS = comma_separated(
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

ORGANIZATIONS = comma_separated(
    """
    Google, Microsoft, NASA, ESA, CERN, IBM, Intel, AMD, NVIDIA, Netflix, Facebook, Twitter, LinkedIn, OpenAI,
    Anthropic, DeepMind, Google DeepMind, Spotify, Airbnb, Uber, Lyft, Tesla, SpaceX, Samsung, Sony, Siemens, Bosch,
    SAP, Volkswagen, BMW, Toyota, Honda, Boeing, Airbus, Lockheed Martin, Red Hat, VMware, Cisco, Dell, Lenovo, Huawei,
    Alibaba, Tencent, ByteDance, Baidu, Xiaomi, PayPal, Mastercard, JPMorgan, Goldman Sachs, Deloitte, McKinsey,
    Accenture, PwC, KPMG, Mozilla, Wikipedia, Wikimedia, Mistral AI, Databricks, Palantir, Stanford, UNESCO,
    UNICEF, NATO, World Bank, European Union, European Commission, Linux Foundation, Apache Software Foundation, Pfizer,
    Instagram, TikTok, YouTube, WhatsApp, Snapchat, Reddit, Pinterest, Nike, Adidas, Under Armour, Gatorade, Starbucks,
    McDonald's, Burger King, IKEA, Walmart, Costco, Disney, Pixar, Warner Bros, Universal Studios, Paramount Pictures,
    BBC, CNN, NBA, NFL, NHL, FIFA, UEFA, FBI, CIA, Harvard, UCLA, Red Cross, Greenpeace, eBay, Etsy, DoorDash,
    Lufthansa, Novartis, Bayer, Nestlé, Unilever, Nintendo, Qualcomm, Y Combinator, 3M
    """
)

GIVEN_NAMES = comma_separated(
    """
    Aaron, Abby, Abigail, Adam, Adele, Agnes, Ahmed, Aiden, Aisha, Akira, Alan, Albert, Alberto, Alejandro, Alessandro,
    Alex, Alexander, Alexandra, Alexei, Alexis, Alfred, Ali, Alice, Alicia, Alina, Allison, Alvin, Alyssa, Amanda, Amir,
    Amy, Anastasia, Andre, Andrea, Andreas, Andrei, Andrew, André, Andy, Angela, Angelica, Angelina, Anita, Anja, Ann,
    Anna, Anne, Annette, Annie, Anthony, Anton, Antonio, Arjun, Arne, Arnold, Arthur, Ashley, Astrid, Audrey, Barbara,
    Barry, Beatrice, Becky, Belinda, Bella, Ben, Benedict, Benjamin, Bernadette, Bernard, Bernd, Beth, Bianca, Birgit,
    Björn, Bob, Bobby, Bonnie, Boris, Brad, Bradley, Brandon, Brenda, Brian, Bridget, Bruce, Bruno, Bryan, Caitlin,
    Caleb, Calvin, Cameron, Camille, Carl, Carla, Carlos, Carmen, Carol, Caroline, Carolyn, Catherine, Cathy, Cecilia,
    Cedric, Charles, Charlie, Charlotte, Chelsea, Chiara, Chloe, Chris, Christian, Christina, Christine, Christoph,
    Christopher, Cindy, Claire, Clara, Clarence, Claudia, Clement, Colin, Connor, Conrad, Corinna, Courtney, Craig,
    Cristina, Cynthia, Cyril, Damian, Damien, Daniel, Daniela, Danielle, Danny, Daria, Darius, Darren, Dave, David,
    Debbie, Deborah, Deepak, Denis, Denise, Dennis, Derek, Desmond, Diana, Diane, Diego, Dieter, Dirk, Dmitri, Dolores,
    Dominic, Dominik, Donald, Donna, Doris, Dorothy, Doug, Douglas, Dwight, Dylan, Eddie, Edgar, Edith, Edna, Eduardo,
    Edward, Edwin, Eileen, Elaine, Eleanor, Elena, Eleonora, Elias, Elisa, Elisabeth, Elise, Eliza, Elizabeth, Ella,
    Ellen, Elliot, Elsa, Emil, Emilia, Emilio, Emily, Emma, Enrique, Eric, Erica, Erich, Erik, Erin, Ernest, Estelle,
    Esther, Ethan, Ethel, Eugene, Eva, Evan, Evelyn, Fabian, Fatima, Federico, Felicia, Felix, Fernando, Filip, Fiona,
    Florian, Frances, Francesco, Francisco, Franziska, Fred, Freddie, Frederick, Friedrich, Gabriel, Gareth, Gary,
    Gavin, Geoffrey, Georg, George, Gerald, Gerhard, Gilbert, Gina, Giovanni, Giulia, Glenn, Gloria, Gordon, Graham,
    Greg, Gregory, Greta, Guillaume, Gustav, Günter, Gwen, Hank, Hanna, Hannah, Hans, Harald, Harold, Harriet, Harry,
    Harvey, Hassan, Heather, Hector, Heidi, Helen, Helena, Helga, Henri, Henrik, Henry, Herbert, Herman, Hilda, Hiroshi,
    Holly, Horst, Howard, Hubert, Hugo, Ian, Ibrahim, Igor, Ilse, Imran, Ines, Inga, Ingrid, Irene, Irina, Irma, Isaac,
    Isabel, Isabella, Isabelle, Ismail, Ivan, Jackie, Jacob, Jacqueline, Jacques, Jake, James, Jamie, Jana, Jane, Janet,
    Janice, Janine, Jared, Jason, Javier, Jean, Jeanette, Jeanne, Jeff, Jeffrey, Jennifer, Jenny, Jens, Jeremy, Jerome,
    Jerry, Jesper, Jesse, Jessica, Jill, Jim, Jimmy, Joachim, Joan, Joanna, Joanne, Jochen, Joe, Joel, Johan, Johann,
    Johanna, Johannes, John, Jon, Jonas, Jonathan, Jordan, Jorge, Josef, Joseph, Josephine, José, Josh, Joshua, Joyce,
    Juan, Judith, Julia, Julian, Julie, Julius, Justin, Jutta, Jürgen, Kai, Karen, Karin, Karina, Karl, Karsten, Kate,
    Katherine, Kathleen, Kathrin, Kathryn, Kathy, Katie, Katja, Katrin, Keith, Kelly, Ken, Kenji, Kenneth, Kevin, Kim,
    Kimberly, Kirsten, Klaus, Kristin, Kristina, Kumar, Kurt, Kyle, Lance, Larry, Lars, Laura, Lauren, Leah, Lee, Leila,
    Lena, Lennart, Leon, Leonard, Leonardo, Leopold, Leslie, Liam, Lillian, Lily, Linda, Lionel, Lisa, Logan, Lorenzo,
    Loretta, Lori, Lorraine, Lotte, Louis, Louisa, Louise, Luca, Lucas, Lucia, Lucy, Ludwig, Luigi, Luis, Luisa, Lukas,
    Luke, Lutz, Lydia, Lynn, Mabel, Madison, Magdalena, Maggie, Magnus, Malcolm, Manfred, Manuel, Marc, Marcel, Marcia,
    Marcin, Marco, Marcus, Margaret, Margarita, Margot, Maria, Mariana, Marianne, Marie, Marilyn, Marina, Mario, Marius,
    Marjorie, Markus, Marta, Martha, Martin, Marvin, Mary, Mateo, Mathilde, Matt, Matthew, Matthias, Maureen, Maurice,
    Maximilian, Maya, Megan, Mehmet, Mei, Mel, Melanie, Melinda, Melissa, Meredith, Mia, Michael, Michelle, Miguel,
    Mike, Milena, Miriam, Mitchell, Mohamed, Mohammad, Mohammed, Molly, Monica, Moritz, Muhammad, Nadia, Nadine, Nancy,
    Naomi, Natalia, Natalie, Natasha, Nate, Nathan, Neil, Nellie, Nelson, Nicholas, Nick, Nicolas, Nicole, Nikhil,
    Niklas, Nikolai, Nils, Nina, Noah, Noel, Nora, Norbert, Norman, Olaf, Oleg, Olga, Oliver, Olivia, Omar, Oscar, Otto,
    Pablo, Pamela, Patricia, Patrick, Paul, Paula, Paulo, Pavel, Pedro, Peggy, Penelope, Percy, Peter, Petra, Phil,
    Philip, Philipp, Philippe, Phoebe, Pierre, Priscilla, Priya, Rachel, Rafael, Rahul, Rainer, Raj, Rajesh, Ralph,
    Ramon, Ramona, Randy, Raquel, Raul, Ravi, Raymond, Rebecca, Reinhard, Renee, René, Rhonda, Ricardo, Richard, Rita,
    Robert, Roberto, Robin, Rodney, Rodrigo, Roger, Roland, Rolf, Ron, Ronald, Rosa, Rosalind, Roxanne, Roy, Rudolf,
    Rufus, Rupert, Russell, Ruth, Ryan, Sabine, Sally, Salma, Samantha, Samir, Samuel, Sandra, Sanjay, Sara, Sarah,
    Sascha, Scott, Sean, Sebastian, Sergei, Sergio, Seth, Shane, Shannon, Sharon, Sheila, Shirley, Sigrid, Silke,
    Silvia, Simon, Simone, Sofia, Sonia, Sonja, Sophia, Sophie, Stacy, Stanley, Stefan, Stefanie, Steffen, Stella,
    Stephan, Stephanie, Stephen, Steve, Steven, Stuart, Suresh, Susan, Susanne, Susie, Suzanne, Sven, Svetlana, Sylvia,
    Søren, Takeshi, Tamara, Tammy, Tanja, Tara, Tatiana, Ted, Terence, Teresa, Terry, Thea, Theo, Theodore, Theresa,
    Thomas, Thorsten, Tiffany, Tim, Timothy, Tina, Tobias, Todd, Tom, Tomas, Tony, Torsten, Tracy, Travis, Trevor,
    Tyler, Udo, Ulrich, Ulrike, Ursula, Uwe, Valentina, Valerie, Vanessa, Vera, Veronica, Vicky, Victor, Victoria,
    Vikram, Viktor, Vincent, Viola, Violet, Vivian, Vladimir, Vladislav, Volker, Walter, Wanda, Wayne, Wei, Wendy,
    Werner, Wilhelm, William, Wilma, Winston, Wolfgang, Xavier, Yannick, Yasmin, Yolanda, Yuki, Yuri, Yusuf, Yvonne,
    Zachary, Zara, Zoe
    """
)

AMBIGUOUS_GIVEN_NAMES = comma_separated(
    """
    April, Amber, Bill, Chase, Dawn, Drew, Frank, Grace, Grant, Hope, Jack, Joy, June, Mark, May, Pat, Rich, Rob,
    Rose, Sam, Sue, Summer, Will, Max, Jan, Li, Jin, Chen, Ana, Leo
    """
)

NOT_NAMES = frozenset(
    comma_separated(
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
        agent, agents, memory, data, database, copyright, docs, readme, markdown, json, yaml, html, css, sql, http,
        the thing
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
    releases branch commit merge test tests unit check click use create select run add remove update enable disable
    verify set open close phase step lgbt lgbtq lgbtqia btw r&r 5k 10k bbq ac tv pc dj b2b b2c saas
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
