### Karten und Zusammenfassungen. Die Variablen erklärt en/card.ftl. Angreifer stehen in der Mehrzahl: „sie“.

## Menschen und Datensätze

unit-many = { UNIT($unit, "many") }
unit-many-definite = { UNIT($unit, "many-definite") }
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
unit-each-record = { $several ->
    [yes] jeder Datensatz
   *[no] { UNIT($unit, "each") }
 }
unit-records-definite = { $several ->
    [yes] Datensätze
   *[no] { UNIT($unit, "many-definite") }
 }
unit-records-dative = { $several ->
    [yes] Datensätzen
   *[no] { UNIT($unit, "many-dative") }
 }
unit-with = { $several ->
    [yes] {" "}mit bis zu { $size } Datensätzen
   *[no] {""}
 }
unit-someone = { HUMAN($unit) ->
    [yes] jemand
   *[no] { UNIT($unit, "one") }
 }
unit-no-one = { HUMAN($unit) ->
    [yes] niemanden
   *[no] { UNIT($unit, "none-accusative") }
 }
unit-particular = { HUMAN($unit) ->
    [yes] eine bestimmte Person
   *[no] { UNIT($unit, "particular") }
 }
unit-at-bound = { $more ->
    [yes] höchstens
   *[no] mindestens
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
    [answer] mit der abgegebenen Antwort
   *[membership] mit dieser Veröffentlichung
 }
who-with-this = { $refuted ->
    [yes] Nach der widerlegten Beschreibung
   *[no] { $about ->
        [answer] Mit der abgegebenen Antwort
       *[membership] Mit dieser Veröffentlichung
     }
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
    [1000000] 1 von 1 Million
   *[other] 1 von { $one_in }
 }
list-last = { $first } und { $last }

## Überschriften

card-title = Risikokarte
heading-summary = Zusammenfassung
heading-limits = Grenzwerte
heading-next = Nächster Schritt
heading-learning = Risiko für eine Person
heading-finding = Bester Angriff
heading-absence = Personen ausschließen
heading-you = Mit und ohne Ihre Daten
heading-asked = Weitere Fragen
heading-related = Zusammenhänge zwischen Personen
heading-analyst = Genauigkeit
heading-audit = Gemessene Angriffe
heading-warnings = Bitte beachten
heading-published = Was veröffentlicht wird
heading-assumptions = Annahmen
heading-not_covered = Was nicht erfasst ist
heading-declared = Entscheidung
heading-epsilon = Epsilon und Delta

## Urteil

verdict-none = Es ist kein Grenzwert festgelegt. Deshalb bewerten wir das Risiko hier nicht.
verdict-kept = { $count ->
    [one] Wir haben bewiesen, dass der Grenzwert eingehalten ist.
    [2] Wir haben bewiesen, dass beide Grenzwerte eingehalten sind.
   *[other] Wir haben bewiesen, dass alle { $count } Grenzwerte eingehalten sind.
 }
verdict-kept-stated = { $count ->
    [one] Trifft die angegebene Garantie zu, ist der Grenzwert eingehalten.
    [2] Trifft die angegebene Garantie zu, sind beide Grenzwerte eingehalten.
   *[other] Trifft die angegebene Garantie zu, sind alle { $count } Grenzwerte eingehalten.
 }
verdict-kept-related = { $count ->
    [one] Wir haben bewiesen, dass der Grenzwert eingehalten ist, auch bei Zusammenhängen wie im Modell.
    [2] Wir haben bewiesen, dass beide Grenzwerte eingehalten sind, auch bei Zusammenhängen wie im Modell.
   *[other] Wir haben bewiesen, dass alle { $count } Grenzwerte eingehalten sind, auch bei Zusammenhängen wie im Modell.
 }
verdict-exceeded = { $count ->
    [one] Der Grenzwert ist überschritten.
   *[other] { $exceeded ->
        [one] 1 von { $count } Grenzwerten ist überschritten.
        [2] { $count ->
            [2] Beide Grenzwerte sind überschritten.
           *[other] 2 von { $count } Grenzwerten sind überschritten.
         }
       *[other] { $exceeded } von { $count } Grenzwerten sind überschritten.
     }
 }
verdict-open = { $count ->
    [one] Wir konnten nicht beweisen, dass der Grenzwert eingehalten ist.
   *[other] Wir konnten für { $exceeded } von { $count } Grenzwerten nicht beweisen, dass sie eingehalten sind.
 }
verdict-exposed = { $about ->
    [answer] Einzelne wahre Antworten können vollständig offenliegen: jede mit einer Wahrscheinlichkeit von { who-up-to } { who-chance }.{ exposed-many }
    [value] Einzelne Werte können offenliegen: jeder mit einer Wahrscheinlichkeit von { who-up-to } { who-chance }.{ exposed-many }
   *[membership] Die Daten einzelner { who-units } können vollständig offenliegen: mit einer Wahrscheinlichkeit von je { who-up-to } { who-chance }.{ exposed-many }
 }
exposed-many = { $many ->
    [none] {""}
   *[other] {" "}Bei { $n } { UNIT($unit, "many-dative") } können das im Mittel { $many } sein.
 }
verdict-power = { $missed ->
    [one] Das Rauschen macht die geplante Auswertung zu schwach: Ihr bleibt weniger Trennschärfe, als sie braucht.
   *[other] Das Rauschen macht { $missed } geplante Auswertungen zu schwach: Ihnen bleibt weniger Trennschärfe, als sie brauchen.
 }
verdict-power-kept = Die geplante Auswertung bleibt brauchbar: Sie behält die nötige Trennschärfe.
verdict-refuted = Ein gemessener Angriff beweist, dass die Beschreibung falsch ist. Das wahre Risiko ist höher als hier angegeben.
verdict-mildest = Das wahre Risiko kann höher sein als hier angegeben. Wir kennen nur { $about ->
    [answer] das harmloseste Antwortverfahren, das
   *[membership] die harmloseste Veröffentlichung, die
 } einen gemessenen Angriff erklärt.
verdict-unprotected = { $about ->
    [answer] Es gibt fast keinen Schutz. Der beste Angriff findet fast immer die wahre Antwort heraus (Vorteil { $advantage }).
    [value] Es gibt fast keinen Schutz. Der beste Angriff erkennt fast immer, wessen Wert über { $gamma } liegt (Vorteil { $advantage }).
   *[membership] Es gibt fast keinen Schutz. Der beste Angriff erkennt fast immer, wer in den Daten ist (Vorteil { $advantage }).
 }
next-refuted = Nicht veröffentlichen. Klären, warum die Beschreibung falsch ist, dann erneut prüfen.
next-mildest = Nicht allein auf diese Zahlen verlassen. Klären, wie die Veröffentlichung entsteht, dann erneut prüfen.
next-exceeded = So nicht veröffentlichen: Rauschen erhöhen, dann erneut prüfen. Andere Grenzwerte darf nur festlegen, wer entscheidet.
next-open = Noch nicht veröffentlichen: Rauschen erhöhen, bis die Grenzwerte bewiesen sind, oder Grenzwerte neu festlegen.
next-power = Eine größere Studie planen oder weniger Rauschen verwenden, dann erneut prüfen.
next-exposed = Entscheiden, ob die Daten Einzelner offenliegen dürfen. Wenn nicht: ein anderes Verfahren oder ein viel kleineres Delta wählen.
next-none = Grenzwerte für das Risiko festlegen, dann erneut prüfen.
next-kept = Vor der Veröffentlichung die Annahmen prüfen und ansehen, was nicht erfasst ist.
next-who = Wer entscheidet: { $whom ->
    [none] nicht angegeben.
   *[other] „{ $whom }“
 }
verdict-related = Zwischen den { UNIT($unit, "many-dative") } in den Daten bestehen Zusammenhänge. Wer sie kennt, kann mehr erfahren: Das Chancenverhältnis zweier Werte ändert sich um einen Faktor von bis zu { $factor }.
verdict-related-unbounded = Zwischen den { UNIT($unit, "many-dative") } in den Daten bestehen Zusammenhänge. Wer sie kennt, kann mehr über einen Datensatz erfahren, als die Veröffentlichung allein zulässt.

## Das wichtigste Zahlenpaar

unit-attackers = { $named ->
    [yes] Angreifer („{ $name }“)
   *[no] Angreifer
 }
pair = { $about ->
    [answer] Angenommen, { unit-attackers } schätzen für { UNIT($unit, "each-accusative") } die Wahrscheinlichkeit einer bestimmten wahren Antwort auf { $prior }. Von { $out_of } { UNIT($unit, "many-dative") }, die sie nennen, wären durch Zufall { $before } richtig. { who-with-this } sind es { who-up-to } { $after }. (Fälschlich nennen sie { $fpr } der { who-out }: { $fpr } Fehlalarme.)
    [value] Angenommen, { unit-attackers } schätzen für { UNIT($unit, "each-accusative") } die Wahrscheinlichkeit eines Wertes über { $gamma } auf { $prior }. Von { $out_of } { UNIT($unit, "many-dative") }, die sie nennen, wären durch Zufall { $before } richtig. { who-with-this } sind es { who-up-to } { $after }. (Fälschlich nennen sie { $fpr } der { who-out }: { $fpr } Fehlalarme.)
   *[membership] Angenommen, { unit-attackers } schätzen für { UNIT($unit, "each-accusative") } die Wahrscheinlichkeit, in den Daten zu sein, auf { $prior }. Von { $out_of } { UNIT($unit, "many-dative") }, die sie nennen, wären durch Zufall { $before } richtig. { who-with-this } sind es { who-up-to } { $after }. (Fälschlich nennen sie { $fpr } der { who-out }: { $fpr } Fehlalarme.)
 }
pair-other = { $named ->
    [yes] Bei einer vermuteten Wahrscheinlichkeit von { $prior } („{ $name }“): durch Zufall { $before } von { $out_of } richtig, { who-with } { who-up-to } { $after }.
   *[no] Bei einer vermuteten Wahrscheinlichkeit von { $prior }: durch Zufall { $before } von { $out_of } richtig, { who-with } { who-up-to } { $after }.
 }
odds = Als Chancen ausgedrückt (dafür zu dagegen), bei { $prior }: durch Zufall { $before_kind ->
    [sure] Gewissheit
    [even] ausgeglichen
    [for] { $before } zu 1
   *[against] 1 zu { $before }
 }, { who-with } { $after_kind ->
    [sure] Gewissheit
    [even] ausgeglichen
    [for] { $after } zu 1
   *[against] 1 zu { $after }
 }.
learning-alone = Die Zahlen in diesem Abschnitt gelten für die Veröffentlichung allein. Bestehen Zusammenhänge zwischen den { UNIT($unit, "many-dative") }, kann das Risiko größer sein: siehe „{ heading-related }“.
caution-none = Auch wenn sie nur wenige nennen, sind im Mittel { who-most } richtig: { $limits }.
caution-none-sure = Diese Zahlen gelten im Mittel, wenn { $fpr } der übrigen fälschlich genannt werden. Wer weniger nennt, kann fast sicher sein.
caution-graceful = Diese Zahlen gelten im Mittel, wenn { $fpr } der übrigen fälschlich genannt werden. Wer weniger nennt, kann öfter richtigliegen, in seltenen Fällen fast sicher.
caution-catastrophic = Diese Zahlen gelten im Mittel, wenn { $fpr } der übrigen fälschlich genannt werden. Ist ein Ergebnis ein Beweis, so besteht Gewissheit.
caution-undetermined = Diese Zahlen gelten im Mittel, wenn { $fpr } der übrigen fälschlich genannt werden. Wie sicher sein kann, wer weniger nennt, wissen wir nicht.
one-of = { $count } von { $out_of } (bei { $prior })

## Ungünstigster Fall

worst-none = { $about ->
    [answer] Wie die abgegebene Antwort auch ausfällt: Die Chancen für eine bestimmte wahre Antwort ändern sich höchstens um den Faktor { $factor }.
    [value] Was auch veröffentlicht wird: Die Chancen für einen Wert über { $gamma } ändern sich für { unit-no-one } um mehr als den Faktor { $factor }.
   *[membership] Was auch veröffentlicht wird: Die Chancen, in den Daten zu sein, ändern sich für { unit-no-one } um mehr als den Faktor { $factor }.
 }
worst-none-large = { $about ->
    [answer] Eine abgegebene Antwort kann die Chancen für eine wahre Antwort um einen Faktor von bis zu { $factor } ändern.
    [value] Ein Ergebnis kann die Chancen für einen Wert über { $gamma } um einen Faktor von bis zu { $factor } ändern.
   *[membership] Ein Ergebnis kann die Chancen, in den Daten zu sein, um einen Faktor von bis zu { $factor } ändern.
 }
worst-none-alone = { $about ->
    [answer] Die abgegebene Antwort allein ändert die Chancen für eine bestimmte wahre Antwort höchstens um den Faktor { $factor }.
    [value] Diese Veröffentlichung allein ändert die Chancen für einen Wert über { $gamma } höchstens um den Faktor { $factor }.
   *[membership] Diese Veröffentlichung allein ändert die Chancen, in den Daten zu sein, höchstens um den Faktor { $factor }.
 }
worst-none-proof = Kein Ergebnis ist ein Beweis: War die Wahrscheinlichkeit vorher 50 %, so ist sie danach { who-most } { $certain }.
worst-none-near = Aus 50 % können { $certain } werden. Das ist kein Beweis, kommt ihm aber nahe.
worst-none-mildest = War die Wahrscheinlichkeit vorher 50 %, so ist sie danach { who-most } { $certain }.
worst-none-related = Kein Ergebnis ist ein Beweis: Wer die Zusammenhänge kennt, kann die Wahrscheinlichkeit eines Wertes von 50 % auf höchstens { $certain } erhöhen.
worst-graceful = { $about ->
    [answer] Keine abgegebene Antwort gibt völlige Gewissheit über die wahre Antwort. In seltenen Fällen kann eine Antwort ihr nahekommen.
    [value] Kein veröffentlichtes Ergebnis gibt völlige Gewissheit, dass ein Wert über { $gamma } liegt. In seltenen Fällen kann ein Ergebnis ihr nahekommen.
   *[membership] Kein veröffentlichtes Ergebnis kann beweisen, dass { unit-someone } in den Daten ist. In seltenen Fällen kann ein Ergebnis einem Beweis nahekommen.
 }
worst-catastrophic = { $about ->
    [answer] Mit einer Wahrscheinlichkeit von { who-up-to } { who-chance } beweist eine abgegebene Antwort, wie die wahre Antwort lautet.
    [value] Mit einer Wahrscheinlichkeit von { who-up-to } { who-chance } beweist ein veröffentlichtes Ergebnis, ob { UNIT($unit, "particular") } einen Wert über { $gamma } hat.
   *[membership] Mit einer Wahrscheinlichkeit von { who-up-to } { who-chance } beweist ein veröffentlichtes Ergebnis, dass { unit-particular } in den Daten ist.
 }
worst-undetermined = { $about ->
    [answer] Wir wissen nicht, ob eine abgegebene Antwort beweisen kann, wie die wahre Antwort lautet.
    [value] Wir wissen nicht, ob ein veröffentlichtes Ergebnis beweisen kann, dass jemandes Wert über { $gamma } liegt.
   *[membership] Wir wissen nicht, ob ein veröffentlichtes Ergebnis beweisen kann, dass { unit-someone } in den Daten ist.
 }
factor-huge = eine sehr große Zahl

## Bester Angriff, Ausschließen, Ihre Daten

finding = Bei { $rate } Fehlalarmen erkennt der beste Angriff { who-most } { $power } { who-in-genitive }.
relative = Bei dieser Quote von Fehlalarmen steigen die Chancen, dass eine Nennung stimmt, auf { who-most } das { $factor }-Fache.
advantage = Der erkannte Anteil liegt { who-most } { $advantage } Prozentpunkte über dem Anteil der Fehlalarme (0: kein Vorteil, 100: Gewissheit).
absence = { $about ->
    [answer] Angenommen, sie schließen stattdessen eine Antwort aus, die sie mit einer Wahrscheinlichkeit von { $prior } vermuten{ unit-who }. Von { $out_of } Ausschlüssen wären { $before } durch Zufall richtig. Mit der abgegebenen Antwort sind es { who-up-to } { $after }. (Zu Recht schließen sie { $fpr } der { who-out } aus.)
    [value] Angenommen, sie schließen stattdessen einen Wert über { $gamma } aus, den sie mit einer Wahrscheinlichkeit von { $prior } vermuten{ unit-who }. Von { $out_of } Ausschlüssen wären { $before } durch Zufall richtig. Mit dieser Veröffentlichung sind es { who-up-to } { $after }. (Zu Recht schließen sie { $fpr } der { who-out } aus.)
   *[membership] Angenommen, sie schließen stattdessen { unit-many } aus, die sie mit einer Wahrscheinlichkeit von { $prior } in den Daten vermuten{ unit-who }. Von { $out_of } Ausschlüssen wären { $before } durch Zufall richtig. Mit dieser Veröffentlichung sind es { who-up-to } { $after }. (Zu Recht schließen sie { $fpr } der { who-units } aus, die nicht in den Daten sind.)
 }
unit-who = { $named ->
    [yes] {" "}(„{ $name }“)
   *[no] {""}
 }
you = { $apart ->
    [replace] { HUMAN($unit) ->
        [yes] Angenommen, mit fremden Daten anstelle Ihrer eigenen schadet Ihnen diese Veröffentlichung mit einer Wahrscheinlichkeit von { $before }. Mit Ihren eigenen Daten sind es { who-most } { $after }.
       *[no] Angenommen, diese Veröffentlichung schadet mit einer Wahrscheinlichkeit von { $before }, wenn { UNIT($unit, "particular") } durch andere Daten ersetzt ist. Sonst sind es { who-most } { $after }.
     }
    [local] Angenommen, bei einer bestimmten wahren Antwort ist Ihr Risiko, Schaden zu nehmen, { $before }. Ist eine andere Antwort wahr, so ist es { who-most } { $after }.
    [value] Angenommen, bei einem Wert von höchstens { $gamma } schadet diese Veröffentlichung mit einer Wahrscheinlichkeit von { $before }. Bei einem höheren Wert sind es { who-most } { $after }.
   *[add_remove] { HUMAN($unit) ->
        [yes] Angenommen, ohne Ihre Daten schadet Ihnen diese Veröffentlichung mit einer Wahrscheinlichkeit von { $before }. Mit Ihren Daten sind es { who-most } { $after }.
       *[no] Angenommen, diese Veröffentlichung schadet mit einer Wahrscheinlichkeit von { $before }, wenn { UNIT($unit, "particular") } in den Daten fehlt. Sonst sind es { who-most } { $after }.
     }
 }
you-still = { $setting ->
    [local] Was alle Antworten zusammen über Menschen wie Sie verraten, verraten sie auch ohne Ihre Antwort. Das ist hier nicht mitgezählt.
   *[central] Was die Veröffentlichung über die Allgemeinheit verrät, verrät sie auch über Sie, mit oder ohne Ihre Daten. Das ist hier nicht mitgezählt.
 }

## Annahmen

delta-given = Epsilon geben wir bei einem Delta von { $delta } an, wie vorgegeben.
delta-from_n = Epsilon geben wir bei einem Delta von { $delta } an: der Zehnerpotenz knapp unter 1 ÷ (10 × Zahl der { unit-records-definite }).
delta-default = Epsilon geben wir bei einem Delta von { $delta } an, da nichts anderes vorgegeben ist. Die Zahl der { unit-records-definite } fehlt. Deshalb konnten wir nicht prüfen, ob Delta klein genug ist.
neighbours = { $apart ->
    [replace] Wir vergleichen Datenbestände, in denen die Daten { UNIT($unit, "genitive") }{ unit-with } durch die { UNIT($unit, "other-genitive") } ersetzt sind.
    [local] Wir vergleichen zwei mögliche wahre Antworten { UNIT($unit, "genitive") }{ unit-with }.
    [value] Wir vergleichen mögliche Werte { UNIT($unit, "genitive") }: solche über { $gamma } mit den übrigen.
   *[add_remove] Wir vergleichen Datenbestände mit und ohne { UNIT($unit, "accusative") }{ unit-with }.
 }
answers-apart = Die angegebene Sensitivität gilt als größter Abstand zwischen zwei wahren Antworten { UNIT($unit, "genitive") }. Garantien sind ebenso zu verstehen.
unit-protected = { $n ->
    [0] Geschützt wird: { UNIT($unit, "one") }{ unit-with }.
    [one] Geschützt wird: { UNIT($unit, "one") }{ unit-with }. Es gibt nur { $several ->
        [yes] einen Datensatz
       *[no] { UNIT($unit, "accusative") }
     }.
   *[other] Geschützt wird: { UNIT($unit, "one") }{ unit-with }. Es gibt { $n } { unit-records }.
 }
sampling-none = Keine Stichprobe: Alle { unit-records-definite } gehen in jede Veröffentlichung ein.
sampling-poisson = In jede Stichprobe gelangt { unit-each-record } zufällig und unabhängig von den anderen (Poisson-Stichprobe).
sampling-without_replacement = Jede Stichprobe umfasst eine feste Zahl von { unit-records-dative }, jedes Mal neu und zufällig gezogen.
sampling-one_in_clear = Ein zufällig gezogener Datensatz wird offen gezeigt, oder keiner.
sampling-unknown = Ob Stichproben gezogen wurden, wissen wir nicht. Angegeben ist nur eine Garantie.
setting = { $setting ->
    [local] Jede Antwort kann durch Zufall verändert werden, bevor sie abgegeben wird. Die wahre Antwort kennt sonst niemand.
   *[central] Die datenhaltende Stelle sieht die wahren Datensätze. { $known ->
        [guarantee] Wie die Ergebnisse geschützt werden, ist nicht beschrieben.
       *[noise] Vor jeder Veröffentlichung kommt das Rauschen hinzu.
     }
 }
attacker = { $about ->
    [answer] Angreifer können alles kennen außer der wahren Antwort und den Zufallszahlen. Herausfinden wollen sie, welche von zwei Antworten { UNIT($unit, "genitive") } wahr ist.
    [value] Angreifer können wissen, wie das Verfahren arbeitet und wie wahrscheinlich jeder Wert war. Herausfinden wollen sie, ob { UNIT($unit, "one") } einen Wert über { $gamma } hat.
   *[membership] Angreifer können alle anderen Datensätze kennen und wissen, wie das Verfahren arbeitet. Herausfinden wollen sie, ob { UNIT($unit, "one") } in den Daten ist.
 }
priors = Die gezeigten vermuteten Wahrscheinlichkeiten sind { $priors }. Es sind Beispiele, keine Aussagen über bestimmte Personen.
prior-named = { $prior } („{ $name }“)

## Epsilon

epsilon = Bei Delta { $delta } ist Epsilon { who-most } { $epsilon }.
epsilon-both = Bei Delta { $delta } und bei Delta 0 ist Epsilon { who-most } { $epsilon }.
epsilon-infinite = Bei Delta { $delta } gibt es kein endliches Epsilon: Die Chancen können sich unbegrenzt ändern.
epsilon-means = { $alone ->
    [yes] Ohne Zusammenhänge wäre der Anteil, den ein Angriff erkennt, höchstens das { $factor }-Fache seines Anteils an Fehlalarmen, plus Delta.
   *[no] Der Anteil, den ein Angriff erkennt, ist also höchstens das { $factor }-Fache seines Anteils an Fehlalarmen, plus Delta.
 }
epsilon-related = Diese Zahlen gelten für die Veröffentlichung allein; siehe „{ heading-related }“.
epsilon-means-pure = { $alone ->
    [yes] Ohne Zusammenhänge änderte kein Ergebnis die Chancen um mehr als den Faktor { $factor }.
   *[no] Also ändert kein Ergebnis die Chancen um mehr als den Faktor { $factor }.
 }
epsilon-unknown = Bei Delta { $delta } ist Epsilon mindestens { $low }. Es kann unendlich sein.
epsilon-explained = Epsilon besagt, wie weit Ergebnisse die Chancen ändern können; Delta lässt seltene Ausnahmen zu. Für beide gilt: je kleiner, desto sicherer.
epsilon-delta = Unterhalb von Delta { $proof } lässt sich kein Epsilon angeben: Mit dieser Wahrscheinlichkeit beweist ein Ergebnis etwas.{ $epsilon ->
    [none] {""}
   *[other] {" "}Bei Delta { $proof } ist Epsilon höchstens { $epsilon }.
 }

## Bitte beachten

warning-mildest = Über diese Veröffentlichung wird nichts behauptet. Andere Angriffe können ein höheres Risiko zeigen.
warning-claim_refuted = Die übrigen Zahlen beschreiben, was behauptet wurde, nicht, was tatsächlich geschieht.
warning-limit_exceeded = { $broken ->
    [one] Ein Grenzwert ist überschritten; siehe Grenzwerte.
   *[other] { $broken } Grenzwerte sind überschritten; siehe Grenzwerte.
 }
warning-limit_open = Bei mindestens einem Grenzwert ist offen, ob er eingehalten ist; siehe Grenzwerte.
warning-power_missed = Das Rauschen lässt weniger Trennschärfe, als nötig ist; siehe Genauigkeit.
warning-plan_not_counted = Die Planung nutzt { $planned } aus einer verrauschten Veröffentlichung, die hier nicht mitgezählt ist. Deren Risiko kommt hinzu. Bewerten Sie beide zusammen.
warning-catastrophic = Die Daten Einzelner können vollständig offenliegen, so klein die Prozentwerte oben auch aussehen. Sind die Empfänger nicht zur Verschwiegenheit verpflichtet, so wählen Sie ein anderes Verfahren.
warning-undetermined = Solange das nicht bekannt ist, gehen Sie davon aus, dass ein Ergebnis etwas beweisen kann.
warning-answers_apart = Verrauscht wird jede Antwort für sich. Deshalb gelten Sensitivitäten als Abstand zwischen zwei wahren Antworten (2 für Werte von −1 bis 1). Können Antworten weiter auseinanderliegen, ist das Risiko höher.
warning-responses_seen = Die abgegebene Antwort verbirgt, welche Antwort wahr ist, aber nicht, dass jemand geantwortet hat. Wer sieht, von wem sie stammt, weiß von der Teilnahme.
warning-delta_not_below_one_in_n = Delta { $delta } liegt nicht unter 1 von { $n }, der Zahl der { unit-records-definite }. Ein so großes Delta ließe sogar zu, einen Datensatz offen zu veröffentlichen. Wählen Sie ein kleineres.
warning-proof_not_below_one_in_n = { $about ->
    [answer] Für { UNIT($unit, "each-accusative") } kann eine abgegebene Antwort mit einer Wahrscheinlichkeit von { who-up-to } { $chance } beweisen, wie die wahre Antwort lautet.
    [value] Für { UNIT($unit, "each-accusative") } kann ein Ergebnis mit einer Wahrscheinlichkeit von { who-up-to } { $chance } beweisen, ob der Wert über { $gamma } liegt.
   *[membership] Für { UNIT($unit, "each-accusative") } kann ein Ergebnis mit einer Wahrscheinlichkeit von { who-up-to } { $chance } beweisen, dass { UNIT($unit, "it") } in den Daten ist.
 } { $openly ->
    [yes] { $stated ->
        [yes] Auch wer einen zufällig gewählten Datensatz offen veröffentlicht, erfüllt diese Garantie.
       *[no] Einen zufällig gewählten Datensatz offen zu veröffentlichen, würde nicht öfter etwas beweisen.
     } { open-remedy }
   *[no] { open-remedy }
 }
open-remedy = { $stated ->
    [yes] Verlangen Sie ein viel kleineres Delta.
   *[no] Wählen Sie ein anderes Verfahren oder ein viel kleineres Delta.
 }
warning-poisson_batches = In jedem Schritt muss der Zufall für { $several ->
    [yes] jeden Datensatz einzeln entscheiden, ob er
   *[no] { UNIT($unit, "each-accusative") } einzeln entscheiden, ob { UNIT($unit, "it") }
 } mitwirkt (Poisson-Stichprobe). Die Zahlen gelten nicht, wenn die Daten gemischt und in gleich große Teile zerlegt werden.
warning-uniform_batches = Diese Zahlen setzen jedes Mal eine neue Zufallsstichprobe voraus. Sie gelten nicht, wenn die Daten einmal gemischt und dann der Reihe nach gelesen werden.
warning-unknown_batches = Setzt die Garantie Zufallsstichproben voraus, müssen diese auch zufällig gezogen werden. Wurde nur gemischt und aufgeteilt, gilt die Garantie nicht.
warning-related_worse = Wer die Zusammenhänge kennt, kann mehr erfahren; siehe „{ heading-related }“.
warning-search_not_exhaustive = Wir haben nicht alle Angriffe auf zusammenhängende Datensätze verglichen. Andere können mehr verraten, aber nicht mehr als die Schranke.
warning-relations_not_modelled = Zwischen Personen kann es Zusammenhänge geben, etwa durch Familie, Ort oder Zeit. Dann verrät ein Datensatz auch etwas über andere, und Angreifer erfahren womöglich mehr. Ein Modell dafür ist nicht angegeben.
warning-guarantee_only = Wir kennen eine Garantie, aber nicht das Verfahren. Die Zahlen zeigen den ungünstigsten Fall, den sie zulässt.
warning-guarantee_in_part = Für einen Teil kennen wir eine Garantie, aber nicht das Verfahren. Dort zeigen die Zahlen den ungünstigsten Fall, den sie zulässt.
warning-roughly_known = Nur ungefähr bekannt: { $rough }.
warning-f_score_blind = Ein F-Wert (Gewicht { $weight }) zeigt keine Unterschiede zwischen Veröffentlichungen mit einem Epsilon unter { $blind }. Lesen Sie ihn nie allein.

## Grenzwerte

limit-kept = { $whom ->
    [related] Eingehalten, auch bei Zusammenhängen: { limit-asked }; berechnet: { $answer }.
    [other] Eingehalten gegenüber „{ $name }“: { limit-asked }; berechnet: { $answer }.
   *[release] Eingehalten: { limit-asked }; berechnet: { $answer }.
 }
limit-exceeded = { $whom ->
    [related] Überschritten bei Zusammenhängen: { limit-asked }; berechnet: { $answer }.
    [other] Überschritten gegenüber „{ $name }“: { limit-asked }; berechnet: { $answer }.
   *[release] Überschritten: { limit-asked }; berechnet: { $answer }.
 }
limit-open = { $whom ->
    [related] Nicht bewiesen bei Zusammenhängen: { limit-asked }; bewiesen ist nur: { unit-at-bound } { $answer }.
    [other] Nicht bewiesen gegenüber „{ $name }“: { limit-asked }; bewiesen ist nur: { unit-at-bound } { $answer }.
   *[release] Nicht bewiesen: { limit-asked }; bewiesen ist nur: { unit-at-bound } { $answer }.
 }
limit-refuted = { $whom ->
    [related] Nur nach der widerlegten Behauptung eingehalten, bei Zusammenhängen: { limit-asked }; Ergebnis wäre { $answer }.
    [other] Nur nach der widerlegten Behauptung eingehalten, gegenüber „{ $name }“: { limit-asked }; Ergebnis wäre { $answer }.
   *[release] Nur nach der widerlegten Behauptung eingehalten: { limit-asked }; Ergebnis wäre { $answer }.
 }
limit-asked = { $question }. Grenzwert: { limit-bound }
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
    [yes] { $question }, beim schlimmsten Angriff auf zusammenhängende Datensätze: höchstens { $answer }.
   *[no] { $question }, beim schlimmsten Angriff auf zusammenhängende Datensätze: mindestens { $answer }.
 }
asked-infinite = { $question }: unendlich.
asked-unknown = { $question }: mindestens { $low }, vielleicht unendlich.
question-accuracy = wie oft der beste Angriff recht hat (durch bloßes Raten { $blind }, bei einer Wahrscheinlichkeit von { $prior })
question-advantage = Vorteil des Angriffs gegenüber bloßem Raten
question-attribute_inference = Wahrscheinlichkeit, mit der sich ein Merkmal einer Person erraten lässt (ohne ihren Datensatz { $baseline })
question-attack_power = Anteil { who-in-genitive }, den ein Angriff erkennt (bei { $fpr } Fehlalarmen)
question-auc = Fläche unter der ROC-Kurve des Angriffs
question-cost = geringste erwartete Kosten des Angriffs (bei einer Wahrscheinlichkeit von { $prior })
question-delta = Delta bei Epsilon { $epsilon }
question-epsilon = Epsilon bei Delta { $delta }
question-f_score = bester F-Wert des Angriffs (Gewicht { $weight }, bei einer Wahrscheinlichkeit von { $prior })
question-inference_advantage = Zuwachs an richtig erratenen Merkmalen (ohne den Datensatz sind { $baseline } richtig)
question-max_posterior = größte Gewissheit, die ein Ergebnis geben kann (ausgehend von { $prior })
question-min_fpr = geringste Quote von Fehlalarmen eines Angriffs, der höchstens { $fnr } übersieht
question-mu = kleinstes Mu der Gauß’schen Differential Privacy
question-posterior = { $about ->
    [membership] Wahrscheinlichkeit, dass { HUMAN($unit) ->
        [yes] eine genannte Person in den Daten ist
       *[no] eine Nennung stimmt
     } (bei { $fpr } Fehlalarmen, ausgehend von { $prior })
   *[answer] Wahrscheinlichkeit, dass ein genannter Fall zutrifft (bei { $fpr } Fehlalarmen, ausgehend von { $prior })
 }
question-posterior_after_negative = { $about ->
    [membership] verbleibende Wahrscheinlichkeit, dass { HUMAN($unit) ->
        [yes] eine ausgeschlossene Person in den Daten ist
       *[no] ein Ausschluss falsch ist
     } (bei { $fpr } Fehlalarmen, ausgehend von { $prior })
   *[answer] verbleibende Wahrscheinlichkeit, dass ein ausgeschlossener Fall zutrifft (bei { $fpr } Fehlalarmen, ausgehend von { $prior })
 }
question-precision = Anteil der zutreffenden unter den genannten Fällen (wenn { $recall } erkannt werden, bei einer Wahrscheinlichkeit von { $prior })
question-reconstruction = Wahrscheinlichkeit, mit der sich ein ganzer Datensatz rekonstruieren lässt (ohne ihn { $baseline })
question-relative_risk = { $never ->
    [yes] { $about ->
        [membership] Faktor, um den ein beliebiges Ergebnis die Chancen erhöhen kann, in den Daten zu sein
       *[answer] Faktor, um den ein beliebiges Ergebnis die Chancen erhöhen kann
     }
   *[no] { $about ->
        [membership] Faktor, um den die Chancen steigen können, in den Daten zu sein (ab { $fpr } Fehlalarmen)
       *[answer] Faktor, um den die Chancen steigen können (ab { $fpr } Fehlalarmen)
     }
 }
question-renyi = Rényi-Divergenz der Ordnung { $order }
answer-undefined = nicht definiert

## Genauigkeit

analyst = { $named ->
    [yes] „{ $name }“:
   *[no] Der Test:
 } Von { $out_of } Studien mit einem wahren Effekt von { $effect } finden ihn mindestens { $after }. Ohne Rauschen wären es { $before }. Gibt es keinen Effekt, so melden höchstens { $level } der Studien trotzdem einen.
analyst-kept = Das genügt: Verlangt ist eine Trennschärfe von { $needed }.
analyst-missed = Das genügt nicht: Verlangt ist eine Trennschärfe von { $needed }.
analyst-plan = { $first ->
    [yes] Die Planung nimmt an: { $values } ({ analyst-sourced }).
   *[no] Außerdem nimmt sie an: { $values } ({ analyst-sourced }).
 }
analyst-value = { planned-name } = { $value }
analyst-sourced = { $noted ->
    [yes] { analyst-source }: „{ $note }“
   *[no] { analyst-source }
 }
analyst-source = { $source ->
    [public] öffentlich bekannt
    [worst_case] ungünstigster Fall, unabhängig von den Daten
    [private_estimate] aus einer eigenen verrauschten Veröffentlichung
   *[not_stated] Quelle nicht angegeben
 }

## Wenn Personen zusammenhängen

model-discrete = { $n ->
    [one] Das Modell umfasst nur { UNIT($unit, "accusative") }.
   *[other] Eine Tabelle beschreibt die Zusammenhänge zwischen { $n } { UNIT($unit, "many-dative") }.
 }
model-markov = { $n ->
    [one] Das Modell umfasst nur { UNIT($unit, "accusative") }.
   *[other] Das Modell ist eine Kette von { $n } { UNIT($unit, "many-dative") }. Jedes Glied hängt vom vorigen ab.
 }
model-gaussian = { $n ->
    [one] Das Modell umfasst nur { UNIT($unit, "accusative") }.
   *[other] Das Modell besteht aus abhängigen, normalverteilten Zahlen von { $n } { UNIT($unit, "many-dative") }.
 }
model-gaussian_chain = { $n ->
    [one] Das Modell umfasst nur { UNIT($unit, "accusative") }.
   *[other] Das Modell ist eine Kette von { $n } { UNIT($unit, "many-dative") } mit normalverteilten Werten. Jedes Glied hängt vom vorigen ab.
 }
related-who = { $kind ->
    [named] Angriff von „{ $name }“: Ziel ist { UNIT($unit, "the") } { $target }. { UNIT($unit, "the-noun") }. { related-knows }.
    [worst] { $exhaustive ->
        [yes] Der schlimmste Angriff
       *[no] Der schlimmste Angriff, den wir gefunden haben
     }: Ziel ist { UNIT($unit, "the") } { $target }. { UNIT($unit, "the-noun") }. { related-knows }.
   *[unnamed] Ein Angriff: Ziel ist { UNIT($unit, "the") } { $target }. { UNIT($unit, "the-noun") }. { related-knows }.
 }
related-knows = { $knows ->
    [none] Kein anderer Datensatz ist bekannt
    [one] Bekannt ist der Datensatz { $known }
    [some] Bekannt sind die Datensätze { $known }
    [many] Bekannt sind { $count } andere Datensätze
   *[all] Alle anderen Datensätze sind bekannt
 }
related-place = { $value ->
    [none] Nr. { $place }
   *[other] Nr. { $place } (mit dem Wert { $value })
 }
related-determined = Der Wert steht damit schon fest. Die Veröffentlichung verrät nichts Neues.
related-belief = Nach dem Modell hat der Wert „{ $value }“ eine Wahrscheinlichkeit von { $before }. Nach dieser Veröffentlichung sind es bis zu { $after } (bei { $fpr } Fehlalarmen). Ohne Zusammenhänge wären es { $alone }.
related-example = Angenommen, einer von zwei Werten hat eine Wahrscheinlichkeit von { $before }. Nach dieser Veröffentlichung sind es bis zu { $after } (bei { $fpr } Fehlalarmen). Ohne Zusammenhänge wären es { $alone }.
related-odds = { $bounded ->
    [yes] Das Chancenverhältnis zweier Werte ändert sich höchstens um den Faktor { $factor }. Die Veröffentlichung allein lässt höchstens { $alone } zu.
   *[no] Das Chancenverhältnis zweier Werte ändert sich höchstens um den Faktor { $factor }. Die Veröffentlichung allein setzt keine Grenze.
 }
related-unbounded = Hinweise können beliebig stark sein, aber starke Hinweise sind selten.
related-by-leakage = So viele Veröffentlichungen rechnen wir nicht gemeinsam durch. Diese Zahlen sind das Höchste, was die Grenze der Chancen zulässt.
related-sure = { $exhaustive ->
    [yes] { $compared ->
            [one] Es gibt nur einen möglichen Angriff.
           *[other] Wir haben alle { $compared } möglichen Angriffe verglichen. Kein anderer hat bei Delta { $delta } ein höheres Epsilon.
         } Für die Grenzwerte zählt der schlimmste.
   *[no] { $compared ->
            [one] Wir haben einen Angriff betrachtet.
           *[other] Wir haben { $compared } Angriffe verglichen.
         } Das Epsilon jedes anderen bei Delta { $delta } ist { $bounded ->
            [yes] höchstens { $bound }
           *[no] nicht begrenzt
         }. Das entscheidet über die Grenzwerte.
 }
related-others = Bei dieser Quote von Fehlalarmen kann ein anderer Angriff sicherer sein, aber keiner erreicht mehr als { $most }.
related-fewer = Bei Zusammenhängen kann der schlimmste Angriff einer mit weniger Vorwissen sein.

## Gemessene Angriffe

audit-unclaimed = Es wurde nichts behauptet, also lässt sich nichts widerlegen. Der Angriff beweist eine untere Schranke des Risikos. Ein anderer Angriff kann mehr finden.
audit-refuted = Die Behauptung ist widerlegt (Konfidenz { $confidence }). Bei höchstens { $rate } Fehlalarmen erkennt { $named ->
    [yes] der Angriff „{ $name }“
   *[no] der Angriff
 } mindestens { $measured } { who-in-genitive }. Die Beschreibung erlaubt höchstens { $claimed }.
audit-not_refuted = Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). { $named ->
    [yes] Der Angriff „{ $name }“
   *[no] Der Angriff
 } beweist nicht mehr, als die Beschreibung erlaubt. Das bestätigt sie nicht: Ein anderer Angriff kann mehr finden.
audit-size = Gemessen an { $n_in } Werten mit und { $n_out } ohne die Zielperson. Epsilon ist mindestens { $epsilon } bei Delta { $delta } und mindestens { $pure } bei Delta 0. Mu ist mindestens { $mu }.
audit-run-refuted = Die Behauptung ist widerlegt (Konfidenz { $confidence }). { audit-run-right } Nach der Beschreibung wären { $takes } oder mehr zu viele.
audit-run-not_refuted = Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). { audit-run-right } Für eine Widerlegung bräuchte es { $takes }. Das bestätigt sie nicht: Ein anderer Angriff kann mehr finden.
audit-run-too_few = Die Behauptung ist nicht widerlegt (Konfidenz { $confidence }). { audit-run-right } So wenige Tipps können nichts widerlegen, also auch nichts bestätigen.
audit-run-right = { $named ->
    [yes] In „{ $name }“ waren { $right } von { $guesses } Tipps über Testdatensätze richtig.
   *[no] { $right } von { $guesses } Tipps über Testdatensätze waren richtig.
 }
audit-run-size = Gemessen in einem Lauf mit { $canaries } Testdatensätzen. Epsilon ist mindestens { $epsilon } bei Delta { $delta } und mindestens { $pure } bei Delta 0. Mu ist mindestens { $mu }.
audit-assumes-scores = Das gilt nur, wenn die Werte unabhängig sind und der Angriff vorher feststand. Außerdem müssen die Werte jeder Seite derselben Verteilung folgen.
audit-assumes-counts = Das gilt nur, wenn die Fälle unabhängig sind und Angriff und Schwelle vorher feststanden. Außerdem müssen die Fälle jeder Seite derselben Verteilung folgen.
audit-assumes-points = Das gilt nur, wenn die Fälle hinter den veröffentlichten Quoten unabhängig sind und der Angriff vorher feststand. Außerdem müssen die Fälle jeder Seite derselben Verteilung folgen.
audit-assumes-run = Das gilt nur, wenn über jeden Testdatensatz eine eigene faire Münze entschied. Wer angriff, sah keine Münze. Angriff und Zahl der Tipps standen vorher fest.
audit-several = Es gibt { $count } Prüfungen. Stimmt die Beschreibung, so wird sie mit einer Wahrscheinlichkeit von höchstens { $error } von mindestens einer Prüfung fälschlich widerlegt.

## Was nicht erfasst ist

not-covered-singling = Irgendeinen Treffer finden: Die Zahlen gelten für { UNIT($unit, "chosen-accusative") }. Irgendeinen Treffer zu finden, ist leichter.
not-covered-reconstruction = Rekonstruktion: Wie wahrscheinlich sich ein ganzer Datensatz wiederherstellen lässt, ist eine andere Frage.
not-covered-attributes = Merkmale: Wie gut sich ein Merkmal { UNIT($unit, "genitive") } in den Daten erraten lässt, ist eine andere Frage.
not-covered-details = Andere Merkmale: Untersucht ist nur der Wert im Modell.
not-covered-baseline = Raten ohne den Datensatz: Wie oft es gelingt, ist so angegeben. Prüfen können wir es nicht.
not-covered-others = Andere Veröffentlichungen über dieselben { unit-many-definite }: Die Risiken summieren sich. Nehmen Sie alle in die Bewertung auf.
not-covered-implementation = Fehler in der Software: ein falsch umgesetztes Verfahren, { $known ->
    [noise] eine zu klein angegebene Sensitivität, schwache Zufallszahlen.
   *[answers] schwache Zufallszahlen.
 }
not-covered-floating = Rundung: Bei gewöhnlichen Gleitkommazahlen können die letzten Stellen des Rauschens etwas verraten.
not-covered-several = { HUMAN($unit) ->
    [yes] { $several ->
        [yes] Größere Gruppen: Für eine Familie oder bei mehr Datensätzen je Einheit als angegeben ist das Risiko größer.
       *[no] Größere Gruppen: Für eine Familie oder bei mehreren Datensätzen { UNIT($unit, "genitive") } ist das Risiko größer.
     }
   *[no] { $several ->
        [yes] Größere Gruppen: Für mehrere { unit-many } zusammen oder bei mehr Datensätzen je Einheit als angegeben ist das Risiko größer.
       *[no] Größere Gruppen: { $owned ->
            [yes] Wer mit mehreren { UNIT($unit, "many-dative") } vorkommt, hat ein größeres Risiko.
           *[no] Für mehrere { unit-many } zusammen oder bei mehreren Datensätzen { UNIT($unit, "genitive") } ist das Risiko größer.
         }
     }
 }
not-covered-unrelated = Zusammenhänge: Wie die Datensätze voneinander abhängen, beschreibt kein Modell.
not-covered-related = Andere Zusammenhänge: Was über Zusammenhänge gesagt ist, gilt nur, wenn sie so sind wie im Modell.

## Entscheidung

declared-purpose = Zweck
declared-benefits = Erwarteter Nutzen
declared-nature = Art der Daten
declared-recipients = Empfänger
declared-no-recipients = Empfänger: nicht angegeben.
declared-decided_by = Wer entscheidet
declared-reasons = Begründung
declared = { $name }: { $value }
declared-said = { $name }: „{ $value }“
declared-missing = Nicht angegeben: { $missing }.
declared-nothing = Zweck, Daten, Empfänger und Entscheidung sind nicht angegeben.

## Was veröffentlicht wird

published = { $named ->
    [yes] „{ $name }“: { $what }.
   *[no] { CAPITAL($what) }.
 }
published-mildest = Hierzu wird nichts behauptet. Die Zahlen gelten für die harmloseste Veröffentlichung, die den Angriff erklärt:
published-other = Eine Veröffentlichung, die sich nicht in eine Datei schreiben lässt: { $what }.
release-additive_noise = eine Zahl mit Rauschen aus der Verteilung { $noise }
release-approximate_dp = nur eine Garantie ist angegeben: Epsilon { $epsilon }, Delta { $delta }
release-continuous_pair = eine Zahl aus einer von zwei Verteilungen, { $p } oder { $q }
release-discrete_gaussian = ganze Zahlen mit diskretem Gauß-Rauschen, Sigma { $sigma }
release-dpsgd = ein Modell, trainiert in { $steps } verrauschten Schritten (DP-SGD) mit Rauschfaktor { $noise_multiplier }. In jedem Schritt wirkt { unit-each-record } mit einer Wahrscheinlichkeit von { $sample_rate } mit. Veröffentlicht wird das trainierte Modell
release-exponential = eine Auswahl nach dem Exponentialmechanismus oder einem ähnlichen Verfahren, Epsilon { $epsilon }
release-finite_pair = eines von { $p } möglichen Ergebnissen
release-gaussian = Zahlen mit Gauß-Rauschen, Standardabweichung { $sigma }
release-gaussian_dp = nur eine Garantie ist angegeben: Gauß’sche DP mit Mu { $mu }
release-geometric = ganze Zahlen mit zweiseitig geometrischem Rauschen, Skalenparameter { $scale }
release-laplace = Zahlen mit Laplace-Rauschen, Skalenparameter { $scale }
release-privacy_profile = nur eine Garantie ist angegeben: Delta bei { $epsilons } Werten von Epsilon
release-randomized_response = von { UNIT($unit, "each-dative") } eine von { $categories } Antworten: die wahre oder, durch Zufall, eine andere (Epsilon { $epsilon }). Die wahre wird mit einer Wahrscheinlichkeit von { who-up-to } { $truth } abgegeben
release-renyi_dp = nur eine Garantie ist angegeben: Rényi-DP bei { $orders } Ordnungen
release-staircase = Zahlen mit Treppenrauschen, Epsilon { $epsilon }
release-trade_off_points = nur eine Garantie ist angegeben: die zwei Fehlerquoten des Angriffs an { $alphas } Punkten der Kurve
release-uniform_sampling = ein zufällig gezogener Datensatz von { $n } { unit-records-dative } oder keiner (Mu { $mu })
release-zero_concentrated_dp = nur eine Garantie ist angegeben: null-konzentrierte DP mit Rho { $rho }
release-composed = mehrere Veröffentlichungen zusammen, im Folgenden beschrieben
release-subsampled = eine im Folgenden beschriebene Veröffentlichung aus einem zufälligen Teil der { unit-records-definite } ({ $rate } davon)
release-grouped = eine im Folgenden beschriebene Veröffentlichung mit bis zu { $size_here } Datensätzen je { UNIT($unit, "name") }
release-failing = eine im Folgenden beschriebene Veröffentlichung, die mit einer Wahrscheinlichkeit von { $probability } alles zeigt
release-value_above = eine im Folgenden beschriebene Veröffentlichung; gefragt ist, ob ein Wert über { $gamma } liegt
release-replaced = eine im Folgenden beschriebene Veröffentlichung, bei der die Daten { UNIT($unit, "genitive") } durch andere ersetzt werden
release-sensitive = { $about ->
    [answer] { $what }. Zwei wahre Antworten unterscheiden sich um höchstens { $sensitivity }
   *[membership] { $what }. { CAPITAL(unit-one-record) } ändert das Ergebnis um höchstens { $sensitivity }
 }
release-sensitive-apart = { $what }. Zwei wahre Antworten unterscheiden sich um höchstens { $sensitivity }
release-sampled = { $what }; aus einem zufälligen Teil der { unit-records-definite }, jeweils mit einer Wahrscheinlichkeit von { $sample_rate }
release-repeated = { $what }. Das geschieht { $repeat }-mal, jedes Mal mit frischem Rauschen
release-fails = { $what }; mit einer Wahrscheinlichkeit von { $fails_with } wird alles gezeigt
release-group = { $what }; { UNIT($unit, "one") } hat bis zu { $group } Datensätze
