### Gemessene Angriffe: Urteile für Programmierer, und Hinweise dazu, wie gemessen wurde; siehe en/audit.ftl.

refutation = { $refuted ->
    [yes] Die Behauptung ist widerlegt (Konfidenz { $confidence }). Bei { $rate } Fehlalarmen erkennt der Angriff mindestens { $measured } der Personen in den Daten. Die Behauptung erlaubt höchstens { $claimed }. { refutation-assumes }
   *[no] Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). Das bestätigt sie nicht: Ein anderer Angriff oder mehr Messungen können sie widerlegen. { refutation-assumes }
 }
refutation-assumes = Das gilt nur, wenn die Werte unabhängig sind und der Angriff vorher feststand.
refutation-run = { $verdict ->
    [refuted] Die Behauptung ist widerlegt (Konfidenz { $confidence }). { $share } von { $guesses } Tipps waren richtig. Die Behauptung erlaubt weniger als { $claimed }. { refutation-run-assumes }
    [few] Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). { $share } von { $guesses } Tipps waren richtig. So wenige Tipps können nichts widerlegen. { refutation-run-assumes }
   *[open] Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). { $share } von { $guesses } Tipps waren richtig. Für eine Widerlegung bräuchte es { $claimed }. Das bestätigt die Behauptung nicht. { refutation-run-assumes }
 }
refutation-run-assumes = Das gilt nur, wenn jede Münze fair und ungesehen war und der Angriff vorher feststand.
note-fixed = Laut Angabe standen die Schwellen fest, bevor jemand die Werte sah.
note-both = Hohe und niedrige Werte wurden beide als Hinweis geprüft, jeweils mit der halben zulässigen Fehlerquote.
note-reversed-rates = Die Seiten scheinen vertauscht: Der Angriff nennt öfter Personen außerhalb der Daten als solche darin. Wir haben nichts geändert, deshalb ist wenig bewiesen. Haben Sie die Seiten verwechselt, so tauschen Sie sie.
note-reversed-scores = Die Werte scheinen verkehrt herum: Hohe sprechen gegen die Zielperson (Fläche unter der ROC-Kurve { $auc }). Wir haben sie unverändert verwendet, deshalb ist wenig bewiesen. Haben Sie die Seiten verwechselt, so tauschen Sie sie. Sprechen niedrige Werte für die Teilnahme, so setzen Sie members auf lower, aber nicht wegen dieser Werte. Oder prüfen Sie beides (either).
note-reversed-guesses = Die Tipps scheinen verkehrt herum: { $right } von { $made } waren richtig, weniger als durch Zufall. Wir haben nichts geändert, deshalb ist nichts bewiesen. Haben Sie die Münzen verwechselt, so tauschen Sie sie. Bedeuten niedrige Werte, dass ein Testdatensatz dabei war, so setzen Sie members auf lower, aber nicht wegen dieser Ergebnisse.
note-unpickled = Die Daten lassen sich nicht mit pickle speichern. Wir nehmen an, dass die fertigen Läufe dieselben Daten hatten, können es aber nicht prüfen.
note-other-code = Die Funktion hat sich seit den fertigen Läufen geändert, im Code oder in einem gespeicherten Wert. Wir haben die Läufe behalten. Betrifft die Änderung die Ergebnisse, so beginnen Sie neu.
note-changed-data = Die Daten haben sich während der Läufe geändert. Jeder Lauf hängt also von den vorigen ab, und nichts ist bewiesen. Lassen Sie die Funktion mit einer Kopie arbeiten.
note-same-output = Jeder Lauf ergab dasselbe. Die Funktion nutzt ihren Generator nicht oder startet in jedem Lauf einen eigenen mit demselben Wert. Rauschen aus einem einzigen Startwert ist kein Rauschen.
note-alone = Die Funktion nimmt keinen Generator entgegen, deshalb läuft sie nur in diesem Prozess: Mehrere Prozesse zögen dasselbe Rauschen. Für mehrere Prozesse muss sie einen Generator entgegennehmen, wie in run(data, rng).
note-held = Die Funktion nutzt noch anderen Zufall als ihren Generator, deshalb läuft sie nur in diesem Prozess: Mehrere Prozesse zögen dasselbe Rauschen. Für mehrere Prozesse darf sie nur aus rng ziehen.
note-again = Die Funktion beginnt mit demselben Rauschen wie die fertigen Läufe, als hätte sie einen eigenen Generator. Wir haben diese Läufe wiederholt, denn dasselbe Rauschen darf nicht doppelt zählen. Zieht sie nur aus rng, lassen sich fertige Läufe fortsetzen.
note-only-in = Kein Tipp lautete, dass ein Testdatensatz fehlte: Eine 0 lesen wir als „kein Tipp“. War 0 so gemeint, so geben Sie Wahrheitswerte oder -1 an.
