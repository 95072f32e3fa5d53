### Was die Befehle neben Karten und Berichten ausgeben; siehe en/commands.ftl.

written = Geschrieben: { $file }
written-bytes = Geschrieben: { $file } ({ $bytes } Byte)
every-number = Alle Zahlen mit ihren Schranken
every-head-question = Frage
every-head-answer = Antwort
every-head-low = untere Schranke
every-head-high = obere Schranke
every-head-route = Nachweis
route-short = { $route ->
    [enumeration] Aufzählung
    [shift] Verschiebung
    [cells] Zellen
    [leakage] Leck
    [convolution] Faltung
    [search] Suche
    [limit] Grenzverteilung
    [unknown] unbekannt
    [exact] exakt
    [contour] Kontur
    [grid] Gitter
    [orders] Ordnungen
    [lattice] Punktgitter
    [spline] Spline
    [imported] übernommen
    [measured] gemessen
    [simulation] Simulation
   *[other] { $route }
 }
waiting-assess = Die Bewertung läuft … (Abbruch mit Strg-C)
waiting-report = Der Bericht wird geschrieben … (Abbruch mit Strg-C)
waiting-compare = Der Vergleich läuft … (Abbruch mit Strg-C)
waiting-search = Die Suche läuft … (Abbruch mit Strg-C)
waiting-convert = Die Umrechnung läuft … (Abbruch mit Strg-C)
waiting-families = Alle Arten von Rauschen werden betrachtet … (Abbruch mit Strg-C)
waiting-draw = Der zulässige Bereich wird gezeichnet … (Abbruch mit Strg-C)
waiting-count = Die Auszählung läuft … (Abbruch mit Strg-C)
waiting-power = Die Trennschärfe wird berechnet … (Abbruch mit Strg-C)
waiting-solve = Die Lösung wird gesucht … (Abbruch mit Strg-C)
waiting-worst = Der schlimmste Angriff wird gesucht … (Abbruch mit Strg-C)
calibrated = { $name } = { $value }
calibrate-refused = { $larger ->
    [yes] Der Grenzwert ist nicht erreichbar: Größere Werte von { $name } lässt dplens hier nicht zu. { $why }
   *[no] Der Grenzwert ist nicht erreichbar: Kleinere Werte von { $name } lässt dplens hier nicht zu. { $why }
 }
convert-epsilon = Epsilon bei Delta { $delta }
convert-mu = Mu (Gauß’sche Differential Privacy)
convert-zcdp = Rho (null-konzentriert)
convert-renyi = Rényi-Divergenz der Ordnung { $order }
convert-delta = Delta bei Epsilon { $epsilon }
convert-power = erkannter Anteil bei { $rate } Fehlalarmen
convert-advantage = Vorteil
convert-auc = Fläche unter der ROC-Kurve (nie allein)
convert-head-notion = Maß
convert-head-value = Wert
convert-failure = { $failure ->
    [none] Ungünstigster Fall: Die Chancen sind begrenzt.
    [graceful] Ungünstigster Fall: Kein Ergebnis kann etwas beweisen, aber die Chancen sind nicht begrenzt.
    [catastrophic] Ungünstigster Fall: Ein Ergebnis kann etwas beweisen.
   *[undetermined] Ungünstigster Fall: nicht bekannt.
 }
audit-proved = Bewiesen mit { $confidence } Konfidenz
audit-head-bound = Schranke
audit-head-least = mindestens
audit-all-guessed = Wir nehmen an, dass der Angriff über jeden Testdatensatz einen Tipp abgegeben hat. Gab es mehr Testdatensätze, so geben Sie --canaries an.
power-noise = Trennschärfe mit dem Rauschen: { $power } (abgerundet).
power-none = Trennschärfe ohne Rauschen: { $power }.
power-solved = { $name } = { $value }
power-reached = Das ergibt eine Trennschärfe von { $power }.
choose-every = Alle Arten von Rauschen, die wir betrachtet haben
choose-head-family = Art
choose-head-noise = Rauschen
choose-head-worst = ungünstigster Fall
choose-head-power = Trennschärfe
choose-head-admissible = zulässig
choose-worst = { $failure ->
    [none] Chancen begrenzt
    [graceful] kein Beweis möglich
    [catastrophic] Beweis möglich
   *[undetermined] nicht bekannt
 }
choose-yes = ja
choose-no = nein
choose-noise = { parameter-name } = { $amount }
leak-described = Der von Ihnen beschriebene Angriff
reproduced-head-name = Name
reproduced-head-place = Stelle
reproduced-head-verdict = Urteil
reproduced-head-what = was
reproduced-verdict = { $verdict ->
    [MATCHES] stimmt überein
    [CORRECTED] stimmt nach Berichtigung eines Druckfehlers überein
    [CONDITION] gilt unter einer Bedingung
   *[FAILS] gilt nicht
 }
reproduced-reading = { $reading ->
    [rounded] gerundet
    [cut] abgeschnitten
   *[differs] weicht ab
 }
reproduced-number = { $what }: gedruckt { $printed }, bei uns { $ours } ({ reproduced-reading }).
reproduced-errors = Die Artikel enthalten Fehler an { $count } Stellen: { $file }
ask-or = { $first } oder { $second }
ask-blatant = Darf ein Ergebnis beweisen, dass jemand in den Daten ist?
ask-sure = Darf ein Angriff beliebig sicher werden, wenn auch nur selten?
ask-power = Welche Trennschärfe muss bleiben?
ask-door = Womit beginnen Sie?
ask-door-privacy = Ich habe eine Grenze für das Risiko (erst der Schutz)
ask-door-utility = Ich brauche eine bestimmte Trennschärfe (erst der Nutzen)
ask-limit = Wie geben Sie das Risiko an, das Sie hinnehmen?
ask-limit-odds = als Faktor, um den die Chancen steigen dürfen
ask-limit-members = als Anteil der Personen in den Daten, den ein Angriff erkennen darf
ask-factor = Um welchen Faktor dürfen die Chancen höchstens steigen?
ask-rate = Bei welcher Quote von Fehlalarmen?
ask-share = Welchen Anteil der Personen in den Daten darf ein Angriff höchstens erkennen?
ask-analysis = Gibt es eine Auswertung, die mit der Zahl arbeitet?
ask-n = Zahl der Datensätze
ask-low = Kleinster möglicher Wert eines Datensatzes
ask-high = Größter möglicher Wert
ask-effect = Unterschied der Mittelwerte, der sichtbar sein muss
ask-level = Wahrscheinlichkeit eines Fehlalarms, die Sie hinnehmen
