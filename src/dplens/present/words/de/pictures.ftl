### Bilder. Die Variablen und Funktionen erklärt en/pictures.ftl.

pic-out = { $about ->
    [value] { unit-many } bis zur Schranke
    [answer] { unit-many } mit der anderen Antwort
    [related] Zielpersonen mit dem anderen Wert
   *[membership] { unit-many } außerhalb der Daten
 }
pic-in = { $about ->
    [value] { unit-many } über der Schranke
    [answer] { unit-many } mit der vermuteten Antwort
    [related] Zielpersonen mit dem vermuteten Wert
   *[membership] { unit-many } in den Daten
 }
pic-topic = { $about ->
    [value] den Wert
    [answer] die Antwort
    [related] den Wert der Zielperson
    [analyst] den Test der Auswertung
   *[membership] die Zugehörigkeit zu den Daten
 }
pic-without = { $about ->
    [value] Wert bis zur Schranke
    [answer] die andere Antwort ist wahr
    [related] der andere Wert ist wahr
    [replaced] mit fremden Daten statt dieser
   *[membership] ohne { UNIT($unit, "accusative") }
 }
pic-with = { $about ->
    [value] Wert über der Schranke
    [answer] die vermutete Antwort ist wahr
    [related] der vermutete Wert ist wahr
   *[membership] mit { UNIT($unit, "dative") }
 }
pic-proves = { $about ->
    [value] auf welcher Seite der Schranke ein Wert liegt
    [answer] wie eine wahre Antwort lautet
    [related] welchen Wert die Zielperson hat
   *[membership] ob { UNIT($unit, "one") } in den Daten ist
 }
pic-seen = { $about ->
    [answer] die abgegebene Antwort
   *[membership] die Veröffentlichung
 }
pic-seen-dative = { $about ->
    [answer] der abgegebenen Antwort
   *[membership] der Veröffentlichung
 }
pic-mildest = Dies ist die harmloseste Veröffentlichung, die einen gemessenen Angriff erklärt. Das wahre Risiko kann höher sein.
title-roc = Was der beste Angriff erkennt
title-roc_log = Was der beste Angriff erkennt (wenige Fehlalarme vergrößert)
title-tradeoff = Die zwei Fehler des Angriffs
title-precision_recall = Wie viele Nennungen richtig sind
title-posterior = Wahrscheinlichkeit vorher und nachher
title-relative_risk = Um welchen Faktor eine Nennung die Wahrscheinlichkeit erhöht
title-profile = Jedes gültige Epsilon und Delta (Privacy-Profil)
title-fscore = Der beste F-Wert des Angriffs gegen Epsilon
title-power_noise = Was der Angriff bei mehr oder weniger Rauschen erkennt
title-output_laws = Worauf der Angriff schaut
title-analyst_power = Was das Rauschen die Auswertung kostet
title-audit = Was behauptet und was gemessen wurde
title-feasible = Rauschen, das beiden Seiten genügt
title-leakage = Was Angreifer aus anderen Datensätzen zusätzlich erfahren
title-icons = Wie viele von { $out_of } Nennungen richtig sind
title-named = { $title }: „{ $name }“
subtitle = über { pic-topic }; jede Zahl zur sicheren Seite gerundet; Nachweis: { $route }
axis-alpha = Anteil der Fehlalarme ({ pic-out })
axis-power = erkannter Anteil ({ pic-in })
axis-beta = übersehener Anteil ({ pic-in })
axis-recall = erkannter Anteil (Recall; { pic-in })
axis-precision = Anteil der richtigen Nennungen (Precision)
axis-prior = Wahrscheinlichkeit vor der Veröffentlichung (Prior)
axis-posterior = Wahrscheinlichkeit danach (Posterior)
axis-ratio = Faktor der Wahrscheinlichkeit
axis-epsilon = Epsilon
axis-epsilon_at = Epsilon bei Delta = { GIVEN($delta) }
axis-delta = Delta
axis-fscore = F-Wert des besten Angriffs
axis-noise = Rauschen ({ $parameter }): nach links genauer, nach rechts besser geschützt
axis-noise_factor = Rauschen als Vielfaches des jetzigen: nach links genauer, nach rechts besser geschützt
axis-density = Dichte
axis-probability = Wahrscheinlichkeit
axis-outcome = Ergebnis
axis-loss = Log-Likelihood-Quotient der Veröffentlichung
axis-output = { $about ->
    [membership] veröffentlichte Zahl, Abstand zum wahren Wert ohne { UNIT($unit, "accusative") }
    [analyst] veröffentlichte Zahl, Abstand zum wahren Wert ohne { UNIT($unit, "accusative") }
    [replaced] veröffentlichte Zahl, Abstand zum wahren Wert mit fremden Daten
   *[value] veröffentlichte Zahl
 }
axis-known = andere Datensätze, die der Angriff kennt
axis-leakage = Epsilon beim schlimmsten Angriff
axis-effect = wahrer Effekt
axis-analyst_power = Trennschärfe der Auswertung
axis-amount = Stärke des Rauschens: nach links genauer, nach rechts besser geschützt
axis-amount_of = Rauschen ({ $parameter }): nach links genauer, nach rechts besser geschützt
parameter-sigma = Standardabweichung
parameter-scale = Skalenparameter
parameter-noise_multiplier = Rauschfaktor
label-claimed = behauptet, höchstens
label-measured = gemessen, mindestens
label-guess = Raten
label-best = bester Angriff
label-point = ○ { SHARE($x) } Fehlalarme: { PERCENT($y) } erkannt
label-missed = ○ { SHARE($x) } Fehlalarme: { ATLEAST($y) } übersehen
label-prior = Prior { BELIEF($prior) }
label-no_release = ohne Veröffentlichung
label-named = nach einer Nennung
label-ruled_out = nach einem Ausschluss
label-most = im äußersten Fall
label-limit = höchstens { TIMES($limit) }-fach
label-ratio_point = ○ { SHARE($x) } Fehlalarme: { TIMES($y) }-fach
label-profile_point = ○ Delta { GIVEN($delta) }: Epsilon { NUMBER($epsilon) }
label-profile_none = Delta { GIVEN($delta) }: kein Epsilon
label-ends_at = 0 ab { NUMBER($epsilon) }
label-proof = Wahrscheinlichkeit für einen Beweis: { NUMBER($proof) }
label-release = diese Veröffentlichung{"\u2028"}mit anderem Rauschen
label-release_alone = diese Veröffentlichung:{"\u2028"}kein Epsilon bei diesem Delta
label-guarantee = jede mit diesem{"\u2028"}Epsilon und Delta
label-everyone = alle nennen
label-fpr = { SHARE($fpr) } Fehlalarme
label-now = jetzt
label-names = Nennung im getönten Bereich
label-proved = nicht gezeigt: beweisende Ergebnisse, { PERCENT2($absent) } und { PERCENT2($present) }
label-without = ohne { pic-seen }
label-with = mit { pic-seen-dative }
label-count = { $count } von { $out_of } richtig
label-right = richtig
label-added = richtig wegen { pic-seen-dative }
label-wrong = falsch
label-number = { NUMBER($x) }
label-unrelated = ohne{"\u2028"}Zusammenhang: { NUMBER($epsilon) }
label-bound = Schranke für alle Angriffe
label-none = ohne Rauschen
label-noise = mit diesem Rauschen
label-twice = mit doppelt so starkem Rauschen
label-planned = geplanter Effekt
label-too_little = zu wenig für die Grenzwerte
label-serves = genügt beiden Seiten
label-serves-chosen = genügt beiden Seiten; die Raute ist empfohlen
label-too_much = zu viel für die Auswertung
label-nothing = kein Rauschen genügt beiden Seiten
alt-roc = Liniendiagramm. Waagerecht: Anteil, den der beste Angriff fälschlich nennt ({ pic-out }). Senkrecht: Anteil, den er erkennt ({ pic-in }). Bei { SHARE($fpr) } Fehlalarmen erkennt er höchstens { PERCENT($power) }. Raten würde { SHARE($fpr) } erkennen. Der größte Abstand zum Raten beträgt { POINTS($advantage) } Prozentpunkte.
alt-tradeoff = Liniendiagramm der zwei Fehler des Angriffs. Waagerecht: fälschlich genannter Anteil ({ pic-out }). Senkrecht: Anteil, den der beste Angriff übersieht ({ pic-in }). Bei { SHARE($fpr) } Fehlalarmen übersieht er mindestens { ATLEAST($beta) }. Raten würde { SHARE($miss) } übersehen.
alt-proof = Mit einer Wahrscheinlichkeit von bis zu { CHANCE($proof) } beweist ein Ergebnis, { pic-proves }.
alt-precision_recall = Liniendiagramm, eine Linie je Prior. Waagerecht: erkannter Anteil ({ pic-in }). Senkrecht: Anteil der richtigen Nennungen. { $sentences }
alt-precision_at = Bei einem Prior von { BELIEF($prior) }, und wenn die Hälfte erkannt wird, sind höchstens { PERCENT($precision) } der Nennungen richtig.
alt-posterior = Liniendiagramm der Wahrscheinlichkeit nach der Veröffentlichung gegen die davor. Der Angriff nennt fälschlich, oder schließt zu Recht aus, { SHARE($fpr) } ({ pic-out }). { $sentences }
alt-posterior_at = Aus einer Wahrscheinlichkeit von { BELIEF($prior) } werden nach einer Nennung höchstens { PERCENT($posterior) }, nach einem Ausschluss mindestens { ATLEAST($negative) }.
alt-relative_risk = Liniendiagramm. Waagerecht: Anteil der Fehlalarme ({ pic-out }). Senkrecht: um welchen Faktor eine Nennung die Wahrscheinlichkeit erhöht. Bei { SHARE($fpr) } ist es höchstens das { TIMES($ratio) }-Fache. { $limit }
alt-limit_finite = Auch bei wenigen Nennungen ist es nie mehr als das { TIMES($limit) }-Fache.
alt-limit_none = Je weniger Nennungen, desto mehr, ohne Grenze.
alt-limit_undetermined = Ob es eine Grenze gibt, ist nicht bekannt.
alt-profile = Liniendiagramm von Delta gegen Epsilon. { $at_delta } Bei Epsilon = 0 ist Delta höchstens { NUMBER($advantage) }. { $tail }
alt-profile_at = Bei Delta = { GIVEN($delta) } ist Epsilon höchstens { NUMBER($epsilon) }.
alt-profile_none = Bei Delta = { GIVEN($delta) } gibt es kein endliches Epsilon.
alt-profile_ends = Ab Epsilon = { NUMBER($ends_at) } ist Delta 0.
alt-profile_proof = Delta fällt nie unter { NUMBER($proof) }. Mit dieser Wahrscheinlichkeit beweist ein Ergebnis, { pic-proves }.
alt-fscore = Liniendiagramm des F-Werts des besten Angriffs (Gewicht { GIVEN($weight) }, Prior { BELIEF($prior) }) gegen Epsilon bei Delta = { GIVEN($delta) }. Diese Veröffentlichung ({ $epsilon }) lässt höchstens { NUMBER($score) } zu. Wer alle nennt, erreicht { NUMBER($everyone) }. Unterschiede unter Epsilon { $unseen } sind an einem F-Wert nicht zu erkennen.
alt-fscore_epsilon = Epsilon { NUMBER($epsilon) }
alt-fscore_none = kein endliches Epsilon
alt-power_noise = Liniendiagramm des Anteils, den der beste Angriff erkennt ({ pic-in }), gegen das Rauschen von { SHORT($least) } bis { SHORT($most) }. { $sentences }
alt-power_noise_at = Beim jetzigen Rauschen und { SHARE($fpr) } Fehlalarmen erkennt er höchstens { PERCENT($power) }.
alt-output_laws = Die zwei Verteilungen { $scale ->
    [outcomes] des Ergebnisses
    [loss] des Log-Likelihood-Quotienten
   *[density] der veröffentlichten Zahl
 }: { pic-without } und { pic-with }. Der beste Test mit { SHARE($fpr) } Fehlalarmen erkennt höchstens { PERCENT($power) }.
alt-icons = Zwei gleich aufgebaute Felder mit je { $out_of } Nennungen. Ohne { pic-seen } sind { $before } richtig, mit { pic-seen-dative } bis zu { $after }: { $added } mehr. Die Wahrscheinlichkeit vorher ist jeweils { BELIEF($prior) }; fälschlich nennt der Angriff { SHARE($fpr) } ({ pic-out }).
alt-leakage = Diagramm: Epsilon des schlimmsten Angriffs bei Delta = { GIVEN($delta) }, je nach Zahl der bekannten anderen Datensätze. Beim schlimmsten sind { $known } bekannt; sein Epsilon ist höchstens { SIZE($epsilon) }. { $more }
alt-leakage_skipped = Für { $skipped } andere Anzahlen bekannter Datensätze wurde nicht verglichen; die Suche zeigt, dass keine schlimmer ist.
alt-leakage_unsure = Die Suche war nicht vollständig: Bei anderen Angriffen kann das Epsilon höher sein, bis zu { SIZE($bound) }.
alt-leakage_unrelated = Ohne Zusammenhänge wären es { NUMBER($unrelated) }.
alt-audit = Liniendiagramm: was ein Angriff erkennt, gegen seine Fehlalarme. Waagerecht: Anteil ({ pic-out }). Senkrecht: Anteil ({ pic-in }). Es zeigt, was die Behauptung höchstens zulässt, und als Band, was ein gemessener Angriff erreicht. { $verdict } { $said }
alt-audit_refuted = Die Behauptung ist mit { SHARE($confidence) } Konfidenz widerlegt: Bei { PERCENT($fpr) } Fehlalarmen erkennt der Angriff mindestens { $measured }, die Behauptung lässt höchstens { $claimed } zu.
alt-audit_not_refuted = Die Behauptung ist mit { SHARE($confidence) } Konfidenz nicht widerlegt. Das bestätigt sie nicht.
alt-audit_at = Bei { RATE($alpha) } Fehlalarmen lässt die Behauptung { PERCENT($power) } zu, und die Messung beweist { ATLEAST($measured) }.
alt-analyst_power = Liniendiagramm der Trennschärfe der Auswertung (Niveau { SHARE($level) }) gegen den wahren Effekt. Beim geplanten Effekt von { GIVEN($effect) }: { $said }
alt-analyst_none = ohne Rauschen mindestens { ATLEAST($power) }.
alt-analyst_noise = Mit diesem Rauschen mindestens { ATLEAST($power) }.
alt-analyst_twice = Mit doppelt so starkem Rauschen mindestens { ATLEAST($power) }.
alt-feasible = Zu jeder Art von Rauschen der Bereich, der die Grenzwerte einhält und der Auswertung die nötige Trennschärfe lässt. { $said }
alt-feasible_range = { $family }: { $parameter } von { $low } bis { $high }.
alt-feasible_open = { $family }: { $parameter } ab { $low }.
alt-feasible_unmet = { $family }: kein Bereich; keine Stärke hält die Grenzwerte ein.
alt-feasible_never = { $family }: kein Bereich; der Auswertung fehlt selbst ohne Rauschen Trennschärfe.
alt-feasible_empty = { $family }: kein Bereich; die Grenzwerte brauchen mindestens { $low }, die Auswertung verträgt höchstens { $high }.
size-infinite = unendlich

# Mehrere Veröffentlichungen in einem Bild.
label-belief = ○ { BELIEF($x) } vorher: höchstens { PERCENT($y) } danach
label-score = ○ F-Wert { NUMBER($y) }
label-epsilon = ○ Delta { GIVEN($y) }: Epsilon { SIZE($x) }
label-point_named = ○ { PERCENT($x) } erkannt: { PERCENT($y) } richtig
label-share = { PERCENT($x) }
title-comparison = Was der beste Angriff erkennt, im Vergleich
alt-overlay = Liniendiagramm mit { $count } Veröffentlichungen. { $said }
alt-overlay_roc = „{ $name }“: Bei { SHARE($fpr) } Fehlalarmen werden höchstens { PERCENT($power) } erkannt.
alt-overlay_roc_log = { alt-overlay_roc }
alt-overlay_tradeoff = { alt-overlay_roc }
alt-overlay_precision_recall = „{ $name }“: Bei einem Prior von { BELIEF($prior) }, und wenn die Hälfte erkannt wird, sind höchstens { PERCENT($precision) } der Nennungen richtig.
alt-overlay_posterior = „{ $name }“: Eine Überzeugung von { BELIEF($prior) } wird nach einer Nennung zu höchstens { PERCENT($posterior) }.
alt-overlay_relative_risk = „{ $name }“: Bei { SHARE($fpr) } Fehlalarmen macht eine Nennung es höchstens { TIMES($ratio) }-mal so wahrscheinlich.
alt-overlay_profile = „{ $name }“: Bei Delta = { GIVEN($delta) } ist Epsilon höchstens { SIZE($epsilon) }.
alt-overlay_fscore = „{ $name }“: Der F-Wert des besten Angriffs ist höchstens { NUMBER($score) }.
alt-overlay_comparison = „{ $name }“: höchstens { PERCENT($power) }.
alt-comparison = Diagramm mit einer Zeile für jede Veröffentlichung. Es zeigt den Anteil ({ pic-in }), den der beste Angriff bei { SHARE($fpr) } Fehlalarmen erkennt. Raten würde { SHARE($fpr) } erkennen. { $said }
figure-caption = Abbildung { $number }. { $title }
