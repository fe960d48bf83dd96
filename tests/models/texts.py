"""A conversation of five sessions and six documents, with questions in their own words and in others.

Written for these tests. A question names the turn or the section that answers it by a piece of its text.
"""

from __future__ import annotations

CONVERSATION = (
    (
        ("Mia", "We finally moved into the new flat on Sunday, boxes everywhere."),
        ("Jonas", "Congratulations! How did the piano survive the stairs?"),
        ("Mia", "Two men carried it up, one key sticks now."),
        ("Jonas", "I can lend you the number of my tuner, she is excellent."),
        ("Mia", "Please do. My neighbour already complained about noise."),
        ("Jonas", "Did you keep the old kitchen table?"),
        ("Mia", "No, I gave it to my cousin, she just started at university."),
        ("Jonas", "What does she study?"),
        ("Mia", "Marine biology, in Bergen."),
    ),
    (
        ("Jonas", "I signed up for a pottery course on Tuesdays."),
        ("Mia", "Lovely, what will you make first?"),
        ("Jonas", "A bowl for the dog. He eats from a saucepan lid."),
        ("Mia", "Is he still afraid of thunder?"),
        ("Jonas", "Yes, he hides under the bed whenever there is a storm."),
        ("Mia", "My sister plays the radio loudly for hers, that helps."),
        ("Jonas", "I will try it. How is work?"),
        ("Mia", "The museum lets me curate the autumn exhibition about old maps."),
        ("Jonas", "Wow, that is a promotion!"),
        ("Mia", "Sort of, the pay stays the same."),
    ),
    (
        ("Mia", "I was at the dentist, two wisdom teeth have to come out."),
        ("Jonas", "Ouch. When?"),
        ("Mia", "On the ninth of October, under full anaesthesia."),
        ("Jonas", "I will cook soup for you."),
        ("Mia", "You are an angel. Nothing with peanuts, my throat swells up."),
        ("Jonas", "I remember, the birthday cake incident."),
        ("Mia", "How was the trip to the coast?"),
        ("Jonas", "Rain for four days, but we saw seals near the lighthouse."),
        ("Mia", "Did the tent hold?"),
        ("Jonas", "It leaked, we slept in the car."),
    ),
    (
        ("Jonas", "My father sold his bakery after forty years."),
        ("Mia", "What will he do now?"),
        ("Jonas", "He wants to walk to Santiago, starting in April."),
        ("Mia", "On foot, at seventy! My uncle did that and lost ten kilos."),
        ("Jonas", "He trains every morning with a rucksack full of flour."),
        ("Mia", "The exhibition opened, three hundred people came."),
        ("Jonas", "Which piece did they like best?"),
        ("Mia", "A sea chart from 1570 with monsters drawn in the margins."),
        ("Jonas", "I have to see it before it closes."),
        ("Mia", "You have time until the end of January."),
    ),
    (
        ("Mia", "I adopted two cats from the shelter, Pixel and Bruno."),
        ("Jonas", "The landlord allows it?"),
        ("Mia", "Only after I paid a larger deposit."),
        ("Jonas", "My kiln is broken, so all the mugs for Christmas are late."),
        ("Mia", "Buy everyone socks instead."),
        ("Jonas", "I already wrote cards. And I started to learn Norwegian."),
        ("Mia", "Because of Bergen? Or because of my cousin?"),
        ("Jonas", "Because of the fjords, of course."),
        ("Mia", "She comes home for the holidays, I could introduce you."),
        ("Jonas", "Then I should practise how to order coffee."),
    ),
)

ASKED_OF_THE_CONVERSATION = (
    ("When did Mia move into the flat?", "on Sunday"),
    ("Which instrument does Mia have at home?", "one key sticks"),
    ("What subject is Mia's relative taking at college?", "Marine biology"),
    ("Who got the kitchen table?", "gave it to my cousin"),
    ("What hobby did Jonas take up?", "pottery course"),
    ("What is the dog scared of?", "hides under the bed"),
    ("What job did the museum give to Mia?", "curate the autumn exhibition"),
    ("When is Mia's surgery?", "ninth of October"),
    ("What food is Mia allergic to?", "peanuts"),
    ("Which animals did Jonas spot on holiday?", "seals near the lighthouse"),
    ("Where did they sleep when the tent leaked?", "slept in the car"),
    ("What pilgrimage is planned by Jonas's father?", "walk to Santiago"),
    ("What business did the father of Jonas give up?", "sold his bakery"),
    ("How many visitors came to the opening?", "three hundred people"),
    ("Which old map was the favourite of the audience?", "sea chart from 1570"),
    ("What are the names of the pets of Mia?", "Pixel and Bruno"),
    ("Why are the Christmas presents delayed?", "kiln is broken"),
    ("Which foreign language is Jonas studying?", "learn Norwegian"),
    ("What did the landlord want in return?", "larger deposit"),
    ("How did the weather treat Jonas at the seaside?", "Rain for four days"),
)

DOCUMENTS = {
    "queue.md": """# Message queue

## Retries
A job that fails is tried again after 2, 4, 8 and 16 seconds. After five attempts it moves to the dead letter list.

## Ordering
Jobs with one key run in the order in which they were sent. Jobs without a key may overtake each other.

## Visibility timeout
While a consumer works on a job, nobody else receives it for 30 seconds. A consumer that needs longer extends the lease.

## Monitoring
The endpoint `/metrics` reports the depth of each queue and the age of the oldest job.

## Limits
A payload has at most 256 KiB. Larger data belongs into the object store, and the job holds its address.
""",
    "backup.md": """# Backups

## Schedule
A full copy is made every Sunday at 03:00, and the changes since then every hour.

## Retention
Weekly copies are kept for a quarter of a year, hourly ones for three days.

## Restore
Stop the service, run `restore --at TIME`, and start it again. A terabyte takes about 40 minutes.

## Encryption
Archives are encrypted with the public key of the operations team. The private half lies in the safe.

## Tests
On the first working day of a month somebody restores a random archive on a spare machine and signs the log.
""",
    "login.md": """# Signing in

## Passwords
At least twelve characters. Known leaked ones are refused. Nobody has to change them regularly.

## Second factor
An app with six digits or a hardware key. Text messages are not offered, because numbers can be stolen.

## Sessions
A browser stays signed in for fourteen days, the administration pages for one hour.

## Lockout
Ten wrong attempts block the account for a quarter of an hour. The owner gets an e-mail.

## Single sign-on
Companies connect their identity provider by OpenID Connect. SAML is supported for the largest plan only.
""",
    "style.md": """# How we write code

## Formatting
The formatter decides. Nobody discusses white space in a review.

## Tests
A fix comes with a test that failed before. Tests do not sleep and do not use the network.

## Reviews
One colleague reads every change within a working day. Changes of the payment code need two.

## Dependencies
A new library needs a reason in the pull request, a licence that we may use, and a maintainer who answers.

## Releases
Every second Wednesday, from the main branch. Nothing is shipped on a Friday.
""",
    "office.md": """# The office

## Access
The door opens with a badge from 06:00 to 22:00. Visitors are met at the desk and wear a sticker.

## Meeting rooms
Book them in the calendar. A room that is empty ten minutes after the start is released.

## Heating
The thermostat falls to 17 degrees at night. Report cold radiators to the caretaker.

## Bicycles
The cellar has sixty stands and a pump. Electric ones are charged at the wall on the left, not upstairs.

## Kitchen
Whoever finishes the coffee makes the next pot. Dishes go into the machine, not into the sink.
""",
    "codes.md": """# Error codes

## J104
The connection was closed by the server. Try again after a pause.

## J140
The connection was refused by the server. Check the address and the port.

## J204
The request was too large for the server. Split it.

## J240
The request was too slow for the server. Raise the timeout.

## J304
The answer of the server was cut off. Ask again, and report it if that does not help.

## J340
The answer of the server has another version. Update the client.
""",
}

ASKED_OF_THE_DOCUMENTS = (
    ("how many times is a failed job tried again", "2, 4, 8 and 16 seconds"),
    ("jobs in the dead letter list", "2, 4, 8 and 16 seconds"),
    ("can jobs with one key overtake each other", "order in which they were sent"),
    ("my worker needs more time than allowed", "extends the lease"),
    ("payload larger than 256 KiB", "256 KiB"),
    ("what does /metrics report", "/metrics"),
    ("when is the full copy made", "every Sunday at 03:00"),
    ("how long do we keep old snapshots", "quarter of a year"),
    ("restore --at TIME", "restore --at TIME"),
    ("where is the private half of the key of the archives", "lies in the safe"),
    ("who restores a random archive", "restores a random archive"),
    ("minimum length of a password", "twelve characters"),
    ("why are text messages not offered", "numbers can be stolen"),
    ("how long until I am logged out", "fourteen days"),
    ("ten wrong attempts", "Ten wrong attempts"),
    ("SAML or OpenID Connect", "OpenID Connect"),
    ("how many colleagues review changes of the payment code", "payment code need two"),
    ("may I add a third-party package", "licence that we may use"),
    ("what about a release on Friday", "second Wednesday"),
    ("are sleeps allowed in tests", "do not sleep"),
    ("when does the door open for a badge", "06:00 to 22:00"),
    ("is an empty room released", "ten minutes after the start"),
    ("where do I plug in my e-bike", "wall on the left"),
    ("it is freezing at my desk", "cold radiators"),
    ("what to do about J140", "Check the address and the port"),
    ("J204 from the server", "Split it"),
    ("we see J304 since Monday", "Ask again"),
    ("server says J240", "Raise the timeout"),
)
