### Was sich zwischen zwei Bewertungen geändert hat, und Veröffentlichungen nebeneinander; siehe en/changes.ftl.

changed-risk = { $risk ->
    [higher] Das Risiko ist höher als zuvor.
    [lower] Das Risiko ist niedriger als zuvor.
    [mixed] Das Risiko ist nach einigen Maßen höher und nach anderen niedriger.
   *[same] Das Risiko ist dasselbe wie zuvor.
 }
changed-by-description = { $risk ->
    [higher] Allein nach den Beschreibungen ist das Risiko höher als zuvor.
    [lower] Allein nach den Beschreibungen ist das Risiko niedriger als zuvor.
    [mixed] Allein nach den Beschreibungen ist das Risiko nach einigen Maßen höher und nach anderen niedriger.
   *[same] Allein nach den Beschreibungen ist das Risiko dasselbe.
 }
changed-refuted-before = Ein gemessener Angriff zeigt, dass das Risiko zuvor höher war als angegeben.
changed-refuted-after = Ein gemessener Angriff zeigt, dass das Risiko jetzt höher ist als angegeben.
changed-refuted-both = Gemessene Angriffe zeigen, dass das Risiko zuvor wie jetzt höher ist als angegeben.
changed-mildest = Das wahre Risiko kann höher sein: Nicht jede Zahl beruht auf einer Behauptung.
changed-related-before = Nur die alten Zahlen berücksichtigen, was zusammenhängende Datensätze verraten.
changed-related-after = Nur die neuen Zahlen berücksichtigen, was zusammenhängende Datensätze verraten.
changed-related-bound = Was zusammenhängende Datensätze verraten können, hat sich geändert.
changed-missed = Einen Grenzwert, den wir erst jetzt prüfen, können wir nicht beweisen: { $question }, { limit-bound }.
changed-nothing = Es hat sich nichts geändert.
changed-neighbours = Allerdings hat sich die geschützte Einheit oder der Vergleich geändert. Alte und neue Zahlen beantworten verschiedene Fragen.
changed-failure = Ungünstigster Fall zuvor: { $before ->
    [none] Die Chancen waren begrenzt
    [graceful] Kein Ergebnis konnte etwas beweisen, aber die Chancen waren nicht begrenzt
    [catastrophic] Ein Ergebnis konnte etwas beweisen
   *[undetermined] nicht bekannt
 }. Ungünstigster Fall jetzt: { $after ->
    [none] Die Chancen sind begrenzt
    [graceful] Kein Ergebnis kann etwas beweisen, aber die Chancen sind nicht begrenzt
    [catastrophic] Ein Ergebnis kann etwas beweisen
   *[undetermined] nicht bekannt
 }.
changed-input = Geändert: { $place }, von { $before } auf { $after }.
changed-new = Neu: { $place }, { $after }.
changed-gone = Entfallen: { $place }, zuvor { $before }.
changed-none = keine
changed-answer = { $question }: zuvor { $before }, jetzt { $after }.
changed-related = Bei Zusammenhängen zwischen Personen, { $question }: zuvor { $before }, jetzt { $after }.
changed-power = Trennschärfe der Auswertung „{ $name }“: zuvor { $before }, jetzt { $after }.
changed-asked = Nur jetzt gefragt: { $question }.
changed-unasked = Nur zuvor gefragt: { $question }.
changed-limit = { $met ->
    [yes] Wir können jetzt einen Grenzwert beweisen, den wir zuvor nicht beweisen konnten: { $question }, { limit-bound }.
   *[no] Wir können einen Grenzwert nicht mehr beweisen, den wir zuvor bewiesen hatten: { $question }, { limit-bound }.
 }
compared-safer = { $a } schützt bei jeder Quote von Fehlalarmen besser als { $b }.
compared-riskier = { $b } schützt bei jeder Quote von Fehlalarmen besser als { $a }.
compared-equal = { $a } und { $b } schützen gleich gut. Einen Unterschied können wir nicht beweisen.
compared-crossing = { $where ->
    [none] Keine schützt durchweg besser: Die Kurven von { $a } und { $b } kreuzen sich.
   *[some] Keine schützt durchweg besser: Die Kurven von { $a } und { $b } kreuzen sich bei { $rates } Fehlalarmen.
 }
compared-by-description = Allein nach den Beschreibungen: { $said }
compared-refuted = Ein gemessener Angriff zeigt, dass das Risiko von { $name } höher ist als angegeben.
compared-next-to = { $end ->
    [zero] fast 0
   *[all] fast 100 %
 }
compared-neighbours = Allerdings vergleichen { $a } und { $b } Verschiedenes ({ $first }; { $second }). Ihre Kurven beantworten verschiedene Fragen.
compared-by = Verglichen anhand von: { $question }
compared-head-release = Veröffentlichung
compared-head-answer = Antwort
compared-head-variance = Varianz des Rauschens
compared-head-equal = beim Risiko der ersten Veröffentlichung
compared-from = Von { $a } zu { $b }:
