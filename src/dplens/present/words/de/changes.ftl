### Was sich zwischen zwei Bewertungen geändert hat, und Veröffentlichungen nebeneinander; siehe en/changes.ftl.

changed-risk = { $risk ->
    [higher] Das Risiko ist höher als zuvor.
    [lower] Das Risiko ist niedriger als zuvor.
    [mixed] Das Risiko ist nach einigen Maßen höher und nach anderen niedriger.
   *[same] Das Risiko ist dasselbe wie zuvor.
 }
changed-nothing = Nichts hat sich geändert.
changed-neighbours = Aber die geschützte Einheit oder der Vergleich hat sich geändert. Alte und neue Zahlen beantworten verschiedene Fragen.
changed-failure = Schlimmster Fall zuvor: { $before ->
    [none] Die Chancen hatten eine Grenze
    [graceful] Kein Ergebnis konnte etwas beweisen, aber die Chancen hatten keine Grenze
    [catastrophic] Ein Ergebnis konnte etwas beweisen
   *[undetermined] nicht bekannt
 }. Schlimmster Fall jetzt: { $after ->
    [none] Die Chancen haben eine Grenze
    [graceful] Kein Ergebnis kann etwas beweisen, aber die Chancen haben keine Grenze
    [catastrophic] Ein Ergebnis kann etwas beweisen
   *[undetermined] nicht bekannt
 }.
changed-input = Geändert: { $place }, von { $before } zu { $after }.
changed-new = Neu: { $place }, { $after }.
changed-gone = Entfallen: { $place }, zuvor { $before }.
changed-none = keine
changed-answer = { $question }: zuvor { $before }, jetzt { $after }.
changed-related = Wenn Personen zusammenhängen, { $question }: zuvor { $before }, jetzt { $after }.
changed-power = Trennschärfe der Auswertung „{ $name }“: zuvor { $before }, jetzt { $after }.
changed-asked = Nur jetzt gefragt: { $question }.
changed-unasked = Nur zuvor gefragt: { $question }.
changed-limit = { $met ->
    [yes] Wir können jetzt einen Grenzwert beweisen, den wir zuvor nicht beweisen konnten: { limit-asked }.
   *[no] Wir können einen Grenzwert nicht mehr beweisen, den wir zuvor bewiesen hatten: { limit-asked }.
 }
compared-safer = { $a } schützt bei jeder Quote von Fehlalarmen besser als { $b }.
compared-riskier = { $b } schützt bei jeder Quote von Fehlalarmen besser als { $a }.
compared-equal = { $a } und { $b } schützen gleich. Einen Unterschied können wir nicht beweisen.
compared-crossing = { $where ->
    [none] Keine schützt durchweg besser: Die Kurven von { $a } und { $b } kreuzen sich.
   *[some] Keine schützt durchweg besser: Die Kurven von { $a } und { $b } kreuzen sich bei { $rates } Fehlalarmen.
 }
compared-next-to = { $end ->
    [zero] fast 0
   *[all] fast 100 %
 }
compared-neighbours = Aber { $a } und { $b } vergleichen Verschiedenes ({ $first }; { $second }). Ihre Kurven beantworten verschiedene Fragen.
compared-by = Verglichen nach: { $question }
compared-head-release = Veröffentlichung
compared-head-answer = Antwort
compared-head-variance = Varianz des Rauschens
compared-head-equal = beim Risiko der ersten
compared-from = Von { $a } zu { $b }:
