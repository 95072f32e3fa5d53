### Entscheidungen über Rauschen: Gründe, Zugeständnisse, Annahmen; siehe en/decide.ftl.

family-name = { $family ->
    [laplace] Laplace-Rauschen
    [staircase] Treppen-Rauschen
    [gaussian] Gauß-Rauschen
    [geometric] geometrisches Rauschen
    [discrete_gaussian] diskretes Gauß-Rauschen
   *[other] { $family }
 }
rival-name = { $rival ->
    [laplace] Laplace-Rauschen
    [staircase] Treppen-Rauschen
    [gaussian] Gauß-Rauschen
    [geometric] geometrisches Rauschen
    [discrete_gaussian] diskretes Gauß-Rauschen
   *[other] { $rival }
 }
parameter-name = { $parameter ->
    [scale] Skalenparameter
    [sigma] Sigma
    [noise] Größe
   *[other] { $parameter }
 }
planned-name = { $name ->
    [n2] n der zweiten Gruppe
    [sd] Standardabweichung
    [sd2] Standardabweichung der zweiten Gruppe
    [sd_x] Standardabweichung von x
    [mean_x] Mittelwert von x
    [mean_y] Mittelwert von y
    [effect] Effekt
    [baseline] Ausgangswert
    [null] geprüfter Wert
    [bounds] mögliche Werte
    [x_bounds] mögliche Werte von x
    [y_bounds] mögliche Werte von y
    [ratio] Verhältnis der Standardabweichungen
    [probabilities] Wahrscheinlichkeiten
   *[other] { $name }
 }
decide-blatant = { $ok ->
    [yes] Ein Ergebnis darf beweisen, dass jemand in den Daten ist.
   *[no] Kein Ergebnis darf beweisen, dass jemand in den Daten ist. Arten von Rauschen, die das zulassen, scheiden aus.
 }
decide-sure = { $ok ->
    [yes] Ein Angriff darf fast sicher werden, wenn auch nur selten.
   *[no] Kein Angriff darf fast sicher werden. Die Chancen müssen begrenzt sein.
 }
decide-limit = Das Risiko, das Sie hinnehmen: { $limits }.
decide-limit-one = { $more ->
    [yes] { $question } – höchstens { $bound }
   *[no] { $question } – mindestens { $bound }
 }
decide-met = { $spent ->
    [yes] Zusammen mit der Veröffentlichung von { $releases } ist der Grenzwert mit { parameter-name } = { $amount } eingehalten.
   *[no] Der Grenzwert ist mit { parameter-name } = { $amount } eingehalten.
 }
decide-met-power = { decide-met } Die Trennschärfe der Auswertung ist dann { $power }.
decide-forbidden-proof = { decide-together } kann ein Ergebnis beweisen, dass jemand in den Daten ist. Das ist nicht zugelassen.
decide-forbidden-sure = { decide-together } kann ein Angriff fast sicher werden, wenn auch selten. Das ist nicht zugelassen.
decide-forbidden-unknown = { decide-together } wissen wir nicht, ob ein Ergebnis etwas beweisen kann. Das ist nicht zugelassen.
decide-together = { $spent ->
    [yes] Zusammen mit der Veröffentlichung von { $releases }
   *[no] Mit diesem Rauschen
 }
decide-reason = { family-name }: { $why }
decide-none-serves-power = Keine Art von Rauschen genügt beiden Seiten. Unter dem Grenzwert beträgt die größte Trennschärfe { $power } ({ family-name }). Nötig sind { $needed }.
decide-none-serves = Keine Art von Rauschen genügt beiden Seiten.
decide-none-admissible = Es bleibt keine Art von Rauschen übrig: Die Antworten auf die drei Fragen schließen alle aus.
decide-excluded = Die Veröffentlichung von { $releases } schließt sie aus, welches Rauschen jetzt auch gewählt wird.
decide-best-guarantee = { $mildest ->
    [yes] Wir empfehlen { family-name }. Unter den Arten, die den Grenzwert einhalten und den mildesten ungünstigsten Fall haben, bietet diese die stärkste Garantie.
   *[no] Wir empfehlen { family-name }. Unter den Arten, die den Grenzwert einhalten, bietet diese die stärkste Garantie.
 }
decide-best-power = Wir empfehlen { family-name }. { $case ->
    [alone] Bei keiner anderen Art ist der ungünstigste Fall so mild. Der Auswertung bleibt eine Trennschärfe von { $power }.
    [some] Unter den Arten mit dem mildesten ungünstigsten Fall lässt diese der Auswertung die größte Trennschärfe: { $power }.
   *[all] Diese Art lässt der Auswertung die größte Trennschärfe: { $power }.
 }
decide-best-tied = Wir empfehlen { family-name }. { $case ->
    [some] Diese Art gehört zu denen mit dem mildesten ungünstigsten Fall. Sie lässt der Auswertung eine Trennschärfe von { $power }.
   *[all] Diese Art lässt der Auswertung eine Trennschärfe von { $power }.
 } Das ist höchstens ein halber Prozentpunkt weniger als bei anderen ({ $tied }), und die Garantie ist stärker.
decide-more-power = Mehr Trennschärfe ({ $power }) lässt { family-name }, aber dort wiegt der ungünstigste Fall schwerer.
decide-needs = Die Auswertung braucht eine Trennschärfe von { $needed }. Ohne Rauschen beträgt sie { $known }.
decide-needs-less = Die Auswertung braucht eine Trennschärfe von { $needed }, denn { $loss } von { $most } dürfen verloren gehen. Ohne Rauschen beträgt sie { $known }.
decide-leaves = Es bleibt eine Trennschärfe von { $power } mit { parameter-name } = { $amount }.
decide-too-much = { $spent ->
    [yes] Zusammen mit der Veröffentlichung von { $releases } ist der Grenzwert bei { parameter-name } = { $amount } überschritten. Mehr Rauschen verträgt die Auswertung nicht. { $violations }
   *[no] Der Grenzwert ist bei { parameter-name } = { $amount } überschritten. Mehr Rauschen verträgt die Auswertung nicht. { $violations }
 }
decide-violation = { $question }: Das Ergebnis ist { $answer }, der Grenzwert { $bound }.
decide-overspent = Die Veröffentlichung von { $releases } allein überschreitet den Grenzwert. { $violations }
decide-unreachable = Keine Menge dieses Rauschens hält den Grenzwert nachweislich ein: { $question } – { unit-at-bound } { $bound } erlaubt. { $endless ->
    [yes] Seine Hinweise sind nicht begrenzt, auch wenn starke selten sind. Legen Sie den Grenzwert bei einer Quote von Fehlalarmen oder einem Delta über 0 fest. Oder wählen Sie ein Rauschen, das die Hinweise begrenzt, etwa Laplace-Rauschen.
   *[no] Erreichbar ist bestenfalls { $nearest }.
 }
decide-too-weak = Kein Rauschen ist gering genug: Selbst ohne Rauschen oder mit kaum merklichem beträgt die Trennschärfe { $power }. Nötig sind { $needed }. Mehr Datensätze, ein größerer Effekt oder ein größeres Niveau würden sie erhöhen.
decide-best-only = Wir empfehlen { family-name }. Keine andere Art, die wir betrachtet haben, genügt beiden Seiten.
decide-best-alone = Wir empfehlen { family-name }. Unter den Arten, die diese Trennschärfe lassen, hat nur diese den mildesten ungünstigsten Fall.
decide-best-all = Wir empfehlen { family-name }. Unter den Arten mit dieser Trennschärfe verrät diese nach jedem Maß am wenigsten.
decide-best-mild = Wir empfehlen { family-name }. Unter den Arten mit dieser Trennschärfe und dem mildesten ungünstigsten Fall verrät diese nach jedem Maß am wenigsten.
decide-best-advantage = { $mildest ->
    [yes] Wir empfehlen { family-name }. Unter den Arten mit dieser Trennschärfe und dem mildesten ungünstigsten Fall gibt diese Angriffen den geringsten Vorteil: { $advantage }.
   *[no] Wir empfehlen { family-name }. Unter den Arten mit dieser Trennschärfe gibt diese Angriffen den geringsten Vorteil: { $advantage }.
 }
decide-not-best = Sie ist nicht nach jedem Maß die beste. Nach einem ist { rival-name } besser ({ $theirs } statt { $own }): { $question }.
decide-accepted = { $spent ->
    [yes] Zusammen mit der Veröffentlichung von { $releases } beträgt das hinzunehmende Risiko Mu = { $mu }, Epsilon = { $epsilon }.
   *[no] Das hinzunehmende Risiko beträgt Mu = { $mu }, Epsilon = { $epsilon }.
 }
decide-attacker = Angenommen, Angreifer vermuten jede Person mit einer Wahrscheinlichkeit von { $prior } in den Daten. Nennen sie { $out_of } Personen, so liegen sie durch Zufall bei { $before } richtig. { $spent ->
    [yes] Mit dieser Veröffentlichung und der von { $releases } liegen sie bei bis zu { $after } richtig.
   *[no] Mit dieser Veröffentlichung liegen sie bei bis zu { $after } richtig.
 } (Fälschlich nennen sie { $fpr } der Personen, die nicht in den Daten sind.)
decide-worst = { $failure ->
    [none] Was auch veröffentlicht wird: Die Chancen ändern sich höchstens um einen festen Faktor.
    [graceful] Kein veröffentlichtes Ergebnis kann beweisen, dass jemand in den Daten ist. Starke Hinweise sind möglich, aber je stärker, desto seltener.
    [catastrophic] Mit einer gewissen Wahrscheinlichkeit beweist ein veröffentlichtes Ergebnis, dass eine bestimmte Person in den Daten ist.
   *[undetermined] Wir wissen nicht, ob ein veröffentlichtes Ergebnis beweisen kann, dass jemand in den Daten ist.
 }
decide-analyst = Von 100 Studien mit einem wahren Effekt von { $effect } finden ihn trotz des Rauschens etwa { $after }. Ohne Rauschen wären es { $before }. { $odd ->
    [yes] (Eine Zählung ohne Rauschen kann ihr Niveau nicht ganz ausschöpfen.){" "}
   *[no] {""}
 }Gibt es keinen Effekt, so melden höchstens { $level } der Studien trotzdem einen.
concede-records = { family-name }: Beim selben Grenzwert würden { $needed } statt { $now } Datensätze genügen ({ $times }-mal so viele).
concede-records-none = Keine Zahl von Datensätzen genügt: Das Rauschen wird durch mehr Datensätze nicht kleiner.
concede-records-unknown = Wie viele Datensätze genügen würden, haben wir nicht gefunden. { $why }
concede-records-fixed = Das gilt, wenn ein Datensatz das Ergebnis um { $sensitivity } ändert, unabhängig von ihrer Zahl.
concede-effect = { family-name }: Beim selben Grenzwert würde ein Effekt von { $needed } statt { $now } oft genug gefunden.
concede-effect-none = Kein Effekt ist groß genug, um oft genug gefunden zu werden.
concede-effect-most = Selbst der größte mögliche Effekt, { $most }, wird nicht oft genug gefunden.
concede-limit-none = Kein Grenzwert ist locker genug: Selbst ohne Rauschen liegt die Trennschärfe unter { $power }.
concede-limit = { family-name }: Der Grenzwert müsste auf { $needed } statt { $bound } gelockert werden für: { $question }.
concede-without-n = Selbst ohne Rauschen sind { $needed } statt { $now } Datensätze nötig.
concede-without-effect = Selbst ohne Rauschen ist ein Effekt von { $needed } statt { $now } nötig.
concede-without-unknown = Welcher Wert von { $what } selbst ohne Rauschen genügen würde, haben wir nicht gefunden. { $why }
concede-without-most = Das gilt selbst ohne Rauschen. { $why }
assume-neighbours = { $neighbours ->
    [replace] Wir vergleichen Datenbestände, in denen ein Datensatz durch einen anderen ersetzt ist. Das ändert das Ergebnis um höchstens { $most }.
   *[add_remove] Wir vergleichen Datenbestände mit und ohne einen Datensatz. Das ändert das Ergebnis um höchstens { $most }.
 }
assume-neighbours-several = { $neighbours ->
    [replace] Wir vergleichen Datenbestände, in denen ein Datensatz durch einen anderen ersetzt ist. Das ändert die Zahlen in der Summe um höchstens { $most } und in der Wurzel der Quadratsumme um höchstens { $root }.
   *[add_remove] Wir vergleichen Datenbestände mit und ohne einen Datensatz. Das ändert die Zahlen in der Summe um höchstens { $most } und in der Wurzel der Quadratsumme um höchstens { $root }.
 }
assume-unit = Geschützt wird ein Datensatz. Angreifer können alle anderen kennen.
assume-deltas = Epsilon ist bei Delta 0 und bei Delta 1e-6 angegeben.
assume-counted = Die Zahlen berücksichtigen, was die Veröffentlichung von { $releases } verraten hat ({ $shown }). Auch sie ist für Angreifer sichtbar.
assume-uncounted = Was die Veröffentlichung von { $releases } verraten hat, kommt hinzu: Der Plan sagt nicht, was es war. Geben Sie PlanningValue(..., release=mechanism) an, wie private_n es tut. { $count ->
    [yes] Oder planen Sie mit split_budget(count_share=...) einen Anteil für die Zählung ein.
   *[no] {""}
 }
assume-divided = { $groups ->
    [yes] Teilen Sie die Summen der Abstände von { assume-centre } durch die geplanten Zahlen, { $n } und { $n2 }. Das gilt auch, wenn eine Gruppe weniger Datensätze hat. Verwenden Sie für beide Gruppen denselben Wert.
   *[no] Teilen Sie die Summe der Abstände von { assume-centre } durch die geplante Zahl, { $n }. Das gilt auch, wenn es weniger Datensätze gibt.
 } Nur dann bewirkt ein Datensatz nicht mehr als angenommen. { $centre ->
    [null] Mit diesem Wert gilt auch das Niveau.
   *[other] Das Niveau gilt, wenn es mindestens so viele gibt wie geplant.
 }
assume-centre = { $centre ->
    [null] dem geprüften Wert ({ $null })
    [bounds] einem Wert zwischen { $low } und { $high }
   *[any] einem möglichen Wert
 }
assume-normal = Wir nehmen an, dass der Stichprobenfehler normalverteilt ist (geprüft wird { tested-what }). Bei wenigen Datensätzen oder schiefer Verteilung kann das falsch sein.
planned-source = { $noted ->
    [yes] { planned-origin } ({ $note })
   *[no] { planned-origin }
 }
planned-origin = { $source ->
    [public] öffentlich bekannt
    [worst_case] ungünstigster Fall, unabhängig von den Daten
    [private_estimate] geschätzt aus einer eigenen verrauschten Veröffentlichung
   *[not_stated] Quelle nicht angegeben
 }
planned-value = Geplant: { planned-name } = { $shown } – { $origin }.
tested = { $rejects ->
    [yes] Es gibt genügend Hinweise darauf, dass { tested-what } { tested-side } { $null } ist.
   *[no] Es gibt nicht genügend Hinweise darauf, dass { tested-what } { tested-side } { $null } ist.
 } { $noisy ->
    [yes] Wäre das nicht so, ergäben Stichprobenfehler und Rauschen zusammen eine so extreme Zahl mit einer Wahrscheinlichkeit von höchstens { $p }.
   *[no] Wäre das nicht so, ergäbe der Stichprobenfehler eine so extreme Zahl mit einer Wahrscheinlichkeit von höchstens { $p }.
 } Die Grenze war { $level }.
tested-what = { $what ->
    [mean] der Mittelwert
    [difference-of-the-means] der Unterschied der Mittelwerte
    [proportion] der Anteil
    [difference-of-the-proportions] der Unterschied der Anteile
    [departure-from-independence] die Abweichung von der Unabhängigkeit
    [slope] die Steigung
    [value] der Wert
   *[other] { $phrase }
 }
tested-side = { $side ->
    [larger] größer als
    [smaller] kleiner als
   *[two-sided] verschieden von
 }
tested-interval = Mit { $confidence } Konfidenz liegt { tested-what } zwischen { $low } und { $high }.
tested-interval-holds = Das Intervall enthält { $null }, weil es Fehler nach beiden Seiten berücksichtigt, der Test dagegen nur nach einer.
several = { $sentences }
assume-margins = Das Niveau gilt für die angegebenen Randsummen ({ $rows } mal { $columns }): { $origin }.
assume-sums = Die vier Summen sind { $order }, von { $scaled }.
assume-means = Das Niveau gilt für diese angegebenen Werte. { $values }

refused-neighbours = Das Verfahren ist für neighbours='{ $own }' gemacht, die Veröffentlichung von { $releases } rechnet aber mit neighbours='{ $counted }'. Geben Sie dem Verfahren neighbours='{ $counted }' mit der passenden Sensitivität.
refused-sensitivity = Das Verfahren ist für eine Sensitivität von { $own } gemacht. Ein Datensatz ändert das Ergebnis aber um bis zu { $needed }. Der Schutz wäre also schwächer als angegeben. Geben Sie dem Verfahren sensitivity={ $code }.
refused-several = Ein Datensatz ändert { $count } veröffentlichte Zahlen. Dieses Rauschen verrät bei mehreren Zahlen zusammen mehr als bei einer. Verwenden Sie Gauß- oder Laplace-Rauschen, oder veröffentlichen Sie nur eine Zahl.
