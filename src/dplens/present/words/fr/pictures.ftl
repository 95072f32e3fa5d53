### Images. en/pictures.ftl explique les variables et les fonctions.

pic-out = { $about ->
    [value] { unit-many } jusqu’à la borne
    [answer] { unit-many } avec l’autre réponse
    [related] cibles avec l’autre valeur
   *[membership] { unit-many } hors des données
 }
pic-in = { $about ->
    [value] { unit-many } au-dessus de la borne
    [answer] { unit-many } avec la réponse supposée
    [related] cibles avec la valeur supposée
   *[membership] { unit-many } dans les données
 }
pic-topic = { $about ->
    [value] la valeur
    [answer] la réponse
    [related] la valeur de la cible
    [analyst] le test de l’analyse
   *[membership] la présence dans les données
 }
pic-without = { $about ->
    [value] valeur jusqu’à la borne
    [answer] l’autre réponse est vraie
    [related] l’autre valeur est vraie
    [replaced] avec { UNIT($unit, "other") } à la place
   *[membership] sans { unit-one }
 }
pic-with = { $about ->
    [value] valeur au-dessus de la borne
    [answer] la réponse supposée est vraie
    [related] la valeur supposée est vraie
   *[membership] avec { unit-one }
 }
pic-proves = { $about ->
    [value] de quel côté de la borne est la valeur de quelqu’un
    [answer] quelle est la vraie réponse de quelqu’un
    [related] quelle est la valeur de la cible
   *[membership] { unit-that-someone } figure, ou ne figure pas, dans les données
 }
pic-seen = { $about ->
    [answer] la réponse
   *[membership] la publication
 }
pic-mildest = C’est la publication la moins risquée qui explique une attaque mesurée. Le vrai risque peut être plus élevé.
title-roc = Ce que la meilleure attaque identifie
title-roc_log = Ce que la meilleure attaque identifie (zone des rares fausses alertes agrandie)
title-tradeoff = Les deux erreurs de l’attaque
title-precision_recall = Part de désignations justes
title-posterior = Chances estimées avant et après
title-relative_risk = Combien de fois plus probable après une désignation
title-profile = Tous les couples epsilon, delta valables (profil)
title-fscore = Le meilleur score F de l’attaque selon epsilon
title-power_noise = Ce que changerait, pour l’attaque, plus ou moins de bruit
title-output_laws = Ce qu’observe l’attaque
title-analyst_power = Ce que le bruit coûte à l’analyse
title-audit = Ce qui est affirmé et ce qui a été mesuré
title-feasible = Un bruit qui convient des deux côtés
title-leakage = Ce qu’apporte la connaissance d’autres enregistrements
title-icons = Sur { $out_of } désignations, combien sont justes
title-named = { $title } : « { $name } »
subtitle = au sujet de { pic-topic } ; nombres arrondis par prudence ; méthode : { $route }
axis-alpha = fausses alertes, parmi les { pic-out }
axis-power = part identifiée, parmi les { pic-in }
axis-beta = part manquée, parmi les { pic-in }
axis-recall = part identifiée, parmi les { pic-in } (rappel)
axis-precision = part de désignations justes (précision)
axis-prior = chances estimées avant la publication (a priori)
axis-posterior = chances estimées après (a posteriori)
axis-ratio = fois plus probable
axis-epsilon = epsilon
axis-epsilon_at = epsilon pour delta = { GIVEN($delta) }
axis-delta = delta
axis-fscore = score F de la meilleure attaque
axis-noise = bruit ({ $parameter }) : plus précis à gauche, mieux protégé à droite
axis-noise_factor = bruit, en multiple de l’actuel : plus précis à gauche, mieux protégé à droite
axis-density = densité
axis-probability = probabilité
axis-outcome = résultat
axis-loss = logarithme du rapport de vraisemblance de ce qui est publié
axis-output = { $about ->
    [membership] nombre publié, par rapport à la vérité sans { unit-one }
    [analyst] nombre publié, par rapport à la vérité sans { unit-one }
    [replaced] nombre publié, par rapport à la vérité avec { UNIT($unit, "other") }
   *[value] nombre publié
 }
axis-known = nombre d’autres enregistrements que l’attaque connaît
axis-leakage = epsilon de la pire attaque
axis-effect = effet réel
axis-analyst_power = puissance de l’analyse
axis-amount = quantité de bruit : plus précis à gauche, mieux protégé à droite
axis-amount_of = bruit ({ $parameter }) : plus précis à gauche, mieux protégé à droite
parameter-sigma = écart-type
parameter-scale = échelle
parameter-noise_multiplier = facteur de bruit
label-claimed = affirmé, au plus
label-measured = mesuré, au moins
label-guess = hasard
label-best = meilleure attaque
label-point = ○ { SHARE($x) } de fausses alertes : { PERCENT($y) } identifiés
label-missed = ○ { SHARE($x) } de fausses alertes : { ATLEAST($y) } manqués
label-prior = a priori { BELIEF($prior) }
label-no_release = rien de publié
label-named = cas désigné
label-ruled_out = cas écarté
label-most = tout au plus
label-limit = jamais plus de { TIMES($limit) }
label-ratio_point = ○ { SHARE($x) } de fausses alertes : { TIMES($y) } fois
label-profile_point = ○ delta { GIVEN($delta) } : epsilon { NUMBER($epsilon) }
label-profile_none = delta { GIVEN($delta) } : pas d’epsilon
label-ends_at = 0 à partir de { NUMBER($epsilon) }
label-proof = probabilité d’une preuve : { NUMBER($proof) }
label-release = cette publication{"\u2028"}avec un autre bruit
label-release_alone = cette publication :{"\u2028"}pas d’epsilon à ce delta
label-guarantee = toute autre avec cet{"\u2028"}epsilon et ce delta
label-everyone = tout le monde désigné
label-fpr = { SHARE($fpr) } de fausses alertes
label-now = maintenant
label-names = désignation dans la partie ombrée
label-proved = non montrés, les résultats qui le prouvent : { PERCENT2($absent) } et { PERCENT2($present) }
label-without = sans { pic-seen }
label-with = avec { pic-seen }
label-count = { $count } justes sur { $out_of }
label-right = juste
label-added = juste à cause de { pic-seen }
label-wrong = faux
label-number = { NUMBER($x) }
label-unrelated = sans liens{"\u2028"}entre enregistrements : { NUMBER($epsilon) }
label-bound = borne pour toute attaque
label-none = sans bruit
label-noise = avec ce bruit
label-twice = avec deux fois ce bruit
label-planned = effet prévu
label-too_little = trop peu pour les limites
label-serves = convient des deux côtés
label-serves-chosen = convient des deux côtés ; le losange est recommandé
label-too_much = trop pour l’analyse
label-nothing = aucune quantité ne convient des deux côtés
alt-roc = Courbe. En abscisse : part des { pic-out } que la meilleure attaque désigne à tort. En ordonnée : part des { pic-in } qu’elle identifie. Avec { SHARE($fpr) } de fausses alertes, elle en identifie au plus { PERCENT($power) }. Le hasard en identifierait { SHARE($fpr) }. L’écart le plus grand avec le hasard est de { POINTS($advantage) } points de pourcentage.
alt-tradeoff = Courbe des deux erreurs de l’attaque. En abscisse : part des { pic-out } que l’attaque désigne à tort. En ordonnée : part des { pic-in } que la meilleure attaque manque. Avec { SHARE($fpr) } de fausses alertes, elle en manque au moins { ATLEAST($beta) }. Le hasard en manquerait { SHARE($miss) }.
alt-proof = Avec une probabilité allant jusqu’à { CHANCE($proof) }, un résultat prouve { pic-proves }.
alt-precision_recall = Courbes, une par probabilité a priori. En abscisse : part identifiée des { pic-in }. En ordonnée : part de désignations justes. { $sentences }
alt-precision_at = Pour { BELIEF($prior) } de chances a priori et la moitié identifiée, au plus { PERCENT($precision) } des désignations sont justes.
alt-posterior = Courbe des chances estimées après la publication, selon celles d’avant. L’attaque désigne à tort, ou écarte à raison, { SHARE($fpr) } des { pic-out }. { $sentences }
alt-posterior_at = En partant de { BELIEF($prior) } de chances : au plus { PERCENT($posterior) } pour un cas désigné, au moins { ATLEAST($negative) } pour un cas écarté.
alt-relative_risk = Courbe. En abscisse : fausses alertes, en part des { pic-out }. En ordonnée : combien de fois plus probable après une désignation. Pour { SHARE($fpr) }, c’est au plus { TIMES($ratio) } fois. { $limit }
alt-limit_finite = Même pour très peu de désignations, ce n’est jamais plus de { TIMES($limit) } fois.
alt-limit_none = Moins il y a de désignations, plus ce nombre est grand, sans limite.
alt-limit_undetermined = On ne sait pas si ce nombre a une limite.
alt-profile = Courbe de delta selon epsilon. { $at_delta } Pour epsilon = 0, delta vaut au plus { NUMBER($advantage) }. { $tail }
alt-profile_at = Pour delta = { GIVEN($delta) }, epsilon vaut au plus { NUMBER($epsilon) }.
alt-profile_none = Pour delta = { GIVEN($delta) }, il n’y a pas d’epsilon fini.
alt-profile_ends = À partir d’epsilon = { NUMBER($ends_at) }, delta vaut 0.
alt-profile_proof = Delta ne descend jamais sous { NUMBER($proof) }. Avec cette probabilité, un résultat prouve { pic-proves }.
alt-fscore = Courbe du score F de la meilleure attaque (poids { GIVEN($weight) }, a priori { BELIEF($prior) }) selon epsilon pour delta = { GIVEN($delta) }. Cette publication ({ $epsilon }) permet au plus { NUMBER($score) } ; désigner tout le monde donne { NUMBER($everyone) }. Un score F ne montre pas les différences sous epsilon = { $unseen }.
alt-fscore_epsilon = epsilon { NUMBER($epsilon) }
alt-fscore_none = pas d’epsilon fini
alt-power_noise = Courbe de la part des { pic-in } que la meilleure attaque identifie, selon le bruit, de { SHORT($least) } à { SHORT($most) }. { $sentences }
alt-power_noise_at = Avec le bruit actuel et { SHARE($fpr) } de fausses alertes, elle en identifie au plus { PERCENT($power) }.
alt-output_laws = Les deux lois { $scale ->
    [outcomes] du résultat
    [loss] du logarithme du rapport de vraisemblance
   *[density] du nombre publié
 } : { pic-without }, et { pic-with }. Le meilleur test avec { SHARE($fpr) } de fausses alertes identifie au plus { PERCENT($power) } des cas.
alt-icons = Deux tableaux de { $out_of } désignations, dans le même ordre. Sans { pic-seen }, { $before } sont justes ; avec, jusqu’à { $after }, soit { $added } de plus. Chacune a { BELIEF($prior) } de chances au départ. L’attaque désigne à tort { SHARE($fpr) } des { pic-out }.
alt-leakage = Graphique de l’epsilon de la pire attaque pour delta = { GIVEN($delta) }, selon le nombre d’autres enregistrements connus. La pire en connaît { $known } ; son epsilon vaut au plus { SIZE($epsilon) }. { $more }
alt-leakage_skipped = { $skipped ->
    [one] Un autre nombre d’enregistrements connus n’a pas été comparé ; la recherche montre qu’il n’est pas pire.
   *[other] { $skipped } autres nombres d’enregistrements connus n’ont pas été comparés ; la recherche montre qu’aucun n’est pire.
 }
alt-leakage_unsure = La recherche n’était pas complète : d’autres attaques peuvent en apprendre plus, jusqu’à un epsilon de { SIZE($bound) }.
alt-leakage_unrelated = Sans liens entre enregistrements, ce serait { NUMBER($unrelated) }.
alt-audit = Courbe de ce qu’une attaque identifie selon ses fausses alertes. En abscisse : part des { pic-out }. En ordonnée : part des { pic-in }. Elle montre ce que l’affirmation permet au plus et, par une bande, ce qu’atteint une attaque mesurée. { $verdict } { $said }
alt-audit_refuted = L’affirmation est réfutée au niveau de confiance { SHARE($confidence) } : à { PERCENT($fpr) }, l’attaque identifie au moins { $measured }, alors que l’affirmation permet au plus { $claimed }.
alt-audit_not_refuted = L’affirmation n’est pas réfutée au niveau de confiance { SHARE($confidence) }, ce qui ne la confirme pas.
alt-audit_at = À { RATE($alpha) }, l’affirmation permet { PERCENT($power) } et la mesure prouve { ATLEAST($measured) }.
alt-analyst_power = Courbe de la puissance de l’analyse (niveau { SHARE($level) }) selon l’effet réel. Pour l’effet prévu de { GIVEN($effect) } : { $said }
alt-analyst_none = sans bruit, au moins { ATLEAST($power) }.
alt-analyst_noise = Avec ce bruit, au moins { ATLEAST($power) }.
alt-analyst_twice = Avec deux fois ce bruit, au moins { ATLEAST($power) }.
alt-feasible = Pour chaque famille de bruit, les quantités qui respectent les limites et laissent à l’analyse la puissance nécessaire. { $said }
alt-feasible_range = { $family } : { $parameter } de { $low } à { $high }.
alt-feasible_open = { $family } : { $parameter } à partir de { $low }.
alt-feasible_unmet = { $family } : aucune, car aucune quantité ne respecte les limites.
alt-feasible_never = { $family } : aucune, car même sans bruit la puissance est insuffisante.
alt-feasible_empty = { $family } : aucune, car les limites demandent au moins { $low } et l’analyse au plus { $high }.
size-infinite = infini

# Plusieurs publications dans une figure.
label-belief = ○ { BELIEF($x) } avant : au plus { PERCENT($y) } après
label-score = ○ score F { NUMBER($y) }
label-epsilon = ○ delta { GIVEN($y) } : epsilon { SIZE($x) }
label-point_named = ○ { PERCENT($x) } identifié : { PERCENT($y) } juste
label-share = { PERCENT($x) }
title-comparison = Ce que la meilleure attaque identifie : comparaison
alt-overlay = Graphique en courbes avec { $count } publications. { $said }
alt-overlay_roc = « { $name } » : avec { SHARE($fpr) } de fausses alertes, au plus { PERCENT($power) } sont identifiés.
alt-overlay_roc_log = { alt-overlay_roc }
alt-overlay_tradeoff = { alt-overlay_roc }
alt-overlay_precision_recall = « { $name } » : pour un a priori de { BELIEF($prior) } et la moitié identifiée, au plus { PERCENT($precision) } des désignations sont justes.
alt-overlay_posterior = « { $name } » : une croyance de { BELIEF($prior) } devient au plus { PERCENT($posterior) } après une désignation.
alt-overlay_relative_risk = « { $name } » : avec { SHARE($fpr) } de fausses alertes, une désignation la rend au plus { TIMES($ratio) } fois plus probable.
alt-overlay_profile = « { $name } » : pour delta = { GIVEN($delta) }, epsilon vaut au plus { SIZE($epsilon) }.
alt-overlay_fscore = « { $name } » : le score F de la meilleure attaque vaut au plus { NUMBER($score) }.
alt-overlay_comparison = « { $name } » : au plus { PERCENT($power) }.
alt-comparison = Graphique avec une ligne par publication. Il montre la part ({ pic-in }) que la meilleure attaque identifie avec { SHARE($fpr) } de fausses alertes. Le hasard identifierait { SHARE($fpr) }. { $said }
figure-caption = Figure { $number }. { $title }
