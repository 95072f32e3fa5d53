### Attaques mesurées : verdicts pour programmeurs, et remarques sur la mesure ; voir en/audit.ftl.

refutation = { $refuted ->
    [yes] L’affirmation est réfutée (confiance { $confidence }). Avec { $rate } de fausses alertes, l’attaque identifie au moins { $measured } des personnes présentes. L’affirmation en permet au plus { $claimed }. { refutation-assumes }
   *[no] L’affirmation n’est pas réfutée (confiance { $confidence }). Cela ne la confirme pas : une autre attaque, ou plus de mesures, peut la réfuter. { refutation-assumes }
 }
refutation-assumes = Cela ne vaut que si les scores sont indépendants et si l’attaque était fixée d’avance.
refutation-run = { $verdict ->
    [refuted] L’affirmation est réfutée (confiance { $confidence }). { $share } des { $guesses } réponses étaient justes. L’affirmation en permet moins de { $claimed }. { refutation-run-assumes }
    [few] L’affirmation n’est pas réfutée (confiance { $confidence }). { $share } des { $guesses } réponses étaient justes. Si peu de réponses ne peuvent rien réfuter. { refutation-run-assumes }
   *[open] L’affirmation n’est pas réfutée (confiance { $confidence }). { $share } des { $guesses } réponses étaient justes. Il en faudrait { $claimed }. Cela ne confirme pas l’affirmation. { refutation-run-assumes }
 }
refutation-run-assumes = Cela ne vaut que si chaque pièce était équilibrée et cachée, et si l’attaque était fixée d’avance.
note-fixed = Les seuils étaient fixés, selon vous, avant que l’on voie les scores.
note-both = Les scores hauts et bas ont été essayés, chacun avec la moitié de l’erreur permise.
note-reversed-rates = Les côtés semblent inversés : l’attaque désigne plus souvent des personnes absentes que présentes. Nous n’avons rien changé, donc peu est prouvé. Si vous avez confondu les côtés, échangez-les.
note-reversed-scores = Les scores semblent inversés : les hauts parlent contre la cible (aire sous la courbe ROC { $auc }). Nous les avons pris tels quels, donc peu est prouvé. Si vous avez confondu les côtés, échangez-les. Si les scores bas parlent pour elle, mettez members à lower, mais pas à cause de ces scores. Ou essayez les deux (either).
note-reversed-guesses = Les réponses semblent inversées : { $right } sur { $made } étaient justes, moins que par hasard. Nous n’avons rien changé, donc rien n’est prouvé. Si vous avez confondu les pièces, échangez-les. Si un score bas indique un témoin présent, mettez members à lower, mais pas à cause de ces résultats.
note-unpickled = Les données ne se laissent pas enregistrer par pickle. Nous ne savons pas si les exécutions finies avaient les mêmes données, et le supposons.
note-other-code = La fonction a changé depuis les exécutions finies, dans son code ou dans une valeur qu’elle tient. Nous avons gardé les exécutions. Si le changement touche aux résultats, recommencez.
note-changed-data = Les données ont changé pendant les exécutions. Chacune dépend donc des précédentes, et rien n’est prouvé. Faites travailler la fonction sur une copie.
note-same-output = Chaque exécution a donné le même résultat. La fonction ignore son générateur, ou règle le sien de même à chaque fois. Un bruit tiré d’une seule graine n’est pas un bruit.
note-alone = La fonction ne prend pas de générateur, donc elle s’exécute dans ce seul processus : plusieurs tireraient le même bruit. Donnez-lui-en un, comme dans run(data, rng), pour en utiliser plusieurs.
note-held = La fonction utilise un autre hasard que son générateur, donc elle s’exécute dans ce seul processus : plusieurs tireraient le même bruit. Faites-la tirer de rng seul pour en utiliser plusieurs.
note-again = La fonction commence par le même bruit que les exécutions finies, comme si elle réglait son propre générateur. Nous avons refait ces exécutions, car le même bruit ne doit pas compter deux fois. Faites-la tirer de rng seul pour reprendre là où elle s’est arrêtée.
note-only-in = Aucune réponse ne dit qu’un témoin était absent : nous lisons 0 comme une absence de réponse. Si 0 devait le dire, donnez des valeurs de vérité, ou -1.
