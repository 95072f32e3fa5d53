### Décisions sur le bruit : raisons, concessions, hypothèses ; voir en/decide.ftl.

decide-blatant = { $ok ->
    [yes] Un résultat peut prouver que quelqu’un est dans les données.
   *[no] Aucun résultat ne doit prouver que quelqu’un est dans les données. Les familles qui le permettent sont écartées.
 }
decide-sure = { $ok ->
    [yes] Une attaque peut devenir presque certaine, même si c’est rare.
   *[no] Aucune attaque ne doit devenir presque certaine. La cote doit avoir une limite.
 }
decide-limit = Le risque que vous acceptez : { $limits }.
decide-limit-one = { $more ->
    [yes] { $question }, au plus { $bound }
   *[no] { $question }, au moins { $bound }
 }
decide-met = { $spent ->
    [yes] Avec la publication de { $releases }, la limite est respectée pour { $parameter } = { $amount }.
   *[no] La limite est respectée pour { $parameter } = { $amount }.
 }
decide-met-power = { decide-met } La puissance de l’analyse est alors de { $power }.
decide-forbidden-proof = { decide-together } un résultat peut prouver que quelqu’un est dans les données. Ce n’est pas accepté.
decide-forbidden-sure = { decide-together } une attaque peut devenir presque certaine, si rarement que ce soit. Ce n’est pas accepté.
decide-forbidden-unknown = { decide-together } nous ne savons pas si un résultat peut prouver quelque chose. Ce n’est pas accepté.
decide-together = { $spent ->
    [yes] Avec la publication de { $releases },
   *[no] Avec ce bruit,
 }
decide-reason = { $family } : { $why }
decide-none-serves-power = Aucune famille ne sert les deux côtés. Sous la limite, la plus grande puissance est de { $power } ({ $family }). Il faut { $needed }.
decide-none-serves = Aucune famille ne sert les deux côtés.
decide-none-admissible = Il ne reste aucune famille : les réponses aux trois questions les écartent toutes.
decide-excluded = La publication de { $releases } les écarte, quel que soit le bruit choisi maintenant.
decide-best-guarantee = { $mildest ->
    [yes] Nous recommandons { $family }. Parmi celles qui respectent la limite et ont le pire cas le plus doux, sa garantie est la plus forte.
   *[no] Nous recommandons { $family }. Parmi celles qui respectent la limite, sa garantie est la plus forte.
 }
decide-best-power = Nous recommandons { $family }. { $case ->
    [alone] Elle seule a le pire cas le plus doux. Elle laisse à l’analyse une puissance de { $power }.
    [some] Parmi celles au pire cas le plus doux, elle laisse à l’analyse la plus grande puissance, { $power }.
   *[all] Elle laisse à l’analyse la plus grande puissance, { $power }.
 }
decide-best-tied = Nous recommandons { $family }. { $case ->
    [some] Parmi celles au pire cas le plus doux, elle laisse à l’analyse une puissance de { $power }.
   *[all] Elle laisse à l’analyse une puissance de { $power }.
 } C’est à un demi-point de pourcentage au plus de { $tied }, et sa garantie est plus forte.
decide-more-power = { $family } laisse plus de puissance, { $power }, mais son pire cas est pire.
decide-needs = L’analyse a besoin d’une puissance de { $needed }. Sans bruit, elle est de { $known }.
decide-needs-less = L’analyse a besoin d’une puissance de { $needed }, soit { $loss } de moins que { $most }. Sans bruit, elle est de { $known }.
decide-leaves = Il reste une puissance de { $power } pour { $parameter } = { $amount }.
decide-too-much = { $spent ->
    [yes] Avec la publication de { $releases }, la limite est dépassée pour { $parameter } = { $amount }. L’analyse ne supporte pas plus de bruit. { $violations }
   *[no] La limite est dépassée pour { $parameter } = { $amount }. L’analyse ne supporte pas plus de bruit. { $violations }
 }
decide-violation = La réponse est { $answer }, non { $bound }, à : { $question }.
decide-overspent = La publication de { $releases } dépasse à elle seule la limite. { $violations }
decide-best-only = Nous recommandons { $family }. Aucune autre famille examinée ne convient.
decide-best-alone = Nous recommandons { $family }. Parmi celles qui laissent cette puissance, elle seule a le pire cas le plus doux.
decide-best-all = Nous recommandons { $family }. Parmi celles qui laissent cette puissance, c’est elle qui en révèle le moins selon toute mesure.
decide-best-mild = Nous recommandons { $family }. Parmi celles de cette puissance et au pire cas le plus doux, c’est elle qui en révèle le moins selon toute mesure.
decide-best-advantage = { $mildest ->
    [yes] Nous recommandons { $family }. Parmi celles de cette puissance et au pire cas le plus doux, elle donne aux attaques le moindre avantage, { $advantage }.
   *[no] Nous recommandons { $family }. Parmi celles qui laissent cette puissance, elle donne aux attaques le moindre avantage, { $advantage }.
 }
decide-not-best = Ce n’est pas la meilleure selon toute mesure. { $rival } a { $theirs } et { $family } a { $own } pour : { $question }.
decide-accepted = { $spent ->
    [yes] Avec la publication de { $releases }, le risque à accepter est mu = { $mu }, epsilon = { $epsilon }.
   *[no] Le risque à accepter est mu = { $mu }, epsilon = { $epsilon }.
 }
decide-attacker = Supposons que des attaquants donnent à chaque personne { $prior } de chances d’être dans les données. Sur { $out_of } personnes qu’ils désignent, { $before } seraient justes par hasard. { $spent ->
    [yes] Avec cette publication et celle de { $releases }, jusqu’à { $after }.
   *[no] Avec cette publication, jusqu’à { $after }.
 } (Ils désignent à tort { $fpr } des personnes absentes des données.)
decide-worst = { $failure ->
    [none] Quoi qu’on publie, la cote ne peut changer de plus d’un facteur fixe.
    [graceful] Aucun résultat publié ne peut prouver que quelqu’un est dans les données. Des indices forts sont possibles, mais plus ils sont forts, plus ils sont rares.
    [catastrophic] Avec une certaine probabilité, un résultat publié prouve qu’une certaine personne est dans les données.
   *[undetermined] Nous ne savons pas si un résultat publié peut prouver que quelqu’un est dans les données.
 }
decide-analyst = Sur 100 études avec un vrai effet de { $effect }, environ { $after } le trouvent à travers le bruit. Sans bruit, ce seraient { $before }. { $odd ->
    [yes] (Un comptage sans bruit ne peut épuiser tout son niveau.){" "}
   *[no] {""}
 }S’il n’y a pas d’effet, au plus { $level } des études en affirment un.
concede-records = Avec un bruit { $family }, { $needed } enregistrements au lieu de { $now } suffiraient ({ $times } fois plus), sans changer la limite.
concede-records-none = Aucun nombre d’enregistrements ne suffit : le bruit ne diminue pas avec eux.
concede-records-unknown = Nous n’avons pas trouvé le nombre d’enregistrements qui suffit. { $why }
concede-records-fixed = Cela vaut si un enregistrement change le résultat de { $sensitivity }, quel que soit leur nombre.
concede-effect = Avec un bruit { $family }, un effet de { $needed } au lieu de { $now } serait trouvé assez souvent sous la limite.
concede-effect-none = Aucun effet n’est assez grand pour être trouvé aussi souvent.
concede-effect-most = Même le plus grand effet possible, { $most }, n’est pas trouvé assez souvent.
concede-limit-none = Aucune limite n’est assez large : même sans bruit, la puissance est inférieure à { $power }.
concede-limit = Avec un bruit { $family }, la réponse est { $needed } au lieu de { $bound }. La limite doit céder sur : { $question }.
concede-without-n = Même sans bruit, il faut { $needed } enregistrements au lieu de { $now }.
concede-without-effect = Même sans bruit, il faut un effet de { $needed } au lieu de { $now }.
concede-without-unknown = Même sans bruit, nous n’avons pas trouvé la valeur de { $what } qui suffit. { $why }
concede-without-most = C’est ainsi même sans bruit. { $why }
assume-neighbours = { $neighbours ->
    [replace] Nous comparons des jeux de données où un enregistrement est remplacé par un autre. Cela change le résultat d’au plus { $most }.
   *[add_remove] Nous comparons des jeux de données avec et sans un enregistrement. Cela change le résultat d’au plus { $most }.
 }
assume-neighbours-several = { $neighbours ->
    [replace] Nous comparons des jeux de données où un enregistrement est remplacé par un autre. Cela change les nombres d’au plus { $most } en somme, et { $root } en racine de la somme des carrés.
   *[add_remove] Nous comparons des jeux de données avec et sans un enregistrement. Cela change les nombres d’au plus { $most } en somme, et { $root } en racine de la somme des carrés.
 }
assume-unit = Ce qui est protégé : un enregistrement. Les attaquants peuvent connaître tous les autres.
assume-deltas = Epsilon est donné pour delta 0 et pour delta 1e-6.
assume-counted = Les nombres comprennent ce que la publication de { $releases } a révélé ({ $shown }). Les attaquants la voient aussi.
assume-uncounted = Ce que la publication de { $releases } a révélé s’ajoute : le plan ne dit pas ce que c’était. Donnez PlanningValue(..., release=mechanism), comme le fait private_n. { $count ->
    [yes] Ou prévoyez une part pour le comptage avec split_budget(count_share=...).
   *[no] {""}
 }
assume-divided = { $groups ->
    [yes] Divisez les sommes d’écarts à { assume-centre } par les nombres prévus, { $n } et { $n2 }, même si un groupe a moins d’enregistrements. Prenez la même valeur pour les deux groupes.
   *[no] Divisez les sommes d’écarts à { assume-centre } par le nombre prévu, { $n }, même s’il y a moins d’enregistrements.
 } Alors seulement un enregistrement ne change pas plus. { $centre ->
    [null] Avec cette valeur, le niveau vaut aussi.
   *[other] Le niveau vaut s’il y en a au moins autant que prévu.
 }
assume-centre = { $centre ->
    [null] la valeur testée ({ $null })
    [bounds] une valeur entre { $low } et { $high }
   *[any] une valeur possible
 }
assume-normal = Nous prenons l’erreur d’échantillonnage ({ tested-what }) pour normale. Cela peut être faux pour des enregistrements peu nombreux ou asymétriques.
planned-source = { $noted ->
    [yes] { planned-origin } ({ $note })
   *[no] { planned-origin }
 }
planned-origin = { $source ->
    [public] connu de tous
    [worst_case] le pire cas, quelles que soient les données
    [private_estimate] estimé par une publication bruitée à part
   *[not_stated] source non indiquée
 }
planned-value = { $name } = { $shown } : { $origin }.
tested = { $rejects ->
    [yes] Il y a assez d’indices que la quantité testée ({ tested-what }) est { tested-side } { $null }.
   *[no] Il n’y a pas assez d’indices que la quantité testée ({ tested-what }) est { tested-side } { $null }.
 } { $noisy ->
    [yes] Sinon, l’erreur d’échantillonnage et le bruit ensemble donneraient un nombre aussi extrême avec une probabilité d’au plus { $p }.
   *[no] Sinon, l’erreur d’échantillonnage donnerait un nombre aussi extrême avec une probabilité d’au plus { $p }.
 } La limite était { $level }.
tested-what = { $what ->
    [mean] la moyenne
    [difference-of-the-means] la différence des moyennes
    [proportion] la proportion
    [difference-of-the-proportions] la différence des proportions
    [departure-from-independence] l’écart à l’indépendance
    [slope] la pente
    [value] la valeur
   *[other] { $phrase }
 }
tested-side = { $side ->
    [larger] plus grande que
    [smaller] plus petite que
   *[two-sided] différente de
 }
tested-interval = Avec { $confidence } de confiance, { tested-what } est entre { $low } et { $high }.
tested-interval-holds = L’intervalle contient { $null }, car il tient compte d’erreurs des deux côtés, et le test d’un seul.
several = { $sentences }
assume-margins = Le niveau vaut pour les marges déclarées ({ $rows } par { $columns }) : { $origin }.
assume-sums = Les quatre sommes sont { $order }, de { $scaled }.
assume-means = Le niveau vaut pour ces valeurs déclarées. { $values }

refused-neighbours = Il est fait pour neighbours='{ $own }', mais la publication de { $releases } compte pour neighbours='{ $counted }'. Donnez au mécanisme neighbours='{ $counted }', avec la sensibilité qui convient.
refused-sensitivity = Il est fait pour une sensibilité de { $own }. Un enregistrement change le résultat de { $needed } au plus ; il protégerait donc moins qu’il ne le dit. Donnez au mécanisme sensitivity={ $code }.
refused-several = Un enregistrement change { $count } nombres publiés. Ce bruit révèle plus d’eux ensemble que d’un seul. Prenez un bruit gaussien ou de Laplace, ou publiez un seul nombre.
