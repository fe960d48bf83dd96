"""The words by which German is read."""

from __future__ import annotations

from jotsam.pipeline.languages.language import Language

_CHANGED = (
    "geandert|verschoben|umgestellt|umgezogen|gezogen|gewechselt|umgestiegen|migriert|verlegt|verlangert|verkurzt"
    "|erhoht"
    "|gesenkt|angehoben|reduziert|vorgezogen|vertagt|aktualisiert|umgeschaltet|angepasst|ausgeweitet|gesetzt|gestiegen"
    "|gesunken|verandert|ubertragen|ubergeben|ausgedehnt"
)
_ENDED = (
    "abgeschafft|entfernt|eingestellt|abgeschaltet|gestrichen|gekundigt|geloscht|abgesetzt|abgesagt|aufgegeben"
    "|stillgelegt"
    "|deaktiviert|aufgehoben|abgestellt|ausgemustert"
)

LANGUAGE = Language(
    code="de",
    # Dates
    months="januar|februar|märz maerz|april|mai|juni|juli|august|september|oktober|november|dezember",
    weekdays="montag|dienstag|mittwoch|donnerstag|freitag|samstag sonnabend|sonntag",
    numbers="ein eine einem einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf",
    more_numbers="zwanzig dreißig dreissig vierzig funfzig hundert",
    units="""
        millisecond: millisekunden
        second: sekunde sekunden
        minute: minuten
        hour: stunde stunden uhr
        day: tag tage tagen
        week: woche wochen
        month: monat monate monaten
        year: jahr jahre jahren
        franc: franken
        percent: prozent
        weight: tonnen gramm
        degree: grad
    """,
    times="gestern heute morgen vorgestern letzte letzten letztes nächste seit kürzlich wochenende",
    day_parts="mittag abend morgens abends taglich wochentlich monatlich jahrlich",
    ordinals=r"\.",
    oclock=r"uhr\b(?:\s\d\d\b)?",
    millions="millionen",
    relative=(
        ("day -2", r"vorgestern"),
        ("day -1", r"gestern"),
        ("day 0", r"heute"),
        ("day 2", r"übermorgen"),
        ("day 1", r"(?<!heute )(?<!gestern )(?-i:morgen)"),
        ("week -1", r"(?:letzte|vergangene|vorige)[rn]? woche"),
        ("month -1", r"(?:letzten|vergangenen|vorigen) monat"),
        ("year -1", r"(?:letztes|vergangenes|voriges|letzten|vergangenen) jahr"),
        ("week 0", r"diese[rn]? woche"),
        ("month 0", r"diesen monat"),
        ("year 0", r"dieses jahr"),
        ("week 1", r"nächste[rn]? woche"),
        ("month 1", r"nächsten monat"),
        ("year 1", r"nächstes jahr"),
    ),
    ago="vor {}",
    ahead="in {}",
    last_weekday="letzten {}|vergangenen {}|vorigen {}",
    next_weekday="nächsten {}|kommenden {}",
    range_to="bis(?: zum)?",
    nouns_are_capitalised=True,
    senses=(
        ("as of", r"stand(?: vom)?|zum stand(?: vom)?|per"),
        ("before", r"vor"),
        ("after", r"nach"),
        ("since", r"seit|ab"),
        ("until", r"bis(?: zum)?"),
        ("in", r"im|in|am"),
    ),
    between=r"zwischen",
    # Words of sentences
    articles="der die das den dem des ein eine einen einem einer eines",
    indefinite="ein eine einen einem einer",
    first_person="ich mein meine meinen meiner meinem mir mich",
    group="wir unser unsere unseren unserer unserem unseres uns",
    second_person="du dein deine dich dir ihr euer sie ihnen",
    pronouns="er sie es dies ihr ihre ihren sein seine seinen",
    function="""
        der die das des dem den ein eine einer einem einen eines dieser diese dieses diesen er sie es ihr ihre
        ihren ihrem ihrer sein seine seinen seiner unser unsere unserer unseren unserem wir ich mein meine
        meinen meiner meinem mir mich uns du dein deine und oder aber so dann nur sehr jetzt nun inzwischen
        mittlerweile derzeit aktuell heute bereits schon ist sind war waren bin bist wird werden wurde wurden
        worden hat haben habe hatte hatten man sich nicht nie kein keine keinen keiner keinem mehr von vom fur
        in im an am auf bei beim mit aus zu zum zur nach bis als uber um seit ab per pro wegen durch statt
        stattdessen eigentlich tatsachlich doch sondern sofort neuerdings nunmehr
    """,
    of="von vom des der",
    prepositions="von vom fur in im an am auf bei beim mit aus zu zum zur nach als uber um durch bis per",
    parts="für in im bei unter während pro auf",
    places="in im an am auf bei nach zu zum bis um",
    negations="nicht kein keine keinen keinem keiner nie",
    vague="""
        dieser diese dieses diesem diesen andere anderer anderes manche einige viele mehrere jemand alle alles
        etwas
    """,
    means="mit uber",
    employers="bei fur",
    conjunction="und",
    joins="und|oder|sowie",
    that="dass",
    definite=r"der|die|das|den|mein\w*|unser\w*|sein\w*|ihr\w*",
    abbreviations="Nr bzw z.B d.h",
    placed="nicht kein keine nie wenn sonst aber",
    pointing="dies diese dieser dieses das es er",
    momentary="heute gestern morgen jetzt gerade letzte letzten letzter naechste diese dieser bald schon",
    # Verbs
    states="""
        be: ist sind war waren bin bist bleibt liegt betragt gilt lautet eingestellt festgelegt gesetzt
          angesetzt geplant konfiguriert lauten betragen
        live: wohnt wohne wohnen wohnte lebt lebe leben lebte
        work: arbeitet arbeite arbeiten arbeitete
        use: nutzt nutzen nutze nutzte nutzten verwendet verwenden verwende verwendete verwendeten benutzt
          benutzen benutze setzt setzen
        run: lauft laufen lief liefen gehostet gespeichert abgelegt steht stehen befindet
        price: kostet kosten kostete
        start: beginnt beginnen startet starten fangt
        end: endet enden
        close: schließt schliesst schließen
        open: offnet offnen
        meet: trifft treffen tagt
        expire: lauft-ab verfallt
        last: dauert dauern
        lead: leitet leiten leite leitete geleitet
        maintain: verantwortet verantwortlich zustandig betreut
        name: heißt heisst heißen heissen hieß nennt genannt
        weigh: wiegt wiegen
        have: hat haben hatte besitzt enthalt umfasst erlaubt
        place: findet finden sitzt
        deadline: fallig
        own: gehort
        port: lauscht hort
        report: berichtet
        drive: fahrt
    """,
    # Things and their values
    synonyms="""
        price: preis kosten gebuhr
        deadline: frist abgabe
        owner: besitzer
        lead: leiter leiterin
        place: standort ort
        name: namen
        start: startzeit begin beginn
        end: ende
        last: dauer
        color: farbe
    """,
    attributes="""
        farbe thema titel adresse mail telefon nummer frist termin datum tag uhrzeit preis gebuhr kosten rate
        grenze limit große grosse version region ort raum buro besitzer leitung kontakt stand stufe standard
        plan sprache format anbieter datenbank werkzeug passwort schlussel pfad ordner zweig intervall budget
        gehalt zeitplan schwelle lizenz wahrung
    """,
    settings="grenze preis frist passwort grösse größe anzahl nummer telefon raum zimmer gleis miete kapazität",
    measured="temperatur gewicht feuchtigkeit druck auslastung verbrauch kontostand besucher umsatz puls messwert",
    environments="produktion entwicklung lokal",
    no_units="um am im auf aus über zu vor nach für und oder ist war pro von mit ab bis seit statt nicht jetzt",
    # How sure a sentence is
    hedges=(
        r"\b(?:ich glaube|glaube ich|ich denke|denke ich|ich meine|meine ich|ich vermute|vermutlich|vielleicht"
        r"|wahrscheinlich|möglicherweise|eventuell|anscheinend|angeblich|wohl|soweit ich|soviel ich|meines wissens"
        r"|nicht sicher|unsicher|scheint|könnte|dürfte|gerücht|gerüchteweise|habe gehört|hab gehört|gehört, dass"
        r"|jemand (?:sagte|meinte|hat gesagt|meint)|man sagt|es heißt|soll angeblich|keine ahnung)\b"
    ),
    past=(
        r"\b(?:war|waren|früher|hatte|hatten|ehemals|ehemalige[rsn]?|damals|zuvor|vorher|alte[rsn]?|bisher"
        r"|bisherige[rsn]?|ursprünglich|einst|vormals|letzte[sn]? (?:jahr|monat|woche)|bis vor kurzem|nicht mehr"
        r"|gewesen)\b"
    ),
    events=r"\b(?:hat|habe|haben|wurde|wurden|ging|kam|gab|nahm|fand|kaufte|\w{3,}ten?|ge\w{2,}(?:t|en))\b",
    today=r"\b(?:heute|gestern|gemessen|messung|heute morgen|bislang|morgens gemessen)\b",
    # Cues of change
    moved=r"umgezogen|gezogen|verlegt",
    since=r"seit|ab",
    opens_vaguely=r"(?:ein|eine|einer|ein anderer|eine andere) \w+ (?!bisschen)",
    change_forms=_CHANGED,
    end_forms=_ENDED,
    replaces=(
        (
            rf"^(?P<s>.*?)\b(?:wurde|wurden|ist|sind|hat|haben|habe|bin)\b ?(?P<o>.*?) ?\b(?:von"
            rf"|vom) (?P<old>.+?) (?:auf|nach|zu|zum|zur|in) (?P<new>.+?) (?:{_CHANGED})(?: worden)?$"
        ),
        (
            rf"^(?P<s>.*?)\b(?:wurde|wurden|ist|sind|hat|haben|habe|bin)\b ?(?P<o>.*?) ?\b(?:auf|nach|zu|zum|zur|bis|in"
            rf"|an) (?P<new>.+?) (?:{_CHANGED})(?: worden)?$"
        ),
        (
            r"^(?P<s>.*?)\b(?:wechselte|wechselten|zog|zogen|stieg|stiegen) (?:von|vom|aus) (?P<old>.+?) (?:auf|nach|zu"
            r"|zum|zur) (?P<new>.+?)(?: um)?$"
        ),
        (
            r"^(?:(?:wir|ich) (?:haben|habe) )?(?P<old>.+?) (?:wurde |ist |heißt jetzt )?(?:in"
            r"|zu) (?P<new>.+?) umbenannt(?: worden)?$"
        ),
        (
            r"^(?P<s>.*?)\b(?:wurde|wurden|haben|habe|hat|ist|sind)\b ?(?P<old>.*?) ?durch (?P<new>.+?) (?:ersetzt"
            r"|abgelost|ausgetauscht)(?: worden)?$"
        ),
        r"^(?P<new>.+?) (?:ersetzt|ersetzte|lost) (?P<old>.+?)(?: ab)?(?: als (?P<o>.+))?$",
        (
            r"^(?:statt|anstatt|anstelle) (?:von |des |der |in |auf |am |im |um )*(?P<old>[^,]+?),? (?P<s>(?:nutz"
            r"|verwend|benutz|ist|sind|lauf|wohn|arbeit|gilt|setz|find|trifft|treffen|heiß|beginn)\w* .+)$"
        ),
        (
            r"^(?P<s>.+?),? (?:statt|anstatt|anstelle)(?! findet) (?:von |des |der |in |auf |am |im |um "
            r"|wie bisher )*(?P<old>.+)$"
        ),
        (
            r"^(?P<s>.+?) nicht (?:mehr )?(?:in |am |im |um |bei |auf |die |der |das "
            r"|den )*(?P<old>.+?),? sondern (?P<new>.+)$"
        ),
        (
            r"^(?P<s>.*? (?:ist|sind|nutzt|nutzen|verwendet|verwenden|wohnt|wohne|arbeitet|lauft|beginnt|endet|kostet"
            r"|heißt|lautet) .+?),? (?:und )?nicht (?!mehr)(?:in |am |im |um |bei |auf )*(?P<old>[^,]+)$"
        ),
        (
            r"^(?P<s>[^,]+), (?:und )?nicht (?!mehr)(?:in |am |im |um |bei |auf |der |die |das |den |dem |mit "
            r"|von )*(?P<old>[^,]+)$"
        ),
    ),
    ends=(
        r"^(?P<s>.+?) (?:nicht|kein|keine|keinen|keiner|keinem)\b ?(?P<p>.*?) mehr\b ?(?P<o>.*)$",
        rf"^(?P<s>.+?) (?:wurde|wurden|ist|sind|haben|hat)\b ?(?P<p>.*?) ?(?:{_ENDED})(?: worden)?$",
        r"^(?P<s>.+?) (?:hat|haben|habe) (?:damit )?aufgehort,? (?:mit )?(?P<p>.+)$",
    ),
    renames=r"umbenannt",
    guards="""
        abgelehnt angeblich angenommen anscheinend auch ausserdem außerdem beinahe damals demnachst denke denken
        durfte durften einst entwurf erwage erwagen erwagt erwartet eventuell fragt fragte fruher gehort geplant
        gerucht geruchte glaube glauben konnte konnten meint meinte mocht mochte mochten moglicherweise morgen
        niemals ob offenbar nur lediglich bloss planen probeweise ruckgangig sagen sagt sagte scheint schlagt
        sobald soll sollen sollst sollte sollten teilweise testweise uberlege uberlegen uberlegt vermutlich
        verworfen vielleicht voraussichtlich vorgeschlagen vorschlag vorschlagen vorubergehend wahrscheinlich
        wenn widerrufen wohl wollen wollte wollten womoglich zuruckgenommen zuruckgerollt zusatzlich ebenfalls
        ebenso ehemals
    """,
    own_guards="plant fast falls bald laut",
    guard_stems="behaupte diskut hoff versucht wunsch",
    guard_phrases=(
        r"wird wohl|wurden gern|wurde gern|wurden gerne|wurde gerne|noch nicht|zum beispiel|z\. ?b"
        r"|nachsten woche|nachster woche|nachstes woche|nachste woche|nachsten monat|nachster monat"
        r"|nachstes monat|nachste monat|nachsten jahr|nachster jahr|nachstes jahr|nachste jahr"
        r"|vor (?:\w+ )?jahren|wird (?:\w+ )*(?:umgestellt|wechseln|verschoben)|werden (?:\w+ )*(?:wechseln"
        r"|umstellen|umziehen)"
    ),
    correction=(
        r"korrektur|berichtigung|richtigstellung|richtig ist|in wirklichkeit|tatsachlich|eigentlich"
        r"|ich habe mich (?:geirrt|vertan)|mein fehler|tippfehler|vertippt|verschrieben|verwechselt|verlesen"
        r"|verhort|stimmt nicht|falsch (?:notiert|geschrieben|angegeben)"
    ),
    state=(
        r"(?<!noch )jetzt|nun(?:mehr)?|inzwischen|mittlerweile|neuerdings|geworden|(?:ab|seit) (?:sofort|heute"
        r"|jetzt)|ab dieser woche"
    ),
    cue_words="""
        geworden woche tippfehler vertippt verschrieben verwechselt verlesen verhort stimmt falsch jetzt nun
        nunmehr inzwischen mittlerweile neuerdings sofort heute mehr statt anstatt anstelle sondern nicht
        ersetzt ersetzte abgelost lost ausgetauscht umbenannt aufgehort wechselte wechselten zog zogen stieg
        stiegen korrektur berichtigung richtigstellung richtig wirklichkeit tatsachlich eigentlich geirrt vertan
        fehler
    """,
    lead=r"hinweis|neu",
    open_label=r"variante?s?|alternative[ns]?|idee[ns]?|antrage?|fragen?|thema|themen|wunsche?",
    as_said=r"wie (?:ich |wir )?(?:\w+ )?(?:gesagt|geschrieben|notiert|behauptet|angegeben|gemeldet)\b",
    interjection=r"ach|ja|nein|ubrigens|entschuldigung",
    reason=r"weil|wegen|damit",
    afterthought=r"und|aber|was|wobei",
    # Questions and talk
    emphasis="""
        wichtig entscheidend kritisch muss nie niemals immer dringend frist erforderlich warnung achtung
    """,
    latest=(
        r"aktuell\w{0,2}|derzeit(?:ig\w{1,2})?|zurzeit|momentan\w{0,2}|zuletzt|neueste\w?|jüngste\w?"
        r"|heutzutage|letzte[rns]? (?!woche|monat|jahr|nacht|wochenende|sommer|winter|mal\b|montag|dienstag"
        r"|mittwoch|donnerstag|freitag|samstag|sonntag)(?=\w)"
    ),
    latest_cues="aktuell derzeit zurzeit momentan zuletzt neueste jüngste heutzutage letzte",
    courtesy="ja nein weiter mach bitte danke",
    talk="""
        danke dank bitte hallo hi hey ja nein doch toll super klasse prima schön schöne gut gute guten besser
        gern gerne freut freue grüße tschüss okay ok genau stimmt absolut natürlich klar wirklich sehr alles
        immer mal halt eben viel viele etwas wunderbar fantastisch glückwunsch hoffe finde denke glaube weiß
        mach machen macht leute sache dinge zeit weiter spaß schade cool wow haha
    """,
)
