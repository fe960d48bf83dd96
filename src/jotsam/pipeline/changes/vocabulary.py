"""Words that distinguish values, and words of sentences that state no change.

Words are in the form of `sentences.plain`: lower case, without diacritics. Names of days, numbers, attributes and modal
words only: never names of things.
"""

from __future__ import annotations

import re

from jotsam.pipeline.changes.languages import words as _words

# Nouns that name an attribute. "The colour is red" excludes another colour; "the server is fast" excludes nothing.
ATTRIBUTES = _words(
    """
    name colour color theme title port host address email phone number deadline date day time price fee cost rate limit
    size version region location place venue office room owner lead maintainer contact manager status state level
    default plan language format provider database framework tool editor host password key path directory folder branch
    timeout interval budget salary schedule frequency threshold maximum minimum retention license licence logo currency
    timezone username model backend engine capital nickname license store storage channel platform
    farbe thema titel adresse mail telefon nummer frist termin datum tag uhrzeit preis gebuhr kosten rate grenze limit
    große grosse version region ort raum buro besitzer leitung kontakt stand stufe standard plan sprache format anbieter
    datenbank werkzeug passwort schlussel pfad ordner zweig intervall budget gehalt zeitplan schwelle lizenz wahrung
    couleur theme titre adresse courriel telephone numero echeance delai jour heure prix tarif frais taux limite taille
    region lieu salle bureau proprietaire contact statut etat niveau defaut langue fournisseur base outil chemin dossier
    branche intervalle salaire horaire seuil licence devise nom port hote
    nombre color tema titulo puerto direccion correo telefono numero plazo fecha dia hora precio tarifa coste limite
    tamano region lugar sala oficina dueno contacto estado nivel idioma formato proveedor base herramienta ruta carpeta
    rama intervalo presupuesto salario horario umbral licencia moneda servidor contrasena
    """
)
DAYS = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february march april may june july august september october november december noon midnight morning
    afternoon evening night nights weekday weekdays weekend weekends spring summer autumn fall winter daily weekly
    monthly quarterly yearly biweekly fortnightly hourly
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag montags dienstags mittwochs donnerstags
    freitags samstags sonntags januar februar marz mai juni juli oktober dezember mittag abend morgens abends
    taglich wochentlich monatlich jahrlich
    lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril juin juillet aout septembre octobre
    novembre decembre midi minuit matin soir
    lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre mediodia medianoche
    """
)
NUMBERS = _words(
    """
    one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety
    hundred
    zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreißig dreissig vierzig funfzig hundert
    deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente quarante cinquante cent
    dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta cien
    """
)
# A sentence with one of these states no change: it asks, plans, wishes, supposes, quotes, adds, compares or takes back.
GUARD_WORDS = _words(
    """
    abgelehnt additionally ademas again aim aiming aims allait allegedly allons almost also anciennement angeblich
    angenommen anscheinend antes antiguamente aparentemente apparemment apparently asked asks aspire aspires
    aspiring attempt attempted attempts auch ausserdem aussi autrefois außerdem avant beinahe besides better
    bientot borrador brouillon can cannot casi childhood claim claimed claims compte comptons consider considered
    considering considers could cree creemos creo crois croit cuando damals debate debated debating decade declined
    demain demnachst denied denke denken deshizo devra devraient devrait dijeron dijo disait discuss discussed
    discussing disent dit doit draft drafted drafts dream dreamed dreams durfte durften ebauche ebenfalls ebenso
    egalement ehemals einst either entendu entwurf erwage erwagen erwagt erwartet eventuell example except
    experimental experimented experimenting experiments fear feared fears feel feeling feels
    felt fewer formerly fragt fragte fruher gehort geplant gerucht geruchte glaube glauben gonna heard hope
    hoped hopes hoping if imagine intend intended intends intention jadis joking kidding konnte konnten later
    less lets likely lorsque manana may maybe meint meinte might mocht mochte mochten moglicherweise more
    morgen nearly never niemals ob offenbar only nur lediglich bloss seulement uniquement solo solamente unicamente oi
    oido ojala ought parait partially partiellement partly perhaps
    peut peuvent pienso plane planeamos planen planned planning posiblemente possibly pourra pourraient
    pourrait presque presumably pretend pretendument previously probablement probablemente probably probeweise
    pronto proposal proposals propose proposed proposes proposing propuesta propuso provisoirement proxima proximo
    quand queremos quiero quiza quizas quote quoted quotes recommend recommended recommends reject rejected
    reportedly revert reverted reverts rfc rollback ruckgangig rumor rumors rumour rumours sagen sagt
    sagte said say says scheint schlagt seem seemed seems segun seguramente selon shall should si sobald soll
    sollen sollst sollte sollten soon suggest suggested suggesting suggestion suggests sugirio suppose supposedly
    supuestamente tambien teilweise temporairement temporalmente temporarily temporary tested
    testweise than todo todos told tomorrow too tried try trying uberlege uberlegen uberlegt unclear undone
    unless unlike unsure va vermutlich verworfen vetoed veulent veut veux vielleicht vont voraussichtlich
    vorgeschlagen vorschlag vorschlagen vorubergehend vote voted votes voudra voudraient voudrais voudrait voulons
    wahrscheinlich want wanted wants wenn when whenever whether widerrufen will wish wished wishes withdrawn wohl
    wollen wollte wollten womoglich wonder wondered wondering wonders worried worry worse would writes wrote yet
    zuruckgenommen zuruckgerollt zusatzlich
    """
)
# Guards that are other words in another language.
GUARDS_OF = {"german": _words("plant fast falls bald laut"), "english": _words("once expected")}
GUARD_STEMS = (
    "affirme",
    "afirma",
    "attend",
    "behaupte",
    "considera",
    "debe",
    "deberia",
    "dice",
    "discut",
    "diskut",
    "envisag",
    "esper",
    "espera",
    "essai",
    "essay",
    "hoff",
    "imagin",
    "intent",
    "parece",
    "pense",
    "piensa",
    "planea",
    "podria",
    "prevoi",
    "prevu",
    "prochain",
    "propon",
    "propos",
    "provisional",
    "puede",
    "querria",
    "quiere",
    "quisiera",
    "rechaz",
    "refuse",
    "rejete",
    "retabli",
    "revert",
    "revirti",
    "semble",
    "solia",
    "souhait",
    "sugger",
    "sugier",
    "supon",
    "suppos",
    "versucht",
    "wunsch",
)
GUARD_PHRASES = re.compile(
    r"""
    \b(?:
    as\ a\ (?:test|trial|experiment|joke)|as\ an\ experiment|on\ trial|for\ testing|going\ to|about\ to
    |plans\ to|plans\ on|plans\ for|planned\ to|planned\ on|planned\ for|planning\ to
    |planning\ on|planning\ for|plan\ to|plan\ on|plan\ for|let'?s|let\ us|i\ think|i\ guess|i\ believe|i\ suppose
    |i\ assume|i\ suspect|i\ heard|we\ think|we\ believe|we\ assume|not\ sure|according\ to|rolled\ back|roll\ back
    |not\ yet|as\ well|in\ addition|used\ to|back\ then|at\ the\ time|for\ now|for\ example|for\ instance|next\ week
    |next\ month|next\ year|next\ quarter|next\ sprint|next\ release|could\ be|needs\ to|needed\ to|need\ to
    |years\ ago|year\ ago|months\ ago|month\ ago|last\ year|last\ century|some\ of|most\ of|half\ of|one\ of
    |part\ of|parts\ of|only\ for|won't|wouldn't|shouldn't|was\ going|might've|wird\ wohl|wurden\ gern|wurde\ gern
    |wurden\ gerne|wurde\ gerne|noch\ nicht|zum\ beispiel|z\.\ ?b|nachsten\ woche|nachster\ woche|nachstes\ woche
    |nachste\ woche|nachsten\ monat|nachster\ monat|nachstes\ monat|nachste\ monat|nachsten\ jahr|nachster\ jahr
    |nachstes\ jahr|nachste\ jahr|vor\ (?:\w+\ )?jahren|wird\ (?:\w+\ )*(?:umgestellt|wechseln|verschoben)
    |werden\ (?:\w+\ )*(?:wechseln|umstellen|umziehen)|peut\ etre|peut-etre|sans\ doute|d'apres
    |annule\w*\ (?:le|la)\ (?:changement|passage)|pas\ encore|en\ plus|par\ exemple|il\ y\ a|tal\ vez|a\ lo\ mejor
    |todavia\ no|aun\ no|por\ ejemplo|va\ a|van\ a|vamos\ a|voy\ a|hace\ (?:\w+\ )?anos
    )\b
    """,
    re.VERBOSE,
)
# What these phrases begin with: they are looked for only where one of the words occurs.
PHRASE_STARTS = _words(
    """
    a about according annule as at aun back could d en for going hace half i il in last let might month months most
    nachste nachsten nachster nachstes need needed needs next noch not on one only par part parts pas peut plan
    planned planning plans por roll rolled sans shouldn some tal todavia used va vamos van vor voy was we werden
    wird won wouldn wurde wurden year years z zum
    """
)
_CHINESE = re.compile(
    r"""
    只|仅|另一|某|计划|打算|想要|希望|建议|考虑|提议|如果|假如|假设|要是|也许|可能|大概|或许|好像|似乎|据说|听说|听|说过|说[：:，,「“"]|认为|觉得|草案|草稿|拒绝|否决|撤销|撤回|回滚
    |恢复|尝试|试过|几乎|还没|尚未|也|还(?!款)|另外|此外|以前|曾经|曾|过去|当时|暂时|临时|例如|比如|即将|将
    |(?<![例议社协商大晚年机员])会(?=改|换|变|在|把|被|用|从|搬|移|有|是|成|不)|要不要|是否|吗|呢|[?？]|明天|下周|下个?月|明年|应该|讨论|比.{1,8}更|除了|部分|之一|想
    """,
    re.VERBOSE,
)
_JAPANESE = re.compile(
    r"""
    だけ|のみ|別の|ある(?=店|人|会)|予定|計画|つもり|たい(?:です|と|。|$)|希望|提案|検討|もし|なら|たら|れば|かもしれ|多分|たぶん|恐らく|おそらく|らしい|そうです|ようです|みたい
    |という|と言|と聞|によると|と思|案です|下書き|草案|却下|撤回
    |取り消|元に戻|戻しま|戻され|試し|試みた|ほとんど|まだ|も(?:使|利用|追加|対応|サポート|話|住|働)|さらに|加えて|以前|かつて|昔|当時|一時的|暫定|例えば|たとえば|明日|来週|来月|来年
    |今後|べき|でしょう|だろう|か。|か$|議論|一部|より(?:も|速|大|高)|かどうか|場合|[?？]
    """,
    re.VERBOSE,
)
GUARDS = {"chinese": _CHINESE, "japanese": _JAPANESE}
