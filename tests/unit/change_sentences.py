# ruff: noqa: E501 - three sentences to a line
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

# "older | newer": the newer one speaks of something else, of a part, or of a plan.
NOTHING = """
The backup of the billing service runs at 2 am. | The backup of the mail service now runs at 4 am.
The staging database is MariaDB. | The production database is now Postgres.
The database on staging is MariaDB. | The database on production was changed to Postgres.
The release manager is Olga. | The release managers were Olga until 2021, Pia until 2023 and now Kim.
We use Trello for planning. | We now use Notion for planning in the design team.
The newsletter goes out on Monday. | The newsletter now goes out on Monday and Thursday.
The gym is open until 9 pm. | The gym is now open until 9 pm on Saturdays.
The cafe sells tea. | The cafe now sells coffee as well.
The cafe sells tea. | The cafe now sells coffee.
Jonas speaks Danish. | Jonas now speaks Dutch.
The parking fee is 2 euros. | If the council agrees, the parking fee is now 3 euros.
The parking fee is 2 euros. | "The parking fee is now 3 euros", the mayor said.
The parking fee is 2 euros. | The parking fee used to be 3 euros, now it is free on Sundays.
The parking fee is 2 euros. | The parking fee in the harbour is now 3 euros.
The parking fee is 2 euros. | The parking fee is now higher than in Bergen.
The parking fee is 2 euros. | Draft: the parking fee is now 3 euros.
The parking fee is 2 euros. | The increase of the parking fee to 3 euros was reverted.
The parking fee is 2 euros. | The parking fee is not 3 euros.
The parking fee is 2 euros. | I wish the parking fee was now 1 euro.
The parking fee is 2 euros. | Let us assume the parking fee is now 3 euros.
The parking fee is 2 euros. | The parking ticket machine was moved to the harbour.
The parking fee is 2 euros. | The old parking fee was 3 euros, not 2 guilders.
The deploy script lives in tools. | The test script was moved from tools to scripts.
The team lunch is on Friday. | The team dinner moved from Friday to Sunday.
The team lunch is on Friday. | The team lunch was not moved to Monday.
The team lunch is on Friday. | Nobody moved the team lunch to Monday.
The team lunch is on Friday. | The team lunch never moved to Monday.
The team lunch is on Friday. | This Friday only, the team lunch is moved to Monday.
The team lunch is on Friday. | The team lunch this week was moved to Thursday.
The team lunch is on Friday. | Just this once the team lunch moved to Thursday.
The team lunch is on Friday. | The team lunch was moved to Thursday for this week only.
The user guide is in English. | The user guide was translated from English to French.
The user guide is in English. | The user guide is now in French too.
Version 2 uses Lua. | Version 3 now uses Python instead of Lua.
The museum uses a paper ledger. | Idea: the museum uses a database instead of a paper ledger.
Das Museum nutzt ein Heft. | Frage 2: Das Museum nutzt eine Datenbank statt eines Hefts.
The API uses tokens. | The web page uses cookies instead of tokens.
The API uses tokens. | Unlike before, the web page uses cookies instead of tokens.
The fence is 2 m high. | The fence was raised to 3 m in the north.
The shop is closed on Mondays. | The shop is no longer closed on holidays.
The shop is closed on Mondays. | The neighbour's shop is no longer closed on Mondays.
Anna works at Globex. | Anna's brother now works at Initech.
Anna works at Globex. | Anna and Tom now work at Initech on a shared project, says Kim.
Anna works at Globex. | Anna now works from home.
Anna works at Globex. | Anna now works on the parser.
Anna works at Globex. | Anna now works at night.
Anna lives in Ghent. | Anna now lives in a flat with a garden.
Anna lives in Ghent. | Anna now lives with her sister.
The server runs on port 80. | The server now runs on a new machine.
The server runs on Linux. | The server now runs on port 8080.
The server is in rack 4. | The server is now in maintenance mode.
The server is fast. | The server is now red.
The report is due on Friday. | The report is now in the shared folder.
The report is due on Friday. | The report now has 12 pages.
The report has 10 pages. | The report now has 12 figures.
The build takes 10 minutes. | The build now takes 4 GB of memory.
The price of the small box is 4 euros. | The price of the large box is now 6 euros.
The price of the box is 4 euros. | The price of the box has increased by 1 euro.
The lease ends in May. | The lease begins in June now.
Bo is the captain. | Bo is now a father.
Bo is the captain. | Bo is now ill.
The choir has 20 singers. | The choir now has a new conductor.
I have a cat. | I now have a dog.
I like jazz. | I now like blues.
I live in Ghent. | Now my sister lives in Bruges.
My phone number is 555-1234. | My mother's phone number is now 555-9999.
The meeting room is blue. | The meeting room was moved to the third floor.
The office is in Leeds. | The Paris office moved to Lyon.
The website uses React. | The website of the club no longer uses React.
We use Redis for caching. | We no longer use Redis for sessions.
We use Redis for caching. | We stopped the Redis test.
The bot replies in German. | The bot no longer replies to strangers.
Key rotation happens every 30 days. | Key rotation on the test system now happens every 60 days.
The club meets on Tuesday. | The chess club now meets on Wednesday.
The chess club meets on Tuesday. | The club now meets on Wednesday.
Support answers within 24 hours. | Premium support now answers within 4 hours.
The museum opens at 10. | The museum now closes at 18.
The museum opens at 10. | In winter the museum now opens at 11.
The museum opens at 10. | On Sundays, the museum now opens at 11.
The museum opens at 10. | For schools the museum now opens at 9.
The museum opens at 10. | During the holidays the museum was moved to open at 11.
Das Lager ist in Jena. | Das Ersatzlager ist jetzt in Gera.
Das Lager ist in Jena. | Das Lager für Möbel ist jetzt in Gera.
Das Lager ist in Jena. | Ein Lager ist jetzt in Gera.
Der Bus fährt um 8 Uhr. | Der Bus fährt sonntags jetzt um 9 Uhr.
Der Bus fährt um 8 Uhr. | Im Winter fährt der Bus jetzt um 9 Uhr.
Der Bus fährt um 8 Uhr. | Der Bus nach Ulm fährt jetzt um 9 Uhr.
Der Testserver nutzt Debian. | Der Produktivserver nutzt jetzt Ubuntu statt Debian.
Karl ist Trainer. | Karl ist jetzt Vater.
Karl ist der Trainer. | Karl ist nicht mehr der Torwart.
Die Kasse schließt um 18 Uhr. | Die Kasse öffnet jetzt um 9 Uhr.
Le magasin ouvre à 9 heures. | Le magasin ouvre désormais à 10 heures le dimanche.
Le magasin ouvre à 9 heures. | Le dimanche, le magasin ouvre désormais à 10 heures.
Le magasin ouvre à 9 heures. | Le magasin ferme désormais à 20 heures.
Le serveur de test utilise Debian. | Le serveur de production utilise maintenant Ubuntu.
Karl est entraîneur. | Karl est maintenant père.
Le directeur est Paul. | Les directeurs ont été Paul, puis Anne, maintenant Luc.
La tienda abre a las 9. | La tienda abre ahora a las 10 los domingos.
La tienda abre a las 9. | Los domingos la tienda abre ahora a las 10.
La tienda abre a las 9. | La tienda cierra ahora a las 20.
El servidor de pruebas usa Debian. | El servidor de producción usa ahora Ubuntu.
El director es Paul. | La directora del coro es ahora Ana.
商店9点开门。 | 商店周日现在10点开门。
商店9点开门。 | 商店现在20点关门。
测试服务器使用Debian。 | 生产服务器现在使用Ubuntu。
商店的价格是5元。 | 商店的地址现在是北京路7号。
店は9時に開きます。 | 店は日曜日は現在10時に開きます。
店は9時に開きます。 | 店は現在20時に閉まります。
テストサーバーはDebianを使っています。 | 本番サーバーは現在Ubuntuを使っています。
店の定員は5人です。 | 店の住所は現在7番です。
The alarm code is 1357. | The alarm code is now 2468 in the annex.
The alarm code is 1357. | The alarm code for the annex was changed from 1357 to 2468.
Our mascot is a fox. | Their mascot is now a bear.
Our mascot is a fox. | The mascot of the other school is now a bear.
Dr. Ito is the vet of the farm. | Dr. Ito is now on holiday.
The pump is set to 3 bar. | The second pump is now set to 4 bar.
The pump is set to 3 bar. | One of the pumps is now set to 4 bar.
The pump is set to 3 bar. | The pump pressure was raised to 4 bar yesterday and lowered again.
Sam eats meat. | Sam no longer eats pork.
Sam plays the drums. | Sam stopped playing the drums at 9 pm.
Sam plays the drums. | Sam now plays chess.
The app supports dark mode. | The app no longer supports dark mode on tablets.
Rita leads the sales team. | Rita now leads the support team.
Rita leads the sales team. | Rita now leads the meeting on Friday.
Rita leads the sales team. | Rita replaced the printer.
Rita leads the sales team. | Otto replaced Rita at the dinner.
The font size is 12. | Please change the font size to 14.
The font size is 12. | Change the font size to 14.
The font size is 12. | Someone asked whether the font size was changed to 14.
The font size is 12. | The pull request that changed the font size to 14 is open.
The font size is 12. | The ticket to have the font size changed to 14 was closed.
The font size is 12. | Rumour has it that the font size is now 14.
The font size is 12. | As an experiment the font size is now 14.
The font size is 12. | The font size is now 14 in the print edition.
The font size is 12. | The font size of headings is now 14.
The font size is 12. | The heading font size is now 14.
The font size is 12. | From 2019 on the font size was changed to 14.
The font size is 12. | By mistake the font size was changed to 14, we changed it back.
"""

KINDS = {"now": NOW, "changed": CHANGED, "switched": SWITCHED, "ended": ENDED, "corrected": CORRECTED}


def lines(kind: str) -> list[tuple[str, str, str]]:
    found = [line.split(" | ") for line in KINDS[kind].strip().splitlines()]
    return [(old.strip(), new.strip(), miss.strip()) for old, new, miss in found]


def unchanged() -> list[tuple[str, str]]:
    found = [line.split(" | ") for line in NOTHING.strip().splitlines()]
    return [(old.strip(), new.strip()) for old, new in found]
