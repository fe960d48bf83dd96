"""The words by which Spanish is read."""

from __future__ import annotations

from jotsam.pipeline.languages.language import Language

_CHANGED = (
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
_ENDED = (
    "elimino|eliminado|eliminada|eliminamos|eliminaron|retiro|retirado|retirada|retiramos|cancelo|cancelado|cancelada"
    "|suprimio"
    "|suprimido|suprimida|cerro|cerrado|cerrada|quitamos|quito|quitado|desactivo|desactivado|desactivada|abandonamos"
    "|abandono|abolio"
)

LANGUAGE = Language(
    code="es",
    # Dates
    months="enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    weekdays="lunes|martes|miércoles|jueves|viernes|sábado|domingo",
    numbers="un una uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce",
    more_numbers="quince veinte treinta cuarenta cincuenta cien",
    units="""
        millisecond: milisegundos
        second: segundo segundos
        minute: minuto minutos
        hour: hora horas
        day: día días dia dias
        week: semana semanas
        month: mes meses
        year: año años ano anos
        peso: pesos
        percent: porcentaje
        length: metros
        weight: gramos
        degree: grados
    """,
    times="ayer anteayer hoy mañana pasado pasada próximo próxima desde recientemente",
    day_parts="mediodia medianoche",
    ordinals="º",
    millions="millones",
    relative=(
        ("day -2", r"anteayer|antes de ayer"),
        ("day -1", r"ayer"),
        ("day 0", r"hoy"),
        ("day 2", r"pasado mañana"),
        ("day 1", r"(?<!la )(?<!esta )mañana"),
        ("week -1", r"(?:la )?semana pasada"),
        ("month -1", r"(?:el )?mes pasado"),
        ("year -1", r"(?:el )?año pasado"),
        ("week 0", r"esta semana"),
        ("month 0", r"este mes"),
        ("year 0", r"este año"),
        ("week 1", r"(?:la )?(?:próxima semana|semana que viene)"),
        ("month 1", r"(?:el )?(?:próximo mes|mes que viene)"),
        ("year 1", r"(?:el )?(?:próximo año|año que viene)"),
    ),
    ago="hace {}",
    ahead="dentro de {}|en {}",
    last_weekday="{} pasado",
    next_weekday="próximo {}|{} que viene",
    range_to="al?|hasta",
    senses=(
        ("as of", r"a fecha de|a día de"),
        ("before", r"antes del?"),
        ("after", r"despu[eé]s del?"),
        ("since", r"desde|a partir del?"),
        ("until", r"hasta"),
        ("in", r"en|el"),
    ),
    between=r"entre",
    # Words of sentences
    articles="el la los las un una unos unas este esta estos estas lo",
    indefinite="un una unos unas",
    first_person="yo mi mis me vivo trabajo uso",
    group="nosotros nuestro nuestra nuestros nuestras nos",
    second_person="tú tu tus usted",
    pronouns="su sus ella ello ellos ellas eso esto",
    function="""
        el la los las lo nos me un unos unas uno una este esta estos estas ese esa eso ella ellos ellas nosotros yo mi
        mis nuestro nuestra nuestros nuestras su sus tu tus se y o u pero muy mas que quien cuyo ya ahora
        actualmente hoy oficialmente finalmente es son era eran soy somos sido estan estaba estoy estamos ha han
        he hemos habia hay fue fueron no nunca ni sino del al de en con por para sobre desde hasta como entre
        segun a
    """,
    of="de del",
    prepositions="de del en al a con por para sobre desde como hasta",
    parts="para en durante bajo por",
    places="a en al hacia hasta para",
    negations="no nunca",
    vague="""
        este esta estos estas esto otro otra otros otras algún alguna algunos algunas varios varias muchos todo
        alguien
    """,
    means="con",
    employers="en para",
    conjunction="y",
    joins="y|o|e",
    that="que",
    definite="el|la|los|las|mi|nuestr[oa]|su",
    abbreviations="Sr Av Sra Dra p.ej",
    placed="no nunca sin si sino pero",
    pointing="esto esta este eso ese esa ella ellos",
    momentary="hoy ayer manana ahora pasado proximo",
    # Verbs
    states="""
        be: es son era eran soy esta estan estaba estoy estamos fue queda sigue fijado fijada configurado
          ubicado ubicada equivale
        live: vive vivo viven vivimos vivia resido reside
        work: trabaja trabajo trabajan trabajamos trabajaba
        use: usa usan usamos usaba usabamos usando utiliza utilizamos utilizan utilizaba utilizando uso emplea
        run: corre corren ejecuta ejecutan alojado alojada alojados alojadas funciona funcionan guarda guardan
          almacena aloja
        price: cuesta cuestan costaba vale valen
        start: empieza empiezan comienza comienzan inicia inician
        end: termina terminan acaba
        close: cierra cierran
        open: abre abren
        meet: reune reunimos
        expire: vence caduca expira
        last: dura duran tarda
        lead: dirige dirigen gestiona lidera
        name: llama llaman llamaba llamado llamada denomina
        weigh: pesa pesan
        have: tiene tienen tenemos tenia hay contiene permite admite
        happen: celebra celebran lugar
        own: pertenece
        port: escucha
        report: depende
        drive: conduce
    """,
    told="pasamos cambiamos movimos trasladamos migramos dejamos hemos",
    # Things and their values
    synonyms="""
        price: tarif precio coste costo
        deadline: plazo vencimiento
        owner: propietario
        place: lugar ubicacion
        name: nombre
        start: inicio
        last: duracion
    """,
    attributes="""
        nombre color tema titulo puerto direccion correo telefono numero plazo fecha dia hora precio tarifa
        coste limite tamano region lugar sala oficina dueno contacto estado nivel idioma formato proveedor base
        herramienta ruta carpeta rama intervalo presupuesto salario horario umbral licencia moneda servidor
        contrasena
    """,
    settings="límite precio plazo código contraseña versión talla tamaño número teléfono sala andén alquiler",
    measured="temperatura peso humedad presion carga consumo saldo visitante",
    environments="produccion desarrollo",
    no_units="a y o es por sobre para el desde no ahora del al",
    # How sure a sentence is
    hedges=(
        r"\b(?:creo que|creo|pienso que|supongo|me imagino|quizás|quizá|tal vez|probablemente|posiblemente|al parecer"
        r"|aparentemente|parece|parecen|puede que|puede ser|no estoy segur[oa]|si no recuerdo|que yo sepa|dicen que"
        r"|alguien (?:dijo|dice)|me dijeron|he oído|oí que|rumor|podría|según dicen|se dice|debe de ser)\b"
    ),
    past=(
        r"\b(?:era|eran|fue|fueron|antes|anteriormente|antiguamente|antiguo|antigua|anterior|solía|solían|había"
        r"|tenía|estaba|estaban|en aquel entonces|el año pasado|el mes pasado|la semana pasada|ya no|costaba|usaba"
        r"|vivía)\b"
    ),
    events=r"\b(?:he|ha|hemos|han|\w{2,}(?:ó|é|aron|ieron|amos|imos))\b",
    today=r"\b(?:hoy|esta mañana|esta tarde|ayer|medido|medida|esta noche)\b",
    # Cues of change
    moved=r"traslad\w*|mud[oa]",
    since=r"desde|a partir de",
    opens_vaguely=r"(?:una|otro|otra) (?!partir)\w+ (?!poco)",
    change_forms=_CHANGED,
    end_forms=_ENDED,
    replaces=(
        (
            rf"^(?P<s>.*?)\b(?:se )?(?:ha |han |hemos |he |fue |fueron )?(?:sido )?(?:{_CHANGED}) ?(?P<o>.*?) ?\b(?:"
            rf"del?|desde) (?P<old>.+?) (?:al?|hasta|hacia|en) (?P<new>.+)$"
        ),
        (
            rf"^(?P<s>.*?)\b(?:se )?(?:ha |han |hemos |he |fue |fueron )?(?:sido )?(?:{_CHANGED}) ?(?P<o>.*?) ?\b(?:al?"
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
    ends=(
        r"^(?P<s>.*?)\bya no (?P<p>.+)$",
        r"^(?P<s>.*?)\b(?:deje|dejo|dejamos|dejaron|dejado) de (?P<p>.+)$",
        rf"^(?P<s>.*?)\b(?:se |fue |fueron |ha sido |hemos |ha )?(?:{_ENDED})\b ?(?P<p>.*)$",
    ),
    renames=r"\brenombr",
    guards="""
        ademas antes antiguamente aparentemente borrador casi cree creemos creo cuando deshizo dijeron dijo
        manana ojala oi oido pienso plane planeamos posiblemente probablemente pronto propuesta propuso proxima
        proximo queremos quiero quiza quizas segun seguramente solo solamente unicamente sugirio supuestamente
        tambien temporalmente todos va
    """,
    guard_stems="""
        afirma considera debe deberia dice espera intent parece piensa planea podria propon puede querria quiere
        quisiera rechaz revirti solia sugier supon
    """,
    guard_phrases=r"tal vez|a lo mejor|todavia no|aun no|por ejemplo|va a|van a|vamos a|voy a|hace (?:\w+ )?anos",
    correction=(
        r"confundi|error mio|me confundi|correccion|rectificacion|fe de erratas|en realidad|de hecho"
        r"|me equivoque"
    ),
    state=(
        r"(?<!hasta )(?<!por )ahora(?! que)|(?:a partir de|desde) (?:hoy|ahora)|de ahora en adelante"
        r"|paso a ser|pasaron a ser|a partir de (?:esta|este) \w+"
    ),
    cue_words="""
        paso confundi error ahora hoy ya sino lugar vez deje dejo dejamos dejaron dejado reemplaza reemplazo
        reemplazamos reemplazado reemplazada reemplazaron sustituye sustituyo sustituimos sustituido sustituida
        sustituyeron renombro renombramos renombrado renombrada releva no adelante correccion rectificacion
        realidad hecho equivoque
    """,
    lead=r"nota|actualizacion",
    open_label=r"opcion(?:es)?|preguntas?|temas?|deseos?",
    as_said=r"como (?:dije|escribi|dijimos|anote|puse)\b",
    interjection=r"si|por cierto|bueno|perdon",
    reason=r"porque|ya que|debido a|para que",
    afterthought=r"y|pero|lo que",
    # Questions and talk
    emphasis="importante crítico crucial nunca siempre urgente obligatorio esencial atención",
    latest=(
        r"actual(?:es)|actualmente|últimamente|recientemente|más recientes?|en este momento|hoy en día|(?:el"
        r"|la|los|las) últim[oa]s?(?= \w)"
    ),
    latest_cues="actual últim recient este_momento hoy_en_día",
    courtesy="si gracias",
    talk="""
        gracias hola adiós sí no bien buen bueno buena genial fantástico enhorabuena felicidades contento
        contenta feliz cool wow jaja realmente muy todo siempre mucho mucha gusto encanta perfecto claro acuerdo
        absolutamente seguro espero creo pienso sé hacer hace cosa cosas tiempo gente ánimo saludos
    """,
)
