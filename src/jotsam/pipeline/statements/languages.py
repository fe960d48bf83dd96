"""The words by which statements are read in English, German, French and Spanish. Words only, no rules.

Each language is one `Language`; its patterns are compiled when the first text of the language is read.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.pipeline.statements.words import stem


class Language(Record):
    """Function words and verbs of one language, separated by blanks; phrases and patterns by "|"."""

    markers: str  # words that occur in nearly every text of the language
    articles: str
    indefinite: str  # what follows them is a description, not a value
    first_person: str  # "I", "my"
    group: str  # "we", "our"
    pronouns: str  # of things that another sentence names
    ignored: str  # prepositions, auxiliaries, and words for what holds now
    of: str  # joins a thing to its owner
    copula: str
    verbs: str  # "attribute: forms | forms", one per line; "" as attribute is written "="
    change: str  # verbs that give a thing another value
    has: str
    parts: str  # prepositions that limit a statement to a part: "for guests"
    value_prepositions: str
    relative: str
    condition: str
    hedges: str
    plans: str
    past: str
    events: str  # forms of verbs for single events
    negations: str
    today: str
    quotes: str  # verbs of saying
    negating: str  # words of negation between verb and value
    stop: str  # what ends a value: reasons, contrasts
    vague: str  # "another", "some": not one certain thing


ENGLISH = Language(
    markers=(
        "the is are of and we our at on to for my i has uses use live lives costs starts now not it with this moved"
    ),
    articles="the a an this that these those",
    indefinite="a an one",
    first_person="i my mine i'm me",
    group="we our us ours",
    pronouns="he she it they them him this that these those his her its their there you your",
    ignored=(
        "is are am be been being was were has have had do does did of the to at in on by from with as since until till"
        " now currently actually officially finally always again still already also just only today presently so and"
        " new current official actual real latest correct right exact s please note that set every each per it's"
        " correction update fyi reminder edit info news ah oh btw ok okay well hey hi yes"
    ),
    of="of",
    copula="is|are|equals",
    verbs="""
price: costs|cost|sells for|is priced at
use: uses|use|relies on|is using|are using
run: runs on|run on|runs in|run in|is hosted on|is hosted in|is hosted at|is deployed on|is deployed to
write: is written in|are written in
place: is located in|is located at|is based in|are based in|takes place in|takes place at|is held in|sits in|resides in
store: is stored in|are stored in|is kept in|are kept in
live: lives in|live in|lives at|live at
work: works for|works at|work for|work at
start: starts at|start at|begins at|starts on|begins on|starts
end: ends at|end at|finishes at|ends on|ends
open: opens at|open at|opens
close: closes at|close at|closes
happen: takes place on|takes place at|happens on|is scheduled for|are scheduled for|meets on|meet on|meets at|meet at
deadline: is due on|is due by|is due|are due on|are due
last: lasts|takes
lead: is led by|is run by|is headed by|is managed by
owner: is owned by|belongs to|is maintained by
name: is called|is named
default: defaults to|default to
port: listens on|listen on
expire: expires on|expires after|expires in|expire after|expires
report: reports to
weigh: weighs
limit: is limited to|are limited to|is capped at|are capped at
keep: is kept for|are kept for|are deleted after|is deleted after
drive: drives
""",
    change=(
        "changed to|changes to|is changed to|was changed to|has changed to|were changed to|moved to|moves to"
        "|was moved to|has moved to|has been moved to|is moved to|has been changed to|was raised to|was increased to"
        "|was lowered to|was reduced to|was set to|has been raised to|has been increased to|has been lowered to"
        "|has been reduced to|has been set to|rose to|went up to|dropped to|was extended to|has been extended to"
        "|was postponed to|has been postponed to|was renamed to|has been renamed to|was renamed|is now called"
        "|switched to|has switched to|became|becomes|is now|are now|went from|changed from|moved from|switched from"
        "|was extended until|was pushed to|has been pushed to"
    ),
    has="has|have|contains|counts|allows|allow|retries|runs every|waits|holds",
    parts="for in at on within under during per via",
    value_prepositions="in on at to by every for from with as the until after",
    relative="that which who whom whose where",
    condition="if when whenever unless suppose supposing once until assuming whether",
    hedges=(
        r"\b(?:i think|i believe|i guess|i suppose|i assume|i heard|i hear|i'm not sure|not sure|unsure|if i remember"
        r"|as far as i (?:know|remember|recall)|afaik|iirc|maybe|perhaps|probably|possibly|presumably|apparently"
        r"|allegedly|supposedly|reportedly|rumou?r(?:s|ed)?|might|may|could be|seems?|appears?|likely|roughly guess"
        r"|(?:someone|somebody|people|they|he|she|everyone) (?:say|says|said|told|mentioned|claims?|claimed|thinks?)"
        r"|hearsay|unconfirmed|not confirmed|don't know|must be|word is|heard)\b"
    ),
    plans=(
        r"\b(?:will|won't|shall|going to|plan(?:s|ned|ning)? to|plans?:|should|would|want(?:s|ed)? to|wish(?:es)?|hope"
        r"|hopes?|hoping|propos(?:e|es|ed|al)|suggest(?:s|ed|ion)?|consider(?:s|ed|ing)?|intend(?:s|ed)?|let's|tbd"
        r"|draft|could|planned|upcoming|next (?:week|month|year|quarter|sprint|spring|summer)|starting next|ought"
        r"|need(?:s)? to|todo"
        r"|idea|rejected|reverted|would like|target|goal|aim(?:s|ing)?|expected|estimated|imagine|pretend"
        r"|for example|e\.g\.|say,|tomorrow|to-do)\b|'ll\b"
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
    negations=(
        r"\b(?:not|no longer|never|isn't|aren't|doesn't|don't|no|neither|nor|none|without|cannot|can't|stopped)\b"
    ),
    today=(
        r"\b(?:today|this (?:morning|afternoon|evening)|tonight|yesterday|measured|measures|at the moment of|reading"
        r"|so far|right this)\b"
    ),
    negating="not no longer any more never",
    quotes="said says wrote writes claims claimed asked asks told read reads",
    stop=r"\b(?:because|since|so that|instead|rather|but|while|though|although|unless|whereas|as of|starting|effective"
    r"|than|which|where|and then)\b",
    vague=(
        "this that these those another other some any many most several few someone somebody anyone everyone"
        " everything something one all"
    ),
)

GERMAN = Language(
    markers=(
        "der die das ist und nicht wir unser unsere ein eine im um auf mit für jetzt von den dem des sind am liegt"
        " heißt ich mein steht kostet läuft findet beginnt dauert uhr wohnt nutzt verwendet war"
    ),
    articles="der die das den dem des ein eine einen einem einer eines",
    indefinite="ein eine einen einem einer",
    first_person="ich mein meine meinen meiner meinem mir mich",
    group="wir unser unsere unseren unserer unserem unseres uns",
    pronouns="er sie es dies dieser diese dieses das ihr ihre ihren ihrer seine sein seinen seiner du dein deine euer",
    ignored=(
        "ist sind war waren hat haben wird werden der die das den dem des von vom zu zum zur in im an am um auf bei mit"
        " ab seit bis und auch nun jetzt derzeit aktuell aktuelle aktueller aktuelles momentan inzwischen mittlerweile"
        " endgültig immer wieder noch schon bereits nur eigentlich tatsächlich heute neu neue neuer neues offiziell"
        " jeden jede jedes beträgt pro uhr korrektur hinweis info richtig wöchentlich für"
    ),
    of="von vom des der",
    copula="ist|sind|lautet|lauten|beträgt|betragen|bleibt",
    verbs="""
price: kostet|kosten
use: nutzt|nutzen|verwendet|verwenden|benutzt|benutzen|setzt auf|setzen auf
run: läuft auf|laufen auf|läuft in|läuft unter|läuft bei
write: ist geschrieben in
place: liegt in|liegt im|liegt bei|befindet sich in|befindet sich im|steht in|steht im|sitzt in|findet in|findet im
live: wohnt in|wohne in|wohnen in|lebt in|lebe in|leben in
work: arbeitet bei|arbeite bei|arbeitet für
start: beginnt um|beginnen um|startet um|fängt um|beginnt am|beginnt|startet
end: endet um|endet am|endet
open: öffnet um|öffnen um|öffnet
close: schließt um|schließen um|schließt
happen: findet um|findet am|finden am|findet|finden|tagt
deadline: ist fällig am|fällig am
last: dauert|dauern
lead: wird geleitet von|leitet
owner: gehört zu|gehört
name: heißt|heißen
default: ist standardmäßig
port: lauscht auf|hört auf
expire: läuft ab am|verfällt am|gilt bis
report: berichtet an
weigh: wiegt
drive: fährt
""",
    change=(
        "wurde auf|wurden auf|wurde in|wurde zu|wird zu|wechselt zu|wechselte zu|ist jetzt|sind jetzt|ist nun"
        "|wurde verschoben auf|wurde geändert auf|heißt jetzt|heißt nun|kostet jetzt|kostet nun|stieg auf|sank auf"
    ),
    has="hat|haben|enthält|umfasst|erlaubt",
    parts="für in im bei unter während pro auf",
    value_prepositions="in im um am auf bei zu zum von für jeden jede ab bis alle nach immer",
    relative="welcher welche welches wobei",
    condition="wenn falls sofern sobald ob angenommen",
    hedges=(
        r"\b(?:ich glaube|glaube ich|ich denke|denke ich|ich meine|meine ich|ich vermute|vermutlich|vielleicht"
        r"|wahrscheinlich|möglicherweise|eventuell|anscheinend|angeblich|wohl|soweit ich|soviel ich|meines wissens"
        r"|nicht sicher|unsicher|scheint|könnte|dürfte|gerücht|gerüchteweise|habe gehört|hab gehört|gehört, dass"
        r"|jemand (?:sagte|meinte|hat gesagt|meint)|man sagt|es heißt|soll angeblich|keine ahnung)\b"
    ),
    plans=(
        r"\b(?:werden|wird (?!geleitet|zu)|soll|sollen|sollte|sollten|plant|planen|geplant|möchte|möchten|würde|würden"
        r"|will|wollen|vorschlag|schlage|schlägt|überlegen|überlege|entwurf|hoffe|hoffen|nächste[nrs]? (?:woche|monat"
        r"|jahr|quartal)|demnächst|künftig|verworfen|abgelehnt|zurückgenommen|erwartet|geschätzt|ziel|zum beispiel"
        r"|morgen|wünsche|idee)\b"
    ),
    past=(
        r"\b(?:war|waren|früher|hatte|hatten|ehemals|ehemalige[rsn]?|damals|zuvor|vorher|alte[rsn]?|bisher"
        r"|bisherige[rsn]?|ursprünglich|einst|vormals|letzte[sn]? (?:jahr|monat|woche)|bis vor kurzem|nicht mehr"
        r"|gewesen)\b"
    ),
    events=r"\b(?:hat|habe|haben|wurde|wurden|ging|kam|gab|nahm|fand|kaufte|\w{3,}ten?|ge\w{2,}(?:t|en))\b",
    negations=r"\b(?:nicht|kein|keine|keinen|keiner|nie|niemals|ohne|weder)\b",
    today=r"\b(?:heute|gestern|gemessen|messung|heute morgen|bislang|morgens gemessen)\b",
    negating="nicht kein keine keinen mehr nie",
    quotes="sagte sagt schrieb schreibt meinte behauptet behauptete fragte liest",
    stop=r"\b(?:weil|da|denn|statt|anstatt|sondern|aber|während|obwohl|damit|ab|seit|als)\b",
    vague=(
        "dieser diese dieses diesem diesen andere anderer anderes manche einige viele mehrere jemand alle alles etwas"
    ),
)

FRENCH = Language(
    markers=(
        "le la les est et nous notre nos un une du des pour dans à au sont pas ce maintenant coûte l' d' mon ma je"
        " habite commence utilise se le chez était"
    ),
    articles="le la les l un une des ce cet cette ces",
    indefinite="un une des",
    first_person="je j mon ma mes moi me",
    group="nous notre nos on",
    pronouns="il elle ils elles ce cela ça ceci son sa ses leur leurs tu ton ta tes vous votre vos y",
    ignored=(
        "est sont était a ont de du des d l le la les à au aux en dans sur par avec depuis jusque et aussi maintenant"
        " désormais actuellement dorénavant enfin toujours encore déjà seulement vraiment aujourd'hui nouveau nouvelle"
        " actuel actuelle officiel officielle chaque tous s se n qu c fixé fixée correction note info rappel pour"
        " heures"
    ),
    of="de du des d",
    copula="est|sont|reste|s'élève à|est de|égale",
    verbs="""
price: coûte|coûtent|vaut
use: utilise|utilisent|utilisons|emploie|emploient
run: tourne sur|tournent sur|tourne chez|fonctionne sur|est hébergé sur|est hébergé chez|est hébergée chez
write: est écrit en|est écrite en
place: se trouve à|se trouvent à|se trouvent en|se trouvent au|se trouve en|se trouve au|se trouve dans
place: a lieu à|a lieu dans|est situé à|est située à|se situe à
live: habite à|habite au|habite en|vit à|vit en|vit au|j'habite à
work: travaille chez|travaille à|travaille pour
start: commence à|commence le|débute à|commence|débute
end: finit à|se termine à|finit|se termine
open: ouvre à|ouvre
close: ferme à|ferme
happen: a lieu le|a lieu|ont lieu|se tient le|se tient
deadline: est dû le|est due le|est à rendre le
last: dure|durent|prend
lead: est dirigé par|est dirigée par|dirige
owner: appartient à
name: s'appelle|se nomme
default: vaut par défaut
port: écoute sur
expire: expire le|expire
report: dépend de
weigh: pèse
drive: conduit
""",
    change=(
        "est passé à|est passée à|passe à|a été fixé à|a été fixée à|a été porté à|a été portée à|est devenu"
        "|est devenue"
        "|devient|est maintenant|est désormais|sont désormais|a été déplacé à|a été déplacée à|a été déplacée au"
        "|a été déplacé au|a été reporté au|a été reportée au|s'appelle désormais|coûte désormais|a été renommé"
        "|a été renommé en|a changé pour"
    ),
    has="a|ont|avons|contient|compte|comprend|permet|autorise",
    parts="pour dans chez en sous pendant par sur",
    value_prepositions="à au en dans le la les l chaque tous chez sur de par pour jusqu'à après",
    relative="qui dont où",
    condition="si quand lorsque sauf supposons",
    hedges=(
        r"\b(?:je crois|je pense|je suppose|j'imagine|peut-être|probablement|sans doute|apparemment|il paraît|il semble"
        r"|semble|semblent|il se peut|pas sûre?|si je me souviens|autant que je sache|on dit|on m'a dit"
        r"|quelqu'un (?:a dit|dit)"
        r"|rumeur|j'ai entendu|serait|seraient|pourrait|doit être|paraît-il)\b"
    ),
    plans=(
        r"\b(?:sera|seront|va \w+er|vont \w+er|va être|devrait|devraient|prévoit|prévoient|prévu|prévue|projet de|veut"
        r"|veulent|voudrait|voudrais|propose|proposition|proposé|envisage|souhaite|espère|brouillon|ébauche|rejeté"
        r"|refusé|annulé|objectif|estimé|la semaine prochaine|le mois prochain|l'an prochain|demain|par exemple"
        r"|faudrait)\b"
    ),
    past=(
        r"\b(?:était|étaient|avait|avaient|avant|auparavant|autrefois|jadis|anciennement|ancien|ancienne|précédent"
        r"|précédente|jusqu'ici|à l'époque|l'année dernière|le mois dernier|la semaine dernière|ne \w+ plus"
        r"|n'\w+ plus|utilisait|coûtait|habitait)\b"
    ),
    events=r"\b(?:ai|as|a|avons|avez|ont|\w{2,}[ée]e?s?)\b|\w{2,}é\b",
    negations=r"\b(?:ne|n'|pas|jamais|aucun|aucune|sans|ni)\b",
    today=r"\b(?:aujourd'hui|ce matin|ce soir|hier|mesuré|mesurée|relevé|cet après-midi)\b",
    negating="pas plus jamais",
    quotes="dit écrit affirme prétend demande disait",
    stop=r"\b(?:parce|car|mais|au lieu|plutôt|alors|tandis|bien que|puisque|afin|depuis|que)\b",
    vague="ce cet cette ces autre autres certains certaines quelques plusieurs tout tous quelqu'un",
)

SPANISH = Language(
    markers=(
        "el la los las es y nuestro nuestra un una del en para con ahora está son no al cuesta mi su usa yo vivo"
        " vive empieza se está era"
    ),
    articles="el la los las un una unos unas este esta estos estas lo",
    indefinite="un una unos unas",
    first_person="yo mi mis me",
    group="nosotros nuestro nuestra nuestros nuestras nos",
    pronouns="él ella ellos ellas esto eso ello su sus tu tus usted",
    ignored=(
        "es son está están era fue ha han de del la el los las a al en por con desde hasta y también ahora actualmente"
        " hoy ya finalmente siempre todavía aún solo sólo nuevo nueva actual oficial cada todos se que corrección nota"
        " aviso info realmente para horas"
    ),
    of="de del",
    copula="es|son|está|están|es de|equivale a|sigue siendo",
    verbs="""
price: cuesta|cuestan|vale|valen
use: usa|usan|usamos|utiliza|utilizan|utilizamos|emplea
run: corre en|corren en|funciona en|se ejecuta en|se aloja en|está alojado en
write: está escrito en|está escrita en
place: se encuentra en|está ubicado en|está ubicada en|está situado en|queda en|tiene lugar en
live: vive en|viven en|vivo en|reside en
work: trabaja en|trabaja para|trabajo en
start: empieza a|comienza a|empieza el|comienza el|empieza|comienza|inicia
end: termina a|acaba a|termina|acaba
open: abre a|abre
close: cierra a|cierra
happen: tiene lugar el|se celebra el|se celebra los|se celebra|tiene lugar|se reúne el
deadline: vence el|vence
last: dura|duran|tarda
lead: está dirigido por|dirige
owner: pertenece a
name: se llama|se llaman
default: por defecto es
port: escucha en
expire: caduca el|caduca|expira
report: depende de
weigh: pesa
drive: conduce
""",
    change=(
        "pasó a|pasa a|ha pasado a|cambió a|cambia a|ha cambiado a|se cambió a|se movió a|se ha movido a|se trasladó a"
        "|subió a|bajó a|ahora es|es ahora|ahora está|ahora cuesta|se llama ahora|ahora se llama|se convirtió en"
        "|se fijó en"
        "|se amplió a|se aplazó a|se aplazó al|se pospuso a|se pospuso al|se pasó al|se pasó a|fue renombrado a"
    ),
    has="tiene|tienen|tenemos|contiene|permite|admite",
    parts="para en durante bajo por",
    value_prepositions="en a al el la los las cada de por para hasta con después",
    relative="quien cual cuyo donde",
    condition="si cuando salvo supongamos",
    hedges=(
        r"\b(?:creo que|creo|pienso que|supongo|me imagino|quizás|quizá|tal vez|probablemente|posiblemente|al parecer"
        r"|aparentemente|parece|parecen|puede que|puede ser|no estoy segur[oa]|si no recuerdo|que yo sepa|dicen que"
        r"|alguien (?:dijo|dice)|me dijeron|he oído|oí que|rumor|podría|según dicen|se dice|debe de ser)\b"
    ),
    plans=(
        r"\b(?:será|serán|va a|van a|vamos a|debería|deberían|planea|planean|previsto|prevista|planeado|quiere|quieren"
        r"|queremos|quisiera|propone|propuesta|propongo|considera|espera|esperamos|borrador|rechazado|rechazada"
        r"|revertido"
        r"|objetivo|estimado|la próxima semana|el próximo mes|el próximo año|mañana|por ejemplo|ojalá)\b"
    ),
    past=(
        r"\b(?:era|eran|fue|fueron|antes|anteriormente|antiguamente|antiguo|antigua|anterior|solía|solían|había"
        r"|tenía|estaba|estaban|en aquel entonces|el año pasado|el mes pasado|la semana pasada|ya no|costaba|usaba"
        r"|vivía)\b"
    ),
    events=r"\b(?:he|ha|hemos|han|\w{2,}(?:ó|é|aron|ieron|amos|imos))\b",
    negations=r"\b(?:no|nunca|jamás|sin|ningún|ninguna|tampoco|ni)\b",
    today=r"\b(?:hoy|esta mañana|esta tarde|ayer|medido|medida|esta noche)\b",
    negating="no nunca ya",
    quotes="dijo dice escribió afirma pregunta",
    stop=r"\b(?:porque|pero|sino|en lugar|en vez|mientras|aunque|ya que|desde|que|cuando)\b",
    vague=(
        "este esta estos estas esto otro otra otros otras algún alguna algunos algunas varios varias muchos todo"
        " alguien"
    ),
)

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH)

# One name for words of one meaning, by their stem, so that "the price of X" and "X costs" are one attribute.
SYNONYMS = {
    stem(word): name
    for name, words in {
        "price": "price cost fee prei kosten gebuhr prix cout tarif precio coste costo",
        "deadline": "deadline due duedate frist abgabe echeance plazo vencimiento",
        "owner": "owner maintainer besitzer propietario proprietaire",
        "lead": "lead leader head manager leiter leiterin responsable",
        "place": "place location venue site standort ort lieu emplacement lugar ubicacion",
        "name": "name title namen nom nombre",
        "use": "uses",
        "start": "start starttime startzeit begin beginn debut inicio",
        "end": "end ende fin",
        "last": "duration length dauer duree duracion",
        "color": "colour color farbe couleur",
    }.items()
    for word in words.split()
}
# Things whose value is an ordinary word: "the accent colour is teal". In stems, as `SYNONYMS`.
WORD_VALUED = frozenset(
    SYNONYMS.get(stem(word), stem(word))
    for word in """
    colour color farbe couleur color theme thema motif tema status stand statut estado mode modu mode modo level niveau
    nivel format formato font schrift police fuente language sprache langue idioma currency wahrung devise moneda
    style stil estilo default standard tier size grosse taille tamano material shape
    breed rasse race raza password passwort motdepasse contrasena branch zweig branche rama region codename
    username topping flavour flavor licence license lizenz encoding
    """.split()  # noqa: SIM905 - words read better
)
# What is set and not measured: "limit: 64", "shoe size 36". In stems.
SETTINGS = frozenset(
    SYNONYMS.get(stem(word), stem(word))
    for word in """
    limit port price cost fee budget deadline code password pin version timeout retention size quota rate number
    phone extension room level line platform gate seat track target threshold interval capacity maximum minimum
    max min replicas workers threads retries ttl salary rent pages id grenze preis frist passwort grösse anzahl
    nummer telefon raum zimmer gleis miete kapazität intervall limite prix délai mot taille numéro téléphone salle
    quai loyer capacité límite precio plazo código contraseña versión talla tamaño número teléfono sala andén
    alquiler
    """.split()  # noqa: SIM905 - words read better
)
# What is measured again and again: its readings of two days do not contradict each other.
MEASURED = frozenset(
    stem(word)
    for word in """
    temperature weight humidity pressure load usage traffic latency score balance revenue count visitor download
       uptime throughput heartrate pulse consumption mileage star subscriber reading backlog queue
    temperatur gewicht feuchtigkeit druck auslastung verbrauch kontostand besucher umsatz puls messwert
    poid humidite pression charge consommation solde visiteur recette
    temperatura peso humedad presion carga consumo saldo visitante
    """.split()  # noqa: SIM905 - words read better
)
