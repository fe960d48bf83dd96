"""The closed-class words by which changes are read, in English, German, French and Spanish, and in Chinese and Japanese.

Words are in the form of `sentences.plain`: lower case, without diacritics. Function words, verbs of state, modal verbs
and names of days only: never names of things.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that say nothing about the subject, attribute or value.
FUNCTION = _words(
    """
    a an the this that these those there here its it he she they them his her their hers theirs our ours us me my mine
    your yours you i we and or but so then just only very quite all each every any some own same such which who whose
    do does did done doing now currently today already finally officially recently henceforth instead actually really
    be is are was were been being am has have had having get gets got
    no not never longer anymore any more nor of for in on at by with from to into onto as per via until till about over
    during after before since because due
    der die das des dem den ein eine einer einem einen eines dieser diese dieses diesen er sie es ihr ihre ihren ihrem
    ihrer sein seine seinen seiner unser unsere unserer unseren unserem wir ich mein meine meinen meiner mir mich uns du
    dein deine und oder aber so dann nur sehr auch jetzt nun inzwischen mittlerweile derzeit aktuell heute bereits schon
    ist sind war waren bin bist wird werden wurde wurden worden hat haben habe hatte hatten man sich
    nicht nie kein keine keinen keiner keinem mehr von vom fur in im an am auf bei beim mit aus zu zum zur nach bis als
    uber um seit ab per pro wegen durch statt stattdessen eigentlich tatsachlich doch sondern
    le la les l un une des du de d ce cet cette ces il elle ils elles on nous je j me m mon ma mes notre nos vos votre
    son sa ses leur leurs tu se s et ou mais donc alors tres plus y en qui que qu dont
    est sont etait etaient suis es sommes ete a ai as ont avons avait avaient maintenant desormais actuellement
    aujourd hui deja dorenavant finalement
    à ne n pas jamais rien ni dans sur sous a au aux par pour avec chez vers depuis jusqu jusque comme lors enfin
    el los las lo unos unas uno una este esta estos estas ese esa eso ella ellos ellas nosotros yo mi mis nuestro nuestra
    nuestros nuestras su sus tu tus se y o u pero muy mas que quien cuyo ya ahora actualmente hoy oficialmente finalmente
    es son era eran soy somos sido esta estan estaba estoy estamos ha han he hemos habia hay fue fueron
    no nunca ni sino del al de en con por para sobre desde hasta como entre segun
    """
)

PRONOUNS = _words(
    "it he she they this that er sie es das dies il elle ils elles ca cela ce el ella ello ellos ellas eso esto"
)
FIRST = _words("i my me mine ich mein meine meinen meiner mir mich je j mon ma mes moi yo mi mis")
PLURAL = _words("we our us ours wir unser unsere unserer unseren unserem uns nous notre nos on nosotros nuestro nuestra")

# Verbs of state. A subject has one such state at a time; "use" only for one purpose.
_CLASSES = {
    "be": """is are was were be been being am ist sind war waren bin sein est sont etait suis sommes es son era eran soy
        esta estan estaba estoy estamos fue remains remain bleibt reste queda stands stays liegt equals means betragt
        becomes became gilt lautet""",
    "live": """live lives living lived reside resides resided wohnt wohne wohnen wohnte lebt lebe leben lebte habite
        habitent habitons habitait vit vis vivons vive vivo viven vivimos vivia resido reside based""",
    "work": """work works working worked employed arbeitet arbeite arbeiten arbeitete travaille travaillons travaillent
        travaillait trabaja trabajo trabajan trabajamos trabajaba""",
    "use": """use uses using used utilize utilizes rely relies employ employs nutzt nutzen nutze nutzte nutzten verwendet
        verwenden verwende verwendete verwendeten benutzt benutzen benutze setzen setzt utilise utilisons utilisent
        utilisait emploie employons usa usan usamos uso usaba usabamos usando utiliza utilizamos utilizan utilizaba
        utilizando""",
    "run": """run runs running ran hosted host hosts lauft laufen lief liefen gehostet tourne tournent tournait heberge
        hebergee hebergees corre corren ejecuta ejecutan alojado alojada alojados alojadas funciona funcionan
        fonctionne fonctionnent stored gespeichert stocke stockee stockes stockees guarda guardan almacena almacenan
        listens listen sits deployed kept held located situated placed""",
    "cost": """cost costs costing priced kostet kosten kostete coute coutent coutait cuesta cuestan costaba vale valen""",
    "time": """start starts starting begin begins end ends close closes open opens meet meets takes take happens happen
        expire expires last lasts falls due scheduled beginnt beginnen startet starten endet enden schliesst schließt
        offnet findet finden statt trifft treffen dauert lauft commence commencent debute finit termine ferme ferment
        ouvre ouvrent lieu dure durent expire reunit reunissons empieza empiezan comienza comienzan termina terminan
        cierra cierran abre abren dura duran reune reunimos celebra""",
    "lead": """lead leads leading led manage manages manages own owns maintain maintains owner leader lead maintainer
        responsible charge heads head leitet leiten leite leitete verantwortet verantwortlich zustandig leiter leiterin
        verantwortliche dirige dirigent gere responsable dirigen gestiona lidera encargado encargada encarga mantiene
        maintainerin ansprechpartner ansprechpartnerin""",
    "name": """called named call calls heißt heisst heißen heissen hiess hieß nennt genannt appelle appelait appellent
        nomme nommee llama llaman llamaba llamado llamada denomina""",
    "have": """has have had holds contains hat haben hatte besitzt a ont avait avons possede tiene tienen tenemos tenia
        hay existe exists gibt""",
}
CLASSES = {word: name for name, forms in reversed(_CLASSES.items()) for word in forms.split()}
FUNCTIONAL = frozenset(("be", "live", "work", "use", "run", "cost", "time", "lead", "name"))

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
    afternoon evening spring summer autumn fall winter daily weekly monthly quarterly yearly biweekly fortnightly hourly
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
    one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred
    zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreißig dreissig vierzig funfzig hundert
    deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente quarante cinquante cent
    dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta cien
    """
)
PLACES = _words("à in at on to into onto a an auf nach bei zu im am dans au aux en chez sur vers al hacia until till bis")
PREPOSITIONS = _words(
    """
    of for in on at by with from to into as per via during after before about
    von vom fur im an am auf bei beim mit aus zu zum zur nach als uber um durch
    à de du des dans sur sous au aux par pour avec chez vers en del al con por para sobre desde como
    """
)

# A sentence with one of these states no change: it asks, plans, wishes, supposes, quotes, adds, compares or takes back.
GUARD_WORDS = _words(
    """
    abgelehnt additionally ademas again aim aiming aims allait allegedly allons almost also anciennement angeblich
    angenommen anscheinend antes antiguamente aparentemente apparemment apparently asked asks aspire aspires
    aspiring attempt attempted attempts auch ausserdem aussi autrefois außerdem avant bald beinahe besides better
    bientot borrador brouillon can cannot casi childhood claim claimed claims compte comptons consider considered
    considering considers could cree creemos creo crois croit cuando damals debate debated debating decade declined
    demain demnachst denied denke denken deshizo devra devraient devrait dijeron dijo disait discuss discussed
    discussing disent dit doit draft drafted drafts dream dreamed dreams durfte durften ebauche ebenfalls ebenso
    egalement ehemals einst either entendu entwurf erwage erwagen erwagt erwartet eventuell example except expected
    experiment experimental experimented experimenting experiments falls fast fear feared fears feel feeling feels
    felt fewer formerly fragt fragte fruher gehort geplant gerucht geruchte glaube glauben goal gonna heard hope
    hoped hopes hoping if imagine intend intended intends intention jadis joke joking kidding konnte konnten later
    laut less lets likely lorsque manana may maybe meint meinte might mocht mochte mochten moglicherweise more
    morgen nearly never niemals ob offenbar oi oido ojala once ought parait partially partiellement partly perhaps
    peut peuvent pienso pilot plane planeamos planen planned planning plant posiblemente possibly pourra pourraient
    pourrait presque presumably pretend pretendument previously probablement probablemente probably probeweise
    pronto proposal proposals propose proposed proposes proposing propuesta propuso provisoirement proxima proximo
    quand queremos quiero quiza quizas quote quoted quotes recommend recommended recommends reject rejected
    reminder reportedly revert reverted reverts rfc rollback ruckgangig rumor rumors rumour rumours sagen sagt
    sagte said say says scheint schlagt seem seemed seems segun seguramente selon shall should si sobald soll
    sollen sollst sollte sollten soon suggest suggested suggesting suggestion suggests sugirio suppose supposedly
    supuestamente tambien teilweise temporairement temporalmente temporarily temporary test tested testing
    testweise than todo todos told tomorrow too trial tried try trying uberlege uberlegen uberlegt unclear undone
    unless unlike unsure va vermutlich verworfen vetoed veulent veut veux vielleicht vont voraussichtlich
    vorgeschlagen vorschlag vorschlagen vorubergehend vote voted votes voudra voudraient voudrais voudrait voulons
    wahrscheinlich want wanted wants wenn when whenever whether widerrufen will wish wished wishes withdrawn wohl
    wollen wollte wollten womoglich wonder wondered wondering wonders worried worry worse would writes wrote yet
    zuruckgenommen zuruckgerollt zusatzlich
    """
)
GUARD_STEMS = tuple(
    """
    affirme afirma attend behaupte considera debe deberia dice discut diskut envisag esper espera essai essay hoff
    imagin intent parece pense piensa planea podria prevoi prevu prochain propon propos provisional puede querria
    quiere quisiera rechaz refuse rejete retabli revert revirti semble solia souhait sugger sugier supon suppos
    versucht wunsch
    """.split()
)
GUARD_PHRASES = re.compile(
    r"""
    \b(?:
    going\ to|about\ to|plans\ to|plans\ on|plans\ for|planned\ to|planned\ on|planned\ for|planning\ to
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
    a about according annule as at aun back could d en for going hace half i il in last let might month months most nachste nachsten nachster nachstes need needed needs next noch not one only par part parts pas peut plan planned planning plans por roll rolled sans shouldn some tal todavia used va vamos van vor voy was we werden wird won wouldn wurde wurden year years z zum
    """
)
_CHINESE = re.compile(
    r"""
    计划|打算|想要|希望|建议|考虑|提议|如果|假如|假设|要是|也许|可能|大概|或许|好像|似乎|据说|听说|听|说过|说[：:，,「“"]|认为|觉得|草案|草稿|拒绝|否决|撤销|撤回|回滚
    |恢复|尝试|试过|几乎|还没|尚未|也|还(?!款)|另外|此外|以前|曾经|曾|过去|当时|暂时|临时|例如|比如|即将|将|(?<![例议社协商大晚年机员])会(?=改|换|变|在|把|被|用|从|搬|移|有|是|成|不)|要不要|是否|吗|呢|[?？]|明天|下周|下个?月|明年|应该|讨论|比.{1,8}更|除了|部分|之一|想
    """,
    re.VERBOSE,
)
_JAPANESE = re.compile(
    r"""
    予定|計画|つもり|たい(?:です|と|。|$)|希望|提案|検討|もし|なら|たら|れば|かもしれ|多分|たぶん|恐らく|おそらく|らしい|そうです|ようです|みたい|という|と言|と聞|によると|と思|案です|下書き|草案|却下|撤回
    |取り消|元に戻|戻しま|戻され|試し|試みた|ほとんど|まだ|も(?:使|利用|追加|対応|サポート|話|住|働)|さらに|加えて|以前|かつて|昔|当時|一時的|暫定|例えば|たとえば|明日|来週|来月|来年|今後|べき|でしょう|だろう|か。|か$|議論|一部|より(?:も|速|大|高)|かどうか|場合|[?？]
    """,
    re.VERBOSE,
)
GUARDS = {"chinese": _CHINESE, "japanese": _JAPANESE}

# Function words by which the language of a sentence is told.
LANGUAGES = {
    "english": _words(
        """the is are was were has have been of to in on at for from by with and not now no longer we our it its my i
        instead as this that uses use does do did them their"""
    ),
    "german": _words(
        """der die das dem den des ein eine einer einem einen ist sind war wird wurde wurden hat haben habe wir ich nicht
        mehr auf von vom zu zum zur im am um fur mit jetzt nun und bei nach statt unser unsere als durch kein keine aus"""
    ),
    "french": _words(
        """le la les l un une des du de d est sont a à au aux en et nous ne n pas plus pour par dans sur avec ete avons ont
        maintenant desormais notre nos il elle on je j ce se lieu"""
    ),
    "spanish": _words(
        """el la los las un una de del es son al en y se no ya por para con ha han hemos fue ahora nuestro nuestra a lo su
        esta estan que desde como sino vez lugar"""
    ),
}
