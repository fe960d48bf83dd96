"""The words by which French is read."""

from __future__ import annotations

from jotsam.pipeline.languages.language import Language

_CHANGED = (
    "change|changee|changes|deplace|deplacee|deplaces|reporte|reportee|reportes|prolonge|prolongee|passe|passee|passes"
    "|augmente|augmentee"
    "|reduit|reduite|baisse|baissee|avance|avancee|migre|migree|transfere|transferee|demenage|etendu|etendue|modifie"
    "|modifiee|fixe|fixee|repousse|repoussee|porte|portee|ramene|ramenee|decale|decalee|bascule|remonte|raccourci"
    "|raccourcie"
)
_ENDED = (
    "supprimee?s?|retiree?s?|abandonnee?s?|arretee?s?|fermee?s?|annulee?s?|desactivee?s?|eliminee?s?|interrompue?s?"
    "|resiliee?s?|enlevee?s?"
)

LANGUAGE = Language(
    code="fr",
    # Dates
    months="""
        janvier|février fevrier|mars|avril|mai|juin|juillet|août aout|septembre|octobre|novembre|décembre
        decembre
    """,
    weekdays="lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
    numbers="un une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze",
    more_numbers="quinze vingt trente quarante cinquante cent",
    units="""
        millisecond: millisecondes
        second: seconde secondes
        minute: minutes
        hour: heure heures
        day: jour jours
        week: semaine semaines
        month: mois
        year: an ans année annees années annee
        franc: francs
        percent: pourcent
        bytes: octets mo go
        degree: degres
    """,
    times="hier demain avant-hier aujourd'hui dernier dernière prochain prochaine depuis récemment",
    day_parts="midi minuit matin soir",
    ordinals="er",
    oclock=r"heures\b(?=\W*$)",
    millions="millions",
    relative=(
        ("day -2", r"avant-hier"),
        ("day -1", r"hier"),
        ("day 0", r"aujourd'hui"),
        ("day 2", r"après-demain"),
        ("day 1", r"demain"),
        ("week -1", r"(?:la )?semaine (?:dernière|passée)"),
        ("month -1", r"(?:le )?mois (?:dernier|passé)"),
        ("year -1", r"l'an(?:née)? derni(?:er|ère)"),
        ("week 0", r"cette semaine"),
        ("month 0", r"ce mois-ci"),
        ("year 0", r"cette année"),
        ("week 1", r"(?:la )?semaine prochaine"),
        ("month 1", r"(?:le )?mois prochain"),
        ("year 1", r"l'an(?:née)? prochaine?"),
    ),
    ago="il y a {}",
    ahead="dans {}",
    last_weekday="{} dernier",
    next_weekday="{} prochain",
    range_to="au|à",
    senses=(
        ("as of", r"à la date du|en date du"),
        ("before", r"avant"),
        ("after", r"après"),
        ("since", r"depuis|à partir d[eu]"),
        ("until", r"jusqu'(?:en|au|à)"),
        ("in", r"en|au|le"),
    ),
    between=r"entre",
    # Words of sentences
    articles="le la les l un une des ce cet cette ces",
    indefinite="un une des",
    first_person="je j mon ma mes moi me m",
    group="nous notre nos on",
    second_person="tu toi ton ta tes vous votre vos",
    pronouns="il elle ils elles ca cela ce c leur leurs son sa ses",
    function="""
        le la les l un une des du de d ce cet cette ces il elle ils elles on nous je j me m mon ma mes notre nos
        vos votre son sa ses leur leurs tu se s et ou mais donc alors tres plus y en qui que qu dont est sont
        etait etaient suis es sommes ete a ai as ont avons avait avaient maintenant desormais actuellement
        aujourd hui deja dorenavant finalement à ne n pas jamais rien ni dans sur sous au aux par pour avec chez
        vers depuis jusqu jusque comme lors enfin
    """,
    of="de du des d",
    prepositions="à de du des d dans sur sous au aux par pour avec chez vers en comme jusqu",
    parts="pour dans chez en sous pendant par sur",
    places="à dans au aux en chez sur vers",
    negations="pas ne n jamais",
    vague="ce cet cette ces autre autres certains certaines quelques plusieurs tout tous quelqu'un",
    means="avec",
    employers="chez pour en à",
    conjunction="et",
    joins="et|ou",
    that="que|qu'",
    definite="le|la|les|l|mon|ma|notre|son|sa",
    elisions="l|d|qu|n|j|s|c|m|t|jusqu",
    abbreviations="Mme",
    placed="ne pas jamais si sinon mais",
    pointing="ce cette cela ceci il elle ils",
    momentary="hier demain maintenant hui dernier prochaine",
    # Verbs
    states="""
        be: est sont etait etaient suis sommes reste fixe fixee prevu prevue regle reglee situe situee trouve
          trouvent egale eleve
        live: habite habitent habitons habitait vit vivent vivons vivais reside
        work: travaille travaillons travaillent travaillait
        use: utilise utilisons utilisent utilisait utilisions emploie employons emploient
        run: tourne tournent tournait heberge hebergee hebergees stocke stockee stockes fonctionne fonctionnent
        price: coute coutent coutait vaut valent
        start: commence commencent debute
        end: finit termine
        close: ferme ferment
        open: ouvre ouvrent
        meet: reunit reunissons
        expire: expire expirent
        last: dure durent
        lead: dirige dirigent gere pilote
        name: appelle appelait appellent nomme nommee
        weigh: pese pesent
        have: a ont ai avons avait possede contient compte comprend permet autorise
        happen: tient lieu
        own: appartient
        port: ecoute
        report: depend
        drive: conduit
    """,
    # Things and their values
    synonyms="""
        price: prix cout tarif
        deadline: echeance
        lead: responsable
        owner: proprietaire
        place: lieu emplacement
        name: nom
        start: debut
        end: fin
        last: duree
        color: couleur
    """,
    attributes="""
        couleur theme titre adresse courriel telephone numero echeance delai jour heure prix tarif frais taux
        limite taille region lieu salle bureau proprietaire contact statut etat niveau defaut langue fournisseur
        base outil chemin dossier branche intervalle salaire horaire seuil licence devise nom port hote
    """,
    settings="intervall limite prix délai mot taille numéro téléphone salle quai loyer capacité",
    measured="poid humidite pression charge consommation solde visiteur recette",
    environments="developpement",
    no_units="à en sur le la les et ou est pour par au de du depuis pas dans",
    # How sure a sentence is
    hedges=(
        r"\b(?:je crois|je pense|je suppose|j'imagine|peut-être|probablement|sans doute|apparemment|il paraît|il semble"
        r"|semble|semblent|il se peut|pas sûre?|si je me souviens|autant que je sache|on dit|on m'a dit"
        r"|quelqu'un (?:a dit|dit)"
        r"|rumeur|j'ai entendu|serait|seraient|pourrait|doit être|paraît-il)\b"
    ),
    past=(
        r"\b(?:était|étaient|avait|avaient|avant|auparavant|autrefois|jadis|anciennement|ancien|ancienne|précédent"
        r"|précédente|jusqu'ici|à l'époque|l'année dernière|le mois dernier|la semaine dernière|ne \w+ plus"
        r"|n'\w+ plus|utilisait|coûtait|habitait)\b"
    ),
    events=r"\b(?:ai|as|a|avons|avez|ont|\w{2,}[ée]e?s?)\b|\w{2,}é\b",
    today=r"\b(?:aujourd'hui|ce matin|ce soir|hier|mesuré|mesurée|relevé|cet après-midi)\b",
    # Cues of change
    moved=r"demenage|transfere",
    since=r"depuis|a partir de|a compter de",
    opens_vaguely=r"(?:un|une|un autre|une autre) (?!partir)\w+ (?!peu)",
    change_forms=_CHANGED,
    end_forms=_ENDED,
    replaces=(
        (
            rf"^(?P<s>.*?)\b(?:a|ont|avons|ai|est|sont|sommes|suis)(?: ete)? (?:{_CHANGED})s?\b ?(?P<o>.*?) ?\b(?:de|du"
            rf"|des) (?P<old>.+?) (?:a|à|au|aux|en|vers) (?P<new>.+)$"
        ),
        (
            rf"^(?P<s>.*?)\b(?:a|ont|avons|ai|est|sont|sommes|suis)(?: ete)? (?:{_CHANGED})s?\b ?(?P<o>.*?) ?\b(?:à|au"
            rf"|aux|en|vers|jusque? (?:à|au)|jusqu (?:à|au)|pour) (?P<new>.+)$"
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
    ends=(
        r"^(?P<s>.*?)\b(?:ne|n) (?P<p>\w+ (?:\w+ ){0,2}?)plus\b ?(?P<o>.*)$",
        rf"^(?P<s>.*?)\b(?:a|ont|avons|ai|est|sont)(?: ete)? (?:{_ENDED})\b ?(?:d |de |du |des )?(?P<p>.*)$",
        r"^(?P<s>.*?)\b(?:a|ont|avons|ai) cesse (?:d |de )?(?P<p>.+)$",
    ),
    renames=r"\brenomme",
    guards="""
        allait allons anciennement apparemment aussi autrefois avant bientot brouillon compte comptons croit
        crois demain devra devraient devrait disait disent dit doit ebauche egalement entendu jadis lorsque
        parait partiellement peut peuvent pourra pourraient pourrait presque pretendument probablement
        provisoirement quand seulement uniquement si selon temporairement va veulent veut veux vont voudra
        voudraient voudrais voudrait voulons
    """,
    guard_stems="""
        affirme attend discut envisag esper essai essay imagin pense prevoi prevu prochain propos refuse rejete
        retabli semble souhait sugger suppos
    """,
    guard_phrases=(
        r"peut etre|peut-etre|sans doute|d'apres|annule\w* (?:le|la) (?:changement|passage)|pas encore|en plus"
        r"|par exemple|il y a"
    ),
    correction=(
        r"faute de frappe|coquille|erreur de ma part|je me suis mal exprimee?|confondu|rectification"
        r"|rectificatif|en fait|en realite|je me suis trompee?"
    ),
    state=(
        r"(?<!jusqu à )maintenant(?! que)|desormais|dorenavant|(?:à partir|à compter) d aujourd.hui|devenue?s?"
        r"|des cette semaine"
    ),
    cue_words="""
        devenu devenue devenus devenues semaine coquille faute erreur exprime exprimee confondu maintenant
        desormais dorenavant aujourd plus lieu plutot remplace remplacee remplaces remplacees remplacent succede
        renomme renommee renommes renommees cesse mais pas non rectification rectificatif fait realite trompe
        trompee
    """,
    lead=r"mise a jour",
    open_label=r"sujets?|souhaits?",
    as_said=r"comme (?:je l|nous l|on l|j)\b",
    interjection=r"au fait|oui|non|pardon",
    reason=r"parce qu|puisque|afin d",
    afterthought=r"et|mais|ce qui|qui",
    # Questions and talk
    emphasis="crucial critique jamais toujours essentiel obligatoire attention",
    latest=(
        r"actuel(?:le)?(?:ment|s)?|dernièrement|récemment|en ce moment|(?:le|la|les|l'|plus) (?:derni(?:er"
        r"|ère)s?|récente?s?|nouveau|nouvelle)(?= \w)"
    ),
    latest_cues="actuel derni récem récen en_ce_moment nouve",
    courtesy="oui non merci",
    talk="""
        merci bonjour bonsoir salut oui non bien super génial bravo félicitations content contente heureux
        heureuse ravi ravie cool wow haha vraiment très tout toujours beaucoup bon bonne belle beau parfait
        parfaitement accord absolument bien sûr certainement espère trouve pense sais faire fait chose choses
        temps gens bisous courage
    """,
)
