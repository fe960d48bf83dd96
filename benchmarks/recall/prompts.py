"""What a prompt gets without asking: how often it is right, and how often it should have been nothing.

Seventy memories of one project and the prompts of its next sessions, written for this. A prompt has the memory that it
needs, or needs none. The threshold (`MIN_SHARE`) was chosen on the open half of the prompts; the closed half reports.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from jotsam import Jotsam
from jotsam.core.answers import Question
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.retrieval.prompt import NOTHING, recall_for_prompt
from jotsam.retrieval.question.trivial_prompt import is_trivial

# Each line is a memory, or a question and its reply, which are two turns of a session.
MEMORIES = """
pg|We decided to use PostgreSQL for the billing service because amounts must be exact to the cent.
ports|Which port does staging use? => Staging listens on 5433, production on 5432.
returns|Ana prefers early returns over nested conditions.
retry|Retries of webhooks use exponential backoff with jitter, at most six attempts.
limits|Add rate limiting to the upload endpoint => Done. A token bucket of 20 requests per minute is in api/limits.py.
flaky|Why does test_checkout fail on CI? => The runner is in UTC and the fixture expected Berlin time; I froze it.
s3|Uploads go to the bucket acme-uploads-eu in Frankfurt.
tf|The Terraform state lives in the bucket acme-tf-77.
node|We stay on Node 20 until the image library supports 22.
css|We chose Tailwind over CSS modules for the dashboard.
auth|Sessions are signed cookies and not JWT, because tokens could not be revoked.
queue|Jobs are stored in a table and not in Redis.
index|The slow query on orders was fixed by an index on (customer_id, created_at).
deploy|Deployments happen on Tuesdays only, after the standup.
lint|Never disable a lint rule without a comment that gives the reason.
cents|Amounts are integers in cents, never floats.
mail|Invoices are sent through Postmark, newsletters through Mailchimp.
cache|How long is the product list cached? => The catalogue cache expires after ten minutes and is warmed at start.
mono|The monorepo uses pnpm workspaces.
license|The PDF renderer is AGPL, so we call it as a separate process.
owner|Mirko owns the search service.
elastic|Search moved from Elasticsearch to Typesense in March.
synonyms|Synonyms for search are in config/synonyms.yml and need a reindex.
feature|Feature flags are in LaunchDarkly; flags older than 90 days are removed.
secret|Secrets come from Vault, never from .env files in the repository.
vat|VAT is computed per line and rounded at the end, as the auditors asked.
refund|What happens to a refund after 30 days? => Refunds after thirty days are store credit only.
csv|The CSV export uses semicolons because Excel in Germany expects them.
tz|All timestamps are stored in UTC and shown in the time zone of the shop.
mobile|The mobile app supports iOS 15 and later.
sentry|Errors are reported to Sentry with the customer id but without names.
gdpr|Customer data is deleted 30 days after an account is closed.
docker|The production image is built from python:3.12-slim.
alembic|Migrations must be reversible and are reviewed by Ana.
ids|Public ids are ULIDs; numeric ids never leave the database.
pagination|Lists are paginated by cursor, not by offset.
stripe|The Stripe webhook secret was rotated on 2 March.
graph|We rejected GraphQL for the partner API because partners wanted plain REST.
backup|Backups run at 02:00 and are restored as a test every Monday.
loadtest|The load test reached 900 requests per second on two instances.
naming|Branches are named after the ticket, for example SHOP-123-short-title.
review|Pull requests with more than 400 changed lines are split.
i18n|Translations are managed in Lokalise and pulled at build time.
fonts|The brand font is Inter, served from our own domain.
a11y|Buttons need a visible focus ring; the designers insisted.
cart|The cart merge on login keeps the larger quantity.
coupon|Coupons cannot be combined, except free shipping.
stock|Stock is reserved for fifteen minutes at checkout.
"""

# id of the memory that the prompt needs, or nothing; then the prompt.
PROMPTS = """
pg|Which database should the new billing table go into?
|Refactor this function so that it is easier to read
ports|connect to staging and tell me on which port it is
|Make the header sticky on scroll
limits|the upload endpoint needs a stricter rate limit, lower it to 10 requests
|write unit tests for the parser
flaky|test_checkout fails again on CI, what was it last time?
|Explain what this regular expression does
s3|write a script that lists the files in the uploads bucket
|Bump the version and write the changelog
tf|where does our terraform state live?
|There is a typo in the third paragraph, please correct it
node|upgrade the project to node 22
|Convert the callback code to async functions
css|style the dashboard sidebar, use what we decided for CSS
|Add type hints to utils.py
auth|should the admin panel use JWT for its sessions?
|Print the current date in the footer
queue|should background jobs go through redis?
|Generate a random avatar for new users
index|the orders query for a customer is slow again
|Write a haiku about databases
deploy|can we do the deployments on Friday?
|how do I reverse a list in python
cents|add a discount field, should amounts be a float?
|Rename the variable tmp to buffer everywhere
mail|send a newsletter, which provider do we have for newsletters and invoices?
|The build prints a deprecation warning, silence it
cache|the catalogue cache shows old products, how long until it expires?
|Draw an ascii diagram of the module
license|link the PDF renderer into the main binary
|sort the imports
owner|who owns the search service?
|Which files did you change?
elastic|is Elasticsearch still used for search?
|Please summarise this conversation
synonyms|add synonyms for sofa and couch to the search
|Use a dictionary instead of the if chain
feature|remove feature flags that are too old
|Center the div
secret|put the api secret into the .env file
|What is the difference between a process and a thread?
vat|how is VAT rounded on an invoice?
|run the formatter on the whole tree
refund|a customer wants a refund after 30 days
|Write a docstring for this class
csv|the CSV export opens wrong in Excel
|Does this loop terminate?
tz|in which time zone are timestamps stored?
|Replace the tabs in this file by two blanks
mobile|which iOS versions must the mobile app support?
|Why is my terminal so slow today
sentry|include customer names in the Sentry errors
|Extract the constant to the top of the module
gdpr|when is customer data deleted after an account is closed?
|Add a dark mode toggle to the settings page
alembic|write a database migration that drops the old column, must migrations be reversible?
|Open the file and show me line 40
ids|expose the numeric id of the order in the public API
|Parse the command line arguments with argparse
pagination|add pagination to the list of orders, by offset?
|Compress the images in the assets folder
graph|add a GraphQL endpoint for the partner API
|Translate this comment to English
backup|when do the backups run?
|Increase the font size of the title
review|this pull request has 700 changed lines, is that too many?
|Set up a virtual environment
i18n|how do translations get into the build?
|What does the error ECONNREFUSED mean?
cart|what does the cart do with quantities on login?
|Delete the unused branch
coupon|can two coupons be combined at checkout?
|Add a progress bar to the script
stock|how long is stock reserved at checkout?
|Write a Makefile target for the docs
"""


def memories() -> list[tuple[str, str]]:
    return [(line.partition("|")[0], line.partition("|")[2]) for line in MEMORIES.strip().splitlines()]


def prompts() -> list[tuple[str, str]]:
    return [(line.partition("|")[0], line.partition("|")[2]) for line in PROMPTS.strip().splitlines()]


def filled(path: Path) -> Jotsam:
    """A database with the memories, enriched."""
    jot = Jotsam(path, project="shop", worker="off")
    for name, text in memories():
        question, is_pair, reply = text.partition(" => ")
        if is_pair:
            jot.remember(question, session=name, actor="user")
            jot.remember(reply, session=name, actor="assistant", external_id=name)
        else:
            jot.remember(question, external_id=name)
    jot.work()
    return jot


def measure(jot: Jotsam, half: int, min_share: float) -> dict[str, float]:
    """Shares in percent: needed memories that were given, and prompts without need that got anything; and tokens."""
    asked = [pair for number, pair in enumerate(prompts()) if number // 2 % 2 == half]
    found = wrong = needed = other = tokens = extra = 0
    for name, prompt in asked:
        with jot.database.snapshot(tenant="default") as tx:
            question = Question(text=prompt, project="shop", tokens=600)
            given = NOTHING if is_trivial(prompt) else recall_for_prompt(tx, question, min_share=min_share)
        hits = given.hits
        tokens += estimate_tokens(given.text)
        needed += bool(name)
        other += not name
        found += any(hit.external_id == name for hit in hits) if name else 0
        wrong += bool(given.text) if not name else 0
        extra += sum(hit.external_id != name for hit in hits) if name else len(hits)
    return {
        "given": 100 * found / needed,
        "wrong": 100 * wrong / other,
        "other": extra / len(asked),
        "tokens": tokens / len(asked),
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, filled(Path(folder) / "prompts.db") as jot:
        for half, name in enumerate(("open", "closed")):
            print(f"{name} half: share | given % | given though nothing is needed % | others per prompt | tokens")
            for share in [float(one) for one in sys.argv[1:]] or [0.5]:
                row = measure(jot, half, share)
                print(f"  {share:.2f} | " + " | ".join(f"{value:.1f}" for value in row.values()))


if __name__ == "__main__":
    main()
