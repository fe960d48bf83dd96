"""The words by which English is read."""

from __future__ import annotations

from jotsam.pipeline.languages.language import Language, words

_MOVED_TO = (
    "changed|moved|switched|migrated|converted|upgraded|downgraded|relocated|transferred|shifted|extended|prolonged"
    "|shortened|raised|lowered|increased|decreased|reduced|cut|postponed|pushed back|pushed|brought forward|rescheduled"
    "|delayed|bumped|updated|adjusted|ported|transitioned|handed over"
)
_CHANGED = _MOVED_TO + "|reset|set|went|gone|rose|fell|grew|swapped|passed"
_ENDED = (
    "removed|dropped|deleted|discontinued|canceled|cancelled|abolished|shut down|decommissioned|retired|terminated"
    "|scrapped"
    "|phased out|abandoned|eliminated|turned off|disabled|sunset|uninstalled"
)
_TO = r"(?:over |back |up |down |out )?(?:to|until|till|onto|into)"
_BE = r"(?:(?:have|has|was|were|is|are|been|got|just|now|recently|officially|already|finally|since|permanently) )*"

LANGUAGE = Language(
    code="en",
    # Dates
    months="""
        january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october
        oct|november nov|december dec
    """,
    weekdays="monday mon|tuesday tues tue|wednesday wed|thursday thurs thur thu|friday fri|saturday sat|sunday sun",
    numbers="one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve",
    more_numbers="fifteen twenty thirty forty fifty sixty ninety hundred",
    units="""
        millisecond: millisecond milliseconds
        second: second seconds
        minute: minute minutes
        hour: hour hours oclock
        day: day days
        week: week weeks
        month: month months
        year: year years
        dollar: dollar dollars
        euro: euro euros
        franc: francs
        cent: cent cents pence
        yuan: yuan
        yen: yen
        percent: percent
        bytes: byte bytes megabyte megabytes gigabyte gigabytes
        length: meter meters metre metres miles feet inch inches kilometer kilometre kilometres
        weight: ton tons tonne tonnes gram grams kilo kilos pounds
        degree: degree degrees celsius fahrenheit
    """,
    counts="dozen dozens hundreds thousand thousands first second third once twice",
    times="""
        yesterday today tonight tomorrow last next ago since recently weekend morning spring summer autumn fall
        winter
    """,
    day_parts="""
        noon midnight morning afternoon evening night nights weekday weekdays weekend weekends spring summer autumn
        fall winter daily weekly monthly quarterly yearly biweekly fortnightly hourly
    """,
    relative=(
        ("day -2", "day before yesterday"),
        ("day 2", "day after tomorrow"),
        ("day -1", r"yesterday|last\s+night"),
        ("day 0", r"earlier\s+today|today|tonight|this\s+(?:morning|afternoon|evening)"),
        ("day 1", "tomorrow"),
    ),
    between="between",
    ordinals="st|nd|rd|th",
    oclock=r"o'clock\b",
    millions="million millions",
    # Words of sentences
    unambiguous="""
        the of and are does did how what which why when where who with my our your from that this between should
        have been
    """,
    articles="the a an this that these those",
    indefinite="a an one",
    first_person="i my mine i'm me",
    group="we our us ours",
    second_person="you your yours yourself",
    pronouns="it he she they this that their his her its",
    function="""
        a an the this that these those there here its it he she they them his her their hers theirs our ours us
        me my mine your yours you i we and or but so then just only very quite all each every any some own same
        such which who whose do does did done doing now currently today already finally officially recently
        henceforth instead actually really be is are was were been being am has have had having get gets got no
        not never longer anymore more nor of for in on at by with from to into onto as per via until till about
        over during after before since because due set currently permanently
    """,
    stop_words="""
        a about above after again against all also am an and any are as at be because been before being below
        between both but by can could did do does doing down during each few for from further had has have
        having he her here hers herself him himself his how i if in into is it its itself just let me might more
        most must my myself no nor not now of off on once only or other our ours ourselves out over own same
        shall she should so some such than that the their theirs them themselves then there these they this
        those through to too under until up us very was we were what when where which while who whom whose why
        will with would you your yours yourself yourselves ain aren couldn d didn doesn don hadn hasn haven isn
        ll m mightn mustn needn re s shan shouldn t ve wasn weren won wouldn
    """,
    of="of",
    prepositions="of for in on at by with from to into onto as per via during after before about until till",
    parts="for in at on within under during per via",
    places="in at on to into onto until till",
    negations="not no never",
    vague="""
        this that these those another other some any many most several few someone somebody anyone everyone
        everything something one all
    """,
    means="with via using through",
    employers="at for",
    conjunction="and",
    joins="and|or|as well as|plus",
    that="that",
    definite="the|my|our|his|her|its|their",
    contractions=(
        (r"\bcan't\b", "cannot"),
        (r"n't\b", " not"),
        (r"'(?:re|m)\b", " is"),
        (r"\b(it|he|she|that|there)'s\b", r"\1 is"),
        (r"'(?:ve|d)\b", " have"),
        (r"'ll\b", " will"),
        (r"'s?(?=\s|$)", ""),
    ),
    abbreviations="Dr Mr Ms St No vs ca cf Jr Mrs Prof approx e.g i.e",
    placed="not no never none without if unless else otherwise but than except only",
    pointing="this that these those it they he she here there such",
    momentary="""
        today yesterday tomorrow tonight now currently ago last next this just recently soon already still again
        earlier later morning afternoon evening
    """,
    # Verbs
    reported=(
        r"(?:\w+\s){0,3}(?:saw|read|noticed|see|heard|says?|said|told|reports?|reported|writes|wrote"
        r"|found)\b[^,;:]{0,40}?\sthat\s"
    ),
    states="""
        be: is are was were be been being am remains remain stays equals means becomes became set configured
          fixed scheduled planned
        live: live lives living lived reside resides resided
        work: work works working worked employed
        use: use uses using used utilize utilizes rely relies
        run: run runs running ran hosted stored listens listen deployed kept held located situated placed
        price: cost costs costing priced
        start: start starts starting begin begins
        end: ends finish finishes end
        close: close closes
        open: open opens
        meet: meet meets
        happen: happen happens
        expire: expire expires
        last: lasts
        lead: leads leading led manage manages headed
        own: own owns
        maintain: maintain maintains responsible
        name: called named
        weigh: weighs weigh
        have: has have had holds contains counts allows allow retries waits seats
        default: defaults
        deadline: due
        report: reports
    """,
    # Things and their values
    synonyms="""
        price: price cost fee
        deadline: deadline due duedate
        owner: owner maintainer
        lead: lead leader head manager
        place: place location venue site
        name: name title
        use: uses
        start: start starttime
        end: end
        last: duration length
        color: colour color
    """,
    attributes="""
        name colour color theme title port host address email phone number deadline date day time price fee cost
        rate limit size version region location place venue office room owner lead maintainer contact manager
        status state level default plan language format provider database framework tool editor host password
        key path directory folder branch timeout interval budget salary schedule frequency threshold maximum
        minimum retention license licence logo currency timezone username model backend engine capital nickname
        license store storage channel platform
    """,
    settings="""
        limit port price cost fee budget deadline code password pin version timeout retention size quota rate
        number phone extension room level line platform gate seat track target threshold interval capacity
        maximum minimum max min replicas workers threads retries ttl salary rent pages id
    """,
    measured="""
        temperature weight humidity pressure load usage traffic latency score balance revenue count visitor
        download uptime throughput heartrate pulse consumption mileage star subscriber reading backlog queue
    """,
    environments="""
        staging prod production productive test testing dev development local beta canary qa preview sandbox ci
        live demo uat preprod intern internal extern external
    """,
    no_units="""
        on in at to for and or of is was are were per by from with the as until since now not but instead if
        when than about after before between during into over through under without
    """,
    # How sure a sentence is
    hedges=(
        r"\b(?:i think|i believe|i guess|i suppose|i assume|i heard|i hear|i'm not sure|not sure|unsure|if i remember"
        r"|as far as i (?:know|remember|recall)|afaik|iirc|maybe|perhaps|probably|possibly|presumably|apparently"
        r"|allegedly|supposedly|reportedly|rumou?r(?:s|ed)?|might|may|could be|seems?|appears?|likely|roughly guess"
        r"|(?:someone|somebody|people|they|he|she|everyone) (?:say|says|said|told|mentioned|claims?|claimed|thinks?)"
        r"|hearsay|unconfirmed|not confirmed|don't know|must be|word is|heard)\b"
    ),
    past=(
        r"\b(?:used to|was|were|had|formerly|previously|originally|once|back then|at the time|in the past|until (?:last"
        r"|recently|then)|old|former|previous|earlier|ex|no longer|legacy|did|in (?:19|20)\d\d|ago"
        r"|last (?:week|month|year))\b"
    ),
    events=(
        r"\b(?:\w{2,}ed|went|met|saw|took|got|made|came|bought|sold|ran|sent|gave|found|paid|ate|left|won|lost"
        r"|built|wrote|said|told|felt|kept|began|spent|drove|flew|fell|held|knew|led|read|rode|sang|sat|slept|spoke"
        r"|swam|taught|thought|wore|has been|have been|just)\b"
    ),
    today=(
        r"\b(?:today|this (?:morning|afternoon|evening)|tonight|yesterday|measured|measures|at the moment of|reading"
        r"|so far|right this)\b"
    ),
    # Cues of change
    moved=r"moved|relocated|transferred",
    no_guards=(
        r"rather than|any more|\b(?:\d{1,2}(?:st|nd|rd|th)?|on|of|in|to|until|from|since|by) may\b"
        r"|\bmay (?=\d)"
    ),
    since=r"since|from|as of|starting|effective",
    opens_vaguely=r"(?:an?|another) (?!partir)\w+ (?!lot)",
    change_forms=_CHANGED,
    end_forms=_ENDED,
    replaces=(
        rf"^(?P<s>.*?)\b{_BE}(?:{_CHANGED})\b ?(?P<o>.*?) ?\bfrom (?P<old>.+?) {_TO} (?P<new>.+)$",
        rf"^(?P<s>.*?)\b{_BE}(?:{_CHANGED})\b ?(?P<o>.*?) ?\b{_TO} (?P<new>.+?) from (?P<old>.+)$",
        rf"^(?P<s>.*?)\b{_BE}(?:{_MOVED_TO})\b ?(?P<o>.*?) ?\b{_TO} (?P<new>.+)$",
        rf"^(?:(?:we|i|they) )?{_BE}renamed (?P<old>.+?) (?:to|into|as) (?P<new>.+)$",
        rf"^(?P<old>.+?) {_BE}renamed (?:to|into|as) (?P<new>.+)$",
        rf"^(?P<old>.+?) {_BE}(?:replaced|superseded|succeeded) (?:by|with) (?P<new>.+)$",
        rf"^(?P<s>.*?)\b{_BE}(?:replaced|swapped|exchanged|substituted) (?P<old>.+?) (?:by|with|for) (?P<new>.+)$",
        rf"^(?P<new>.+?) {_BE}(?:replaces|replaced|supersedes|succeeds|succeeded) (?P<old>.+?)(?: as (?P<o>.+))?$",
        r"^(?P<new>.+?) (?:has )?(?:took|taken) over (?P<o>.+?) from (?P<old>.+)$",
        r"^(?P<new>.+?) (?:took|taken) over from (?P<old>.+?)(?: as (?P<o>.+))?$",
        r"^(?:instead|in place) of (?P<old>[^,]+?), (?P<s>.+)$",
        r"^(?P<s>.+?),? (?:and )?(?:instead of|rather than|in place of) (?:using |in |at |on |the |a )*(?P<old>.+)$",
        r"^(?P<s>.+?) (?:is|are|was|s) (?:not|no longer) (?P<old>.+?),? but (?:rather )?(?P<new>.+)$",
        r"^(?P<s>.+?) (?:is|are) not (?P<old>[^,]+), (?:it|they|he|she) (?:is|are) (?P<new>.+)$",
        (
            r"^(?P<s>.*? (?:is|are|uses?|lives?|works?|runs?|starts?|ends?|costs?"
            r"|takes place) .+?),? (?:and )?not (?P<old>[^,]+?)(?: (?:anymore|any more|as .+))?$"
        ),
        r"^(?P<s>[^,]+), (?:and )?not (?:in |at |on |the |a |by |with |from )*(?P<old>[^,]+)$",
    ),
    ends=(
        r"^(?P<s>.+?) no longer (?P<p>.+)$",
        r"^(?P<s>.+?) (?:do|does|is|are|has|have|did|was|were) not (?P<p>.+?) (?:anymore|any more|any longer)\b.*$",
        r"^(?P<s>.*?)\b(?:have |has )?(?:stopped|quit|ceased|gave up|given up) (?:to )?(?P<p>.+)$",
        rf"^(?P<s>.+?) {_BE}(?:{_ENDED})\b(?: from (?P<o>.+))?$",
        rf"^(?:(?:we|i|they|it) )?{_BE}(?:{_ENDED})\b (?P<p>.+)$",
    ),
    renames=r"\brenamed\b",
    guards="""
        additionally again aim aiming aims allegedly almost also apparently asked asks aspire aspires aspiring
        attempt attempted attempts besides better can cannot childhood claim claimed claims consider considered
        considering considers could debate debated debating decade declined denied discuss discussed discussing
        draft drafted drafts dream dreamed dreams either example except experimental experimented experimenting
        experiments fear feared fears feel feeling feels felt fewer formerly gonna heard hope hoped hopes hoping
        if imagine intend intended intends intention joking kidding later less lets likely may maybe might more
        nearly never only ought partially partly perhaps planned planning possibly presumably pretend previously
        probably proposal proposals propose proposed proposes proposing quote quoted quotes recommend
        recommended recommends reject rejected reportedly revert reverted reverts rfc rollback rumor rumors
        rumour rumours said say says seem seemed seems shall should soon suggest suggested suggesting suggestion
        suggests suppose supposedly temporarily temporary tested than todo told tomorrow too tried try trying
        unclear undone unless unlike unsure vetoed vote voted votes want wanted wants when whenever whether will
        wish wished wishes withdrawn wonder wondered wondering wonders worried worry worse would writes wrote
        yet
    """,
    own_guards="once expected",
    guard_stems="provisional revert",
    guard_phrases=(
        r"as a (?:test|trial|experiment|joke)|as an experiment|on trial|for testing|going to|about to|plans to"
        r"|plans on|plans for|planned to|planned on|planned for|planning to|planning on|planning for|plan to"
        r"|plan on|plan for|let'?s|let us|i think|i guess|i believe|i suppose|i assume|i suspect|i heard"
        r"|we think|we believe|we assume|not sure|according to|rolled back|roll back|not yet|as well"
        r"|in addition|used to|back then|at the time|for now|for example|for instance|next week|next month"
        r"|next year|next quarter|next sprint|next release|could be|needs to|needed to|need to|years ago"
        r"|year ago|months ago|month ago|last year|last century|some of|most of|half of|one of|part of"
        r"|parts of|only for|won't|wouldn't|shouldn't|was going|might've"
    ),
    correction=(
        r"correction|corrected|corrigendum|erratum|errata|actually|in fact|turns out(?: that)?|to be precise"
        r"|typo|slip|got (?:it |that |this |something )?wrong|mixed (?:it |that )?up|mistyped|misheard|misread"
        r"|misstated|i was wrong|i misspoke|my mistake|i made a mistake|that was wrong"
    ),
    state=(
        r"(?<!right )(?<!just )(?<!until )(?<!by )(?<!up to )(?<!for )now\b(?! and then| that)|as of (?:today"
        r"|now|this \w+)|from (?:now|here|this \w+|that \w+) on|became|has become|have become"
        r"|from today(?: on)?|effective (?:today|immediately|now)|starting today|nowadays"
    ),
    cue_words="""
        became become week now nowadays today effective longer anymore instead rather place stopped quit ceased
        gave given renamed replaced replaces replace supersedes superseded succeeds succeeded took taken
        substituted exchanged not t but correction corrected corrigendum erratum errata typo slip got mixed
        mistyped misheard misread misstated actually fact turns misspoke mistake wrong precise any
    """,
    lead=r"update|note|fyi|news|info|heads up|ok|okay",
    open_label=r"ideas?|options?|thoughts?|motions?|agenda|topics?|questions?|wish(?:es)?",
    as_said=(r"(?:as|like|than what|what) (?:i|we) (?:had )?(?:said|wrote|told|noted|claimed|mentioned|thought)\b"),
    interjection=r"ah|oh|hm+|well|ok|okay|yes|no|hey|btw|by the way|also|and|so|sorry",
    reason=r"because|due to|so that|in order to",
    afterthought=r"and|so|but|which|who|where",
    # Questions and talk
    emphasis="""
        important critical crucial must never always remember urgent security breaking deadline required warning
        caution essential
    """,
    latest=(
        r"latest|newest|most recent(?:ly)?|currently|current|these days|as of now|right now|up to date"
        r"|(?:what|anything) (?:has |have |is |was |'s )?(?:changed|new)|what(?:'s|’s) (?:changed|new)|what is it now"
        r"|last (?:decision|version|status|state|change|update|time)"
    ),
    latest_cues="latest newest recent current these_days now up_to_date changed new last",
    courtesy="""
        accept add again agree agreed alright answer apply approve approved ask back cancel change check code
        commit continue correct create do does doing done edit exactly explain file files fine first fix fixed
        for function give go going good great happened hello help hey hi implement just keep let lets like line
        look looks make need next nice nope ok okay one perfect please plz proceed push read really redo remove
        rename resume retry review right run same see show simplify skip start stop sure tell test tests thank
        thanks thing thx today try undo update use want way well work works write wrong yeah yep yes
    """,
    talk="""
        absolutely agree also always amazing anything appreciate awesome back beautiful best better big bit bye
        care chat congrats congratulations cool cute day days definitely don dream dreams even everything
        excited exciting feel feeling feels forward fun get getting glad going gonna good got great guess haha
        happy hear hearing hello help hey hope important impressive inspiring journey just keep keeping know let
        like look looking looks lot lots love make makes making maybe much nice one people pretty proud push
        pushing really reminder say see seeing share sharing sound sounds stay step still super support sure
        sweet take talk talking thank thanks thing things think time totally true want way well wish wonderful
        work wow yeah yep yes isn wasn doesn didn
    """,
)
STOP_WORDS = words(LANGUAGE.stop_words)
