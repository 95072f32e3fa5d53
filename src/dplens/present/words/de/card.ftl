### Karten und Zusammenfassungen. Die Variablen erklärt en/card.ftl. Angreifer stehen in der Mehrzahl: „sie“.

## Menschen und Datensätze

unit-many = { UNIT($unit, "many") }
unit-record = { $several ->
    [yes] Datensatz
   *[no] { UNIT($unit, "name") }
 }
unit-one-record = { $several ->
    [yes] ein Datensatz
   *[no] { UNIT($unit, "one") }
 }
unit-records = { $several ->
    [yes] Datensätze
   *[no] { unit-many }
 }
unit-records-dative = { $several ->
    [yes] Datensätzen
   *[no] { UNIT($unit, "many-dative") }
 }
unit-with = { $several ->
    [yes] {" "}mit bis zu { $size } Datensätzen
   *[no] {""}
 }
who-units = { HUMAN($unit) ->
    [yes] Personen
   *[no] { unit-many }
 }
who-in = { $about ->
    [answer] { who-units } mit dieser wahren Antwort
    [value] { who-units } mit einem Wert über { $gamma }
    [related] Fälle mit diesem Wert
   *[membership] { who-units } in den Daten
 }
who-in-genitive = { $about ->
    [related] der Fälle mit diesem Wert
   *[membership] der { who-in }
 }
who-out = { $about ->
    [answer] { who-units } mit einer anderen wahren Antwort
    [value] { who-units } mit einem Wert von höchstens { $gamma }
    [related] Fälle mit dem anderen Wert
   *[membership] { who-units }, die nicht in den Daten sind
 }
who-with = { $about ->
    [answer] mit der Antwort
   *[membership] mit dieser Veröffentlichung
 }
who-most = { $mildest ->
    [yes] etwa
   *[no] höchstens
 }
who-up-to = { $mildest ->
    [yes] etwa
   *[no] bis zu
 }
who-chance = { $one_in ->
    [0] { $chance }
    [1000000] eins zu einer Million
   *[other] 1 zu { $one_in }
 }
list-last = { $first } und { $last }

## Überschriften

card-title = Risikokarte
heading-summary = Zusammenfassung
heading-limits = Grenzwerte
heading-learning = Risiko für eine Person
heading-finding = Bester Angriff
heading-absence = Personen ausschließen
heading-you = Mit und ohne Ihre Daten
heading-asked = Weitere Fragen
heading-related = Wenn Personen zusammenhängen
heading-analyst = Genauigkeit
heading-audit = Gemessene Angriffe
heading-warnings = Bitte beachten
heading-published = Was veröffentlicht wird
heading-assumptions = Annahmen
heading-not_covered = Was nicht erfasst ist
heading-declared = Entscheidung
heading-epsilon = Epsilon und Delta

## Urteil

verdict-none = Es ist kein Grenzwert gesetzt. Deshalb bewerten wir das Risiko hier nicht.
verdict-kept = { $count ->
    [one] Wir haben bewiesen, dass der Grenzwert eingehalten ist.
    [2] Wir haben bewiesen, dass beide Grenzwerte eingehalten sind.
   *[other] Wir haben bewiesen, dass alle { $count } Grenzwerte eingehalten sind.
 }
verdict-kept-related = { $count ->
    [one] Wir haben bewiesen, dass der Grenzwert eingehalten ist, auch wenn Personen so zusammenhängen wie im Modell.
    [2] Wir haben bewiesen, dass beide Grenzwerte eingehalten sind, auch wenn Personen so zusammenhängen wie im Modell.
   *[other] Wir haben bewiesen, dass alle { $count } Grenzwerte eingehalten sind, auch wenn Personen so zusammenhängen wie im Modell.
 }
verdict-exceeded = { $count ->
    [one] Der Grenzwert ist überschritten.
   *[other] { $exceeded ->
        [one] 1 von { $count } Grenzwerten ist überschritten.
       *[other] { $exceeded } von { $count } Grenzwerten sind überschritten.
     }
 }
verdict-open = { $count ->
    [one] Wir konnten nicht beweisen, dass der Grenzwert eingehalten ist.
   *[other] Wir konnten für { $exceeded } von { $count } Grenzwerten nicht beweisen, dass sie eingehalten sind.
 }
verdict-power = { $missed ->
    [one] Das Rauschen lässt einer Auswertung weniger Trennschärfe, als sie braucht.
   *[other] Das Rauschen lässt { $missed } Auswertungen weniger Trennschärfe, als sie brauchen.
 }
verdict-power-kept = Die Auswertung behält die Trennschärfe, die sie braucht.
verdict-refuted = Ein gemessener Angriff beweist, dass die Beschreibung falsch ist. Das wahre Risiko ist höher als hier angegeben.
verdict-mildest = Das wahre Risiko kann höher sein als hier angegeben. Wir kennen nur die harmloseste Veröffentlichung, die einen gemessenen Angriff erklärt.
verdict-unprotected = { $about ->
    [answer] Es gibt fast keinen Schutz. Der beste Angriff findet fast immer die wahre Antwort (Vorteil { $advantage }).
    [value] Es gibt fast keinen Schutz. Der beste Angriff erkennt fast immer, wessen Wert über { $gamma } liegt (Vorteil { $advantage }).
   *[membership] Es gibt fast keinen Schutz. Der beste Angriff erkennt fast immer, wer in den Daten ist (Vorteil { $advantage }).
 }
verdict-related = Personen in den Daten hängen zusammen. Wer weiß, wie, kann die Chancen zwischen zwei Werten eines Datensatzes bis auf das { $factor }-Fache verändern.
verdict-related-unbounded = Personen in den Daten hängen zusammen. Wer weiß, wie, erfährt mehr über einen Datensatz, als die Veröffentlichung allein zulässt.

## Das wichtigste Zahlenpaar

unit-attackers = { $named ->
    [yes] Angreifer ({ $name })
   *[no] Angreifer
 }
pair = { $about ->
    [answer] Angenommen, { unit-attackers } geben { UNIT($unit, "each") } für eine bestimmte wahre Antwort eine Wahrscheinlichkeit von { $prior }. Von { $out_of } { UNIT($unit, "many-dative") }, die sie nennen, wären { $before } zufällig richtig. Mit der Antwort sind es { who-up-to } { $after }. (Fälschlich nennen sie { $fpr } der { who-out }.)
    [value] Angenommen, { unit-attackers } geben { UNIT($unit, "each") } für einen Wert über { $gamma } eine Wahrscheinlichkeit von { $prior }. Von { $out_of } { UNIT($unit, "many-dative") }, die sie nennen, wären { $before } zufällig richtig. Mit dieser Veröffentlichung sind es { who-up-to } { $after }. (Fälschlich nennen sie { $fpr } der { who-out }.)
   *[membership] Angenommen, { unit-attackers } geben { UNIT($unit, "each") } eine Wahrscheinlichkeit von { $prior }, in den Daten zu sein. Von { $out_of } { UNIT($unit, "many-dative") }, die sie nennen, wären { $before } zufällig richtig. Mit dieser Veröffentlichung sind es { who-up-to } { $after }. (Fälschlich nennen sie { $fpr } der { who-out }.)
 }
pair-other = { $named ->
    [yes] Bei einer Wahrscheinlichkeit von { $prior } ({ $name }): zufällig { $before } von { $out_of }, { who-with } { who-up-to } { $after }.
   *[no] Bei einer Wahrscheinlichkeit von { $prior }: zufällig { $before } von { $out_of }, { who-with } { who-up-to } { $after }.
 }
odds = Als Chancen, bei einer Wahrscheinlichkeit von { $prior }: zufällig { $before_kind ->
    [sure] sicher
    [even] ausgeglichen
    [for] { $before } zu 1 dafür
   *[against] { $before } zu 1 dagegen
 }, { who-with } { $after_kind ->
    [sure] sicher
    [even] ausgeglichen
    [for] { $after } zu 1 dafür
   *[against] { $after } zu 1 dagegen
 }.
caution-none = Auch wenn sie nur wenige nennen, hat die Zahl der richtigen eine Grenze. { $limits }
caution-none-sure = Das ist keine Obergrenze. Nennen sie weniger, können sie fast sicher sein.
caution-graceful = Das ist keine Obergrenze. Je weniger sie nennen, desto sicherer können sie sein, bei sehr wenigen fast ganz sicher.
caution-catastrophic = Das ist keine Obergrenze. Beweist es ein Ergebnis, so sind sie sicher.
caution-undetermined = Das ist keine Obergrenze. Wie sicher sie sein können, wenn sie weniger nennen, wissen wir nicht.
one-of = Bei einer Wahrscheinlichkeit von { $prior }: { who-most } { $count } von { $out_of }.

## Schlimmster Fall

worst-none = { $about ->
    [answer] Wie die Antwort auch ausfällt: Die Chancen einer bestimmten wahren Antwort ändern sich um höchstens den Faktor { $factor }.
    [value] Was auch veröffentlicht wird: Die Chancen eines Werts über { $gamma } ändern sich für niemanden um mehr als den Faktor { $factor }.
   *[membership] Was auch veröffentlicht wird: Die Chancen, in den Daten zu sein, ändern sich für niemanden um mehr als den Faktor { $factor }.
 }
worst-none-alone = { $about ->
    [answer] Die Antwort allein ändert die Chancen einer bestimmten wahren Antwort um höchstens den Faktor { $factor }.
    [value] Diese Veröffentlichung allein ändert die Chancen eines Werts über { $gamma } um höchstens den Faktor { $factor }.
   *[membership] Diese Veröffentlichung allein ändert die Chancen, in den Daten zu sein, um höchstens den Faktor { $factor }.
 }
worst-none-proof = Kein Ergebnis beweist es: Aus einer Wahrscheinlichkeit von 50 % wird { who-most } { $certain }.
worst-none-near = Aus einer Wahrscheinlichkeit von 50 % wird { who-most } { $certain }.
worst-none-related = Für alle, die die Zusammenhänge kennen, wird aus einer Wahrscheinlichkeit von 50 % höchstens { $certain }.
worst-graceful = { $about ->
    [answer] Keine Antwort kann beweisen, was jemandes wahre Antwort ist. Starke Hinweise sind möglich, aber je stärker, desto seltener.
    [value] Kein veröffentlichtes Ergebnis kann beweisen, dass jemandes Wert über { $gamma } liegt. Starke Hinweise sind möglich, aber je stärker, desto seltener.
   *[membership] Kein veröffentlichtes Ergebnis kann beweisen, dass { HUMAN($unit) ->
        [yes] jemand
       *[no] { UNIT($unit, "one") }
     } in den Daten ist. Starke Hinweise sind möglich, aber je stärker, desto seltener.
 }
worst-catastrophic = { $about ->
    [answer] Mit einer Wahrscheinlichkeit von { who-up-to } { who-chance } beweist eine Antwort, was jemandes wahre Antwort ist.
    [value] Mit einer Wahrscheinlichkeit von { who-up-to } { who-chance } beweist ein veröffentlichtes Ergebnis, ob jemandes Wert über { $gamma } liegt.
   *[membership] Mit einer Wahrscheinlichkeit von { who-up-to } { who-chance } beweist ein veröffentlichtes Ergebnis, dass { HUMAN($unit) ->
        [yes] eine bestimmte Person
       *[no] { UNIT($unit, "one") }
     } in den Daten ist.
 }
worst-undetermined = { $about ->
    [answer] Wir wissen nicht, ob eine Antwort beweisen kann, was jemandes wahre Antwort ist.
    [value] Wir wissen nicht, ob ein veröffentlichtes Ergebnis beweisen kann, dass jemandes Wert über { $gamma } liegt.
   *[membership] Wir wissen nicht, ob ein veröffentlichtes Ergebnis beweisen kann, dass { HUMAN($unit) ->
        [yes] jemand
       *[no] { UNIT($unit, "one") }
     } in den Daten ist.
 }
factor-huge = eine sehr große Zahl

## Bester Angriff, Ausschließen, Ihre Daten

finding = Bei { $rate } Fehlalarmen erkennt der beste Angriff { who-most } { $power } { who-in-genitive }.
relative = Bei dieser Quote von Fehlalarmen steigen die Chancen, dass eine Nennung stimmt, auf { who-most } das { $factor }-Fache.
advantage = Der beste Angriff ist um { who-most } { $advantage } besser als Raten (0 % ist kein Gewinn, 100 % ist Gewissheit).
absence = { $about ->
    [answer] Angenommen, sie schließen stattdessen eine Antwort aus, der sie eine Wahrscheinlichkeit von { $prior } geben{ unit-who }. Von { $out_of } Ausgeschlossenen wären { $before } zufällig richtig. Mit der Antwort sind es { who-up-to } { $after }. (Richtig ausgeschlossen werden { $fpr } der { who-out }.)
    [value] Angenommen, sie schließen stattdessen einen Wert über { $gamma } aus, dem sie eine Wahrscheinlichkeit von { $prior } geben{ unit-who }. Von { $out_of } Ausgeschlossenen wären { $before } zufällig richtig. Mit dieser Veröffentlichung sind es { who-up-to } { $after }. (Richtig ausgeschlossen werden { $fpr } der { who-out }.)
   *[membership] Angenommen, sie schließen stattdessen { unit-many } aus, denen sie eine Wahrscheinlichkeit von { $prior } geben, in den Daten zu sein{ unit-who }. Von { $out_of } Ausgeschlossenen wären { $before } zufällig richtig. Mit dieser Veröffentlichung sind es { who-up-to } { $after }. (Richtig ausgeschlossen werden { $fpr } der { who-out }.)
 }
unit-who = { $named ->
    [yes] {" "}({ $name })
   *[no] {""}
 }
you = { $apart ->
    [replace] Angenommen, Ihr Risiko eines Schadens durch diese Veröffentlichung ist { $before }, wenn statt Ihrer die Daten von jemand anderem darin sind. Mit Ihren eigenen Daten ist es { who-most } { $after }.
    [local] Angenommen, Ihr Risiko eines Schadens durch Ihre Antwort ist { $before }, wenn die wahre Antwort die eine ist. Ist sie die andere, so ist es { who-most } { $after }.
    [value] Angenommen, das Risiko eines Schadens durch diese Veröffentlichung ist { $before } bei einem Wert von höchstens { $gamma }. Bei einem Wert darüber ist es { who-most } { $after }.
   *[add_remove] Angenommen, Ihr Risiko eines Schadens durch diese Veröffentlichung ist { $before } ohne Ihre Daten. Mit Ihren Daten ist es { who-most } { $after }.
 }
you-still = { $setting ->
    [local] Was alle Antworten über Menschen wie Sie lehren, lehren sie mit oder ohne Ihre. Das ist hier nicht mitgezählt.
   *[central] Was die Veröffentlichung über alle lehrt, lehrt sie auch über Sie, mit oder ohne Ihre Daten. Das ist hier nicht mitgezählt.
 }

## Annahmen

delta-given = Delta ist { who-chance }, wie angegeben.
delta-from_n = Delta ist { who-chance }: die Zehnerpotenz knapp unter 1 ÷ (10 × Zahl der { unit-records }).
delta-default = Delta ist { who-chance }, da nichts anderes angegeben ist. Die Zahl der { unit-records } ist nicht angegeben. Deshalb konnten wir nicht prüfen, ob Delta klein genug ist.
neighbours = { $apart ->
    [replace] Wir vergleichen Datenbestände, in denen { UNIT($unit, "one") }{ unit-with } durch andere Daten ersetzt ist.
    [local] Wir vergleichen zwei wahre Antworten von { UNIT($unit, "dative") }{ unit-with }.
    [value] Wir vergleichen Werte von { UNIT($unit, "dative") }: solche über { $gamma } mit den anderen.
   *[add_remove] Wir vergleichen Datenbestände mit und ohne { UNIT($unit, "accusative") }{ unit-with }.
 }
answers-apart = Die angegebene Empfindlichkeit gilt als größter Abstand zwischen zwei wahren Antworten von { UNIT($unit, "dative") }. Garantien sind ebenso zu verstehen.
unit-protected = { $n ->
    [0] Geschützt wird: { UNIT($unit, "one") }{ unit-with }.
    [one] Geschützt wird: { UNIT($unit, "one") }{ unit-with }. Es gibt nur { $several ->
        [yes] einen Datensatz
       *[no] { UNIT($unit, "accusative") }
     }.
   *[other] Geschützt wird: { UNIT($unit, "one") }{ unit-with }. Es gibt { $n } { unit-records }.
 }
sampling-none = Keine Stichproben: Alle { unit-records } gehen in jede Veröffentlichung ein.
sampling-poisson = In jede Stichprobe kommt { unit-one-record } zufällig und unabhängig von den anderen (Poisson-Stichprobe).
sampling-without_replacement = Jede Stichprobe hat eine feste Zahl von { unit-records-dative }, jedes Mal neu und zufällig gezogen.
sampling-one_in_clear = { unit-record }: Ein zufällig gezogener Datensatz wird offen gezeigt, oder keiner.
sampling-unknown = Ob Stichproben gezogen wurden, wissen wir nicht. Angegeben ist nur eine Garantie.
setting = { $setting ->
    [local] Jede Antwort wird zufällig verändert, bevor sie abgeschickt wird. Niemand sonst hat die wahre Antwort.
   *[central] Die Stelle, die die Daten hat, sieht die wahren Datensätze. Rauschen kommt hinzu, bevor etwas veröffentlicht wird.
 }
attacker = { $about ->
    [answer] Angreifer können alles kennen außer der wahren Antwort und den Zufallszahlen. Sie fragen, welche von zwei Antworten von { UNIT($unit, "dative") } wahr ist.
    [value] Angreifer können wissen, wie das Rauschen gezogen wird und wie wahrscheinlich jeder Wert war. Sie fragen, ob { UNIT($unit, "one") } einen Wert über { $gamma } hat.
   *[membership] Angreifer können alle anderen Datensätze kennen und wissen, wie das Rauschen gezogen wird. Sie fragen, ob { UNIT($unit, "one") } in den Daten ist.
 }
priors = Die gezeigten Wahrscheinlichkeiten sind { $priors }. Es sind Beispiele, keine Befunde über jemanden.
prior-named = { $prior } ({ $name })

## Epsilon

epsilon = Bei Delta { $delta } ist Epsilon { who-most } { $epsilon }.
epsilon-infinite = Bei Delta { $delta } gibt es kein endliches Epsilon.
epsilon-unknown = Bei Delta { $delta } ist Epsilon mindestens { $low }. Es kann unendlich sein.
epsilon-delta = Zu einem Delta unter { $proof } gehört kein Epsilon: Mit dieser Wahrscheinlichkeit beweist ein Ergebnis etwas. Geben Sie ein größeres Delta an.

## Bitte beachten

warning-mildest = Über diese Veröffentlichung wird nichts behauptet. Andere Angriffe können ein höheres Risiko zeigen.
warning-claim_refuted = Die übrigen Zahlen beschreiben, was behauptet wurde, nicht, was geschieht.
warning-limit_exceeded = Ein Grenzwert ist überschritten; siehe Grenzwerte.
warning-limit_open = Ein Grenzwert ist weder bewiesen noch überschritten; siehe Grenzwerte.
warning-power_missed = Das Rauschen lässt weniger Trennschärfe, als nötig ist; siehe Genauigkeit.
warning-plan_not_counted = Der Plan nutzt { $planned } aus einer verrauschten Veröffentlichung, die hier nicht mitgezählt ist. Ihr Risiko kommt hinzu. Bewerten Sie beide zusammen.
warning-catastrophic = Einzelne können völlig bloßgestellt werden, so klein die Durchschnitte auch aussehen. Sind die Empfänger nicht zum Schweigen verpflichtet, wählen Sie ein anderes Verfahren.
warning-undetermined = Solange das nicht bekannt ist, gehen Sie davon aus, dass ein Ergebnis etwas beweisen kann.
warning-answers_apart = Verrauscht wird jede Antwort für sich. Deshalb gelten Empfindlichkeiten als Abstand zwischen zwei wahren Antworten (2 für Werte von -1 bis 1). Können Antworten weiter auseinanderliegen, ist das Risiko höher.
warning-responses_seen = Eine Antwort verbirgt, welche Antwort wahr ist, nicht, dass jemand geantwortet hat. Wer sieht, wessen Antwort es ist, weiß von der Teilnahme.
warning-delta_not_below_one_in_n = Delta { $delta } liegt nicht unter 1 zu { $n }, der Zahl der { unit-records }. Bei einem so großen Delta dürfte man einen Datensatz offen veröffentlichen. Wählen Sie ein kleineres.
warning-proof_not_below_one_in_n = Ein Ergebnis beweist etwas mit der Wahrscheinlichkeit { $chance }. Das liegt nicht unter 1 zu { $n }, der Zahl der { unit-records }. Auch ein offen veröffentlichter Datensatz käme so durch. Verlangen Sie ein viel kleineres Delta.
warning-poisson_batches = Diese Zahlen setzen Poisson-Stichproben voraus. Sie gelten nicht, wenn die Daten gemischt und in gleich große Stücke geteilt werden.
warning-uniform_batches = Diese Zahlen setzen jedes Mal eine neue Zufallsstichprobe voraus. Sie gelten nicht, wenn die Daten einmal gemischt und der Reihe nach gelesen werden.
warning-unknown_batches = Rechnet die Garantie mit Stichproben, so müssen sie auch so gezogen werden. Wurde nur gemischt und geteilt, gilt sie nicht.
warning-related_worse = Angreifer, die wissen, wie Personen zusammenhängen, erfahren mehr; siehe unten.
warning-search_not_exhaustive = Wir haben nicht alle Angreifer auf zusammenhängende Datensätze verglichen. Andere können mehr erfahren, bis zur Schranke.
warning-relations_not_modelled = Personen können zusammenhängen, durch Familie, Ort oder Zeit. Dann verrät ein Datensatz etwas über andere, und Angreifer erfahren vielleicht mehr. Ein Modell dafür ist nicht angegeben.
warning-guarantee_only = Wir kennen eine Garantie, nicht das Verfahren. Die Zahlen sind das Schlimmste, was sie zulässt.
warning-guarantee_in_part = Für einen Teil kennen wir eine Garantie, nicht das Verfahren. Dort sind die Zahlen das Schlimmste, was sie zulässt.
warning-roughly_known = Nur ungefähr bekannt: { $rough }.
warning-f_score_blind = Ein F-Wert (Gewicht { $weight }) zeigt keine Unterschiede zwischen Veröffentlichungen mit einem Epsilon unter { $blind }. Lesen Sie ihn nie allein.

## Grenzwerte

limit-kept = { $whom ->
    [related] Eingehalten, auch wenn Personen zusammenhängen: { limit-asked }; Ergebnis { $answer }.
    [other] Eingehalten gegenüber { $name }: { limit-asked }; Ergebnis { $answer }.
   *[release] Eingehalten: { limit-asked }; Ergebnis { $answer }.
 }
limit-exceeded = { $whom ->
    [related] Überschritten, wenn Personen zusammenhängen: { limit-asked }; Ergebnis { $answer }.
    [other] Überschritten gegenüber { $name }: { limit-asked }; Ergebnis { $answer }.
   *[release] Überschritten: { limit-asked }; Ergebnis { $answer }.
 }
limit-open = { $whom ->
    [related] Nicht bewiesen, wenn Personen zusammenhängen: { limit-asked }; beweisen konnten wir nur { $answer }.
    [other] Nicht bewiesen gegenüber { $name }: { limit-asked }; beweisen konnten wir nur { $answer }.
   *[release] Nicht bewiesen: { limit-asked }; beweisen konnten wir nur { $answer }.
 }
limit-refuted = { $whom ->
    [related] Nur nach der widerlegten Behauptung eingehalten, wenn Personen zusammenhängen: { limit-asked }; Ergebnis wäre { $answer }.
    [other] Nur nach der widerlegten Behauptung eingehalten, gegenüber { $name }: { limit-asked }; Ergebnis wäre { $answer }.
   *[release] Nur nach der widerlegten Behauptung eingehalten: { limit-asked }; Ergebnis wäre { $answer }.
 }
limit-asked = { $more ->
    [yes] { $question } – erlaubt sind höchstens { $bound }
   *[no] { $question } – verlangt sind mindestens { $bound }
 }
limit-bound = { $more ->
    [yes] höchstens { $bound }
   *[no] mindestens { $bound }
 }

## Weitere Fragen

asked = { $more ->
    [yes] { $question }: { who-most } { $answer }.
   *[no] { $question }: { $mildest ->
        [yes] etwa
       *[no] mindestens
     } { $answer }.
 }
asked-related = { $more ->
    [yes] { $question }, für die schlimmsten Angreifer auf zusammenhängende Datensätze: höchstens { $answer }.
   *[no] { $question }, für die schlimmsten Angreifer auf zusammenhängende Datensätze: mindestens { $answer }.
 }
asked-infinite = { $question }: unendlich.
asked-unknown = { $question }: mindestens { $low }, vielleicht unendlich.
question-accuracy = wie oft der beste Angriff recht hat (blind geraten { $blind }, bei einer Wahrscheinlichkeit von { $prior })
question-advantage = Vorteil des Angriffs gegenüber Raten
question-attribute_inference = Wahrscheinlichkeit, eine Angabe über jemanden zu erraten ({ $baseline } ohne diesen Datensatz)
question-attack_power = { $about ->
    [membership] Anteil der Personen in den Daten, den ein Angriff erkennt (bei { $fpr } Fehlalarmen)
   *[answer] Anteil der wahren Fälle, den ein Angriff erkennt (bei { $fpr } Fehlalarmen)
 }
question-auc = Fläche unter der ROC-Kurve des Angriffs
question-cost = geringste erwartete Kosten des Angriffs (bei einer Wahrscheinlichkeit von { $prior })
question-delta = Delta bei Epsilon { $epsilon }
question-epsilon = Epsilon bei Delta { $delta }
question-f_score = bester F-Wert des Angriffs (Gewicht { $weight }, bei einer Wahrscheinlichkeit von { $prior })
question-inference_advantage = Zuwachs richtig erratener Angaben über jemanden ({ $baseline } sind ohne diesen Datensatz richtig)
question-max_posterior = größte Gewissheit, die ein Ergebnis geben kann (ausgehend von { $prior })
question-min_fpr = geringste Quote von Fehlalarmen eines Angriffs, der höchstens { $fnr } übersieht
question-mu = kleinstes Mu der Gauß’schen Differential Privacy
question-posterior = { $about ->
    [membership] Wahrscheinlichkeit, dass eine genannte Person in den Daten ist (bei { $fpr } Fehlalarmen, ausgehend von { $prior })
   *[answer] Wahrscheinlichkeit, dass ein genannter Fall wahr ist (bei { $fpr } Fehlalarmen, ausgehend von { $prior })
 }
question-posterior_after_negative = { $about ->
    [membership] verbleibende Wahrscheinlichkeit, dass eine ausgeschlossene Person in den Daten ist (bei { $fpr } Fehlalarmen, ausgehend von { $prior })
   *[answer] verbleibende Wahrscheinlichkeit, dass ein ausgeschlossener Fall wahr ist (bei { $fpr } Fehlalarmen, ausgehend von { $prior })
 }
question-precision = Anteil der richtigen unter den genannten Fällen (wenn { $recall } erkannt werden, bei einer Wahrscheinlichkeit von { $prior })
question-reconstruction = Wahrscheinlichkeit, einen ganzen Datensatz zu rekonstruieren ({ $baseline } ohne ihn)
question-relative_risk = { $about ->
    [membership] Faktor, um den die Chancen steigen können, in den Daten zu sein{ $never ->
        [yes] {" "}(auch wenn nur wenige genannt werden)
       *[no] {" "}(ab { $fpr } Fehlalarmen)
     }
   *[answer] Faktor, um den die Chancen steigen können{ $never ->
        [yes] {" "}(auch wenn nur wenige genannt werden)
       *[no] {" "}(ab { $fpr } Fehlalarmen)
     }
 }
question-renyi = Rényi-Divergenz der Ordnung { $order }
answer-undefined = nicht definiert

## Genauigkeit

analyst = { $named ->
    [yes] { $name }:
   *[no] Der Test:
 } Von { $out_of } Studien mit einem wahren Effekt von { $effect } finden ihn mindestens { $after }. Ohne Rauschen wären es { $before }. Gibt es keinen Effekt, so behaupten ihn höchstens { $level } der Studien.
analyst-kept = Damit bleibt die nötige Trennschärfe von { $needed } erhalten.
analyst-missed = Damit wird die nötige Trennschärfe von { $needed } verfehlt.
analyst-plan = Der Plan nutzt { $values }.
analyst-value = { $noted ->
    [yes] { $name } = { $value } ({ analyst-source }: { $note })
   *[no] { $name } = { $value } ({ analyst-source })
 }
analyst-source = { $source ->
    [public] öffentlich bekannt
    [worst_case] der schlimmste Fall, gleich welche Daten
    [private_estimate] eine eigene verrauschte Veröffentlichung
   *[not_stated] Quelle nicht angegeben
 }

## Wenn Personen zusammenhängen

model-discrete = { $n ->
    [one] Das Modell hat nur { UNIT($unit, "accusative") }.
   *[other] { $n } { unit-many } hängen so zusammen, wie es eine Tabelle sagt.
 }
model-markov = { $n ->
    [one] Das Modell hat nur { UNIT($unit, "accusative") }.
   *[other] Das Modell ist eine Kette von { $n } { UNIT($unit, "many-dative") }. Jedes Glied hängt vom vorigen ab.
 }
model-gaussian = { $n ->
    [one] Das Modell hat nur { UNIT($unit, "accusative") }.
   *[other] Das Modell sind zusammenhängende normalverteilte Zahlen von { $n } { UNIT($unit, "many-dative") }.
 }
model-gaussian_chain = { $n ->
    [one] Das Modell hat nur { UNIT($unit, "accusative") }.
   *[other] Das Modell ist eine Kette von { $n } { UNIT($unit, "many-dative") } mit normalverteilten Werten. Jedes Glied hängt vom vorigen ab.
 }
related-who = { $kind ->
    [named] { $name }: greift Datensatz { $target } an (gezählt ab 0) und { related-knows }.
    [worst] Der schlimmste Angriff, den wir gefunden haben, gilt Datensatz { $target } (gezählt ab 0) und { related-knows }.
   *[unnamed] Ein Angriff gilt Datensatz { $target } (gezählt ab 0) und { related-knows }.
 }
related-knows = { $knows ->
    [none] kennt keinen anderen
    [one] kennt Datensatz { $known }
    [some] kennt die Datensätze { $known }
    [many] kennt { $count } andere
   *[all] kennt alle anderen
 }
related-determined = Der Wert ist damit schon bekannt, die Veröffentlichung fügt nichts hinzu.
related-belief = Nach dem Modell hat der Wert { $value } eine Wahrscheinlichkeit von { $before }. Nach dieser Veröffentlichung sind es bis zu { $after } (bei { $fpr } Fehlalarmen). Hingen Personen nicht zusammen, wären es { $alone }.
related-example = Angenommen, einer von zwei Werten hat eine Wahrscheinlichkeit von { $before }. Nach dieser Veröffentlichung sind es bis zu { $after } (bei { $fpr } Fehlalarmen). Hingen Personen nicht zusammen, wären es { $alone }.
related-odds = { $bounded ->
    [yes] Die Chancen zwischen zwei Werten ändern sich um höchstens den Faktor { $factor }. Die Veröffentlichung allein lässt { $alone } zu.
   *[no] Die Chancen zwischen zwei Werten ändern sich um höchstens den Faktor { $factor }. Die Veröffentlichung allein setzt keine Grenze.
 }
related-unbounded = Die Hinweise können beliebig stark sein, aber starke sind selten.
related-by-leakage = So viele Veröffentlichungen rechnen wir nicht zusammen. Diese Zahlen sind das Höchste, was die Grenze der Chancen zulässt.
related-sure = { $exhaustive ->
    [yes] { $compared ->
            [one] Es gibt nur einen Angriff zu vergleichen.
           *[other] Wir haben alle { $compared } Angriffe verglichen. Kein anderer hat bei Delta { $delta } ein höheres Epsilon.
         } Grenzwerte gelten für den schlimmsten von allen.
   *[no] { $compared ->
            [one] Wir haben einen Angriff betrachtet.
           *[other] Wir haben { $compared } Angriffe verglichen.
         } Das Epsilon jedes anderen bei Delta { $delta } ist { $bounded ->
            [yes] höchstens { $bound }
           *[no] nicht begrenzt
         }. Danach werden Grenzwerte beurteilt.
 }
related-others = Bei dieser Quote von Fehlalarmen kann ein anderer Angriff sicherer sein, aber keiner erreicht mehr als { $most }.

## Gemessene Angriffe

audit-unclaimed = Es wird nichts behauptet, also ist nichts zu widerlegen. Der Angriff beweist eine untere Schranke des Risikos. Ein anderer kann mehr finden.
audit-refuted = Die Behauptung ist widerlegt (Konfidenz { $confidence }). Bei höchstens { $rate } Fehlalarmen erkennt { $named ->
    [yes] der Angriff „{ $name }“
   *[no] der Angriff
 } mindestens { $measured } { who-in-genitive }. Die Beschreibung erlaubt höchstens { $claimed }.
audit-not_refuted = Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). { $named ->
    [yes] Der Angriff „{ $name }“
   *[no] Der Angriff
 } beweist nicht mehr, als die Beschreibung erlaubt. Das bestätigt sie nicht: Ein anderer Angriff kann mehr finden.
audit-size = Gemessen an { $n_in } Werten mit und { $n_out } ohne die Zielperson. Epsilon ist mindestens { $epsilon } bei Delta { $delta }, und { $pure } bei Delta 0. Mu ist mindestens { $mu }.
audit-run-refuted = Die Behauptung ist widerlegt (Konfidenz { $confidence }). { audit-run-right } Stimmte die Beschreibung, wären { $takes } oder mehr zu viele.
audit-run-not_refuted = Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). { audit-run-right } Dazu bräuchte es { $takes }. Das bestätigt sie nicht: Ein anderer Angriff kann mehr finden.
audit-run-too_few = Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). { audit-run-right } Das sind zu wenige, um etwas zu widerlegen, also bestätigt es nichts.
audit-run-right = { $named ->
    [yes] In „{ $name }“ waren { $right } von { $guesses } Tipps über Testdatensätze richtig.
   *[no] { $right } von { $guesses } Tipps über Testdatensätze waren richtig.
 }
audit-run-size = Gemessen in einem Lauf mit { $canaries } Testdatensätzen. Epsilon ist mindestens { $epsilon } bei Delta { $delta }, und { $pure } bei Delta 0. Mu ist mindestens { $mu }.
audit-assumes-scores = Das gilt nur, wenn die Werte unabhängig sind und der Angriff vorher feststand. Die Werte jeder Seite müssen einer Verteilung folgen.
audit-assumes-counts = Das gilt nur, wenn die Fälle unabhängig sind und Angriff und Schwelle vorher feststanden. Die Fälle jeder Seite müssen einer Verteilung folgen.
audit-assumes-points = Das gilt nur, wenn die Fälle hinter den veröffentlichten Quoten unabhängig sind und der Angriff vorher feststand. Die Fälle jeder Seite müssen einer Verteilung folgen.
audit-assumes-run = Das gilt nur, wenn für jeden Testdatensatz eine eigene faire Münze entschied. Niemand beim Angriff sah eine Münze. Angriff und Zahl der Tipps standen vorher fest.
audit-several = Es gibt { $count } Prüfungen. Stimmt die Beschreibung, so widerlegt sie eine davon mit einer Wahrscheinlichkeit von höchstens { $error }.

## Was nicht erfasst ist

not-covered-singling = Irgendjemand: Die Zahlen gelten für ein Ziel, das vorher gewählt ist. Irgendein Ziel zu finden ist leichter.
not-covered-reconstruction = Rekonstruktion: Wie wahrscheinlich sich ein ganzer Datensatz wiederherstellen lässt, ist eine andere Frage.
not-covered-attributes = Einzelne Angaben: Wie gut sich eine Angabe erraten lässt, wenn bekannt ist, wer in den Daten ist, ist eine andere Frage.
not-covered-baseline = Raten ohne den Datensatz: Wie oft es gelingt, ist angegeben. Wir können es nicht prüfen.
not-covered-others = Andere Veröffentlichungen über dieselben { unit-many }: Risiken addieren sich. Nehmen Sie alle auf.
not-covered-implementation = Fehler in der Software: ein anders gebautes Verfahren, eine zu klein angegebene Empfindlichkeit, schwache Zufallszahlen.
not-covered-floating = Rundung: Die letzten Stellen von Rauschen in gewöhnlichen Gleitkommazahlen können etwas verraten.
not-covered-several = { $several ->
    [yes] Größere Gruppen: Eine Familie oder mehr Datensätze je Einheit als angegeben haben ein größeres Risiko.
   *[no] Größere Gruppen: Eine Familie oder mehrere Datensätze von { UNIT($unit, "dative") } haben ein größeres Risiko.
 }
not-covered-unrelated = Zusammenhänge: Ein Modell, wie Datensätze voneinander abhängen, ist nicht angegeben.
not-covered-related = Andere Zusammenhänge: Die Zahlen gelten, wenn Personen so zusammenhängen wie im Modell.

## Entscheidung

declared-purpose = Zweck
declared-benefits = Erwarteter Nutzen
declared-nature = Art der Daten
declared-recipients = Empfänger
declared-decided_by = Wer entscheidet
declared-reasons = Warum
declared = { $name }: { $value }
declared-missing = Nicht angegeben: { $missing }.
declared-nothing = Zweck, Daten, Empfänger und Entscheidung sind nicht angegeben.

## Was veröffentlicht wird

published = { $named ->
    [yes] { $name }: { $what }.
   *[no] { $what }.
 }
published-mildest = Darüber wird nichts behauptet. Die Zahlen sind die der harmlosesten Veröffentlichung, die den Angriff erklärt:
published-other = Eine Veröffentlichung, die keine Datei aufnehmen kann: { $what }.
release-additive_noise = Eine Zahl mit Rauschen der Verteilung { $noise }
release-approximate_dp = Nur eine Garantie ist angegeben: Epsilon { $epsilon }, Delta { $delta }
release-continuous_pair = Eine Zahl aus einer von zwei Verteilungen, { $p } oder { $q }
release-discrete_gaussian = Ganze Zahlen mit diskretem Gauß-Rauschen, Sigma { $sigma }
release-dpsgd = Ein mit DP-SGD trainiertes Modell: { $steps } Schritte, Rauschfaktor { $noise_multiplier }, in jedem Schritt { unit-one-record } mit Wahrscheinlichkeit { $sample_rate }
release-exponential = Eine Auswahl nach dem Exponentialmechanismus oder einem ähnlichen, Epsilon { $epsilon }
release-finite_pair = Eines von { $p } Ergebnissen
release-gaussian = Zahlen mit Gauß-Rauschen, Standardabweichung { $sigma }
release-gaussian_dp = Nur eine Garantie ist angegeben: Gauß’sche DP mit Mu { $mu }
release-geometric = Ganze Zahlen mit zweiseitig geometrischem Rauschen, Skala { $scale }
release-laplace = Zahlen mit Laplace-Rauschen, Skala { $scale }
release-privacy_profile = Nur eine Garantie ist angegeben: Delta bei { $epsilons } Werten von Epsilon
release-randomized_response = Die Antwort von { UNIT($unit, "each") }, zufällig unter { $categories } möglichen verändert, Epsilon { $epsilon }
release-renyi_dp = Nur eine Garantie ist angegeben: Rényi-DP bei { $orders } Ordnungen
release-staircase = Zahlen mit Treppenrauschen, Epsilon { $epsilon }
release-trade_off_points = Nur eine Garantie ist angegeben: die zwei Fehler des Angriffs an { $alphas } Ecken ihrer Kurve
release-uniform_sampling = Ein zufällig gezogener Datensatz von { $n } { unit-records-dative }, oder keiner (Mu { $mu })
release-zero_concentrated_dp = Nur eine Garantie ist angegeben: null-konzentrierte DP mit Rho { $rho }
release-composed = Mehrere Veröffentlichungen zusammen, unten aufgeführt
release-subsampled = Eine unten aufgeführte Veröffentlichung aus einem zufälligen Teil der { unit-records } ({ $rate } davon)
release-grouped = Eine unten aufgeführte Veröffentlichung mit bis zu { $size_here } Datensätzen je { UNIT($unit, "name") }
release-failing = Eine unten aufgeführte Veröffentlichung, die mit Wahrscheinlichkeit { $probability } alles zeigt
release-value_above = Eine unten aufgeführte Veröffentlichung, mit der Frage, ob ein Wert über { $gamma } liegt
release-replaced = Eine unten aufgeführte Veröffentlichung, bei der { UNIT($unit, "one") } durch andere Daten ersetzt wird
release-sensitive = { $about ->
    [answer] { $what }; zwei wahre Antworten unterscheiden sich um höchstens { $sensitivity }
   *[membership] { $what }; { unit-one-record } ändert das Ergebnis um höchstens { $sensitivity }
 }
release-sensitive-apart = { $what }; zwei wahre Antworten unterscheiden sich um höchstens { $sensitivity }
release-sampled = { $what }; aus einem zufälligen Teil der { unit-records }, jeweils mit Wahrscheinlichkeit { $sample_rate }
release-repeated = { $what }; { $repeat }-mal, jedes Mal mit frischem Rauschen
release-fails = { $what }; mit Wahrscheinlichkeit { $fails_with } wird alles gezeigt
release-group = { $what }; { UNIT($unit, "one") } hat bis zu { $group } Datensätze
