### Berichte. Die Variablen erklärt en/report.ftl.

report-language = de
report-kind = Bewertung des Datenschutzes
report-title = Was diese Veröffentlichung bedeutet
report-contents = Inhalt
report-colophon = Diese Datei enthält alles, was sie zeigt. Sie lädt nichts und sendet nichts.
report-markdown-title = Datenschutz
fact-neighbours = Verglichen
fact-unit = Geschützt
fact-delta = Delta
fact-sampling = Stichproben
fact-setting = Umgebung
fact-fpr = Fehlalarme
fact-version = Erstellt mit
facts-neighbours = { $apart ->
    [replace] { UNIT($unit, "one") }{ unit-with } ersetzt
    [local] zwei wahre Antworten von { UNIT($unit, "dative") }{ unit-with }
    [value] Werte von { UNIT($unit, "dative") } über { $gamma } und die anderen
   *[add_remove] mit und ohne { UNIT($unit, "accusative") }{ unit-with }
 }
facts-unit = { $n ->
    [0] { UNIT($unit, "one") }{ unit-with }; wie viele, ist nicht angegeben
   *[other] { UNIT($unit, "one") }{ unit-with }, von { $n } { unit-records-dative }
 }
facts-delta = { $source ->
    [given] { $delta } (angegeben)
    [from_n] { $delta } (aus der Zahl der { unit-records })
   *[default] { $delta } (Vorgabe)
 }
facts-sampling-none = keine
facts-sampling-poisson = { unit-one-record } jeweils zufällig (Poisson)
facts-sampling-without_replacement = eine feste Zahl von { unit-records-dative }, zufällig
facts-sampling-one_in_clear = { unit-one-record }, zufällig gezogen und offen gezeigt
facts-sampling-unknown = nicht bekannt
facts-setting = { $setting ->
    [local] lokal: Jede Antwort wird zufällig verändert
   *[central] zentral: Die Stelle mit den Daten fügt das Rauschen hinzu
 }
facts-fpr = { $fpr } der { who-out }
facts-version = dplens { $version }
block-computed = Ergebnisse
block-declared = Was veröffentlicht und angenommen wird
block-combined = Grenzwerte und Entscheidung
block-not_covered = Was nicht erfasst ist
block-glossary = Glossar
block-numbers = Anhang: alle Zahlen
block-reproduce = Anhang: wie sich das wiederholen lässt
intro-computed = Diese Zahlen folgen aus der Beschreibung der Veröffentlichung. Alle sind zum höheren Risiko hin gerundet.
intro-declared = Diese Aussagen können wir nicht berechnen. Die Verantwortlichen haben sie gemacht, und alle Zahlen beruhen darauf.
intro-combined = Die Grenzwerte hat jemand gewählt, die Zahlen sind berechnet. Zusammen zeigen sie, ob die Grenzwerte eingehalten sind.
intro-not_covered = Über diese Punkte sagen die Zahlen nichts. Prüfen Sie sie gesondert.
intro-numbers = Jede Antwort ist zum höheren Risiko hin gerundet. Der genaue Wert liegt zwischen unten und oben. Der Weg sagt, woher wir ihn wissen.
intro-reproduce = Speichern Sie dies als scenario.yaml. Führen Sie dann mit derselben Version den Befehl darunter aus, oder die Zeilen in Python.
section-attacker = Die Angreifer
section-released = Was veröffentlicht wird
section-noise = Mehr oder weniger Rauschen
section-looks = Wie der Angriff funktioniert
section-statements = Zweck, Daten und Empfänger
section-related-worst = Der schlimmste Angriff auf zusammenhängende Datensätze
section-related-one = Ein Angriff auf zusammenhängende Datensätze
no-limits = Es ist kein Grenzwert gesetzt. Die Zahlen allein sagen nicht, ob das Risiko annehmbar ist.
decided-by = Es entscheidet: { $decided_by }.
nobody-decides = Wer das verbleibende Risiko annimmt, und warum, ist nicht angegeben.
looks = { $scale ->
    [density] Zu sehen ist eine Zahl. Das Bild zeigt ihre beiden Verteilungen. Wo die zweite höher ist, ist die Zahl ein Hinweis.
    [whole] Zu sehen ist eine ganze Zahl. Das Bild zeigt ihre beiden Verteilungen. Wo die zweite höher ist, ist die Zahl ein Hinweis.
    [outcomes] Zu sehen ist eines von wenigen Ergebnissen. Das Bild zeigt, wie wahrscheinlich jedes in beiden Fällen ist. Wo die zweite höher ist, ist das Ergebnis ein Hinweis.
   *[loss] Alles Veröffentlichte lässt sich in einer Zahl zusammenfassen, dem Log-Likelihood-Quotienten. Das Bild zeigt seine beiden Verteilungen.
 }
looks-test = Der beste Test mit { $fpr } Fehlalarmen nennt dort, wo die Hinweise am stärksten sind. Er erkennt { who-most } { $power } { who-in-genitive }.
noise = { $halved ->
    [yes] Bei { $fpr } Fehlalarmen erkennt der beste Angriff jetzt { who-most } { $now }. Mit halb so viel Rauschen wären es { $half }, mit doppelt so viel { $twice }.
   *[no] Bei { $fpr } Fehlalarmen erkennt der beste Angriff jetzt { who-most } { $now }. Mit doppelt so viel Rauschen wären es { $twice }.
 }
certificate = Woher wir das wissen: { $routes }. Jede Zahl ist bis auf { $width } ihres Werts bekannt.
certificate-wide = Woher wir das wissen: { $routes }. Einige Zahlen sind nur ungefähr bekannt; siehe unten und oben.
certificate-audit = Woher wir das wissen: gemessen. Alle Schranken einer Prüfung gelten zusammen mit der angegebenen Konfidenz.
route-enumeration = Aufzählung (jedes Ergebnis gezählt)
route-shift = Verschiebung (aus der Verteilung des Rauschens)
route-cells = Zellen (zwei endliche Verteilungen zu beiden Seiten)
route-leakage = Leck (das Höchste, was die genaue Grenze der Chancen zulässt)
route-convolution = Faltung (zweier Verteilungen, von beiden Seiten begrenzt)
route-simulation = Simulation (Zufallszahlen; kein Beweis)
route-search = Suche (von beiden Seiten)
route-limit = Grenzwert (eine Näherung; kein Beweis)
route-unknown = unbekannt (kein Nachweis)
route-exact = exakt (eine Formel oder endliche Summe)
route-contour = Kontur (Integrale mit begrenzten Fehlern)
route-grid = Gitter (nach beiden Seiten auswärts gerundet)
route-orders = Ordnungen (das Schlimmste, was die Rényi-Schranken zulassen)
route-lattice = Punktgitter (Summen mit begrenzten Fehlern)
route-spline = Spline (stückweise Polynome)
route-imported = übernommen (das Schlimmste, was die Zahlen eines anderen Programms zulassen)
route-measured = gemessen (eine untere Schranke mit angegebener Konfidenz)
table-pairs = { unit-many } mit Nennung, nach der Wahrscheinlichkeit davor
table-posterior = Überzeugung davor und danach
table-precision_recall = Richtige unter den Genannten
table-roc = Was der beste Angriff erkennt
table-relative_risk = Um wie viel wahrscheinlicher
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
table-related-named = Antworten zu einem Angriff auf zusammenhängende Datensätze: { $name }
table-related-unnamed = Antworten zu einem Angriff auf zusammenhängende Datensätze
table-limits = Grenzwerte
table-analyst = Die Auswertungen
head-claimed = erkannt, laut Behauptung
head-measured = erkannt, laut Messung
head-prior = Wahrscheinlichkeit davor
head-attacker = Angreifer
head-before = zufällig richtig
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
head-ratio = Mal so wahrscheinlich
head-epsilon = Epsilon
head-delta = Delta
head-fpr = Fehlalarme
head-noise = Rauschen
head-factor = Rauschen, Vielfaches
head-fscore = F-Wert
head-threshold = nennt ab
head-known = Bekannte andere
head-route = Weg
head-question = Frage
head-answer = Antwort
head-low = unten
head-high = oben
head-limit = Grenzwert
head-verdict = Urteil
head-about = Gegenstand
head-effect = Effekt
head-test = Test
head-level = Niveau
head-with_noise = Trennschärfe mit dem Rauschen
head-without_noise = Trennschärfe ohne Rauschen
head-needed = nötig
test-number = Test { $number }
power-of = Trennschärfe des Tests: { $name }
verdict-word-kept = ✓ eingehalten
verdict-word-exceeded = ✗ überschritten
verdict-word-open = ? nicht bewiesen
verdict-word-refuted = ✗ nur nach der widerlegten Behauptung eingehalten
about-release = die Veröffentlichung
about-related = alle Angriffe auf zusammenhängende Datensätze
about-analyst = die Auswertung
no-scenario = Keine Szenariodatei kann diese Veröffentlichung aufnehmen ({ $why }).
kept-by-html = Die Bewertung selbst steht als JSON in dieser Seite.
kept-by-markdown = Ein Bericht in HTML oder JSON enthält die Bewertung selbst.

## Glossar

glossary-named = Nennen, ausschließen
    .meaning = { $about ->
        [answer] Die Entscheidung eines Angriffs, dass jemandes wahre Antwort die vermutete ist oder nicht.
        [value] Die Entscheidung eines Angriffs, dass jemandes Wert über der Schranke liegt oder nicht.
       *[membership] Die Entscheidung eines Angriffs, dass jemand in den Daten ist oder nicht.
     }
glossary-prior = Wahrscheinlichkeit davor (Prior)
    .meaning = Wie wahrscheinlich etwas vor der Veröffentlichung scheint. Wir zeigen mehrere Werte, weil niemand ihn kennt.
glossary-odds = Chancen (Odds)
    .meaning = Die Wahrscheinlichkeit, dass etwas so ist, geteilt durch die, dass es nicht so ist. Aus 20 % werden Chancen von 1 zu 4.
glossary-fpr = Fehlalarme (Alpha)
    .meaning = Der Anteil der { who-out }, den ein Angriff fälschlich nennt.
glossary-power = Erkannt (Trennschärfe)
    .meaning = Der Anteil { who-in-genitive }, den ein Angriff richtig nennt.
glossary-curve = Trade-off-Kurve
    .meaning = Zu jeder Quote von Fehlalarmen der kleinste Anteil, den jeder Angriff übersieht. Alles hier ist daraus abgelesen.
glossary-advantage = Vorteil
    .meaning = Der größte Unterschied zwischen dem erkannten Anteil und dem Anteil der Fehlalarme, über alle Angriffe.
glossary-epsilon = Epsilon, Delta
    .meaning = Die zwei Zahlen, mit denen Differential Privacy meist angegeben wird. Sie sind ein Punkt der Kurve.
glossary-neighbours = Nachbarn
    .meaning = { $about ->
        [answer] Die zwei Fälle, die ein Angriff unterscheiden muss: die eine wahre Antwort oder eine andere.
        [value] Die zwei Fälle, die ein Angriff unterscheiden muss: ein Wert über der Schranke oder nicht.
       *[membership] Die zwei Datenbestände, die ein Angriff unterscheiden muss: mit und ohne einen Datensatz, oder mit einem anderen an seiner Stelle.
     }
glossary-unit = Geschützte Einheit
    .meaning = Wofür ein Datensatz steht: eine Person, ein Haushalt, ein Besuch.
glossary-certificate = Nachweis
    .meaning = Woher wir eine Zahl wissen und zwischen welchen Enden der genaue Wert liegt.
glossary-auc = AUC
    .meaning = Die Fläche unter der Kurve des Angriffs. Lesen Sie sie nie allein: Sie kann harmlos aussehen, obwohl einzelne bloßgestellt sind.
