"""The words by which proposals, choices and changes are recognised. Data only.

Patterns match text as `words.plain` makes it, except those of options, which keep the original.
"""

from __future__ import annotations

from jotsam.core.patterns import lazy_pattern

PROPOSES = lazy_pattern(
    r"\b(?:i(?:'d| would| could| can)? (?:also )?(?:recommend|suggest|propose|go (?:with|for)|take|use"
    r"|prefer|lean|vote|pick|keep|start with)|my (?:recommendation|suggestion|pick|vote|preference)"
    r"|recommended|i'd)\b"
    r"|\b(?:shall|should) (?:i|we)\b|\bwant me to\b|\bdo you want\b|\bwould you (?:like|prefer"
    r"|rather)\b|\b(?:how|what) about\b|\bwe could\b|\bone could\b|\byou could\b|\boptions?\b"
    r"|\balternatives?\b|\btwo (?:ways|options|choices|possibilities|approaches)\b|\bthree (?:ways"
    r"|options|choices|approaches)\b"
    r"|\beither\b|\bwhich (?:one|do you|would you|way|of)\b|\bis usual\b|\bpossible (?:through|with"
    r"|via|by)\b|\bi see (?:two|three)\b|\bleaning\b|\bproposal\b|\bbest (?:option|choice|fit)\b"
    r"|\bich (?:wuerde|schlage|empfehle)\b|\bsoll(?:en)? (?:ich|wir)\b|\bentweder\b|\bwir koennten\b"
    r"|\bvorschlag\b|\bmoeglichkeiten\b|\bwelche[rsn]?\b.*\?"
    r"|\bje (?:propose|recommande|suggere|prendrais|conseille)\b|\bsoit\b.*\bsoit\b|\bveux-tu\b"
    r"|\bon pourrait\b|\b(?:propongo|recomiendo|sugiero|yo usaria|podriamos|quieres que|opciones)\b"
    r"|\b(?:proponho|recomendo|sugiro|podemos usar|quer que|proporrei|consiglio|suggerisco|vuoi che"
    r"|proponuje|polecam|moge|ik stel voor|zal ik)\b|建议|推荐|要不要|还是.*[？?]|提案|おすすめ|しましょうか"
)
RECOMMENDS = lazy_pattern(
    r"\b(?:i(?:'d| would)? (?:recommend|suggest|propose|go (?:with|for)|take|use|prefer|lean|pick|vote"
    r"|keep|tend)|my (?:own )?(?:recommendation|suggestion|pick|vote|proposal|favou?rite|choice|preference)|recommended"
    r"|best (?:option|choice|fit)"
    r"|ich (?:wuerde|empfehle|schlage)|je (?:recommande|prendrais|propose|conseille)|(?:recomiendo"
    r"|yo usaria|propongo|sugiero|recomendo|sugiro|consiglio|polecam|proponuje))\b"
)

# Words before a choice that carry nothing.
FILLER = lazy_pattern(
    r"^(?:(?:ok(?:ay)?|k|alright|all right|yes|yep|yeah|yup|ja+|jo|gut|fine|good|great|super|perfect"
    r"|sure|cool|nice|hm+|well|right|then|so|and|please|pls|plz|thanks|thx|danke|oh|ah|hey|deal|"
    r"sounds good|makes sense|makes total sense|agreed|exactly|fair enough|got it|of course|klar|genau"
    r"|gladly|with pleasure|by all means|absolutely|certainly|definitely|gerne?|avec plaisir|volontiers"
    r"|con (?:mucho )?gusto|volentieri|com prazer|graag|chetnie"
    r"|(?:that |this |it )?(?:sounds?|looks?|seems?) (?:\w+ ){0,2}"
    r"(?:good|great|fine|right|reasonable|sensible|fair|best)"
    r"|passt|einverstanden|oui|d'accord|si|vale|claro|bueno|sim|certo|va bene|tak|dobra|dobrze|jasne|好"
    r"|可以|行|嗯|はい|うん)\b[\s,.!:;-]*)+"
)
CONFIRMS = lazy_pattern(
    r"^(?:do(?: (?:it|so|that|this|both)\b|$)|go(?: ahead| for it| on)?$|go(?: ahead)?[,.!]|go (?:for|with)"
    r"|(?:do )?go ahead|those\b|these\b|all (?:of them|of it|three|four)\b"
    r"|(?:i|we)(?:'ll| will)? (?:take|go|use|keep|want|choose|pick|stay|stick)|take|use"
    r"|let'?s|lets|let it|keep|stay|stick|leave it|"
    r"as you (?:say|said|like|propose|suggest|recommend)|your (?:suggestion|recommendation|pick|call)"
    r"|then so|so be it|do as|please do|that one|this one|that works|works for me|approved|ship it"
    r"|make it so|"
    r"the (?:first|second|third|last|former|latter|other|simple|cheap|small|fast|boring)\w*|(?:first"
    r"|second|third|last|former|latter)\b|both\b|option\b|number\b|variant\b|variante\b|#?\d\b"
    r"|[a-d]\b(?!\w)|"
    r"mach(?:e|en wir)?\b|nimm|nehmen wir|machen wir|so machen|lass uns|bleib|wir nehmen|wir machen"
    r"|vas-y|fais|on prend|prends|prenons|la (?:premiere|deuxieme|seconde|troisieme)|le (?:premier"
    r"|deuxieme|second)|gardons|"
    r"dale|hazlo|vamos con|usa|usemos|toma|la (?:primera|segunda|tercera)|el (?:primero|segundo"
    r"|tercero)|nos quedamos|mejor|fai|facciamo|prendi|usiamo|la prima|la seconda|pode ser|faz|faca"
    r"|va[im]\w* (?:de|com)|usa a|bora|"
    r"rob|bierz|bierzemy|niech bedzie|zostaw|pierwsz\w+|drug\w+|doe maar|neem|用|就|选|第[一二三]|それで"
    r"|にしましょう|でお願い)"
)
THANKS_ONLY = lazy_pattern(
    r"^(?:thanks?|thank you|thx|danke|merci|gracias|obrigad\w|grazie|dzieki|bedankt|got it|i see"
    r"|understood|wow|ciao|bye|see you|later|谢谢|ありがとう)\b[\s\w.!,]{0,18}$"
)
ORDINALS = (
    (
        r"\b(?:1st|first|former|erste[rsn]?|premiere?|primer[ao]?|prim[ao]|primeir[ao]|pierwsz\w+|eerste)\b|^#?1\b"
        r"|\b(?:option|number|variante?|opcion|opcja|nr\.?|no\.?) ?#?(?:1|a|one)\b|^\(?a\)?(?:\b|$)|第一|一番目",
        0,
    ),
    (
        r"\b(?:2nd|second|latter|zweite[rsn]?|deuxieme|seconde?|segund[ao]|drug\w+|tweede)\b|^#?2\b|\b(?:option"
        r"|number|variante?|opcion|opcja|nr\.?|no\.?) ?#?(?:2|b|two)\b|^\(?b\)?(?:\b|$)|第二|二番目",
        1,
    ),
    (
        r"\b(?:3rd|third|dritte[rsn]?|troisieme|tercer[ao]?|terceir[ao]|terz[ao]|trzeci\w*|derde)\b|^#?3\b"
        r"|\b(?:option|number|variante?|opcion|opcja|nr\.?) ?#?(?:3|c|three)\b|^\(?c\)?(?:\b|$)|第三|三番目",
        2,
    ),
    (r"^#?4\b|\b(?:option|number) ?#?(?:4|d|four)\b|^\(?d\)?(?:\b|$)|\bfourth\b", 3),
    (r"\b(?:the )?last(?: one)?\b|\bletzte[rsn]?\b|\bultim[ao]\b|\bderniere?\b|\bostatni\w*\b", -1),
)

MIDDLE = lazy_pattern(
    r"\bmiddle\b|\bmittlere[rsn]?\b|\bdu milieu\b|\bdel medio\b|\bdi mezzo\b|\bdo meio\b|\bmiddelste\b"
    r"|\bsrodkow\w+|中间|真ん中"
)
REFUSES = lazy_pattern(r"\b(?:no|not|kein\w*|nicht|pas|sin|non|nao|sem|senza|geen|niet|nie|bez)\b|不要|别|ではなく")

# A user states a decision: in words that say so themselves, or in a language of which the model was taught little.
DECIDED = lazy_pattern(
    r"\b(?:we|i)(?:'ve| have|'re| are|'ll| will)? (?:just |now |finally |already |all |also )*(?:decided|agreed|chose"
    r"|chosen|picked|going with|go with|went with|going for|settled|switched|switching|migrating|dropping|ditched)\b"
    r"|\blet'?s (?:use|go (?!over|through)|take|keep|stay|switch|move|drop|make it|stick)\b|\bmake (?:it|that|them) \d"
    r"|\b(?:reicht|genuegt|bleibt|bleiben|basta|alcanza|chega|suffit|wystarczy)\b"
    r"|\bwir (?:haben (?:uns )?.{0,40}entschieden|nehmen|gehen (?:mit|auf)|wechseln|bleiben|bauen nur"
    r"|machen .{0,20}mit|sind (?:jetzt )?auf|steigen um|lassen)\b|\bnur noch\b|\b(?:ist|laeuft"
    r"|heisst) jetzt\b|\bjetzt (?:mit|auf|doch)\b|\bdoch (?:lieber|nicht|besser)\b|\bstattdessen\b"
    r"|\bmach(?:e|t)? (?:das )?\d"
    r"|\bon (?:passe|prend|garde|reste|utilise|a decide|abandonne)\b|\b(?:finalement|plutot)\b"
    r"|\b(?:pasamos|cambiamos|nos quedamos|usamos ahora|decidimos|dejamos|vamos a usar|mejor usamos"
    r"|al final)\b|\bahora (?:es|usamos|esta|corre)\b"
    r"|\b(?:passiamo|usiamo|restiamo|abbiamo deciso|lasciamo)\b|\b(?:mudamos|decidimos|vamos usar"
    r"|vamos ficar|agora (?:e|usamos|esta|roda))\b|\b(?:przechodzimy|zostajemy|uzywamy teraz"
    r"|zdecydowalismy|teraz)\b|改用|改成|换成|决定|不用了|にする|に変更|やめて"
)
# What was decided, or is otherwise from then on: it tells how things are, and orders nothing.
TELLS_CHOICE = lazy_pattern(
    r"(?<!what )(?<!when )(?<!if )(?<!why )(?<!as )(?<!before )(?<!after )(?<!because )(?<!whether )(?<!since )"
    r"\b(?:we|i)(?:'ve| have)? (?:\w+ly |just |now |all )*(?:decided|chose|chosen|picked|opted|agreed on"
    r"|settled (?:on|for)|went (?:with|for))\b|\bwir haben uns .{1,80}\bentschieden\b"
    r"|\bwir haben .{1,60}\b(?:gewaehlt|beschlossen)\b"
    r"|\b(?:on a|nous avons) (?:choisi|decide|opte|retenu)\b|\b(?:hemos (?:elegido|decidido|escogido|optado)|elegimos"
    r"|decidimos|escogimos|optamos)\b|\babbiamo (?:scelto|deciso|optato)\b|\b(?:escolhemos|decidimos|optamos)\b"
    r"|\bwe hebben .{0,60}(?:gekozen|besloten)\b|\b(?:wybralismy|zdecydowalismy|postanowilismy)\b"
    r"|我们(?:决定|选择|选了|选用)|に決めた|に決めました|にしました|を採用"
)
TELLS_CHANGE = lazy_pattern(
    r"\bwe\b.{0,80}\bno longer\b.{2,90}\b(?:now|instead|from \w.{0,30} on(?:wards?)?)\b"
    r"|\b(?:now|from (?:now|today|here) on),? we\b.{2,90}\bno longer\b"
    r"|\bwir\b.{0,80}\bnicht (?:mehr|laenger)\b.{2,90}\b(?:jetzt|nun|sondern|ab (?:jetzt|sofort|heute))\b"
    r"|\b(?:jetzt|ab (?:jetzt|sofort|heute)) \w+ wir\b.{2,90}\bnicht mehr\b"
    r"|\b(?:on|nous) (?:ne |n').{2,60}\bplus\b.{2,90}\b(?:maintenant|desormais|dorenavant)\b"
    r"|\bya no .{2,90}\b(?:ahora|desde (?:ahora|hoy)|a partir de (?:ahora|hoy))\b"
    r"|\bnon .{2,60}\bpiu\b.{2,90}\b(?:ora|adesso|d'ora in poi)\b|\bnao .{2,60}\bmais\b.{2,90}\b(?:agora|a partir de)\b"
    r"|\bwe\b.{0,80}\bniet (?:meer|langer)\b.{2,90}\b(?:nu|voortaan)\b|\bjuz nie .{2,90}\b(?:teraz|od teraz|od dzis)\b"
    r"|我们不再.{1,40}(?:现在|改)|(?:をやめて|ではなく).{1,40}(?:これから|今後|今は)"
)
# An assistant reports that something is different now.
CHANGED = lazy_pattern(
    r"^(?:done[,.:;-]? )?(?:i )?(?:have |'ve )?(?:changed|switched|moved|replaced|migrated|raised"
    r"|lowered|set|renamed|upgraded|bumped|downgraded|dropped|removed|deleted|reverted|swapped"
    r"|converted|increased|reduced|updated|retired|pinned|geloescht|umgestellt|ersetzt|entfernt"
    r"|geaendert)\b"
    r"|\b(?:is|are|runs?|uses?|goes|go|lives?|reads?|points?|sends?|stands?|listens?|deploys?|builds?"
    r"|writes?|expires?|takes?|accepts?|closes?|starts?|targets?) .{0,60}\bnow\b|\bnow (?:is|are|runs?"
    r"|uses?|goes|go|on|at|in|lives?|reads?|points?|sends?|listens?|deploys?|builds?|writes?|takes?"
    r"|accepts?|targets?|set to|called|with)\b"
    r"|\b(?:is|are|was|were) (?:removed|gone|replaced|dropped|deleted|retired|switched|moved|renamed"
    r"|upgraded|migrated|changed|reverted|out)\b|\bno longer\b|\bfrom [\w.+-]+ to [\w.+-]+"
    r"|\binstead of\b|\bback (?:to|on)\b"
    r"|\bnow[.!]?$|\b[a-z]*_[a-z_]+`? (?:is|are|=|ist|says) |\b(?:stays?|keeps?|bleibt|queda|fica|reste)\b"
    r"|\bjetzt\b|\bnur noch\b|\bwird nur\b|\b(?:ist|sind|wurde|wurden) (?:entfernt|geloescht|ersetzt"
    r"|umgestellt|weg|raus)\b|\bmaintenant\b|\bdesormais\b|\b(?:remplace|supprime|passe a)\b"
    r"|\b(?:ahora|cambiado|reemplazado|eliminado|movido|actualizado)\b|\b(?:adesso|ora (?:usa|gira|e)"
    r"|sostituito|rimosso)\b|\b(?:agora|trocado|substituido|removido|mudado|atualizado)\b|\b(?:teraz"
    r"|zmieniono|zamieniono|usuniet\w*|przeniesion\w*)\b|现在|已改|已换|改为|に変更|になりました"
)
REMOVES = lazy_pattern(
    r"\b(?P<a>(?:[\w.+-]+ (?:and|und|y|et|e) (?:the )?)?[\w.+-]+(?: [\w.+-]+)?) "
    r"(?:is|are|was|were) (?:now )?(?:removed|gone|dropped|deleted"
    r"|retired|out|history|dead|weg|raus)\b|\b(?:removed|dropped|deleted|retired|ditched|uninstalled"
    r"|throw(?:n|ing)? out|kick(?:ed)? out|rip(?:ped)? out|get rid of|got rid of|left|leave|leaving"
    r"|drop|moved (?:away )?(?:from|off)|switched from|migrated (?:away )?from|instead of|replaced"
    r"|replaces|no longer (?:use|uses|using|on)|nicht mehr|statt|weg von|en vez de|en lugar de"
    r"|au lieu de|invece di|ao inves de|zamiast)(?: the| our| all| die| das| den| el| la"
    r"| le)? (?P<b>[\w.+@/-]+(?: [\w.+-]+)?)"
)
# The first request of a project, which names what it is made of.
STARTS = lazy_pattern(
    r"\b(?:new|begin|start\w*|create|set ?up|skeleton|scaffold|init\w*|boilerplate|service|firmware"
    r"|project|neues?|nouveau|nouvelle|nuevo|nueva|novo|nova|nowy|repo|app)\b"
)

ASKS = lazy_pattern(
    r"^(?:and |but |so |ok |hm+ )*(?:what|why|how|who|where|which|when|is it|are there|do i|do we|does|did"
    r"|can you|could you|wie|warum|wer|wo|wann|welche\w*|comment|pourquoi|como|por que|cuando|quando)\b"
)

# How an answer begins that repeats what was decided: "Nomad then", "CairoMakie it is".
ECHO = lazy_pattern(
    r"\b(?:then|it is)[.!]?$|^then\b|^(?:also|dann(?: also)?|va pour|ce sera|entonces|allora|entao|dan|czyli)"
    r" (?!i |ich |je )\w+|\b(?:entonces|allora|entao)[.!]?$|^那就|ですね[。]?$"
)
