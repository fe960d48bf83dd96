"""The function words and verbs of state of English, German, French and Spanish.

They are kept apart, because "on" is a preposition in one language and a pronoun in another. Words are in the form of
`sentences.plain`: lower case, without diacritics.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _classes(**forms: str) -> dict[str, str]:
    return {word: name for name, text in forms.items() for word in text.split()}


class Language(Record):
    """The closed classes of a language."""

    function: frozenset[str]  # carry no subject, attribute or value
    first: frozenset[str]  # the speaker alone
    plural: frozenset[str]  # the speaker and others
    pronouns: frozenset[str]  # a person or thing named before
    prepositions: frozenset[str]
    places: frozenset[str]  # prepositions of places and times
    negations: frozenset[str]
    classes: Mapping[str, str]  # verbs of state. A subject has one such state at a time; "use" only for one purpose


LANGUAGES = {
    "english": Language(
        function=words(
            """
            a an the this that these those there here its it he she they them his her their hers theirs our ours us me
            my
            mine your yours you i we and or but so then just only very quite all each every any some own same such which
            who whose do does did done doing now currently today already finally officially recently henceforth instead
            actually really be is are was were been being am has have had having get gets got no not never longer
            anymore
            more nor of for in on at by with from to into onto as per via until till about over during after before
            since
            because due set currently permanently
            """
        ),
        first=words("i my me mine"),
        plural=words("we our us ours"),
        pronouns=words("it he she they this that their his her its"),
        prepositions=words("of for in on at by with from to into onto as per via during after before about until till"),
        places=words("in at on to into onto until till"),
        negations=words("not no never"),
        classes=_classes(
            be="""is are was were be been being am remains remain stays equals means becomes became set configured fixed
                scheduled planned""",
            live="live lives living lived reside resides resided",
            work="work works working worked employed",
            use="use uses using used utilize utilizes rely relies",
            run="run runs running ran hosted stored listens listen deployed kept held located situated placed",
            cost="cost costs costing priced",
            begin="start starts starting begin begins",
            end="ends finish finishes",
            close="close closes",
            open="open opens",
            meet="meet meets",
            happen="happen happens",
            expire="expire expires",
            last="lasts",
            lead="leads leading led manage manages",
            own="own owns",
            maintain="maintain maintains responsible",
            name="called named",
            have="has have had holds contains",
        ),
    ),
    "german": Language(
        function=words(
            """
            der die das des dem den ein eine einer einem einen eines dieser diese dieses diesen er sie es ihr ihre ihren
            ihrem ihrer sein seine seinen seiner unser unsere unserer unseren unserem wir ich mein meine meinen meiner
            meinem mir mich uns du dein deine und oder aber so dann nur sehr jetzt nun inzwischen mittlerweile derzeit
            aktuell heute bereits schon ist sind war waren bin bist wird werden wurde wurden worden hat haben habe hatte
            hatten man sich nicht nie kein keine keinen keiner keinem mehr von vom fur in im an am auf bei beim mit aus
            zu
            zum zur nach bis als uber um seit ab per pro wegen durch statt stattdessen eigentlich tatsachlich doch
            sondern
            sofort neuerdings nunmehr
            """
        ),
        first=words("ich mein meine meinen meiner meinem mir mich"),
        plural=words("wir unser unsere unserer unseren unserem uns"),
        pronouns=words("er sie es dies ihr ihre ihren sein seine seinen"),
        prepositions=words("von vom fur in im an am auf bei beim mit aus zu zum zur nach als uber um durch bis per"),
        places=words("in im an am auf bei nach zu zum bis um"),
        negations=words("nicht kein keine keinen keinem keiner nie"),
        classes=_classes(
            be="""ist sind war waren bin bist bleibt liegt betragt gilt lautet eingestellt festgelegt gesetzt angesetzt
                geplant konfiguriert""",
            live="wohnt wohne wohnen wohnte lebt lebe leben lebte",
            work="arbeitet arbeite arbeiten arbeitete",
            use="""nutzt nutzen nutze nutzte nutzten verwendet verwenden verwende verwendete verwendeten benutzt
                benutzen benutze""",
            run="lauft laufen lief liefen gehostet gespeichert abgelegt steht stehen befindet",
            cost="kostet kosten kostete",
            begin="beginnt beginnen startet starten",
            end="endet enden",
            close="schließt schliesst schließen",
            open="offnet offnen",
            meet="trifft treffen",
            expire="lauft-ab",
            last="dauert dauern",
            lead="leitet leiten leite leitete",
            maintain="verantwortet verantwortlich zustandig betreut",
            name="heißt heisst heißen heissen hieß nennt genannt",
            have="hat haben hatte besitzt",
        ),
    ),
    "french": Language(
        function=words(
            """
            le la les l un une des du de d ce cet cette ces il elle ils elles on nous je j me m mon ma mes notre nos vos
            votre son sa ses leur leurs tu se s et ou mais donc alors tres plus y en qui que qu dont est sont etait
            etaient
            suis es sommes ete a ai as ont avons avait avaient maintenant desormais actuellement aujourd hui deja
            dorenavant finalement à ne n pas jamais rien ni dans sur sous au aux par pour avec chez vers depuis jusqu
            jusque comme lors enfin
            """
        ),
        first=words("je j mon ma mes moi me m"),
        plural=words("nous notre nos on"),
        pronouns=words("il elle ils elles ca cela ce c leur leurs son sa ses"),
        prepositions=words("à de du des d dans sur sous au aux par pour avec chez vers en comme jusqu"),
        places=words("à dans au aux en chez sur vers"),
        negations=words("pas ne n jamais"),
        classes=_classes(
            be="est sont etait etaient suis sommes reste fixe fixee prevu prevue regle reglee situe situee trouve",
            live="habite habitent habitons habitait vit vivent vivons vivais reside",
            work="travaille travaillons travaillent travaillait",
            use="utilise utilisons utilisent utilisait utilisions emploie employons",
            run="tourne tournent tournait heberge hebergee hebergees stocke stockee stockes fonctionne fonctionnent",
            cost="coute coutent coutait",
            begin="commence commencent debute",
            end="finit termine",
            close="ferme ferment",
            open="ouvre ouvrent",
            meet="reunit reunissons",
            expire="expire expirent",
            last="dure durent",
            lead="dirige dirigent gere pilote",
            name="appelle appelait appellent nomme nommee",
            have="a ont ai avons avait possede",
        ),
    ),
    "spanish": Language(
        function=words(
            """
            el la los las lo un unos unas uno una este esta estos estas ese esa eso ella ellos ellas nosotros yo mi mis
            nuestro nuestra nuestros nuestras su sus tu tus se y o u pero muy mas que quien cuyo ya ahora actualmente
            hoy
            oficialmente finalmente es son era eran soy somos sido estan estaba estoy estamos ha han he hemos habia hay
            fue
            fueron no nunca ni sino del al de en con por para sobre desde hasta como entre segun a
            """
        ),
        first=words("yo mi mis me vivo trabajo uso"),
        plural=words("nosotros nuestro nuestra nuestros nuestras nos"),
        pronouns=words("su sus ella ello ellos ellas eso esto"),
        prepositions=words("de del en al a con por para sobre desde como hasta"),
        places=words("a en al hacia hasta para"),
        negations=words("no nunca"),
        classes=_classes(
            be="""es son era eran soy esta estan estaba estoy estamos fue queda sigue fijado fijada configurado
                ubicado ubicada""",
            live="vive vivo viven vivimos vivia resido reside",
            work="trabaja trabajo trabajan trabajamos trabajaba",
            use="""usa usan usamos usaba usabamos usando utiliza utilizamos utilizan utilizaba utilizando uso""",
            run="""corre corren ejecuta ejecutan alojado alojada alojados alojadas funciona funcionan guarda guardan
                almacena""",
            cost="cuesta cuestan costaba vale valen",
            begin="empieza empiezan comienza comienzan",
            end="termina terminan acaba",
            close="cierra cierran",
            open="abre abren",
            meet="reune reunimos",
            expire="vence caduca",
            last="dura duran",
            lead="dirige dirigen gestiona lidera",
            name="llama llaman llamaba llamado llamada denomina",
            have="tiene tienen tenemos tenia hay",
        ),
    ),
}
FUNCTIONAL = frozenset(LANGUAGES["english"].classes.values()) - {"have"}


def language_of(found: list[str]) -> Language:
    """The language of a sentence, by its function words. Without any it is read as English."""
    return LANGUAGES[name_of(found)]


def name_of(found: list[str]) -> str:
    """The language with most function words and verbs of state in a sentence."""
    return max(LANGUAGES, key=lambda name: sum(map(_known[name].__getitem__, filter(_known[name].__contains__, found))))


_known = {
    name: dict.fromkeys(language.function, 2) | dict.fromkeys(language.classes, 3)
    for name, language in LANGUAGES.items()
}
_known["spanish"] |= dict.fromkeys(words("pasamos cambiamos movimos trasladamos migramos dejamos hemos"), 3)
