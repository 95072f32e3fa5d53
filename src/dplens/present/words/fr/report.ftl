### Rapports. en/report.ftl explique les variables.

report-language = fr
report-kind = Évaluation de la confidentialité
report-title = Ce que signifie cette publication
report-contents = Sommaire
report-colophon = Ce fichier contient tout ce qu’il montre. Il ne charge rien et n’envoie rien.
report-markdown-title = Confidentialité
fact-neighbours = Comparé
fact-unit = Protégé
fact-delta = Delta
fact-sampling = Échantillons
fact-setting = Cadre
fact-fpr = Fausses alertes
fact-version = Produit avec
facts-neighbours = { $apart ->
    [replace] { unit-one }{ unit-with } remplacé par un autre cas
    [local] deux vraies réponses { UNIT($unit, "of-one") }{ unit-with }
    [value] valeurs { UNIT($unit, "of-one") } dépassant { $gamma } et les autres
   *[add_remove] avec et sans { unit-one }{ unit-with }
 }
facts-unit = { $n ->
    [0] { unit-one }{ unit-with } ; le nombre n’est pas indiqué
   *[other] { unit-one }{ unit-with }, sur { $n } { unit-records }
 }
facts-delta = { $source ->
    [given] { $delta } (indiqué)
    [from_n] { $delta } (d’après le nombre { unit-of-records })
   *[default] { $delta } (par défaut)
 }
facts-sampling-none = aucun
facts-sampling-poisson = chaque { unit-record } au hasard (Poisson)
facts-sampling-without_replacement = un nombre fixe { unit-of-records }, au hasard
facts-sampling-one_in_clear = un { unit-record } au hasard, montré ouvertement
facts-sampling-unknown = non connu
facts-setting = { $setting ->
    [local] local : chaque réponse est modifiée au hasard
   *[central] central : l’organisme qui détient les données ajoute le bruit
 }
facts-fpr = { $fpr } des { who-out }
facts-version = dplens { $version }
block-computed = Résultats
block-declared = Ce qui est publié et supposé
block-combined = Limites et décision
block-not_covered = Ce qui n’est pas couvert
block-glossary = Glossaire
block-numbers = Annexe : tous les nombres
block-reproduce = Annexe : comment refaire le calcul
intro-computed = Ces nombres découlent de la description de la publication. Chacun est arrondi vers plus de risque.
intro-declared = Nous ne pouvons pas calculer ces affirmations. Les responsables les ont faites, et tous les nombres en dépendent.
intro-combined = Quelqu’un a choisi les limites ; les nombres sont calculés. Ensemble, ils montrent si les limites sont respectées.
intro-not_covered = Les nombres ne disent rien de ces points. Examinez-les à part.
intro-numbers = Chaque réponse est arrondie vers plus de risque. La valeur exacte est entre bas et haut. La voie dit comment nous la connaissons.
intro-reproduce = Enregistrez ceci sous scenario.yaml. Puis lancez la commande ci-dessous, ou les lignes de Python, avec la même version.
section-attacker = Les attaquants
section-released = Ce qui est publié
section-noise = Plus ou moins de bruit
section-looks = Comment fonctionne l’attaque
section-statements = But, données et destinataires
section-related-worst = La pire attaque sur des enregistrements liés
section-related-one = Une attaque sur des enregistrements liés
no-limits = Aucune limite n’est fixée. Les nombres seuls ne disent pas si le risque est acceptable.
decided-by = Qui décide : { $decided_by }.
nobody-decides = Qui accepte le risque restant, et pourquoi, n’est pas indiqué.
looks = { $scale ->
    [density] On voit un nombre. L’image montre ses deux lois. Là où la seconde est plus haute, le nombre est un indice.
    [whole] On voit un nombre entier. L’image montre ses deux lois. Là où la seconde est plus haute, le nombre est un indice.
    [outcomes] On voit l’un de quelques résultats. L’image montre la probabilité de chacun dans les deux cas. Là où la seconde est plus haute, le résultat est un indice.
   *[loss] On peut résumer tout ce qui est publié par un nombre, le logarithme du rapport de vraisemblance. L’image montre ses deux lois.
 }
looks-test = Le meilleur test avec { $fpr } de fausses alertes désigne là où les indices sont les plus forts. Il identifie { who-most } { $power } des { who-in }.
noise = { $halved ->
    [yes] Avec { $fpr } de fausses alertes, la meilleure attaque identifie maintenant { who-most } { $now }. Avec moitié moins de bruit, ce serait { $half } ; avec deux fois plus, { $twice }.
   *[no] Avec { $fpr } de fausses alertes, la meilleure attaque identifie maintenant { who-most } { $now }. Avec deux fois plus de bruit, ce serait { $twice }.
 }
certificate = Comment nous le savons : { $routes }. Chaque nombre est connu à { $width } de sa valeur près.
certificate-wide = Comment nous le savons : { $routes }. Certains nombres ne sont connus que de façon approchée ; voir bas et haut.
certificate-audit = Comment nous le savons : mesuré. Toutes les bornes d’un audit valent ensemble avec la confiance indiquée.
route-enumeration = énumération (chaque résultat compté)
route-shift = décalage (d’après la loi du bruit)
route-cells = cellules (deux lois finies de part et d’autre)
route-leakage = fuite (le maximum que permet la limite exacte sur la cote)
route-convolution = convolution (de deux lois, bornée des deux côtés)
route-simulation = simulation (tirages au hasard ; pas de preuve)
route-search = recherche (des deux côtés)
route-limit = limite (une approximation ; pas de preuve)
route-unknown = inconnu (pas de certificat)
route-exact = exact (une formule ou une somme finie)
route-contour = contour (intégrales aux erreurs bornées)
route-grid = grille (arrondie vers l’extérieur des deux côtés)
route-orders = ordres (le pire que permettent les bornes de Rényi)
route-lattice = réseau (sommes aux erreurs bornées)
route-spline = spline (polynômes par morceaux)
route-imported = importé (le pire que permettent les nombres d’un autre logiciel)
route-measured = mesuré (une borne inférieure avec une confiance indiquée)
table-pairs = { unit-many } que l’on désigne, selon les chances données avant
table-posterior = Croyance avant et après
table-precision_recall = Désignations justes
table-roc = Ce que la meilleure attaque identifie
table-relative_risk = Combien de fois plus probable
table-profile = Epsilon et delta
table-power_noise = Ce que la meilleure attaque identifie avec un autre bruit
table-fscore = Meilleur score F
table-output_laws = Le meilleur test
table-leakage = Pire attaque selon ce qu’elle connaît
table-analyst_power = Puissance de l’analyse
table-audit = Ce qui est affirmé et ce qui est prouvé
table-audit-named = Ce qui est affirmé et ce qui est prouvé : « { $name } »
table-answers = Toutes les réponses
table-related = Réponses sur la pire attaque sur des enregistrements liés
table-related-named = Réponses sur une attaque sur des enregistrements liés : { $name }
table-related-unnamed = Réponses sur une attaque sur des enregistrements liés
table-limits = Limites
table-analyst = Les analyses
head-claimed = identifié, selon l’affirmation
head-measured = identifié, selon la mesure
head-prior = chances avant
head-attacker = attaquants
head-before = juste par hasard
head-after = juste après
head-out_of = sur
head-posterior = après une désignation
head-negative = après une exclusion
head-most = tout au plus
head-alpha = fausses alertes
head-power = identifié
head-beta = manqué
head-recall = identifié
head-precision = juste
head-ratio = fois plus probable
head-epsilon = epsilon
head-delta = delta
head-fpr = fausses alertes
head-noise = bruit
head-factor = bruit, multiple
head-fscore = score F
head-threshold = désigne à partir de
head-known = autres connus
head-route = voie
head-question = question
head-answer = réponse
head-low = bas
head-high = haut
head-limit = limite
head-verdict = verdict
head-about = objet
head-effect = effet
head-test = test
head-level = niveau
head-with_noise = puissance avec le bruit
head-without_noise = puissance sans bruit
head-needed = nécessaire
test-number = test { $number }
power-of = puissance du test : { $name }
verdict-word-kept = ✓ respectée
verdict-word-exceeded = ✗ dépassée
verdict-word-open = ? non prouvée
verdict-word-refuted = ✗ respectée seulement selon l’affirmation réfutée
about-release = la publication
about-related = toutes les attaques sur des enregistrements liés
about-analyst = l’analyse
no-scenario = Aucun fichier de scénario ne peut contenir cette publication ({ $why }).
kept-by-html = L’évaluation elle-même est dans cette page, en JSON.
kept-by-markdown = Un rapport en HTML ou en JSON contient l’évaluation elle-même.
glossary-named = Désigner, exclure
    .meaning = { $about ->
        [answer] Ce que fait une attaque qui décide que la vraie réponse de quelqu’un est, ou n’est pas, celle que l’on suppose.
        [value] Ce que fait une attaque qui décide que la valeur de quelqu’un dépasse la borne, ou non.
       *[membership] Ce que fait une attaque qui décide que quelqu’un est dans les données, ou non.
     }
glossary-prior = Chances avant (a priori)
    .meaning = Ce que l’on croit avant la publication. Nous montrons plusieurs valeurs, car personne ne la connaît.
glossary-odds = Cote
    .meaning = La probabilité que quelque chose soit vrai, divisée par celle que ce soit faux. Pour 20 %, la cote est de 1 contre 4.
glossary-fpr = Fausses alertes (alpha)
    .meaning = La part des { who-out } qu’une attaque désigne à tort.
glossary-power = Identifié (puissance)
    .meaning = La part des { who-in } qu’une attaque désigne à raison.
glossary-curve = Courbe d’arbitrage
    .meaning = Pour chaque taux de fausses alertes, la plus petite part que toute attaque manque. Tout ici y est lu.
glossary-advantage = Avantage
    .meaning = La plus grande différence entre la part identifiée et la part de fausses alertes, sur toutes les attaques.
glossary-epsilon = Epsilon, delta
    .meaning = Les deux nombres par lesquels on énonce la confidentialité différentielle. Ils sont un point de la courbe.
glossary-neighbours = Voisins
    .meaning = { $about ->
        [answer] Les deux cas qu’une attaque doit distinguer : une vraie réponse, ou une autre.
        [value] Les deux cas qu’une attaque doit distinguer : une valeur au-dessus de la borne, ou non.
       *[membership] Les deux jeux de données qu’une attaque doit distinguer : avec et sans un enregistrement, ou avec un autre à sa place.
     }
glossary-unit = Unité protégée
    .meaning = Ce que représente un enregistrement : une personne, un ménage, une visite.
glossary-certificate = Certificat
    .meaning = Comment nous connaissons un nombre, et entre quelles bornes est la valeur exacte.
glossary-auc = AUC
    .meaning = L’aire sous la courbe de l’attaque. Ne la lisez jamais seule : elle peut sembler inoffensive alors que quelques personnes sont exposées.
