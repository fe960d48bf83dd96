"""Pairs of sentences: an older one, a newer one that changes it, and a newer one that looks like it and changes nothing.

Each line is "older | newer | near miss". They are invented for these tests.
"""

NOW = """
The greenhouse thermostat is set to 19 degrees. | The greenhouse thermostat is now set to 21 degrees. | The kitchen thermostat is now set to 21 degrees.
The choir rehearses in the old chapel. | The choir now rehearses in the town hall. | The choir may now rehearse in the town hall.
Ines lives in Porto. | Ines now lives in Braga. | Rui now lives in Braga.
The pottery class costs 40 euros. | As of today the pottery class costs 55 euros. | As of today the pottery class also has an oven.
The parser timeout is 30 seconds. | The parser timeout is now 45 seconds. | Is the parser timeout now 45 seconds?
The standup is on Monday. | The standup is now on Wednesday. | The standup is now in the garden room.
The default branch is trunk. | From now on the default branch is stable. | The default branch of the fork is now stable.
We use Mercurial for the firmware. | We now use Git for the firmware. | We now use Git for the website.
Der Chor probt in der Kapelle. | Der Chor probt jetzt in der Turnhalle. | Probt der Chor jetzt in der Turnhalle?
Die Frist ist der 3. Mai. | Die Frist ist jetzt der 9. Mai. | Die Frist für Gäste ist jetzt der 9. Mai.
Der Kurs kostet 40 Euro. | Ab sofort kostet der Kurs 55 Euro. | Vielleicht kostet der Kurs jetzt 55 Euro.
Ines wohnt in Porto. | Ines wohnt inzwischen in Braga. | Rui wohnt inzwischen in Braga.
Die Sitzung beginnt um 9 Uhr. | Die Sitzung beginnt nun um 10 Uhr. | Die Sitzung der Eltern beginnt nun um 10 Uhr.
Wir nutzen Mercurial für die Firmware. | Wir nutzen jetzt Git für die Firmware. | Wir nutzen jetzt auch Git für die Firmware.
Le cours coûte 40 euros. | Le cours coûte maintenant 55 euros. | Le cours de chant coûte maintenant 55 euros.
La réunion commence à 9 heures. | La réunion commence désormais à 10 heures. | La réunion commence peut-être maintenant à 10 heures.
Inès habite à Nantes. | Inès habite désormais à Brest. | Luc habite désormais à Brest.
Le port du serveur est 4000. | Le port du serveur est maintenant 4100. | Le port du serveur est-il maintenant 4100 ?
Le délai est de 30 jours. | Le délai est maintenant de 45 jours. | Le délai du voisin est maintenant de 45 jours.
El curso cuesta 40 euros. | El curso cuesta ahora 55 euros. | ¿El curso cuesta ahora 55 euros?
La reunión empieza a las 9. | La reunión empieza ahora a las 10. | La reunión de padres empieza ahora a las 10.
Inés vive en Vigo. | Inés vive ahora en Lugo. | Marta vive ahora en Lugo.
El plazo es el 3 de mayo. | Desde hoy el plazo es el 9 de mayo. | Quizás el plazo es ahora el 9 de mayo.
El puerto del servidor es 4000. | El puerto del servidor ahora es 4100. | El puerto de la impresora ahora es 4100.
合唱团在教堂排练。 | 合唱团现在在体育馆排练。 | 合唱团现在也在体育馆排练。
截止日期是5月3日。 | 截止日期现在是5月9日。 | 客人的截止日期现在是5月9日。
小林住在青岛。 | 小林现在住在大连。 | 小王现在住在大连。
课程价格是40元。 | 课程价格现在是55元。 | 课程价格可能现在是55元。
例会在周一。 | 例会现在在周三。 | 例会现在在周三吗？
合唱団は教会で練習している。 | 合唱団は現在は体育館で練習している。 | 合唱団は現在は体育館でも練習したい。
締め切りは5月3日です。 | 締め切りは現在は5月9日です。 | 締め切りは5月9日になるかもしれません。
小林さんは青島に住んでいます。 | 小林さんは今は大連に住んでいます。 | 田中さんは今は大連に住んでいます。
講座の料金は40ユーロです。 | 講座の料金は今日から55ユーロです。 | 講座の料金は今日から55ユーロですか？
"""

CHANGED = """
The book fair is on Saturday. | The book fair was moved to Sunday. | The book fair might be moved to Sunday.
The loan period is 14 days. | The loan period has been extended to 21 days. | The loan period for students has been extended to 21 days.
The ferry ticket costs 8 euros. | The ferry ticket was raised to 9 euros. | The ferry ticket should be raised to 9 euros.
The queue limit is 500. | We raised the queue limit to 800. | We plan to raise the queue limit to 800.
The archive is stored in Oslo. | The archive has been moved to Bergen. | The photo archive has been moved to Bergen.
I live in Porto. | I moved to Braga. | My cousin moved to Braga.
The project is called Heron. | The project was renamed to Kestrel. | The project was almost renamed to Kestrel.
The logo colour is teal. | The logo colour was changed to amber. | The change of the logo colour to amber was rejected.
Das Fest ist am Samstag. | Das Fest wurde auf Sonntag verschoben. | Das Fest soll auf Sonntag verschoben werden.
Die Leihfrist beträgt 14 Tage. | Die Leihfrist wurde auf 21 Tage verlängert. | Die Leihfrist für Studierende wurde auf 21 Tage verlängert.
Das Archiv liegt in Kiel. | Das Archiv ist nach Bremen umgezogen. | Das Fotoarchiv ist nach Bremen umgezogen.
Die Grenze liegt bei 500. | Wir haben die Grenze auf 800 angehoben. | Wir wollen die Grenze auf 800 anheben.
Das Projekt heißt Reiher. | Das Projekt wurde in Falke umbenannt. | Das Projekt wird vielleicht in Falke umbenannt.
La fête est samedi. | La fête a été déplacée à dimanche. | La fête devrait être déplacée à dimanche.
La durée du prêt est de 14 jours. | La durée du prêt a été prolongée à 21 jours. | La durée du prêt pour étudiants a été prolongée à 21 jours.
La limite est de 500. | La limite a été augmentée à 800. | La limite sera peut-être augmentée à 800.
Le dépôt est à Lille. | Le dépôt a déménagé à Lyon. | Le dépôt veut déménager à Lyon.
La fiesta es el sábado. | La fiesta se cambió al domingo. | La fiesta podría cambiarse al domingo.
El plazo de préstamo es de 14 días. | El plazo de préstamo se amplió a 21 días. | El plazo de préstamo para estudiantes se amplió a 21 días.
El límite es 500. | El límite ha sido aumentado a 800. | Proponen que el límite sea aumentado a 800.
El depósito está en Soria. | El depósito se trasladó a Zamora. | El depósito quiere trasladarse a Zamora.
书展在周六。 | 书展改到周日。 | 书展可能改到周日。
借书期限是14天。 | 借书期限延长到21天。 | 学生的借书期限延长到21天。
队列上限是500。 | 队列上限提高到800。 | 队列上限计划提高到800。
档案馆在烟台。 | 档案馆搬到了威海。 | 照片档案馆搬到了威海。
書籍市は土曜日です。 | 書籍市は日曜日に変更になりました。 | 書籍市は日曜日に変更になるかもしれません。
貸出期間は14日です。 | 貸出期間は21日に延長されました。 | 学生の貸出期間は21日に延長されました。
上限は500です。 | 上限は800に引き上げられました。 | 上限を800に引き上げる予定です。
資料館は奈良にあります。 | 資料館は京都に移転しました。 | 資料館は京都に移転したいそうです。
"""

SWITCHED = """
We use Mercurial for the firmware. | We switched the firmware from Mercurial to Git. | We want to switch the firmware from Mercurial to Git.
The rota is kept in a spreadsheet. | The rota was moved from a spreadsheet to a wall board. | The menu was moved from a spreadsheet to a wall board.
The retro is on Friday. | The retro moved from Friday to Tuesday. | The lunch moved from Friday to Tuesday.
Omar is the treasurer of the club. | Lena replaced Omar as treasurer of the club. | Lena replaced Omar as goalkeeper.
The mailing list is hosted on Sympa. | The mailing list was migrated from Sympa to Mailman. | The mailing list was migrated from Majordomo to Mailman.
Wir verwenden Mercurial. | Wir sind von Mercurial auf Git umgestiegen. | Wir sind nicht von Mercurial auf Git umgestiegen?
Die Retro ist am Freitag. | Die Retro wurde von Freitag auf Dienstag verschoben. | Das Essen wurde von Freitag auf Dienstag verschoben.
Das Archiv nutzt Solr. | Im Archiv wurde Solr durch Xapian ersetzt. | Im Laden wurde Solr durch Xapian ersetzt.
Nous utilisons Mercurial. | Nous sommes passés de Mercurial à Git. | Nous souhaitons passer de Mercurial à Git.
La rétro est vendredi. | La rétro a été déplacée de vendredi à mardi. | Le repas a été déplacé de vendredi à mardi.
Usamos Mercurial. | Pasamos de Mercurial a Git. | Queremos pasar de Mercurial a Git.
La retro es el viernes. | La retro se cambió del viernes al martes. | La comida se cambió del viernes al martes.
例会在周五。 | 例会从周五改到周二。 | 午餐从周五改到周二。
固件使用Mercurial。 | 固件从Mercurial换成了Git。 | 固件希望从Mercurial换成Git。
定例会は金曜日です。 | 定例会は金曜日から火曜日に変更しました。 | 昼食会は金曜日から火曜日に変更しました。
私たちはMercurialを使っています。 | 私たちはMercurialからGitに移行しました。 | 私たちはMercurialからGitに移行したいです。
"""

ENDED = """
The library is open on Sundays. | The library is no longer open on Sundays. | The library is no longer open on holidays.
We support Solaris. | We no longer support Solaris. | We no longer support Solaris on SPARC.
The bakery accepts cheques. | The bakery does not accept cheques anymore. | The butcher does not accept cheques anymore.
We use Jira for the roadmap. | We stopped using Jira for the roadmap. | We stopped using Jira for holidays.
The shuttle stops at the museum. | The shuttle no longer stops at the museum. | Perhaps the shuttle no longer stops at the museum.
I drink coffee. | I stopped drinking coffee. | My brother stopped drinking coffee.
Die Bücherei ist sonntags geöffnet. | Die Bücherei ist sonntags nicht mehr geöffnet. | Die Bücherei ist feiertags nicht mehr geöffnet.
Wir unterstützen Solaris. | Wir unterstützen Solaris nicht mehr. | Wir unterstützen Solaris auf SPARC nicht mehr.
Die Bäckerei nimmt Schecks. | Die Bäckerei nimmt keine Schecks mehr. | Die Metzgerei nimmt keine Schecks mehr.
La bibliothèque est ouverte le dimanche. | La bibliothèque n'est plus ouverte le dimanche. | La bibliothèque n'est plus ouverte le lundi.
La boulangerie accepte les chèques. | La boulangerie n'accepte plus les chèques. | La boucherie n'accepte plus les chèques.
La biblioteca abre los domingos. | La biblioteca ya no abre los domingos. | La biblioteca ya no abre los lunes.
La panadería acepta cheques. | La panadería ya no acepta cheques. | La carnicería ya no acepta cheques.
图书馆周日开放。 | 图书馆周日不再开放。 | 图书馆周一不再开放。
面包店接受支票。 | 面包店不再接受支票。 | 肉店不再接受支票。
図書館は日曜日に開いている。 | 図書館はもう日曜日に開いていない。 | 図書館はもう月曜日に開いていない。
パン屋は小切手を受け付ける。 | パン屋はもう小切手を受け付けない。 | 肉屋はもう小切手を受け付けない。
"""

CORRECTED = """
The gate code is 4711. | Correction: the gate code is 4712. | Correction: the locker code is 4712.
The talk is in room 12. | Actually, the talk is in room 14. | Actually, the dinner is in room 14.
The invoice number is 881. | The invoice number is not 881 but 818. | The invoice number is not 900 but 818.
The keeper of the keys is Omar. | The keeper of the keys is Lena, not Omar. | The keeper of the bees is Lena, not Omar.
The museum uses a paper ledger. | The museum uses a database instead of a paper ledger. | The museum should use a database instead of a paper ledger.
Der Torcode ist 4711. | Korrektur: Der Torcode ist 4712. | Korrektur: Der Kellercode ist 4712.
Der Vortrag ist in Raum 12. | Der Vortrag ist nicht in Raum 12, sondern in Raum 14. | Das Essen ist nicht in Raum 12, sondern in Raum 14.
Die Rechnungsnummer ist 881. | Tatsächlich ist die Rechnungsnummer 818. | Angeblich ist die Rechnungsnummer 818.
Le code du portail est 4711. | Correction : le code du portail est 4712. | Correction : le code de la cave est 4712.
La conférence est en salle 12. | En fait, la conférence est en salle 14. | En fait, le dîner est en salle 14.
Le numéro est 881. | Le numéro n'est pas 881 mais 818. | Le numéro n'est pas 900 mais 818.
El código de la puerta es 4711. | Corrección: el código de la puerta es 4712. | Corrección: el código del sótano es 4712.
La charla es en la sala 12. | En realidad, la charla es en la sala 14. | En realidad, la cena es en la sala 14.
El número es 881. | El número no es 881, sino 818. | El número no es 900, sino 818.
大门密码是4711。 | 更正：大门密码是4712。 | 更正：仓库密码是4712。
讲座在12号房间。 | 讲座不是在12号房间，而是在14号房间。 | 晚餐不是在12号房间，而是在14号房间。
門の暗証番号は4711です。 | 訂正：門の暗証番号は4712です。 | 訂正：倉庫の暗証番号は4712です。
講演は12号室です。 | 講演は12号室ではなく14号室です。 | 夕食は12号室ではなく14号室です。
"""

KINDS = {"now": NOW, "changed": CHANGED, "switched": SWITCHED, "ended": ENDED, "corrected": CORRECTED}


def lines(kind: str) -> list[tuple[str, str, str]]:
    found = [tuple(part.strip() for part in line.split("|")) for line in KINDS[kind].strip().splitlines()]
    return [(old, new, miss) for old, new, miss in found]
