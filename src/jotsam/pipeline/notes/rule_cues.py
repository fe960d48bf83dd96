"""The words by which rules are recognised, and those by which an order holds for once. Data only.

Patterns match text in lower case without diacritics ("ä" is "ae"), as `words.plain` makes it.
"""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern

_AMOUNT = r"\d[\d.,]*(?: ?[^\W\d]+)?,? "  # with its unit

# Enough with a little of the form of an order. Of English only those that were right of sentences of several authors:
# what else says an order there is known by `sentence_model.py`.
STRONG = (
    r"from now (?:on|no|only|please|always|never)\b|from here on|going forward|in (?:the )?future\b"
    r"|\brule\s*(?:#?\d+)?\s*:",
    r"\b(?:is|are|'s|'re|its) (?:\w+ly )?(?:a must|mandatory|compulsory|forbidden|banned|taboo|off[- ]limits"
    r"|not allowed|required|sacred|read[- ]only)\b",
    r"\b(?:each|every|all|any|no) [\w -]{2,40}? (?:must|needs?|has to|have to|gets?|should|shall|goes?|go)\b",
    r"\balways (?:be|in|with|as|use|run|write|ask|put|add|make|keep|check|do)\b|^(?:never|always)\b"
    r"|\balways[.!]*$",
    r"\bnever (?:ever )?(?:be|use|push|commit|merge|deploy|touch|edit|change|write|put|add|do|run|call"
    r"|make|say|send|log|print|import|install|delete|remove|drop|store|return|mock|skip|force|guess|create|start)\b",
    r"\bi(?:'d| would)? (?:really |strongly |always |much )?(?:prefer|want you|want that|insist"
    r"|expect you|hate(?! it\b| this\b| that\b| when)|can't stand(?! it)|dislike)\b",
    r"\b(?:ask|tell|show|warn|check with) (?:me|us|first)\b.{0,40}\b(?:first|before|beforehand)\b",
    r"\bbefore (?:you |each |every |any |committing|pushing|merging|deploying|installing|changing"
    r"|touching|running|starting|writing|coding)",
    r"\b(?:without|unless) (?:asking|my (?:ok|okay|go|permission|consent|approval)|i (?:say|ask|tell)|showing)\b",
    r"\b(?:in|for) (?:this|our) (?:repo|repository|project|codebase|code base|team)\b.{0,40}\b(?:we"
    r"|only|use|no|not|is|are)\b",
    r"\b(?:i|we) (?:already )?(?:said|told you|asked you)\b|\bhow (?:many times|often)\b",
    r"\bkeep (?:your |the |all )?(?:answers?|replies|responses?|explanations?|summaries|messages?) "
    r"(?:short|brief|concise|simple)\b|\bbe (?:brief|concise|terse)\b",
    r"\b(?:no|zero|skip the|spare me the|stop with the) (?:emojis?|novels?|essays?|fluff|smileys?"
    r"|apologies|preambles?|pleasantries)\b",
    r"^(?:so |and |but |please,? |pls )*(?:no (?:more|further) (?!errors?|warnings?|failures?|problems?|crash|time"
    r"|questions?|space|memory|disk|data|news|thanks?)\w+|quit \w+ing)\b",
    r"^(?:please |pls |and |also |so )*stop (?:using|adding|writing|putting|doing|asking|committing"
    r"|touching|creating|making|running|changing|saying|mocking|guessing)\b",
    r"\b(?:for|in|on|across|goes for|counts for|none of|all of) (?:all |every |each "
    r"|any )?(?:of )?(?:my|our) (?:other )?(?:repos?|repositories|projects)\b",
    r"\b(?:gets?|comes?|goes|go|lives?|stays?|belongs?|are|uses?|returns?|takes?|starts?|ends?|runs?|with|in|by"
    r"|from) .{2,70}, ?(?:and )?(?:not|never|no) \w+",
    # Said to be the last word.
    r"[,.;] ?(?:period|full stop|end of story|no exceptions?|without exceptions?|no discussion"
    r"|not (?:up for discussion|discussing (?:it|that|this)))[.!]*$",
    r"\b(?:basta|ohne (?:jede )?ausnahmen?|keine (?:ausnahmen?|diskussion)|point final|point barre"
    r"|sans (?:aucune )?exception|y punto|punto final|sin excepci\w+|punto e basta|senza eccezioni|ponto final"
    r"|sem excec\w+|punt uit|zonder uitzondering\w*|bez wyjatk\w+|koniec kropka)\b|[,.;] ?punkt[.!]*$"
    r"|没有例外|无一例外|例外な[くし]",
    # German
    r"\b(?:immer|niemals|nie wieder|nie|ab jetzt|ab sofort|von jetzt an|kuenftig|in zukunft"
    r"|grundsaetzlich|ausnahmslos|jedes ?mal|prinzipiell)\b",
    r"\bnur noch (?:mit|ueber|per|in)\b|\bnur (?:mit|ueber|per|via|in|auf|nach)\b|\bauf keinen fall\b"
    r"|\bunter keinen umstaenden\b|\bist (?:verboten|pflicht|tabu)\b",
    r"\b(?:jede[rs]?|alle) [\w -]{2,40} (?:muss|muessen|braucht|brauchen|bekommt|soll|sollen)\b"
    r"|\bbitte (?:kein|keine|keinen|nie|nicht mehr)\b",
    r"\b(?:frag|zeig|sag)e? (?:mich|mir|uns)?.{0,25}\b(?:vorher|zuerst|bevor)\b|\b(?:ohne"
    r"|nicht ohne) (?:zu fragen|rueckfrage|meine? (?:ok|freigabe))\b",
    r"\bwir (?:nutzen|verwenden|benutzen|nehmen|schreiben|testen mit) .{1,40}, (?:nicht|kein)\b"
    r"|\bhoer auf\b|\blass das\b|\bich (?:will|moechte|mag) (?:keine?|nicht)\b",
    r"\bauch wenn wir\b|\bwie gesagt\b|\bhabe? ich (?:schon|doch) gesagt\b",
    # French
    r"\b(?:toujours|jamais|desormais|dorenavant|a partir de maintenant|a l'avenir|chaque fois|systematiquement)\b",
    r"\b(?:il faut|on doit|doit|doivent) (?:toujours |etre |avoir |passer )|\b(?:est"
    r"|sont) (?:interdits?|obligatoires?)\b|\buniquement (?:avec|via|par|en)\b",
    r"\b(?:arrete|evite|arretez) (?:de|d')\b|\bdemande(?:-moi)? avant\b|\bje (?:prefere|veux que"
    r"|ne veux (?:pas|plus))\b|\bplus (?:de|jamais)\b|\bau lieu de\b",
    # Spanish
    r"\b(?:siempre|nunca|jamas|a partir de ahora|de ahora en adelante|en adelante|cada vez que)\b"
    r"|\bnada de\b|\bsolo (?:con|por|via|en|mediante)\b",
    r"\bantes de .{2,60}(?:me )?(?:preguntas?|avisas?|consultas?)\b|\b(?:vale|va) para todos?\b",
    r"\b(?:hay que|deben?|tienen? que) (?:siempre |ser |tener |ir |pasar )|\b(?:esta )?prohibido\b"
    r"|\bes obligatori[oa]\b|\b(?:prefiero|deja de|evita)\b|\bpregunta(?:me)? antes\b",
    # Italian
    r"\b(?:sempre|d'ora in poi|ogni volta)\b|\bmai (?:usare|piu|fare|toccare)\b|\bnon .{1,30} mai\b"
    r"|\bsolo (?:con|tramite|via)\b|\b(?:vietato|obbligatorio|preferisco|smetti di)\b",
    # Portuguese
    r"\b(?:a partir de agora|daqui (?:pra|para) frente|toda vez|cada vez que)\b|\bso (?:com|via|pelo"
    r"|pela)\b|\btem que\b|\b(?:proibido|obrigatorio|prefiro|pare de|para de)\b",
    # Dutch
    r"\b(?:altijd|nooit|vanaf nu|voortaan|elke keer)\b|\balleen (?:met|via)\b|\b(?:verboden"
    r"|verplicht)\b|\bstop met\b|\bvraag (?:me )?eerst\b",
    # Polish
    r"\b(?:zawsze|nigdy|od teraz|za kazdym razem)\b|\btylko (?:przez|z|w)\b|\b(?:zabronione|przestan"
    r"|nie ruszaj|obowiazkowo)\b|\bmusi (?:byc|miec)\b",
    # Chinese, Japanese
    r"一律|总是|始终|永远|从不|不要再|别再|以后|今后|从现在起|必须|只能|禁止|不许|不准|每次|务必",
    r"常に|必ず|絶対|今後|これからは|してはいけない|しないで|毎回|いつも",
)

# Enough by themselves: what may never be, and what is needed from a limit on.
DEMANDS = (
    # Of nobody and nothing, whatever the case: what may not be. Past and state are left out, which tell what is so.
    r"^(?:and |so |but |please )*(?:nobody|no one|nothing|none of \w+)\b.{0,60}?\b(?:may|must|shall|should|is to|are to"
    r"|gets? to|ever (?!saw|had|was|were|did|got|went|came|told|said|knew|\w+ed\b)\w+)\b",
    r"^(?:niemand|keiner|nichts)\b.{0,60}\b(?:darf|soll|sollte)\b|^(?:personne|rien) ne (?:doit|peut|devrait)\b"
    r"|^(?:nadie|nada) (?:debe|puede|deberia)\b|^(?:nessuno|niente) (?:deve|puo|dovrebbe)\b"
    r"|^(?:ninguem|nada) (?:deve|pode|deveria)\b|^(?:niemand|niets) (?:mag|moet)\b"
    r"|^(?:nikt|nic) nie (?:moze|powinien|powinno)\b"
    r"|(?:谁都|任何人都?|任何东西都?)不(?:能|许|准|得)|誰も.{1,12}(?:ならない|いけない)",
    # What must not be, with a word that says for how long.
    r"^(?:and |so |but |please )*no (?!luck|idea|problem|way|wonder|chance)[\w' -]{2,50}, ?(?:ever|never)[.! ]*$",
    # From a limit on, something is needed.
    rf"\b(?:above|over|below|under|beyond|(?:more|less|fewer|larger|smaller|older) than) {_AMOUNT}"
    r"(?:needs?|requires?|must|has to|have to)\b(?! (?:too|more|longer|much|about|only|\d|hours?|minutes?|seconds?))",
    rf"\b(?:ab|ueber|unter|mehr als|weniger als) {_AMOUNT}(?:brauch\w+|muess\w+|muss|beduerf\w+|benoetig\w+)\b"
    rf"(?! (?:zu|mehr|laenger|nur|\d))|\b(?:au[- ]dessus de|au[- ]dela de|plus de|moins de) {_AMOUNT}"
    rf"(?:doivent|doit|necessitent?|exigent?|demandent?)\b|\b(?:mas de|menos de|por encima de|superiores a) {_AMOUNT}"
    rf"(?:necesitan?|requieren?|deben?|tienen? que)\b|\b(?:sopra|oltre|piu di|meno di|superiori a) {_AMOUNT}"
    rf"(?:devono|deve|richiedono|richiede)\b|\b(?:acima de|mais de|menos de) {_AMOUNT}(?:precisam?|devem?|exigem?"
    rf"|requerem?)\b|\b(?:boven|vanaf|meer dan|onder) {_AMOUNT}(?:moet(?:en)?|vereis(?:t|en))\b"
    rf"|\b(?:powyzej|ponad|ponizej) {_AMOUNT}(?:wymagaja?|musza|musi)\b"
    r"|(?:超过|以上|以下).{0,8}(?:必须|需要)|(?:以上|を超える|未満).{0,14}(?:必要|なければ)",
)

# How things are done, without an order.
STATED = (
    r"\b(?:doesn'?t|dont|don'?t|does not|do not|never) \w+ (?:here|there|in|on|from)\b|\blives? in\b"
    r"|\bone \w+ per \w+",
    r"\bwe (?:don'?t|do not|dont) (?!know|have|need|want|think|see|understand|care|mind|get)\w+",
    r"^(?:and |also |please |pls )*keep (?:the |all |your |our )?[\w -]{3,40} (?:in|out of|under|small"
    r"|thin|short|sorted|flat|pure|simple|separate)\b|, (?:and |but )?(?:please |pls )?(?:do not|don'?t|dont) \w+",
    r"\b(?:passent?|rien) (?:par|en|de)\b|\b(?:pasan?|pasa) por\b",
    r"\b(?:gehoert|gehoeren|kommt|kommen|bleibt|wird|werden|braucht|brauchen) .{2,60}"
    r"|\bwir \w+en (?:das|die|den|keine?n?)\b",
    r"\b(?:on (?:ne |n')\w+|va dans|vont dans|doit|faut|va en|van en|debe|hay que|no se|va in|vanno in|deve|bisogna)\b",
)

# Enough in an order, if nothing says that it is for once.
WEAK = (
    r"^(?:every|each|all) (?!second|other|time|day|morning|run|night|week|now)[\w`-]+(?: \w+)? (?:has"
    r"|have|is|are|gets?|comes?|lives?|needs?|starts?|ends?|uses?)\b",
    r"^(?:(?:and|also|but|ok|okay|please|pls|plz|so|btw|hey|no|oh|ah|again|,)[\s:]*)*(?:do not|don'?t|dont"
    r"|never)\s+(?!worry|know|think|bother|mind|care|understand|get it|be |see|forget|need|have)\w+",
    r"^(?:all |the |our |my )?(?:commit messages?|commits|comments?|code comments|branch(?:es| names)?"
    r"|tests?|migrations?|names?|variables?|functions?|classes|components?|prs?|pull requests?|docs|docstrings"
    r"|endpoints?|errors?"
    r"|dates?|timestamps?|money|amounts?|prices?|units?|ids?|secrets?|passwords?|config|imports?|releases?|logs?) "
    r"(?:are |is |we make |we write |go |goes |belong |stay |live |come |always |please |must |should "
    r"|in |as |with |use |get |only )+",
    # It may also complain: what is said next, or the answer, makes it sure.
    r"^(?:and |so |but |no |, )*(?:you|u|ye) (?:never|don'?t|do not|dont|may not|must not|are not to)\s+"
    r"(?!worry|know|think|bother|mind|care|understand|get|be|see|forget|need|have|want|like|listen|read|look|remember"
    r"|seem|run|test|say|tell|answer|even|always|really|ever|just|still|do)\w+",
    r"\b(?:mensajes de commit|comentarios|nombres|ramas|commit-?(?:nachrichten|messages)|kommentare"
    r"|namen|messages de commit|commentaires|noms|messaggi di commit|commenti|nomi|mensagens de commit"
    r"|comentarios)\b.{0,30}\b(?:en|auf|in|em)\b",
    r"\b(?:bleib(?:t|en)|reste(?:nt)?|qued(?:a|an)|fica(?:m)?"
    r"|zostaj[ea]) (?:in|im|bei|auf|en|dans|em|no|na|w)\b",
    r"\b(?:kein|keine|keinen) (?!ahnung|problem|sorge|zeit|lust|stress|plan|eile)\w+"
    r"|^(?:bitte )?nicht \w+|\bstatt\b",
    r"^(?:pas de|sans|n'\w+ pas|ne \w+ pas) |\bpas (?:de|d') ?(?!probleme|souci)\w+",
    r"^(?:no (?:uses|hagas|toques|pongas|subas|cambies|metas|escribas|borres)|sin) ",
    r"^(?:nao (?:us[ea]|usar|faca|mex[ea]|coloqu?[ea]|suba|toque|mete)|sem|niente|non (?:usare|toccare"
    r"|fare|mettere)|geen|nie uzywaj|bez) ",
    r"不要|别|ないで|禁止",
)

# What holds once. It outweighs all cues but those of `FOREVER`.
ONCE = (
    r"\b(?:yet|for now|right now|at present|presently|currently|at the moment|for the moment"
    r"|for the time being|just now|tonight|today|tomorrow|temporarily"
    r"|meanwhile|this one (?:time|commit|pr)|just this once|only this time"
    r"|for once)\b",
    r"\bthis (?:time|once|evening|morning|afternoon|week|weekend|sprint|release|round|pr|commit|branch"
    r"|session|month|one)\b|\bone (?:time only|time)\b|\bnext (?:week|month|sprint|release)\b",
    r"\b(?:until|till|before|after) (?:the |my |our )?(?:mon|tues|wednes|thurs|fri|satur|sun)?(?:day\b"
    r"|demo|release|weekend|meeting|launch|holiday|fair|exam|review|deadline|freeze|lunch|monday"
    r"|friday)",
    r"\b(?:until|till) (?:i|we|he|she|they|it|that|tomorrow|next|then|noon|\d)\b|\bwhile (?:i|we|he"
    r"|she|they|the)\b|\bi (?:want|need|have) to \w+ (?:\w+ )?first\b|\bi (?:want|need"
    r"|have) to (?:look|check|see|read|think|sleep|test|ask)\b",
    r"(?<!from )\bnow\b(?! on\b)|\bnot (?:now|today|yet|this time)\b|\blater\b|\bin a (?:minute|moment"
    r"|sec|bit)\b|\bfirst let me\b|\blet me .{1,30} first\b|\bstill need (?:them|it|that)\b",
    r"\b(?:noch nicht|heute|diesmal|dieses mal|ausnahmsweise|erst ?mal|vorerst|fuers erste|im moment"
    r"|gerade|jetzt noch|morgen|nachher|spaeter|heute abend)\b|\bbis (?:morgen|montag|dienstag"
    r"|mittwoch|donnerstag|freitag|zur|zum|ich)\b|\berst nach\b",
    r"\b(?:pas encore|pour l'instant|pour le moment|aujourd'hui|cette fois|ce soir|plus tard|demain"
    r"|d'abord|avant (?:lundi|vendredi|la))\b",
    r"\b(?:todavia no|aun no|por ahora|de momento|por el momento|hoy|esta vez|esta noche|esta tarde"
    r"|manana|luego|mas tarde|hasta (?:que|el|manana))\b",
    r"\b(?:non ancora|per ora|per adesso|oggi|stavolta|questa volta|stasera|domani|dopo)\b"
    r"|\b(?:ainda nao|por enquanto|hoje|desta vez|dessa vez|por agora|amanha|depois)\b",
    r"\b(?:nog niet|voorlopig|vandaag|deze keer|vanavond|straks)\b|\b(?:jeszcze nie|na razie|dzisiaj"
    r"|dzis|tym razem|jutro|pozniej)\b",
    r"先不要|先别|暂时|今天|这次|明天|まだ|今日|今回|とりあえず|一旦|明日",
)
FOREVER = (
    r"\b(?:(?:for|in) (?:all|every) (?:of )?(?:my|our)|not only (?:this|here)|none of my|todos mis"
    r"|in allen|from now on|always|never(?! mind)|for all times?|every ?time|without exception|immer"
    r"|niemals|ab jetzt|siempre|nunca|toujours|jamais|zawsze|nigdy|sempre)\b|必须|一律|常に|必ず"
)

# Statements about what happens, not orders: "it always fails", "I never understood".
DESCRIPTIVE = (
    r"\b(?:it|that|this|he|she|they|the \w+|which|tests?|build|ci|app|page"
    r"|server) (?:\w+ ){0,2}(?:always|never|still|keeps?|only) (?:\w+ )?"
    r"(?:fails?|failing|crash\w*|breaks?|broke|hangs?|works?|worked|happens?|happened|times? out"
    r"|arrives?|finish\w*|loads?|returns?|gets?|got|shows?|came|comes|takes?|ends?|stops?|dies|does"
    r"|did|had|was|were|been|runs? (?:out|into)|ran|sees?|saw)\b",
    r"\b(?:i|we|you) (?:never|always) (?:understood|understand|knew|know|had|saw|seen|heard|tried"
    r"|used to|got|get|forget|remember(?:ed)?|thought|think|wondered|liked|worked|met|noticed|did|was"
    r"|were)\b",
    r"\bnever ?mind\b|\bas always\b|\blike always\b|\bwie immer\b|\bcomme toujours\b|\bcomo siempre\b"
    r"|\bbetter late than never\b|\bimmer noch\b|\bnoch immer\b|\bimmer wieder\b|\bsiempre (?:falla"
    r"|pasa)\b|\bplante toujours\b",
    r"\b(?:what if|if we|if i|suppose|imagine|should we|should i|could we|shall we|would it|maybe we"
    r"|i wonder|is it (?:ok|possible)|can (?:we|you|i)\b(?! (?:always|please always|never)))",
    r"\b(?:my|the|his|her|their|a|der|die|mein|meine|o|a|el|la|le|mon|ma) (?!rule|docs?"
    r"|readme)\w+ (?:says?|said|thinks?|told|wrote|claims|meint|sagt|sagte|findet|falou|disse|dice"
    r"|dijo|dit|pense)\b|\bsent me\b",
    r"\bnunca \w+(?:ram|ou|ei|aram|eram)\b|\bnunca (?:ha|he|han|habia)\b|\bno idea\b|\bon the list\b",
    r"\b(?:says?|said|told me|wrote|shows|reports|meint|meldet|sagt|zeigt|dit|affiche|dice|muestra|diz|mostra|zegt|mowi"
    r"|according to|they want|wants) ?[:,]? ?[\"“„«'](?!s\b)",
)

# Of everything we do, not of one repository. What is about the person, and not about a project, is known by
# `sentence_model.py`; of other languages there are few sentences, and words of it are here.
OF_PERSON = (
    r"\b(?:everything|all|always when|whatever|anything) (?:what |that )?we (?:do|work)\b|\b(?:in|for"
    r"|across) (?:all|every|each|any) (?:of )?(?:my |our )?(?:other )?(?:projects?|repos?"
    r"|repositor(?:y|ies)|sessions?|conversations?)\b",
    r"\b(?:in general|generally|no matter which (?:repo|project)|not (?:just|only) (?:here"
    r"|in this (?:repo|project))|(?:whichever|whosever|whoever'?s) (?:repo|project)|any other of (?:mine|ours))\b",
    r"\b(?:answers?|repl(?:y|ies)|respon[ds]\w*|explain\w*|explanations?|tone)\b"
    r"(?!.{0,30}\b(?:api|endpoint|http|json|server|status|client|schema)\b)",
    r"\b(?:my|of my) (?:other )?(?:repos?|repositories|projects)\b|\bnot only (?:this|here)\b"
    r"|\bother (?:repos|projects)\b|\ball what we do\b|\btodos (?:mis|los) proyectos\b",
    r"\b(?:antworte?n?|erklaer\w*|zusammenfass\w*|rede|sprich|duz\w*|frag mich|in allen projekten"
    r"|ueberall)\b|\b(?:reponses?|reponds|explique\w*|partout|dans tous (?:mes|les) projets)\b",
    r"\b(?:respuestas?|responde|expl\w*ca\w*|en todos (?:mis|los) proyectos)\b|\b(?:respostas?"
    r"|em todos os projetos|rispost\w+|in tutti i progetti|odpowied\w+|odpowiadaj"
    r"|we wszystkich projektach|antwoord\w*)\b|\bemojis?\b",
)

# What an assistant says when it takes an order for good, and when for once.
TAKEN = (
    r"^(?:understood|noted|confirmed|got it|ok(?:ay)?[,.]? (?:noted|from|only|always|never|will|i will|i'll)|will do"
    r"|from now on|agreed|verstanden|notiert|alles klar|compris|note|entendido|anotado|capito|zrozumiano"
    r"|i(?:'ll| will) (?:always|never|only|remember|keep|stick|use|ask|write)|remembered|saved)\b"
)
# What it says when it holds itself to an order from then on, or has a check see to it.
ENFORCING = (
    r"\bfrom (?:now|here) on\b|\bi (?:will |'ll )?(?:only|never|always|ask|leave|keep|hand|wait|show|stick)\b"
    r"|\bi(?:'ll| will|'m| am) (?:not|never|only|always|ask|leave|keep|hand|stop|stay|wait|show|stick)\b|\bi won't\b"
    r"|\b(?:refuses?|rejects?|forbids?|enforces?)\b|\bas an error\b|\bread-only\b|\bexits with\b"
    r"|\bfails? (?:if|on|when|for|the (?:build|check|pipeline))\b|\b(?:lint\w*|hook|pre-commit|check|rule|test)\b"
    r"(?: now)? (?:fails|catches|stops|sees to|makes sure|guards|blocks|that)\b"
    r"|\b(?:contributing|claude|agents|conventions|guidelines)(?:\.md)\b"
)
# An order that takes back an earlier one.
REVOKED = (
    r"\b(?:you|we|u) (?:can|may|could) .{2,60}\b(?:again|now|after all)\b|\b(?:is|are) (?:ok|okay|fine"
    r"|allowed|welcome) (?:again|now|after all)\b|\b(?:forget|drop|ignore|scrap|lift) (?:the|that"
    r"|my) rule\b",
    r"\bno need (?:to|for) .{2,60}any ?more\b|\b(?:don'?t|do not|doesn'?t) (?:have"
    r"|need) to .{2,60}any ?more\b|\b(?:darfst|duerfen|kannst) .{2,60}\b(?:wieder|jetzt|doch)\b"
    r"|\bdoch wieder\b|\bnicht mehr noetig\b",
    r"\b(?:puedes|podemos) .{2,60}\b(?:otra vez|ya|de nuevo)\b|\btu peux .{2,60}\b(?:a nouveau"
    r"|de nouveau|maintenant)\b",
)


# A sentence that only says how far the one before it reaches.
REACH = (
    r"^(?:and )?in (?:everything|all|anything|whatever) (?:that )?(?:you|we|i) (?:do|write|make|build|touch)\b.{0,60}$|"
    r"^(?:and |so )?(?:(?:this|that|it|which) )?(?:(?:is|goes|holds|counts|applies) )(?:valid )?(?:for"
    r"|in) (?:everything|all|every|any)\b.{0,60}$|^(?:the )?same (?:in|for|with) (?:all )?(?:my|the|our)"
    r" others?\b.{0,30}$|^(?:same|applies|holds|goes) everywhere\b.{0,30}$"
    r"|^(?:here and )?everywhere\b.{0,20}$|^(?:(?:in )?this (?:repo\w*|project)(?: and|,) )?(?:in )?(?:every|all|any) "
    r"(?:of )?(?:my |our )?(?:other )?(?:repo\w*|projects?)\b.{0,20}$"
    r"|^(?:and )?(?:that'?s|this is|it'?s) (?:for|about) (?:whatever|everything|anything|all|any)\b.{0,60}$"
    r"|^(?:nirgend(?:s|wo)|ueberall|egal in welche[mr])\b.{0,30}$|^(?:das gilt"
    r"|gilt) .{2,40}$|^(?:vale|va) para tod.{2,40}$|^(?:ca vaut|c'est pareil) .{2,40}$"
)


def _joined(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns))


STRONG_RULE, WEAK_RULE, STATED_RULE, FOR_ONCE, DESCRIBES = map(_joined, (STRONG, WEAK, STATED, ONCE, DESCRIPTIVE))
DEMANDED = _joined(DEMANDS)
PERSONAL, TAKEN_BACK = map(_joined, (OF_PERSON, REVOKED))
FOR_EVER, ACKNOWLEDGED, ENFORCED, REACHES = map(re.compile, (FOREVER, TAKEN, ENFORCING, REACH))
# What only leads to an order, in the next sentence; and one that holds in other projects too.
LEADS = lazy_pattern(
    r"(?:and |just )?(?:one|a) (?:(?:small|general|last|more|other|little) )*(?:request|remark|thing|note|wish)\b"
)
ELSEWHERE = lazy_pattern(
    r"(?:\bnot|n't) (?:about|only|just) (?:in |for )?(?:this|the|that) (?:repo\w*|project|code ?base)\b"
)
# An order that begins so is one, of any subject.
EXPLICIT = lazy_pattern(
    r"(?:never|always|from (?:now|here) on|going forward|do not ever|don'?t ever|niemals|nie|immer|ab (?:jetzt|sofort)"
    r"|jamais|toujours|desormais|nunca|siempre|a partir de ahora|mai|sempre|nooit|altijd|voortaan|nigdy|zawsze)\b"
    r"(?! (?:\w+(?<!e)ed|mind|seen|heard|got|been|had|found|thought|again|knew|was|is|it|the same)\b)"
)
