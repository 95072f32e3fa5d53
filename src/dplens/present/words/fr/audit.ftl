### Attaques mesurées : verdicts pour programmeurs, et remarques sur la mesure ; voir en/audit.ftl.

refutation = { $refuted ->
    [yes] L’affirmation est réfutée (niveau de confiance { $confidence }). Avec { $rate } de fausses alertes, l’attaque identifie au moins { $measured } des personnes présentes dans les données. L’affirmation en permet au plus { $claimed }. { refutation-assumes }
   *[no] L’affirmation n’est pas réfutée (niveau de confiance { $confidence }). Cela ne la confirme pas : une autre attaque, ou davantage de mesures, peut la réfuter. { refutation-assumes }
 }
refutation-assumes = Cela ne vaut que si les scores sont indépendants et si l’attaque était fixée d’avance.
refutation-run = { $verdict ->
    [refuted] L’affirmation est réfutée (niveau de confiance { $confidence }). { $share } des { $guesses } réponses étaient justes. L’affirmation en permet moins de { $claimed }. { refutation-run-assumes }
    [few] L’affirmation n’est pas réfutée (niveau de confiance { $confidence }). { $share } des { $guesses } réponses étaient justes. Un si petit nombre de réponses ne peut rien réfuter. { refutation-run-assumes }
   *[open] L’affirmation n’est pas réfutée (niveau de confiance { $confidence }). { $share } des { $guesses } réponses étaient justes. Il en faudrait { $claimed } pour la réfuter. Cela ne la confirme pas. { refutation-run-assumes }
 }
refutation-run-assumes = Cela ne vaut que si chaque pièce était équilibrée et cachée, et si l’attaque était fixée d’avance.
note-fixed = Selon votre déclaration, les seuils étaient fixés avant que quiconque voie les scores.
note-both = Nous avons essayé les scores hauts et les scores bas, chacun avec la moitié de l’erreur permise.
note-reversed-rates = Les côtés semblent inversés : l’attaque désigne plus souvent des personnes absentes que présentes. Nous n’avons rien changé : peu de chose est donc prouvé. Si vous avez confondu les côtés, échangez-les.
note-reversed-scores = Les scores semblent inversés : les plus hauts plaident contre la présence de la cible (aire sous la courbe ROC : { $auc }). Nous les avons pris tels quels : peu de chose est donc prouvé. Si vous avez confondu les côtés, échangez-les. Si les scores bas plaident pour sa présence, indiquez members=lower, mais pas au vu de ces scores. Ou essayez les deux (either).
note-reversed-guesses = Les réponses semblent inversées : { $right } sur { $made } étaient justes, moins que par hasard. Nous n’avons rien changé : rien n’est donc prouvé. Si vous avez confondu les pièces, échangez-les. Si un score bas indique un témoin présent, indiquez members=lower, mais pas au vu de ces résultats.
note-unpickled = Ces données ne peuvent pas être enregistrées par pickle. Nous ne savons donc pas si les exécutions déjà faites avaient les mêmes données. Nous le supposons.
note-other-code = La fonction a changé depuis les exécutions déjà faites, dans son code ou dans une valeur qu’elle conserve. Nous avons gardé ces exécutions. Si le changement touche aux résultats, recommencez.
note-changed-data = Les données ont changé pendant les exécutions. Chacune dépend donc des précédentes, et rien n’est prouvé. Faites travailler la fonction sur une copie.
note-same-output = Toutes les exécutions ont donné le même résultat. La fonction ignore son générateur, ou règle le sien de la même façon à chaque fois. Un bruit toujours tiré de la même graine n’est pas un bruit.
note-alone = La fonction n’accepte pas de générateur. Elle s’exécute donc dans ce seul processus : plusieurs tireraient le même bruit. Pour en utiliser plusieurs, donnez-lui un générateur, comme dans run(data, rng).
note-held = La fonction tire du hasard ailleurs que de son générateur. Elle s’exécute donc dans ce seul processus : plusieurs tireraient le même bruit. Pour en utiliser plusieurs, faites-la tirer de rng seul.
note-again = La fonction commence par le même bruit que les exécutions déjà faites, comme si elle réglait son propre générateur. Nous avons refait ces exécutions, car le même bruit ne doit pas compter deux fois. Pour pouvoir reprendre là où l’on s’est arrêté, faites-la tirer de rng seul.
note-only-in = Aucune réponse ne dit qu’un témoin était absent : nous lisons 0 comme une absence de réponse. Si 0 signifiait « absent », donnez des valeurs booléennes, ou -1.
