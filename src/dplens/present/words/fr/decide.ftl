### Décisions sur le bruit : raisons, concessions, hypothèses ; voir en/decide.ftl.

family-name = { $family ->
    [laplace] bruit de Laplace
    [staircase] bruit en escalier
    [gaussian] bruit gaussien
    [geometric] bruit géométrique
    [discrete_gaussian] bruit gaussien discret
   *[other] { $family }
 }
rival-name = { $rival ->
    [laplace] bruit de Laplace
    [staircase] bruit en escalier
    [gaussian] bruit gaussien
    [geometric] bruit géométrique
    [discrete_gaussian] bruit gaussien discret
   *[other] { $rival }
 }
parameter-name = { $parameter ->
    [scale] échelle
    [noise] taille
   *[other] { $parameter }
 }
planned-name = { $name ->
    [n2] n du second groupe
    [sd] écart-type
    [sd2] écart-type du second groupe
    [sd_x] écart-type de x
    [mean_x] moyenne de x
    [mean_y] moyenne de y
    [effect] effet
    [baseline] valeur de départ
    [null] valeur testée
    [bounds] valeurs possibles
    [x_bounds] valeurs possibles de x
    [y_bounds] valeurs possibles de y
    [ratio] rapport des écarts-types
    [probabilities] probabilités
   *[other] { $name }
 }
decide-blatant = { $ok ->
    [yes] Vous acceptez qu’un résultat prouve que quelqu’un figure dans les données.
   *[no] Aucun résultat ne doit prouver que quelqu’un figure dans les données. Les familles qui le permettent sont écartées.
 }
decide-sure = { $ok ->
    [yes] Vous acceptez qu’une attaque devienne presque certaine, si c’est rare.
   *[no] Aucune attaque ne doit devenir presque certaine. La cote doit avoir une limite.
 }
decide-limit = Le risque que vous acceptez : { $limits }.
decide-limit-one = { $more ->
    [yes] { $question }, au plus { $bound }
   *[no] { $question }, au moins { $bound }
 }
decide-met = { $spent ->
    [yes] En comptant la publication de { $releases }, la limite est respectée pour { parameter-name } = { $amount }.
   *[no] La limite est respectée pour { parameter-name } = { $amount }.
 }
decide-met-power = { decide-met } La puissance de l’analyse est alors de { $power }.
decide-forbidden-proof = { decide-together } un résultat peut prouver que quelqu’un figure dans les données. Ce n’est pas accepté.
decide-forbidden-sure = { decide-together } une attaque peut devenir presque certaine, même si c’est rare. Ce n’est pas accepté.
decide-forbidden-unknown = { decide-together } nous ne savons pas si un résultat peut prouver quelque chose. Ce n’est pas accepté.
decide-together = { $spent ->
    [yes] En comptant la publication de { $releases },
   *[no] Avec ce bruit,
 }
decide-reason = { family-name } : { $why }
decide-none-serves-power = Aucune famille ne convient des deux côtés. Sous la limite, la plus grande puissance est de { $power } ({ family-name }). Il faut { $needed }.
decide-none-serves = Aucune famille ne convient des deux côtés.
decide-none-admissible = Il ne reste aucune famille : les réponses aux trois questions les écartent toutes.
decide-excluded = La publication de { $releases } les écarte, quel que soit le bruit choisi maintenant.
decide-best-guarantee = { $mildest ->
    [yes] Nous recommandons un { family-name }. Parmi les bruits qui respectent la limite et dont le pire cas est le moins grave, sa garantie est la plus forte.
   *[no] Nous recommandons un { family-name }. Parmi les bruits qui respectent la limite, sa garantie est la plus forte.
 }
decide-best-power = Nous recommandons un { family-name }. { $case ->
    [alone] C’est celui dont le pire cas est le moins grave. Il laisse à l’analyse une puissance de { $power }.
    [some] Parmi les bruits dont le pire cas est le moins grave, il laisse à l’analyse la plus grande puissance, { $power }.
   *[all] Il laisse à l’analyse la plus grande puissance, { $power }.
 }
decide-best-tied = Nous recommandons un { family-name }. { $case ->
    [some] Parmi les bruits dont le pire cas est le moins grave, il laisse à l’analyse une puissance de { $power }.
   *[all] Il laisse à l’analyse une puissance de { $power }.
 } D’autres bruits ({ $tied }) laissent au plus un demi-point de pourcentage de plus, mais leur garantie est plus faible.
decide-more-power = Un { family-name } laisse plus de puissance ({ $power }), mais son pire cas est plus grave.
decide-needs = L’analyse a besoin d’une puissance de { $needed }. Sans bruit, elle est de { $known }.
decide-needs-less = L’analyse a besoin d’une puissance de { $needed }, car { $loss } de { $most } peuvent être perdus. Sans bruit, elle est de { $known }.
decide-leaves = Il reste une puissance de { $power } pour { parameter-name } = { $amount }.
decide-too-much = { $spent ->
    [yes] En comptant la publication de { $releases }, la limite est dépassée pour { parameter-name } = { $amount }. L’analyse ne supporte pas plus de bruit. { $violations }
   *[no] La limite est dépassée pour { parameter-name } = { $amount }. L’analyse ne supporte pas plus de bruit. { $violations }
 }
decide-violation = Il faudrait { $bound }, mais la valeur est { $answer } pour : { $question }.
decide-overspent = La publication de { $releases } dépasse à elle seule la limite. { $violations }
decide-unreachable = Aucune quantité de ce bruit ne respecte la limite de façon prouvée : { $question }, { $more ->
    [yes] au plus
   *[no] au moins
 } { $bound }. { $endless ->
    [yes] Ses indices n’ont pas de limite, même si les plus forts sont rares. Fixez la limite à un taux de fausses alertes ou à un delta supérieur à 0. Ou prenez un bruit qui limite les indices, comme le bruit de Laplace.
   *[no] Le mieux que l’on puisse atteindre est { $nearest }.
 }
decide-too-weak = Aucun bruit n’est assez faible : même sans bruit, ou presque, la puissance est de { $power }. Il faut { $needed }. Plus d’enregistrements, un effet plus grand ou un niveau plus grand l’augmenteraient.
decide-best-only = Nous recommandons un { family-name }. Aucun autre bruit examiné ne convient.
decide-best-alone = Nous recommandons un { family-name }. Parmi les bruits qui laissent cette puissance, c’est celui dont le pire cas est le moins grave.
decide-best-all = Nous recommandons un { family-name }. Parmi les bruits qui laissent cette puissance, c’est celui qui en révèle le moins, quelle que soit la mesure.
decide-best-mild = Nous recommandons un { family-name }. Parmi les bruits de même puissance au pire cas le moins grave, c’est celui qui en révèle le moins, quelle que soit la mesure.
decide-best-advantage = { $mildest ->
    [yes] Nous recommandons un { family-name }. Parmi les bruits de même puissance au pire cas le moins grave, c’est celui qui donne aux attaques le plus petit avantage, { $advantage }.
   *[no] Nous recommandons un { family-name }. Parmi les bruits qui laissent cette puissance, c’est celui qui donne aux attaques le plus petit avantage, { $advantage }.
 }
decide-not-best = Il n’est pas le meilleur selon toutes les mesures. Selon l’une d’elles, un { rival-name } fait mieux ({ $theirs } au lieu de { $own }) : { $question }.
decide-accepted = { $spent ->
    [yes] En comptant la publication de { $releases }, le risque à accepter est mu = { $mu }, epsilon = { $epsilon }.
   *[no] Le risque à accepter est mu = { $mu }, epsilon = { $epsilon }.
 }
decide-attacker = Supposons que, selon des attaquants, chaque personne ait { $prior } de chances de figurer dans les données. Sur { $out_of } personnes qu’ils désignent, ils auraient raison { $before } fois par hasard. { $spent ->
    [yes] Avec cette publication et celle de { $releases }, jusqu’à { $after } fois.
   *[no] Avec cette publication, jusqu’à { $after } fois.
 } (Ils désignent à tort { $fpr } des personnes qui ne figurent pas dans les données.)
decide-worst = { $failure ->
    [none] Quel que soit le résultat publié, la cote ne peut varier de plus d’un facteur fixe.
    [graceful] Aucun résultat publié ne peut prouver que quelqu’un figure dans les données. Des indices forts sont possibles, mais plus ils sont forts, plus ils sont rares.
    [catastrophic] Avec une certaine probabilité, un résultat publié prouve qu’une personne précise figure dans les données.
   *[undetermined] Nous ne savons pas si un résultat publié peut prouver que quelqu’un figure dans les données.
 }
decide-analyst = Sur 100 études avec un effet réel de { $effect }, environ { $after } le détectent malgré le bruit. Sans bruit, il y en aurait { $before }. { $odd ->
    [yes] (Sans bruit, le test d’un comptage ne peut pas épuiser tout son niveau.){" "}
   *[no] {""}
 }En l’absence d’effet, au plus { $level } des études en annoncent un à tort.
concede-records = Avec un { family-name }, { $needed } enregistrements au lieu de { $now } suffiraient ({ $times } fois plus), sans changer la limite.
concede-records-none = Aucun nombre d’enregistrements ne suffit, car le bruit ne diminue pas quand il augmente.
concede-records-unknown = Nous n’avons pas trouvé le nombre d’enregistrements nécessaire. { $why }
concede-records-fixed = Cela vaut si un enregistrement change le résultat de { $sensitivity }, quel que soit leur nombre.
concede-effect = Avec un { family-name }, un effet de { $needed } au lieu de { $now } serait détecté assez souvent sous la limite.
concede-effect-none = Aucun effet n’est assez grand pour être détecté aussi souvent.
concede-effect-most = Même le plus grand effet possible, { $most }, n’est pas détecté assez souvent.
concede-limit-none = Aucune limite n’est assez souple : même sans bruit, la puissance est inférieure à { $power }.
concede-limit = Avec un { family-name }, la valeur est { $needed } au lieu de { $bound }. La limite à assouplir : { $question }.
concede-without-n = Même sans bruit, il faudrait { $needed } enregistrements au lieu de { $now }.
concede-without-effect = Même sans bruit, il faudrait un effet de { $needed } au lieu de { $now }.
concede-without-unknown = Même sans bruit, nous n’avons pas trouvé de valeur suffisante de { $what }. { $why }
concede-without-most = Il en va ainsi même sans bruit. { $why }
assume-neighbours = { $neighbours ->
    [replace] Nous comparons des jeux de données où un enregistrement est remplacé par un autre. Le résultat change alors d’au plus { $most }.
   *[add_remove] Nous comparons des jeux de données avec et sans un enregistrement. Le résultat change alors d’au plus { $most }.
 }
assume-neighbours-several = { $neighbours ->
    [replace] Nous comparons des jeux de données où un enregistrement est remplacé par un autre. Les nombres changent alors d’au plus { $most } en tout (racine de la somme des carrés : { $root }).
   *[add_remove] Nous comparons des jeux de données avec et sans un enregistrement. Les nombres changent alors d’au plus { $most } en tout (racine de la somme des carrés : { $root }).
 }
assume-unit = Ce qui est protégé : un enregistrement. Les attaquants peuvent connaître tous les autres.
assume-deltas = Epsilon est donné pour delta = 0 et pour delta = 1e-6.
assume-counted = Les nombres comprennent ce que la publication de { $releases } a révélé ({ $shown }). Les attaquants la voient aussi.
assume-uncounted = Ce que la publication de { $releases } a révélé s’ajoute, mais le plan ne dit pas quoi. Indiquez PlanningValue(..., release=mechanism), comme le fait private_n. { $count ->
    [yes] Ou prévoyez une part pour le comptage avec split_budget(count_share=...).
   *[no] {""}
 }
assume-divided = { $groups ->
    [yes] Divisez les sommes des écarts à { assume-centre } par les nombres prévus, { $n } et { $n2 }, même pour un groupe plus petit. Prenez la même valeur pour les deux groupes.
   *[no] Divisez la somme des écarts à { assume-centre } par le nombre prévu, { $n }, même s’il y a moins d’enregistrements.
 } C’est à cette condition qu’un enregistrement ne change pas davantage le résultat. { $centre ->
    [null] Avec cette valeur, le niveau du test est respecté aussi.
   *[other] Le niveau du test est respecté s’il y en a au moins autant que prévu.
 }
assume-centre = { $centre ->
    [null] la valeur testée ({ $null })
    [bounds] une valeur entre { $low } et { $high }
   *[any] une valeur possible
 }
assume-normal = Nous supposons que l’erreur d’échantillonnage suit une loi normale (quantité testée : { tested-what }). Cela peut être faux pour des enregistrements peu nombreux ou une distribution asymétrique.
planned-source = { $noted ->
    [yes] { planned-origin } ({ $note })
   *[no] { planned-origin }
 }
planned-origin = { $source ->
    [public] information publique
    [worst_case] pire cas, quelles que soient les données
    [private_estimate] estimation par une publication bruitée distincte
   *[not_stated] source non indiquée
 }
planned-value = Prévu : { planned-name } = { $shown } – { $origin }.
tested = { $rejects ->
    [yes] Les indices suffisent pour conclure que la quantité testée ({ tested-what }) est { tested-side } { $null }.
   *[no] Les indices ne suffisent pas pour conclure que la quantité testée ({ tested-what }) est { tested-side } { $null }.
 } { $noisy ->
    [yes] Sinon, l’erreur d’échantillonnage et le bruit donneraient ensemble un nombre aussi extrême avec une probabilité d’au plus { $p }.
   *[no] Sinon, l’erreur d’échantillonnage donnerait un nombre aussi extrême avec une probabilité d’au plus { $p }.
 } Le seuil était de { $level }.
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
    [larger] supérieure à
    [smaller] inférieure à
   *[two-sided] différente de
 }
tested-interval = Au niveau de confiance { $confidence }, { tested-what } est entre { $low } et { $high }.
tested-interval-holds = L’intervalle contient { $null }, car il tient compte d’erreurs des deux côtés, alors que le test n’en considère qu’un.
several = { $sentences }
assume-margins = Le niveau vaut pour les marges déclarées ({ $rows } en lignes, { $columns } en colonnes) : { $origin }.
assume-sums = Les quatre sommes sont { $order }, de { $scaled }.
assume-means = Le niveau vaut pour ces valeurs déclarées. { $values }

refused-neighbours = Ce mécanisme est fait pour neighbours='{ $own }', mais la publication de { $releases } compte avec neighbours='{ $counted }'. Donnez-lui neighbours='{ $counted }' et la sensibilité qui convient.
refused-sensitivity = Ce mécanisme est fait pour une sensibilité de { $own }. Or un enregistrement change le résultat de { $needed } au plus : il protégerait moins qu’annoncé. Indiquez donc sensitivity={ $code }.
refused-several = Un enregistrement change { $count } nombres publiés. Ce bruit en révèle plus sur eux tous que sur un seul. Prenez un bruit gaussien ou de Laplace, ou ne publiez qu’un nombre.
