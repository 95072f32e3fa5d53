### Entscheidungen über Rauschen: Gründe, Zugeständnisse, Annahmen; siehe en/decide.ftl.

decide-blatant = { $ok ->
    [yes] Ein Ergebnis darf beweisen, dass jemand in den Daten ist.
   *[no] Kein Ergebnis darf beweisen, dass jemand in den Daten ist. Arten von Rauschen, die das zulassen, scheiden aus.
 }
decide-sure = { $ok ->
    [yes] Ein Angriff darf fast sicher werden, wenn auch nur selten.
   *[no] Kein Angriff darf fast sicher werden. Die Chancen müssen eine Grenze haben.
 }
decide-limit = Das Risiko, das Sie annehmen: { $limits }.
decide-limit-one = { $more ->
    [yes] { $question } höchstens { $bound }
   *[no] { $question } mindestens { $bound }
 }
decide-met = { $spent ->
    [yes] Zusammen mit der Veröffentlichung von { $releases } ist der Grenzwert mit { $parameter } = { $amount } eingehalten.
   *[no] Der Grenzwert ist mit { $parameter } = { $amount } eingehalten.
 }
decide-met-power = { decide-met } Die Trennschärfe der Auswertung ist dann { $power }.
decide-forbidden-proof = { decide-together } kann ein Ergebnis beweisen, dass jemand in den Daten ist. Das ist nicht zugelassen.
decide-forbidden-sure = { decide-together } kann ein Angriff fast sicher werden, wenn auch selten. Das ist nicht zugelassen.
decide-forbidden-unknown = { decide-together } wissen wir nicht, ob ein Ergebnis etwas beweisen kann. Das ist nicht zugelassen.
decide-together = { $spent ->
    [yes] Zusammen mit der Veröffentlichung von { $releases }
   *[no] Mit diesem Rauschen
 }
decide-reason = { $family }: { $why }
decide-none-serves-power = Keine Art von Rauschen dient beiden Seiten. Unter dem Grenzwert ist die größte Trennschärfe { $power } ({ $family }). Nötig sind { $needed }.
decide-none-serves = Keine Art von Rauschen dient beiden Seiten.
decide-none-admissible = Keine Art von Rauschen bleibt übrig: Die Antworten auf die drei Fragen schließen alle aus.
decide-excluded = Die Veröffentlichung von { $releases } schließt sie aus, gleich welches Rauschen jetzt gewählt wird.
decide-best-guarantee = { $mildest ->
    [yes] Wir empfehlen { $family }. Unter denen, die den Grenzwert einhalten und den mildesten schlimmsten Fall haben, ist die Garantie am stärksten.
   *[no] Wir empfehlen { $family }. Unter denen, die den Grenzwert einhalten, ist die Garantie am stärksten.
 }
decide-best-power = Wir empfehlen { $family }. { $case ->
    [alone] Nur hier ist der schlimmste Fall am mildesten. Der Auswertung bleibt eine Trennschärfe von { $power }.
    [some] Unter denen mit dem mildesten schlimmsten Fall bleibt der Auswertung die größte Trennschärfe, { $power }.
   *[all] Der Auswertung bleibt die größte Trennschärfe, { $power }.
 }
decide-best-tied = Wir empfehlen { $family }. { $case ->
    [some] Unter denen mit dem mildesten schlimmsten Fall bleibt der Auswertung eine Trennschärfe von { $power }.
   *[all] Der Auswertung bleibt eine Trennschärfe von { $power }.
 } Das liegt nicht mehr als einen halben Prozentpunkt von { $tied } entfernt, und die Garantie ist stärker.
decide-more-power = Mehr Trennschärfe, { $power }, lässt { $family }, aber der schlimmste Fall ist schlimmer.
decide-needs = Die Auswertung braucht eine Trennschärfe von { $needed }. Ohne Rauschen ist sie { $known }.
decide-needs-less = Die Auswertung braucht eine Trennschärfe von { $needed }, { $loss } weniger als { $most }. Ohne Rauschen ist sie { $known }.
decide-leaves = Es bleibt eine Trennschärfe von { $power } mit { $parameter } = { $amount }.
decide-too-much = { $spent ->
    [yes] Zusammen mit der Veröffentlichung von { $releases } ist der Grenzwert bei { $parameter } = { $amount } überschritten. Mehr Rauschen verträgt die Auswertung nicht. { $violations }
   *[no] Der Grenzwert ist bei { $parameter } = { $amount } überschritten. Mehr Rauschen verträgt die Auswertung nicht. { $violations }
 }
decide-violation = Die Antwort ist { $answer }, nicht { $bound }, auf: { $question }.
decide-overspent = Die Veröffentlichung von { $releases } allein überschreitet den Grenzwert. { $violations }
decide-best-only = Wir empfehlen { $family }. Keine andere Art, die wir betrachtet haben, genügt.
decide-best-alone = Wir empfehlen { $family }. Unter denen mit dieser Trennschärfe ist nur hier der schlimmste Fall am mildesten.
decide-best-all = Wir empfehlen { $family }. Unter denen mit dieser Trennschärfe verrät es nach jedem Maß am wenigsten.
decide-best-mild = Wir empfehlen { $family }. Unter denen mit dieser Trennschärfe und dem mildesten schlimmsten Fall verrät es nach jedem Maß am wenigsten.
decide-best-advantage = { $mildest ->
    [yes] Wir empfehlen { $family }. Unter denen mit dieser Trennschärfe und dem mildesten schlimmsten Fall gibt es Angriffen den geringsten Vorteil, { $advantage }.
   *[no] Wir empfehlen { $family }. Unter denen mit dieser Trennschärfe gibt es Angriffen den geringsten Vorteil, { $advantage }.
 }
decide-not-best = Es ist nicht nach jedem Maß das beste. { $rival } hat { $theirs } und { $family } hat { $own } bei: { $question }.
decide-accepted = { $spent ->
    [yes] Zusammen mit der Veröffentlichung von { $releases } ist das anzunehmende Risiko Mu = { $mu }, Epsilon = { $epsilon }.
   *[no] Das anzunehmende Risiko ist Mu = { $mu }, Epsilon = { $epsilon }.
 }
decide-attacker = Angenommen, Angreifer geben jeder Person eine Wahrscheinlichkeit von { $prior }, in den Daten zu sein. Von { $out_of } Personen, die sie nennen, wären { $before } zufällig richtig. { $spent ->
    [yes] Mit dieser Veröffentlichung und der von { $releases } sind es bis zu { $after }.
   *[no] Mit dieser Veröffentlichung sind es bis zu { $after }.
 } (Fälschlich nennen sie { $fpr } der Personen, die nicht in den Daten sind.)
decide-worst = { $failure ->
    [none] Was auch veröffentlicht wird: Die Chancen ändern sich um höchstens einen festen Faktor.
    [graceful] Kein veröffentlichtes Ergebnis kann beweisen, dass jemand in den Daten ist. Starke Hinweise sind möglich, aber je stärker, desto seltener.
    [catastrophic] Mit einer gewissen Wahrscheinlichkeit beweist ein veröffentlichtes Ergebnis, dass eine bestimmte Person in den Daten ist.
   *[undetermined] Wir wissen nicht, ob ein veröffentlichtes Ergebnis beweisen kann, dass jemand in den Daten ist.
 }
decide-analyst = Von 100 Studien mit einem wahren Effekt von { $effect } finden ihn durch das Rauschen etwa { $after }. Ohne Rauschen wären es { $before }. { $odd ->
    [yes] (Eine Zählung ohne Rauschen kann ihr Niveau nicht ganz ausschöpfen.){" "}
   *[no] {""}
 }Gibt es keinen Effekt, so behaupten ihn höchstens { $level } der Studien.
concede-records = Mit { $family }-Rauschen würden { $needed } statt { $now } Datensätze genügen ({ $times }-mal so viele), beim selben Grenzwert.
concede-records-none = Keine Zahl von Datensätzen genügt: Das Rauschen wird mit ihnen nicht kleiner.
concede-records-unknown = Wie viele Datensätze genügen, haben wir nicht gefunden. { $why }
concede-records-fixed = Das gilt, wenn ein Datensatz das Ergebnis um { $sensitivity } ändert, gleich wie viele es gibt.
concede-effect = Mit { $family }-Rauschen würde ein Effekt von { $needed } statt { $now } unter dem Grenzwert oft genug gefunden.
concede-effect-none = Kein Effekt ist groß genug, um so oft gefunden zu werden.
concede-effect-most = Selbst der größte mögliche Effekt, { $most }, wird nicht oft genug gefunden.
concede-limit-none = Kein Grenzwert ist locker genug: Selbst ohne Rauschen liegt die Trennschärfe unter { $power }.
concede-limit = Mit { $family }-Rauschen ist die Antwort { $needed } statt { $bound }. Der Grenzwert müsste nachgeben bei: { $question }.
concede-without-n = Selbst ohne Rauschen sind { $needed } statt { $now } Datensätze nötig.
concede-without-effect = Selbst ohne Rauschen ist ein Effekt von { $needed } statt { $now } nötig.
concede-without-unknown = Welcher Wert von { $what } selbst ohne Rauschen genügt, haben wir nicht gefunden. { $why }
concede-without-most = Das gilt selbst ohne Rauschen. { $why }
assume-neighbours = { $neighbours ->
    [replace] Wir vergleichen Datenbestände, in denen ein Datensatz durch einen anderen ersetzt ist. Das ändert das Ergebnis um höchstens { $most }.
   *[add_remove] Wir vergleichen Datenbestände mit und ohne einen Datensatz. Das ändert das Ergebnis um höchstens { $most }.
 }
assume-neighbours-several = { $neighbours ->
    [replace] Wir vergleichen Datenbestände, in denen ein Datensatz durch einen anderen ersetzt ist. Das ändert die Zahlen um höchstens { $most } in der Summe und { $root } als Wurzel der Quadratsumme.
   *[add_remove] Wir vergleichen Datenbestände mit und ohne einen Datensatz. Das ändert die Zahlen um höchstens { $most } in der Summe und { $root } als Wurzel der Quadratsumme.
 }
assume-unit = Geschützt wird ein Datensatz. Angreifer können alle anderen kennen.
assume-deltas = Epsilon ist bei Delta 0 und bei Delta 1e-6 angegeben.
assume-counted = Die Zahlen enthalten, was die Veröffentlichung von { $releases } verraten hat ({ $shown }). Auch sie ist für Angreifer sichtbar.
assume-uncounted = Was die Veröffentlichung von { $releases } verraten hat, kommt hinzu: Der Plan sagt nicht, was es war. Geben Sie PlanningValue(..., release=mechanism) an, wie private_n es tut. { $count ->
    [yes] Oder planen Sie mit split_budget(count_share=...) einen Anteil für die Zählung ein.
   *[no] {""}
 }
assume-divided = { $groups ->
    [yes] Teilen Sie Summen von Abständen von { assume-centre } durch die geplanten Zahlen, { $n } und { $n2 }, auch wenn eine Gruppe weniger Datensätze hat. Nehmen Sie für beide Gruppen denselben Wert.
   *[no] Teilen Sie Summen von Abständen von { assume-centre } durch die geplante Zahl, { $n }, auch wenn es weniger Datensätze gibt.
 } Nur dann ändert ein Datensatz nicht mehr. { $centre ->
    [null] Mit diesem Wert gilt auch das Niveau.
   *[other] Das Niveau gilt, wenn es mindestens so viele gibt wie geplant.
 }
assume-centre = { $centre ->
    [null] dem geprüften Wert ({ $null })
    [bounds] einem Wert zwischen { $low } und { $high }
   *[any] einem möglichen Wert
 }
assume-normal = Den Stichprobenfehler ({ tested-what }) nehmen wir als normalverteilt an. Bei wenigen oder schiefen Datensätzen kann das falsch sein.
planned-source = { $noted ->
    [yes] { planned-origin } ({ $note })
   *[no] { planned-origin }
 }
planned-origin = { $source ->
    [public] öffentlich bekannt
    [worst_case] der schlimmste Fall, gleich welche Daten
    [private_estimate] geschätzt aus einer eigenen verrauschten Veröffentlichung
   *[not_stated] Quelle nicht angegeben
 }
planned-value = { $name } = { $shown }: { $origin }.
tested = { $rejects ->
    [yes] Es gibt genügend Hinweise darauf, dass { tested-what } { tested-side } { $null } ist.
   *[no] Es gibt nicht genügend Hinweise darauf, dass { tested-what } { tested-side } { $null } ist.
 } { $noisy ->
    [yes] Wäre es anders, so ergäben Stichprobenfehler und Rauschen zusammen eine so extreme Zahl mit einer Wahrscheinlichkeit von höchstens { $p }.
   *[no] Wäre es anders, so ergäbe der Stichprobenfehler eine so extreme Zahl mit einer Wahrscheinlichkeit von höchstens { $p }.
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
tested-interval-holds = Das Intervall enthält { $null }, weil es Fehler nach beiden Seiten berücksichtigt, der Test nur nach einer.
several = { $sentences }
assume-margins = Das Niveau gilt für die angegebenen Ränder ({ $rows } mal { $columns }): { $origin }.
assume-sums = Die vier Summen sind { $order }, von { $scaled }.
assume-means = Das Niveau gilt für diese angegebenen Werte. { $values }

refused-neighbours = Es ist für neighbours='{ $own }' gemacht, die Veröffentlichung von { $releases } zählt aber für neighbours='{ $counted }'. Geben Sie dem Verfahren neighbours='{ $counted }', mit der passenden Empfindlichkeit.
refused-sensitivity = Es ist für eine Empfindlichkeit von { $own } gemacht. Ein Datensatz ändert das Ergebnis um bis zu { $needed }; es würde also weniger schützen, als es sagt. Geben Sie dem Verfahren sensitivity={ $code }.
refused-several = Ein Datensatz ändert { $count } veröffentlichte Zahlen. Dieses Rauschen verrät von ihnen zusammen mehr als von einer. Nehmen Sie Gauß- oder Laplace-Rauschen, oder veröffentlichen Sie eine Zahl.
