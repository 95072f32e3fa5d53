### Berichte. Die Variablen erklärt en/report.ftl.

report-language = de
report-kind = Bewertung des Datenschutzes
report-title = Was diese Veröffentlichung bedeutet
report-contents = Inhalt
report-colophon = Diese Datei enthält alles, was sie zeigt. Sie lädt nichts und sendet nichts.
# Die erste Seite
report-skip = Zur Zusammenfassung
front-organisation = Organisation
front-author = Verfasst von
front-reference = Aktenzeichen
front-date = Datum
front-status = Status
front-version = Fassung
sign-role = Funktion
sign-name = Name
sign-date = Datum
sign-signature = Unterschrift
section-analyst = Genauigkeit
section-declared = Entscheidung
heading-worst = Ungünstigster Fall
section-glossary = Glossar
section-numbers = Die Zahlen und ihr Nachweis
section-reproduce = Die Szenariodatei
verdict-state-kept = Grenzwerte eingehalten
verdict-state-noted = Grenzwerte eingehalten, mit Vorbehalt
verdict-state-exposed = Grenzwerte eingehalten, aber Einzelne können offenliegen
verdict-state-exceeded = Grenzwerte nicht eingehalten
verdict-state-open = Einhaltung nicht bewiesen
verdict-state-refuted = Beschreibung widerlegt
verdict-state-mildest = Nichts behauptet
verdict-state-none = Keine Grenzwerte festgelegt
pair-before = Durch Zufall
pair-after = Mit dieser Veröffentlichung
pair-count = { $most ->
    [yes] { who-up-to } { $count } von { $out_of }
   *[no] { $count } von { $out_of }
 }
more-published = { $count ->
    [one] Eine weitere Veröffentlichung steht im gleichnamigen Abschnitt.
   *[other] { $count } weitere Veröffentlichungen stehen im gleichnamigen Abschnitt.
 }
more-limits = { $count ->
    [one] Ein weiterer Grenzwert steht im Abschnitt zur Entscheidung.
   *[other] { $count } weitere Grenzwerte stehen im Abschnitt zur Entscheidung.
 }
no-accuracy = Eine Auswertung ist nicht beschrieben. Ob die Ergebnisse noch brauchbar sind, sagen wir deshalb nicht.
see = Siehe { $targets }.
figure-label = Abbildung { $number }
table-label = Tabelle { $number }
table-caption = Tabelle { $number }. { $title }
heading-main = Wichtigste Zahlen
how-to-reproduce = Speichern Sie das Szenario aus dem Bericht als scenario.yaml. Führen Sie dann mit dplens { $version } dies aus: { $command }

fact-neighbours = Vergleich
fact-unit = Geschützt
fact-delta = Delta
fact-sampling = Stichprobe
fact-setting = Ort des Rauschens
fact-fpr = Fehlalarme
fact-version = Erstellt mit
facts-neighbours = { $apart ->
    [replace] die Daten { UNIT($unit, "genitive") }{ unit-with } durch andere ersetzt
    [local] zwei wahre Antworten { UNIT($unit, "genitive") }{ unit-with }
    [value] Werte { UNIT($unit, "genitive") } über { $gamma } und die übrigen
   *[add_remove] mit und ohne { UNIT($unit, "accusative") }{ unit-with }
 }
facts-unit = { $n ->
    [0] { UNIT($unit, "one") }{ unit-with }; Gesamtzahl nicht angegeben
   *[other] { UNIT($unit, "one") }{ unit-with }, insgesamt { $n } { unit-records }
 }
facts-delta = { $source ->
    [given] { $delta } (angegeben)
    [from_n] { $delta } (aus der Zahl der { unit-records-definite })
   *[default] { $delta } (Voreinstellung)
 }
facts-sampling-none = keine
facts-sampling-poisson = { unit-each-record } zufällig und unabhängig (Poisson)
facts-sampling-without_replacement = eine feste Zahl von { unit-records-dative }, zufällig gezogen
facts-sampling-one_in_clear = { unit-one-record }, zufällig gezogen und offen gezeigt
facts-sampling-unknown = nicht bekannt
facts-setting = { $setting ->
    [local] lokal: Jede Antwort wird zufällig verändert
   *[central] zentral: Die datenhaltende Stelle fügt das Rauschen hinzu
 }
facts-fpr = { $fpr } der { who-out }
facts-version = dplens { $version }
intro-not_covered = Über diese Punkte sagen die Zahlen nichts. Prüfen Sie sie gesondert.
intro-numbers = Jede Antwort ist in Richtung des höheren Risikos gerundet. Der genaue Wert liegt zwischen der unteren und der oberen Schranke. Der Nachweis sagt, woher wir ihn wissen.
intro-reproduce = Speichern Sie dies als scenario.yaml. Führen Sie dann mit derselben Version den Befehl darunter oder die Zeilen in Python aus.
section-attacker = Die Angreifer
section-noise = Mehr oder weniger Rauschen
section-looks = Wie der Angriff funktioniert
no-limits = Es ist kein Grenzwert festgelegt. Die Zahlen allein sagen nicht, ob das Risiko hinnehmbar ist.
nobody-decides = Wer das verbleibende Risiko trägt, und warum, ist nicht angegeben.
declared-unchecked = Angabe der verantwortlichen Stelle, nicht geprüft.
declared-unchecked-broken = Die überschrittenen Grenzwerte sind darin nicht berücksichtigt.
looks = { $scale ->
    [density] Angreifer sehen eine Zahl. Das Bild zeigt ihre beiden Verteilungen. Wo die zweite höher liegt, ist die Zahl ein Hinweis.
    [whole] Angreifer sehen eine ganze Zahl. Das Bild zeigt ihre beiden Verteilungen. Wo die zweite höher liegt, ist die Zahl ein Hinweis.
    [outcomes] Angreifer sehen eines von wenigen Ergebnissen. Das Bild zeigt, wie wahrscheinlich jedes in beiden Fällen ist. Ist es im zweiten Fall wahrscheinlicher, so ist das Ergebnis ein Hinweis.
   *[loss] Alles Veröffentlichte lässt sich in einer Zahl zusammenfassen, dem Log-Likelihood-Quotienten. Das Bild zeigt seine beiden Verteilungen.
 }
looks-test = Der beste Test mit { $fpr } Fehlalarmen nennt jemanden dort, wo die Hinweise am stärksten sind. Er erkennt { who-most } { $power } { who-in-genitive }.
noise = { $halved ->
    [yes] Bei { $fpr } Fehlalarmen erkennt der beste Angriff jetzt { who-most } { $now }. Mit halb so viel Rauschen wären es { $half }, mit doppelt so viel { $twice }.
   *[no] Bei { $fpr } Fehlalarmen erkennt der beste Angriff jetzt { who-most } { $now }. Mit doppelt so viel Rauschen wären es { $twice }.
 }
certificate = Woher wir das wissen: { $routes }. Jede Zahl ist bis auf { $width } ihres Werts genau bekannt.
certificate-wide = Woher wir das wissen: { $routes }. Einige Zahlen sind nur ungefähr bekannt; siehe untere und obere Schranke.
certificate-audit = Woher wir das wissen: gemessen. Alle Schranken einer Prüfung gelten gemeinsam mit der angegebenen Konfidenz.
route-enumeration = Aufzählung (jedes Ergebnis gezählt)
route-shift = Verschiebung (aus der Verteilung des Rauschens)
route-cells = Zellen (zwei endliche Verteilungen zu beiden Seiten)
route-leakage = Leck (das Höchste, was die genaue Grenze der Chancen zulässt)
route-convolution = Faltung (zweier Verteilungen, von beiden Seiten begrenzt)
route-simulation = Simulation (Zufallszahlen; kein Beweis)
route-search = Suche (von beiden Seiten)
route-limit = Grenzverteilung (eine Näherung; kein Beweis)
route-unknown = unbekannt (kein Nachweis)
route-exact = exakt (eine Formel oder endliche Summe)
route-contour = Kontur (Integrale mit begrenzten Fehlern)
route-grid = Gitter (nach beiden Seiten nach außen gerundet)
route-orders = Ordnungen (der ungünstigste Fall, den die Rényi-Schranken zulassen)
route-lattice = Punktgitter (Summen mit begrenzten Fehlern)
route-spline = Spline (stückweise Polynome)
route-imported = übernommen (der ungünstigste Fall, den die Zahlen eines anderen Programms zulassen)
route-measured = gemessen (eine untere Schranke mit angegebener Konfidenz)
table-pairs = Richtige Nennungen, nach der Wahrscheinlichkeit vorher ({ unit-many })
table-posterior = Wahrscheinlichkeit vorher und nachher
table-precision_recall = Richtige unter den Nennungen
table-roc = Was der beste Angriff erkennt
table-relative_risk = Um welchen Faktor eine Nennung die Wahrscheinlichkeit erhöht
table-profile = Epsilon und Delta
table-power_noise = Was der beste Angriff bei anderem Rauschen erkennt
table-fscore = Bester F-Wert
table-output_laws = Der beste Test
table-leakage = Schlimmster Angriff nach Vorwissen
table-analyst_power = Trennschärfe der Auswertung
table-audit = Was behauptet und was bewiesen ist
table-audit-named = Was behauptet und was bewiesen ist: „{ $name }“
table-answers = Alle Antworten
table-related = Antworten zum schlimmsten Angriff auf zusammenhängende Datensätze
table-related-named = Antworten zu einem Angriff auf zusammenhängende Datensätze: „{ $name }“
table-related-unnamed = Antworten zu einem Angriff auf zusammenhängende Datensätze
table-limits = Grenzwerte
table-analyst = Die Auswertungen
head-claimed = erkannt, laut Behauptung
head-measured = erkannt, laut Messung
head-prior = vorher vermutet
head-attacker = Angreifer
head-before = durch Zufall richtig
head-after = danach richtig
head-out_of = von
head-posterior = nach einer Nennung
head-negative = nach einem Ausschluss
head-most = im äußersten Fall
head-alpha = Fehlalarme
head-power = erkannt
head-beta = übersehen
head-recall = erkannt
head-precision = richtig
head-ratio = Faktor
head-epsilon = Epsilon
head-delta = Delta
head-fpr = Fehlalarme
head-noise = Rauschen
head-factor = Rauschen, Vielfaches des jetzigen
head-fscore = F-Wert
head-threshold = nennt ab
head-known = bekannte andere
head-route = Nachweis
head-question = Frage
head-answer = Wert
head-low = untere Schranke
head-high = obere Schranke
head-limit = Grenzwert
head-verdict = Bewertung
head-about = betrifft
head-effect = Effekt
head-test = Test
head-level = Niveau
head-with_noise = Trennschärfe mit dem Rauschen
head-without_noise = Trennschärfe ohne Rauschen
head-needed = nötig
test-number = Test { $number }
power-of = Trennschärfe des Tests: { $name }
verdict-word-kept = eingehalten
verdict-word-exceeded = überschritten
verdict-word-open = nicht bewiesen
verdict-word-refuted = nur nach der widerlegten Behauptung eingehalten
about-release = Veröffentlichung
about-related = alle Angriffe auf zusammenhängende Datensätze
about-analyst = Auswertung
no-scenario = Diese Veröffentlichung lässt sich nicht als Szenariodatei schreiben ({ $why }).
kept-by-html = Die Bewertung selbst ist als JSON in dieser Datei enthalten.
kept-by-markdown = Die Bewertung selbst ist in einem Bericht als HTML, PDF oder JSON enthalten.

## Glossar

glossary-named = Nennen, ausschließen
    .meaning = { $about ->
        [answer] Wer nennt, behauptet, dass jemandes wahre Antwort die vermutete ist. Wer ausschließt, behauptet das Gegenteil.
        [value] Wer nennt, behauptet, dass jemandes Wert über der Schranke liegt. Wer ausschließt, behauptet das Gegenteil.
       *[membership] Wer nennt, behauptet, dass jemand in den Daten ist. Wer ausschließt, behauptet das Gegenteil.
     }
glossary-prior = Wahrscheinlichkeit vorher (Prior)
    .meaning = Wie wahrscheinlich etwas vor der Veröffentlichung scheint. Niemand kennt diesen Wert, deshalb zeigen wir mehrere.
glossary-odds = Chancen (Odds)
    .meaning = Die Wahrscheinlichkeit, dass etwas so ist, geteilt durch die, dass es nicht so ist. Aus 20 % werden Chancen von 1 zu 4.
glossary-fpr = Fehlalarme (Alpha)
    .meaning = Der fälschlich genannte Anteil der { who-out }.
glossary-power = Erkannt (Trennschärfe)
    .meaning = Der richtig genannte Anteil { who-in-genitive }.
glossary-curve = Trade-off-Kurve
    .meaning = Sie zeigt zu jeder Quote von Fehlalarmen den kleinsten Anteil, den ein Angriff übersehen muss. Alle Zahlen hier sind daraus abgelesen.
glossary-advantage = Vorteil
    .meaning = Der größte Unterschied zwischen dem erkannten Anteil und dem Anteil der Fehlalarme, über alle Angriffe.
glossary-epsilon = Epsilon, Delta
    .meaning = Die zwei Zahlen, mit denen Differential Privacy meist angegeben wird. Beide zusammen beschreiben nur einen Punkt der Kurve.
glossary-neighbours = Nachbarn
    .meaning = { $about ->
        [answer] Die zwei Fälle, die ein Angriff unterscheiden muss: die eine wahre Antwort oder eine andere.
        [value] Die zwei Fälle, die ein Angriff unterscheiden muss: ein Wert über der Schranke oder nicht.
       *[membership] Die zwei Datenbestände, die ein Angriff unterscheiden muss: mit und ohne einen Datensatz, oder mit einem anderen an seiner Stelle.
     }
glossary-unit = Geschützte Einheit
    .meaning = Wofür ein Datensatz steht: eine Person, ein Haushalt, ein Besuch.
glossary-certificate = Nachweis
    .meaning = Woher wir eine Zahl wissen und zwischen welchen Schranken der genaue Wert liegt.
glossary-auc = AUC
    .meaning = Die Fläche unter der Kurve des Angriffs. Betrachten Sie sie nie allein: Sie kann harmlos aussehen, obwohl die Daten Einzelner offenliegen.
