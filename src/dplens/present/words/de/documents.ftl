### Berichte über Vergleiche, Prüfungen, Entscheidungen und jedes andere Ergebnis. Zahlen kommen formatiert und gerundet.
### Ein Schlüssel endet mit dem Namen einer Art von Ergebnis; einer ohne Namen gilt für alle anderen.

## Titel

document-title = { $kind }
document-title-comparison = Welche Veröffentlichung besser schützt
document-title-changes = Was sich geändert hat
document-title-side-by-side = { $count } Veröffentlichungen nebeneinander
document-title-decision = Wie viel Rauschen nötig ist
document-title-audit = Was ein gemessener Angriff beweist
document-title-one-run-audit = Was Vermutungen über einen Lauf beweisen
document-title-refutation = Eine Behauptung und ein gemessener Angriff
document-title-worst = Was Angreifer lernen, wenn Personen zusammenhängen
document-title-view = Was ein Angreifer lernt, wenn Personen zusammenhängen
document-title-frameworks = Begriffe von Datenschutz, wenn Personen zusammenhängen
document-title-solution = Plan einer Studie
document-title-calibration = Der riskanteste Wert, der die Grenzwerte einhält
document-title-budget-split = Wie ein Budget aufgeteilt wird

## Das Urteil in einem Wort oder zweien, neben seiner Form

document-state-met = { verdict-state-kept }
document-state-broken = Nicht eingehalten
document-state-open = { verdict-state-open }
document-state-none = Zur Kenntnis
document-state-met-decision = Rauschen, das beiden Seiten genügt
document-state-broken-decision = Kein Rauschen genügt beiden Seiten
document-state-none-comparison = Verglichen
document-state-none-changes = Änderungen
document-state-none-audit = Untere Schranken
document-state-none-one-run-audit = Untere Schranken
document-state-broken-refutation = Behauptung widerlegt
document-state-none-refutation = Behauptung nicht widerlegt
document-state-none-worst = Schlimmster Angreifer
document-state-broken-frameworks = Eine veröffentlichte Ungleichung gilt nicht
document-state-none-solution = Plan
document-state-some-side-by-side = Nicht alle beurteilt
document-proved = { $kind ->
    [power] Mit { $confidence } Konfidenz erkennt ein Angriff mit { $rate } Fehlalarmen mindestens { $least } der Personen in den Daten.
    [epsilon] Mit { $confidence } Konfidenz ist Epsilon mindestens { $least }.
   *[nothing] Dieser Angriff beweist kein Risiko (Konfidenz { $confidence }). Ein anderer Angriff kann mehr finden.
 }

## Worum es geht

document-about = Dieser Bericht nennt ein Ergebnis mit allen seinen Zahlen.
document-about-comparison = Wir vergleichen { $count } Veröffentlichungen: Was können Angreifer daraus lernen? Eine ist sicherer, wenn jeder Angriff weniger Personen findet.
document-about-side-by-side = Wir vergleichen { $count } Veröffentlichungen, jede nach ihrer eigenen Beschreibung. Grenzwerte und Zahlen stehen nebeneinander.
document-about-changes = Wir vergleichen zwei Bewertungen. Vorher: { $before }. Nachher: { $after }.
document-about-audit = Die Veröffentlichung wurde angegriffen. Die Ergebnisse beweisen, dass man mindestens so viel lernen kann.
document-about-one-run-audit = In einen Lauf wurden Testdaten gelegt, und ein Angreifer riet, welche. Richtige Vermutungen beweisen, dass man mindestens so viel lernen kann.
document-about-refutation = Wir halten einen gemessenen Angriff gegen das, was behauptet wird.
document-about-audited = Wir halten einen gemessenen Angriff gegen das, was behauptet wird.
document-about-audit-plan = Dieser Plan sagt, wie groß eine Prüfung sein muss, um einen Fehler zu finden.
document-about-worst = Daten zusammenhängender Personen sagen etwas übereinander. Wir suchen den Angreifer, der daraus am meisten lernt.
document-about-view = Daten zusammenhängender Personen sagen etwas übereinander. Dieser Angreifer weiß wie und kennt vielleicht einen Teil der Daten.
document-about-frameworks = Für zusammenhängende Daten gibt es mehrere Begriffe von Datenschutz. Wir nennen Epsilon nach jedem davon, für dieselbe Veröffentlichung.
document-about-calibration = Wir suchen den Wert mit dem wenigsten Rauschen, der noch jeden Grenzwert einhält.
document-about-budget-split = Mehrere Zahlen erscheinen unter einem gemeinsamen Grenzwert. Wir sagen, wie viel Rauschen jede bekommt.
document-about-solution = Wir lösen den Plan einer Studie nach { $unknown } auf.
document-claim = Behauptet wird: { $claim }.
document-other-neighbours = Diese Veröffentlichungen vergleichen verschiedene Datensätze. Ihre Zahlen beantworten verschiedene Fragen.
document-door-privacy-first = Wir gehen von dem Risiko aus, das tragbar ist. Dann suchen wir Rauschen, das der Auswertung genug Trennschärfe lässt.
document-door-utility-first = Wir gehen von der Trennschärfe aus, die die Auswertung braucht. Dann suchen wir das Rauschen, das Angreifern am wenigsten verrät.
document-wanted = Die Auswertung braucht eine Trennschärfe von { $power }.
document-not-stated = Zweck, Nutzen und Empfänger sind nicht angegeben.
document-model-assumed = Die Zahlen gelten für dieses Modell der Zusammenhänge. Hängen Personen anders zusammen, lernen Angreifer vielleicht mehr.

## Was es nicht abdeckt

document-not-covered = Diese Zahlen sagen nichts über Fehler in Programmen und nichts über Personen, die die Daten selbst sehen.
document-not-covered-comparison = Wir vergleichen nur diese Veröffentlichungen. Andere aus denselben Daten verraten Angreifern noch mehr.
document-not-covered-changes = Wir vergleichen nur diese Veröffentlichungen. Andere aus denselben Daten verraten Angreifern noch mehr.
document-not-covered-side-by-side = Jede Veröffentlichung wird allein betrachtet. Erscheinen mehrere, lernen Angreifer mehr als aus jeder einzelnen.
document-not-covered-decision = Die Zahlen sagen nicht, welches Risiko tragbar ist. Fehler in Programmen und andere Veröffentlichungen sind nicht erfasst.
document-not-covered-audit = Kein Angriff kann eine Garantie bestätigen: Ein anderer findet vielleicht mehr.
document-not-covered-one-run-audit = Kein Angriff kann eine Garantie bestätigen: Ein anderer findet vielleicht mehr.
document-not-covered-refutation = Kein Angriff kann eine Garantie bestätigen: Ein anderer findet vielleicht mehr.
document-not-covered-audited = Kein Angriff kann eine Garantie bestätigen: Ein anderer findet vielleicht mehr.
document-not-covered-solution = Der Plan sagt nicht, was Angreifer lernen. Bewerten Sie dafür die Veröffentlichung.

## Überschriften und Tabellen

heading-about = Worum es geht
heading-results = Ergebnisse
heading-claim = Die Behauptung
heading-reasons = Wie wir gewählt haben
heading-feasible = Wie viel Rauschen beiden Seiten genügt
heading-concessions = Was sich ändern müsste
heading-planning = Worauf der Plan beruht
document-head-what = Größe
document-head-value = Wert
document-head-publication = Veröffentlichung
document-head-verdict = Urteil
document-head-pair = richtig benannt, bis zu
document-head-related = Epsilon bei Zusammenhängen, bis zu
document-pair = { $after } von { $out_of } ({ $before } durch Zufall)
document-epsilon = { $epsilon } (Delta { $delta })
document-table-main = { heading-main }
document-table-1 = Zahlen
document-table-2 = Weitere Zahlen
document-table-3 = Weitere Zahlen
document-table-claim = Die Behauptung und die Messung
document-table-1-side-by-side = Urteile und die wichtigsten Zahlen
document-table-1-decision = Alle Arten von Rauschen, die wir geprüft haben
document-table-1-changes = Antworten vorher und nachher
document-table-2-changes = Eingaben vorher und nachher
document-table-1-worst = Der schlimmste Angreifer nach seinem Wissen
document-table-1-budget-split = Was jeder Test bekommt
document-table-2-budget-split = Grenzwerte und Antworten
document-table-1-calibration = Grenzwerte und Antworten
document-more-rows = Seite eins zeigt { $shown } von { $count } Zeilen. Der Abschnitt mit den Ergebnissen hat alle.
document-range = { $state ->
    [empty] Kein Maß an Rauschen genügt beiden Seiten. Der Grenzwert verlangt { $parameter } von mindestens { $low }. Die Auswertung verträgt höchstens { $high }.
    [open] Der Grenzwert verlangt { $parameter } von mindestens { $low }. Nach oben ist das Rauschen nicht begrenzt.
   *[closed] Der Grenzwert verlangt { $parameter } von mindestens { $low }. Die Auswertung verträgt höchstens { $high }.
 }
document-no-range = Es gibt keinen Bereich von Rauschen zu zeigen.

## Die Seite, die die Berichte eines Ordners auflistet

index-title = Berichte
index-intro = { $count ->
    [one] { $read ->
        [0] Die Datei konnte nicht gelesen werden.
       *[other] Die Datei konnte gelesen werden.
     }
   *[other] { $read ->
        [one] Eine von { $count } Dateien konnte gelesen werden.
       *[other] { $read } von { $count } Dateien konnten gelesen werden.
     }
 }
index-head-title = Titel
index-head-verdict = Urteil
index-head-said = in einem Satz
index-head-files = Dateien
index-failed = Nicht gelesen
kind-side-by-side = Vergleich
