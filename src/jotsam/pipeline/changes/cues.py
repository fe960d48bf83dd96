"""Patterns of sentences that state a change, per language. The groups: s (what it is about), o (the rest of that), old,
new, p (what ended). They match the form of `sentences.plain`.
"""

from __future__ import annotations

import re

from jotsam.pipeline.changes.languages import words

_EN_TO = (
    "changed|moved|switched|migrated|converted|upgraded|downgraded|relocated|transferred|shifted|extended|prolonged"
    "|shortened|raised|lowered|increased|decreased|reduced|cut|postponed|pushed back|pushed|brought forward|rescheduled"
    "|delayed|bumped|updated|adjusted|ported|transitioned|handed over"
)
_EN = _EN_TO + "|reset|set|went|gone|rose|fell|grew|swapped|passed"
_DE = (
    "geandert|verschoben|umgestellt|umgezogen|gezogen|gewechselt|umgestiegen|migriert|verlegt|verlangert|verkurzt"
    "|erhoht"
    "|gesenkt|angehoben|reduziert|vorgezogen|vertagt|aktualisiert|umgeschaltet|angepasst|ausgeweitet|gesetzt|gestiegen"
    "|gesunken|verandert|ubertragen|ubergeben|ausgedehnt"
)
_FR = (
    "change|changee|changes|deplace|deplacee|deplaces|reporte|reportee|reportes|prolonge|prolongee|passe|passee|passes"
    "|augmente|augmentee"
    "|reduit|reduite|baisse|baissee|avance|avancee|migre|migree|transfere|transferee|demenage|etendu|etendue|modifie"
    "|modifiee|fixe|fixee|repousse|repoussee|porte|portee|ramene|ramenee|decale|decalee|bascule|remonte|raccourci"
    "|raccourcie"
)
_ES = (
    "cambio|cambiado|cambiada|cambiamos|cambiaron|cambie|movio|movido|movida|movimos|movieron|paso|pasado|pasada"
    "|pasamos|pasaron"
    "|traslado|trasladado|trasladada|trasladamos|trasladaron|aplazo|aplazado|aplazada|pospuso|pospuesto|extendio"
    "|extendido|extendida"
    "|amplio|ampliado|ampliada|aumento|aumentado|aumentada|subio|subido|bajo|bajado|redujo|reducido|reducida|migro"
    "|migrado|migramos"
    "|migraron|adelanto|adelantado|adelantada|retraso|retrasado|retrasada|mudo|mudado|mude|mudamos|actualizo"
    "|actualizado|modifico"
    "|modificado|modificada|prorrogo|prorrogado|prorrogada|reprogramo|reprogramado|reprogramada|transfirio|transferido"
    "|ajusto|ajustado"
)
_END_EN = (
    "removed|dropped|deleted|discontinued|canceled|cancelled|abolished|shut down|decommissioned|retired|terminated"
    "|scrapped"
    "|phased out|abandoned|eliminated|turned off|disabled|sunset|uninstalled"
)
_END_DE = (
    "abgeschafft|entfernt|eingestellt|abgeschaltet|gestrichen|gekundigt|geloscht|abgesetzt|abgesagt|aufgegeben"
    "|stillgelegt"
    "|deaktiviert|aufgehoben|abgestellt|ausgemustert"
)
_END_FR = (
    "supprimee?s?|retiree?s?|abandonnee?s?|arretee?s?|fermee?s?|annulee?s?|desactivee?s?|eliminee?s?|interrompue?s?"
    "|resiliee?s?|enlevee?s?"
)
_END_ES = (
    "elimino|eliminado|eliminada|eliminamos|eliminaron|retiro|retirado|retirada|retiramos|cancelo|cancelado|cancelada"
    "|suprimio"
    "|suprimido|suprimida|cerro|cerrado|cerrada|quitamos|quito|quitado|desactivo|desactivado|desactivada|abandonamos"
    "|abandono|abolio"
)
_TO = r"(?:over |back |up |down |out )?(?:to|until|till|onto|into)"
_BE = r"(?:(?:have|has|was|were|is|are|been|got|just|now|recently|officially|already|finally|since|permanently) )*"

_REPLACE = {
    "english": (
        rf"^(?P<s>.*?)\b{_BE}(?:{_EN})\b ?(?P<o>.*?) ?\bfrom (?P<old>.+?) {_TO} (?P<new>.+)$",
        rf"^(?P<s>.*?)\b{_BE}(?:{_EN})\b ?(?P<o>.*?) ?\b{_TO} (?P<new>.+?) from (?P<old>.+)$",
        rf"^(?P<s>.*?)\b{_BE}(?:{_EN_TO})\b ?(?P<o>.*?) ?\b{_TO} (?P<new>.+)$",
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
    "german": (
        (
            rf"^(?P<s>.*?)\b(?:wurde|wurden|ist|sind|hat|haben|habe|bin)\b ?(?P<o>.*?) ?\b(?:von"
            rf"|vom) (?P<old>.+?) (?:auf|nach|zu|zum|zur|in) (?P<new>.+?) (?:{_DE})(?: worden)?$"
        ),
        (
            rf"^(?P<s>.*?)\b(?:wurde|wurden|ist|sind|hat|haben|habe|bin)\b ?(?P<o>.*?) ?\b(?:auf|nach|zu|zum|zur|bis|in"
            rf"|an) (?P<new>.+?) (?:{_DE})(?: worden)?$"
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
    "french": (
        (
            rf"^(?P<s>.*?)\b(?:a|ont|avons|ai|est|sont|sommes|suis)(?: ete)? (?:{_FR})s?\b ?(?P<o>.*?) ?\b(?:de|du"
            rf"|des) (?P<old>.+?) (?:a|à|au|aux|en|vers) (?P<new>.+)$"
        ),
        (
            rf"^(?P<s>.*?)\b(?:a|ont|avons|ai|est|sont|sommes|suis)(?: ete)? (?:{_FR})s?\b ?(?P<o>.*?) ?\b(?:à|au|aux"
            rf"|en|vers|jusque? (?:à|au)|jusqu (?:à|au)|pour) (?P<new>.+)$"
        ),
        r"^(?:(?:nous|on|j) (?:avons|a|ai) )?(?P<old>.+?) (?:a ete |est )?renomme[es]* (?:en )?(?P<new>.+)$",
        r"^(?P<old>.+?) (?:a ete|ont ete|est|sont) remplace[es]* par (?P<new>.+)$",
        r"^(?P<s>.*?)\b(?:a|ont|avons|ai) remplace (?P<old>.+?) par (?P<new>.+)$",
        (
            r"^(?P<new>.+?) (?:remplace|remplacent|a remplace|succede à) (?P<old>.+?)(?: (?:comme"
            r"|en tant que) (?P<o>.+))?$"
        ),
        r"^(?:au lieu|à la place) (?:de|du|d) (?P<old>[^,]+?), (?P<s>.+)$",
        r"^(?P<s>.+?),? (?:au lieu|à la place|plutot) (?:de|du|d|que) (?P<old>.+)$",
        (
            r"^(?P<s>.*?)\b(?:n|ne) (?:est|sont|utilise|utilisons|habite|travaille) (?:pas"
            r"|plus) (?P<old>.+?),? mais (?P<new>.+)$"
        ),
        (
            r"^(?P<s>.*? (?:est|sont|utilise|utilisons|habite|travaille|commence|finit|coute"
            r"|tourne) .+?),? (?:et )?(?:et )?(?:non|pas) (?:pas )?(?:à |au |en |le |la |de )*(?P<old>[^,]+)$"
        ),
        r"^(?P<s>[^,]+), (?:et )?(?:non|pas) (?:pas )?(?:à |au |en |le |la |les |de |par |avec )*(?P<old>[^,]+)$",
    ),
    "spanish": (
        (
            rf"^(?P<s>.*?)\b(?:se )?(?:ha |han |hemos |he |fue |fueron )?(?:sido )?(?:{_ES}) ?(?P<o>.*?) ?\b(?:del?"
            rf"|desde) (?P<old>.+?) (?:al?|hasta|hacia|en) (?P<new>.+)$"
        ),
        (
            rf"^(?P<s>.*?)\b(?:se )?(?:ha |han |hemos |he |fue |fueron )?(?:sido )?(?:{_ES}) ?(?P<o>.*?) ?\b(?:al?"
            rf"|hasta|para|hacia|por) (?P<new>.+)$"
        ),
        (
            r"^(?:hemos |se )?(?:renombro |renombramos |renombrado |ha sido renombrado )?(?P<old>.+?) (?:fue |ha sido "
            r"|se )?(?:renombrado|renombrada|renombro) (?:como|a) (?P<new>.+)$"
        ),
        r"^(?P<old>.+?) (?:fue|fueron|ha sido|han sido|es) (?:reemplazad|sustituid)[oa]s? por (?P<new>.+)$",
        (
            r"^(?P<s>.*?)\b(?:hemos |ha |han |se )?(?:reemplaz|sustitu)(?:amos|imos|o|yo|ado|ido|aron"
            r"|yeron) (?:a )?(?P<old>.+?) (?:por|con) (?P<new>.+)$"
        ),
        r"^(?P<new>.+?) (?:reemplaza|sustituye|reemplazo|sustituyo|releva) (?:al? )?(?P<old>.+?)(?: como (?P<o>.+))?$",
        r"^en (?:lugar|vez) del? (?P<old>[^,]+?), (?P<s>.+)$",
        r"^(?P<s>.+?),? en (?:lugar|vez) del? (?:el |la |en |a )*(?P<old>.+)$",
        (
            r"^(?P<s>.*?)\b(?:ya )?no (?:es|son|esta|estan|usa|usamos|vive|trabaja|cuesta"
            r"|empieza) (?P<old>.+?),? sino (?P<new>.+)$"
        ),
        (
            r"^(?P<s>.*? (?:es|son|esta|estan|usa|usamos|vive|trabaja|empieza|termina|cuesta"
            r"|corre) .+?),? (?:y )?no (?:en |a |el |la |de )*(?P<old>[^,]+)$"
        ),
        r"^(?P<s>[^,]+), (?:y )?no (?:en |a |el |la |los |las |de |por |con )*(?P<old>[^,]+)$",
    ),
    "chinese": (
        (
            r"^(?P<s>.*?)(?:已经|已|现在|现)?(?:从|由)(?P<old>.+?)(?:改|换|更换|变更|变|迁移|搬|转移|转|调整|升级|切换|延长|延|推迟|提前|移|更名|提高|降低|上调"
            r"|下调)(?:用|为|成|到|至|了|在)+(?P<new>.+)$"
        ),
        r"^(?P<s>.*?)(?:不是|并非)(?P<old>.+?)[，, ]*(?:而是|是)(?P<new>.+)$",
        r"^(?P<s>.+?)[，, ]*(?:而不是|而非|不再是|不是)(?P<old>.+)$",
        r"^(?P<s>.*?)(?:用|以)(?P<new>.+?)(?:代替|取代|替换|替代)了?(?P<old>.+)$",
        r"^(?P<old>.+?)(?:已经|已)?(?:被|由)(?P<new>.+?)(?:取代|代替|替换|替代)了?$",
        r"^(?P<new>.+?)(?:已经|已)?(?:取代|接替|代替)了?(?P<old>.+?)(?:担任|成为(?P<o>.+))?$",
        (
            r"^(?P<s>.*?)(?:已经|已|现在|现|被)*(?:改|换|更换|变更|变|迁移|搬|转移|调整|切换|延长|延期|延|推迟|提前|移|更名|改名|重命名|升级|提高|降低|上调|下调)(?:用|为|成"
            r"|到|至|了|在|叫|由|住)+(?P<new>.+)$"
        ),
    ),
    "japanese": (
        (
            r"^(?P<s>.*?[はがを、])?(?P<old>[^はがを、]+?)から(?P<new>.+?)(?:に|へ|まで)(?:変更|移行|移転|切り替|切替|乗り換|引っ越|延長|移動|改名|変わ|変え|延期"
            r"|前倒し|置き換|移り|移し|更新|引き上げ|引き下げ|転職|異動|交代)"
        ),
        r"^(?P<s>.*?)(?:は|が|を|、)(?P<old>[^はがを、]+?)(?:では|じゃ)な(?:く|くて)[、,]?(?P<new>.+)$",
        r"^(?P<s>.*?[はがを、])?(?P<old>[^はがを、]+?)の代わりに(?P<new>.+)$",
        r"^(?P<s>.*?)(?P<old>[^はがを、]+?)を(?P<new>[^はがを、]+?)(?:に|で)(?:置き換え|差し替え)",
        (
            r"^(?P<s>.+?)(?:は|が|を|、)(?P<new>[^はがを]+?)(?:に|へ|まで)(?:変更|移行|移転|切り替|切替|乗り換|引っ越|延長|移動|改名|変わ|変え|延期|前倒し|移り|移し"
            r"|更新|引き上げ|引き下げ|転職|異動|交代)"
        ),
    ),
}
RENAME = re.compile(r"\brenamed\b|umbenannt|\brenomme|\brenombr|改名|更名|重命名")

_END = {
    "english": (
        r"^(?P<s>.+?) no longer (?P<p>.+)$",
        r"^(?P<s>.+?) (?:do|does|is|are|has|have|did|was|were) not (?P<p>.+?) (?:anymore|any more|any longer)\b.*$",
        r"^(?P<s>.*?)\b(?:have |has )?(?:stopped|quit|ceased|gave up|given up) (?:to )?(?P<p>.+)$",
        rf"^(?P<s>.+?) {_BE}(?:{_END_EN})\b(?: from (?P<o>.+))?$",
        rf"^(?:(?:we|i|they|it) )?{_BE}(?:{_END_EN})\b (?P<p>.+)$",
    ),
    "german": (
        r"^(?P<s>.+?) (?:nicht|kein|keine|keinen|keiner|keinem)\b ?(?P<p>.*?) mehr\b ?(?P<o>.*)$",
        rf"^(?P<s>.+?) (?:wurde|wurden|ist|sind|haben|hat)\b ?(?P<p>.*?) ?(?:{_END_DE})(?: worden)?$",
        r"^(?P<s>.+?) (?:hat|haben|habe) (?:damit )?aufgehort,? (?:mit )?(?P<p>.+)$",
    ),
    "french": (
        r"^(?P<s>.*?)\b(?:ne|n) (?P<p>\w+ (?:\w+ ){0,2}?)plus\b ?(?P<o>.*)$",
        rf"^(?P<s>.*?)\b(?:a|ont|avons|ai|est|sont)(?: ete)? (?:{_END_FR})\b ?(?:d |de |du |des )?(?P<p>.*)$",
        r"^(?P<s>.*?)\b(?:a|ont|avons|ai) cesse (?:d |de )?(?P<p>.+)$",
    ),
    "spanish": (
        r"^(?P<s>.*?)\bya no (?P<p>.+)$",
        r"^(?P<s>.*?)\b(?:deje|dejo|dejamos|dejaron|dejado) de (?P<p>.+)$",
        rf"^(?P<s>.*?)\b(?:se |fue |fueron |ha sido |hemos |ha )?(?:{_END_ES})\b ?(?P<p>.*)$",
    ),
    "chinese": (
        r"^(?P<s>.*?)(?:已经|已)?不再(?P<p>.+)$",
        r"^(?P<s>.*?)(?:已经|已)?(?:停止|停用|取消|移除|删除|废弃|废除|下线|关闭|弃用|终止)了?(?P<p>.*)$",
        r"^(?P<s>.*?)(?:已经|已|现在)(?:不|没)(?P<p>.+?)了$",
    ),
    "japanese": (
        r"^(?P<s>.*?)もう(?P<p>.+?)(?:ない|ません|なくな).*$",
        r"^(?P<s>.*?)(?:を|は|が)?(?:廃止|削除|中止|終了|取りやめ|停止|やめ|辞め|撤去|閉鎖)(?:し|に|され|ま|た|て)(?P<p>.*)$",
        r"^(?P<s>.+?)(?P<p>)なくな(?:った|りました)$",
    ),
}


def _compiled(patterns: dict[str, tuple[str, ...]]) -> dict[str, tuple[re.Pattern[str], ...]]:
    return {language: tuple(map(re.compile, found)) for language, found in patterns.items()}


REPLACE, END = _compiled(_REPLACE), _compiled(_END)

STATE = re.compile(
    r"""
    (?<!right\ )(?<!just\ )(?<!until\ )(?<!by\ )(?<!up\ to\ )(?<!for\ )\bnow\b(?!\ and\ then|\ that)
    |\b(?:as\ of\ (?:today|now|this\ \w+)|from\ (?:now|here|this\ \w+|that\ \w+)\ on|became|has\ become|have\ become
    |from\ today(?:\ on)?|effective\ (?:today|immediately|now)|starting\ today
    |nowadays|(?<!noch\ )jetzt|nun(?:mehr)?|inzwischen|mittlerweile|neuerdings|geworden|(?:ab|seit)\ (?:sofort|heute
    |jetzt)
    |(?<!jusqu\ à\ )maintenant(?!\ que)|desormais|dorenavant|(?:à\ partir|à\ compter)\ d\ aujourd.hui
    |(?<!hasta\ )(?<!por\ )ahora(?!\ que)
    |(?:a\ partir\ de|desde)\ (?:hoy|ahora)|de\ ahora\ en\ adelante|devenue?s?|paso\ a\ ser|pasaron\ a\ ser
    |a\ partir\ de\ (?:esta|este)\ \w+|ab\ dieser\ woche|des\ cette\ semaine)\b
    |现在|如今|从今天起|即日起|从现在起|今は|現在は|現在、|本日から|今日から|今では
    """,
    re.VERBOSE,
)
CORRECTION = re.compile(
    r"""
    \b(?:correction|corrected|corrigendum|erratum|errata|actually|in\ fact|turns\ out(?:\ that)?|to\ be\ precise|typo
    |slip|got\ (?:it\ |that\ |this\ |something\ )?wrong|mixed\ (?:it\ |that\ )?up|mistyped|misheard|misread|misstated
    |i\ was\ wrong|i\ misspoke
    |my\ mistake|i\ made\ a\ mistake|that\ was\ wrong|korrektur|berichtigung|richtigstellung|richtig\ ist
    |in\ wirklichkeit|tatsachlich|eigentlich
    |ich\ habe\ mich\ (?:geirrt|vertan)|mein\ fehler|tippfehler|vertippt|verschrieben|verwechselt|verlesen|verhort
    |stimmt\ nicht|falsch\ (?:notiert|geschrieben|angegeben)|faute\ de\ frappe|coquille|erreur\ de\ ma\ part
    |je\ me\ suis\ mal\ exprimee?|confondu|confundi|errata|error\ mio|me\ confundi|rectification|rectificatif|en\ fait
    |en\ realite|je\ me\ suis\ trompee?
    |correccion|rectificacion|fe\ de\ erratas|en\ realidad|de\ hecho|me\ equivoque)\b
    |更正|纠正|订正|勘误|其实|实际上|事实上|说错了|搞错了|写错了|记错了|弄错了|看错了|笔误|口误|誤り|誤記|書き間違|言い間違|訂正|正しくは|実は|実際は|実際には|間違えました|間違いでした
    """,
    re.VERBOSE,
)


def _forms(*patterns: str) -> frozenset[str]:
    """The first words of the alternatives of patterns. A letter before a question mark may be missing."""
    found: set[str] = set()
    for word in "|".join(patterns).split("|"):
        forms = {""}
        for letter, mark in re.findall(r"(\w)(\??)", word.split(" ")[0]):
            forms = {form + letter for form in forms} | (forms if mark else set())
        found |= forms
    return frozenset(found)


# A sentence without any of these states no change. One check of its words costs little.
CUE_WORDS = _forms(_EN, _DE, _FR, _ES, _END_EN, _END_DE, _END_FR, _END_ES) | words(
    """
    became become geworden devenu devenue devenus devenues paso week woche semaine now nowadays today effective
    longer anymore instead rather place stopped quit ceased gave given renamed replaced replaces replace supersedes
    superseded succeeds succeeded took taken substituted exchanged not t but correction corrected corrigendum
    erratum errata typo slip got mixed mistyped misheard misread misstated tippfehler vertippt verschrieben
    verwechselt verlesen verhort stimmt falsch coquille faute erreur exprime exprimee confondu confundi error
    actually fact turns misspoke mistake wrong precise any jetzt nun nunmehr inzwischen mittlerweile neuerdings
    sofort heute mehr statt anstatt anstelle sondern nicht ersetzt ersetzte abgelost lost ausgetauscht umbenannt
    aufgehort wechselte wechselten zog zogen stieg stiegen korrektur berichtigung richtigstellung richtig
    wirklichkeit tatsachlich eigentlich geirrt vertan fehler maintenant desormais dorenavant aujourd plus lieu
    plutot remplace remplacee remplaces remplacees remplacent succede renomme renommee renommes renommees cesse
    mais pas non rectification rectificatif fait realite trompe trompee ahora hoy ya sino lugar vez deje dejo
    dejamos dejaron dejado reemplaza reemplazo reemplazamos reemplazado reemplazada reemplazaron sustituye
    sustituyo sustituimos sustituido sustituida sustituyeron renombro renombramos renombrado renombrada releva no
    adelante correccion rectificacion realidad hecho equivoque
    """
)
CUE_CHARACTERS = re.compile(
    r"""
    现在|如今|今天起|即日起|改|换|变|迁移|搬|转移|调整|切换|延长|延期|推迟|提前|更名|命名|升级|提高|降低|上调|下调|不再|不是|并非|而非|代替|取代|替换|替代|接替|停止|停用|取消|移除|删除
    |废弃|废除|下线|关闭|弃用|终止|不.{1,12}了|没.{1,12}了|更正|纠正|订正|勘误|其实|实际上|事实上|错了
    |今は|現在|本日から|今日から|今では|変更|移行|移転|切り替|切替|乗り換|引っ越|延長|移動|変わ|変え|前倒し|置き換|差し替|移り|移し|更新|引き上げ|引き下げ|転職|異動|交代|では?な|じゃな|代わりに
    |もう|廃止|中止|終了|取りやめ|停止|やめ|辞め|撤去|閉鎖|なくな|訂正|正しくは|実は|実際|間違
    """,
    re.VERBOSE,
)
