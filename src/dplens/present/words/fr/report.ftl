### Rapports. en/report.ftl explique les variables.

report-language = fr
report-kind = Évaluation de la confidentialité
report-title = Ce que signifie cette publication
report-contents = Sommaire
report-colophon = Ce fichier contient tout ce qu’il affiche. Il ne charge rien et n’envoie rien.
# La première page
report-skip = Vers le résumé
front-organisation = Organisme
front-author = Auteur
front-reference = Référence
front-date = Date
front-status = Statut
front-version = Version
sign-role = Fonction
sign-name = Nom
sign-date = Date
sign-signature = Signature
section-analyst = Précision
section-declared = Décision
heading-worst = Pire cas
section-glossary = Glossaire
section-numbers = Les nombres et comment ils sont connus
section-reproduce = Le fichier de scénario
verdict-state-kept = Limites respectées
verdict-state-noted = Limites respectées, avec réserve
verdict-state-exposed = Limites respectées, mais des données peuvent être révélées
verdict-state-exceeded = Limites non respectées
verdict-state-open = Respect des limites non prouvé
verdict-state-refuted = Description réfutée
verdict-state-mildest = Rien n’est affirmé
verdict-state-none = Aucune limite fixée
pair-before = Par hasard
pair-after = Avec cette publication
pair-count = { $most ->
    [yes] { who-up-to } { $count } sur { $out_of }
   *[no] { $count } sur { $out_of }
 }
more-published = { $count ->
    [one] Une autre publication est décrite dans la section du même nom.
   *[other] { $count } autres publications sont décrites dans la section du même nom.
 }
more-limits = { $count ->
    [one] Une autre limite figure dans la section sur la décision.
   *[other] { $count } autres limites figurent dans la section sur la décision.
 }
no-accuracy = Aucune analyse n’est décrite. Nous ne disons donc pas si les résultats restent utiles.
see = Voir : { $targets }.
figure-label = Figure { $number }
table-label = Tableau { $number }
table-caption = Tableau { $number }. { $title }
heading-main = Nombres principaux
how-to-reproduce = Enregistrez le scénario du rapport sous scenario.yaml. Lancez ensuite ceci avec dplens { $version } : { $command }

fact-neighbours = Comparaison
fact-unit = Unité protégée
fact-delta = Delta
fact-sampling = Échantillonnage
fact-setting = Cadre
fact-fpr = Fausses alertes
fact-version = Produit par
facts-neighbours = { $apart ->
    [replace] { unit-one }{ unit-with }, ou { UNIT($unit, "other") } à sa place
    [local] deux vraies réponses possibles { UNIT($unit, "of-one") }{ unit-with }
    [value] valeurs { UNIT($unit, "of-one") } : celles qui dépassent { $gamma } et les autres
   *[add_remove] avec et sans { unit-one }{ unit-with }
 }
facts-unit = { $n ->
    [0] { unit-one }{ unit-with } (nombre total non indiqué)
    [one] { unit-one }{ unit-with } au total
   *[other] { unit-one }{ unit-with }, sur { $n } { unit-records }
 }
facts-delta = { $source ->
    [given] { $delta } (valeur indiquée)
    [from_n] { $delta } (d’après le nombre { unit-of-records })
   *[default] { $delta } (valeur par défaut)
 }
facts-sampling-none = aucun
facts-sampling-poisson = chaque { unit-record } au hasard (Poisson)
facts-sampling-without_replacement = un nombre fixe { unit-of-records }, au hasard
facts-sampling-one_in_clear = { unit-one-record } au hasard, en clair
facts-sampling-unknown = inconnu
facts-setting = { $setting ->
    [local] local : chaque { UNIT($unit, "name") } modifie sa réponse au hasard
   *[central] central : l’organisme qui détient les données ajoute le bruit
 }
facts-fpr = { $fpr } des { who-out }
facts-version = dplens { $version }
intro-not_covered = Les nombres ne disent rien de ces points. Examinez-les séparément.
intro-numbers = Chaque valeur est arrondie vers plus de risque. La valeur exacte est entre les deux bornes. La méthode indique comment nous la connaissons.
intro-reproduce = Enregistrez ce texte sous scenario.yaml. Lancez ensuite la commande ci-dessous, ou les lignes de Python, avec la même version.
section-attacker = Les attaquants
section-noise = Plus ou moins de bruit
section-looks = Fonctionnement de l’attaque
no-limits = Aucune limite n’est fixée. Les nombres seuls ne disent pas si le risque est acceptable.
nobody-decides = Il n’est pas indiqué qui accepte le risque restant, ni pourquoi.
declared-unchecked = Selon le déclarant ; non vérifié.
declared-unchecked-broken = Ne tient pas compte des limites dépassées.
looks = { $scale ->
    [density] L’attaque observe un nombre. La figure en montre les deux lois. Là où la seconde est plus haute, le nombre est un indice.
    [whole] L’attaque observe un nombre entier. La figure en montre les deux lois. Là où la seconde est plus haute, le nombre est un indice.
    [outcomes] L’attaque observe l’un de quelques résultats possibles. La figure montre la probabilité de chacun dans les deux cas. Là où la seconde est plus haute, le résultat est un indice.
   *[loss] Tout ce qui est publié peut se résumer à un nombre, le logarithme du rapport de vraisemblance. La figure en montre les deux lois.
 }
looks-test = Le meilleur test avec { $fpr } de fausses alertes désigne quand les indices sont les plus forts. Il identifie { who-most } { $power } des { who-in }.
noise = { $halved ->
    [yes] Avec { $fpr } de fausses alertes, la meilleure attaque identifie maintenant { who-most } { $now }. Avec deux fois moins de bruit, ce serait { $half } ; avec deux fois plus, { $twice }.
   *[no] Avec { $fpr } de fausses alertes, la meilleure attaque identifie maintenant { who-most } { $now }. Avec deux fois plus de bruit, ce serait { $twice }.
 }
certificate = Comment nous le savons : { $routes }. Chaque nombre est connu à { $width } près, en valeur relative.
certificate-wide = Comment nous le savons : { $routes }. Certains nombres ne sont connus que de façon approchée : voir les bornes.
certificate-audit = Comment nous le savons : par la mesure. Toutes les bornes d’un audit valent ensemble, au niveau de confiance indiqué.
route-enumeration = énumération (chaque résultat est compté)
route-shift = décalage (d’après la loi du bruit)
route-cells = cellules (deux lois finies qui encadrent)
route-leakage = fuite (le maximum que permet la limite exacte sur la cote)
route-convolution = convolution (de deux lois, encadrée des deux côtés)
route-simulation = simulation (tirages au hasard ; sans preuve)
route-search = recherche (des deux côtés)
route-limit = limite (approximation ; sans preuve)
route-unknown = inconnue (pas de certificat)
route-exact = exacte (formule ou somme finie)
route-contour = contour (intégrales aux erreurs bornées)
route-grid = grille (arrondie vers l’extérieur des deux côtés)
route-orders = ordres (le pire cas que permettent les bornes de Rényi)
route-lattice = réseau (sommes aux erreurs bornées)
route-spline = spline (polynômes par morceaux)
route-imported = importation (le pire cas que permettent les nombres d’un autre logiciel)
route-measured = mesure (borne inférieure au niveau de confiance indiqué)
table-pairs = { unit-many } qu’on désigne, selon les chances de départ
table-posterior = Chances estimées avant et après
table-precision_recall = Désignations justes
table-roc = Ce que la meilleure attaque identifie
table-relative_risk = Combien de fois plus probable
table-profile = Epsilon et delta
table-power_noise = Ce que la meilleure attaque identifie avec un autre bruit
table-fscore = Meilleur score F
table-output_laws = Le meilleur test
table-leakage = La pire attaque selon ce qu’elle connaît
table-analyst_power = Puissance de l’analyse
table-audit = Ce qui est affirmé et ce qui est prouvé
table-audit-named = Ce qui est affirmé et ce qui est prouvé : « { $name } »
table-answers = Toutes les réponses
table-related = Réponses sur la pire attaque contre des enregistrements liés
table-related-named = Réponses sur une attaque contre des enregistrements liés : { $name }
table-related-unnamed = Réponses sur une attaque contre des enregistrements liés
table-limits = Limites
table-analyst = Les analyses
head-claimed = identifié, selon l’affirmation
head-measured = identifié, selon la mesure
head-prior = chances de départ
head-attacker = attaquants
head-before = fois raison par hasard
head-after = fois raison après
head-out_of = sur
head-posterior = pour un cas désigné
head-negative = pour un cas écarté
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
head-route = méthode
head-question = question
head-answer = valeur
head-low = borne basse
head-high = borne haute
head-limit = limite
head-verdict = résultat
head-about = objet
head-effect = effet
head-test = test
head-level = niveau
head-with_noise = puissance avec le bruit
head-without_noise = puissance sans bruit
head-needed = nécessaire
test-number = test { $number }
power-of = puissance du test : { $name }
verdict-word-kept = respectée
verdict-word-exceeded = dépassée
verdict-word-open = non prouvée
verdict-word-refuted = respectée seulement d’après l’affirmation réfutée
about-release = la publication
about-related = toutes les attaques sur des enregistrements liés
about-analyst = l’analyse
no-scenario = Aucun fichier de scénario ne peut contenir cette publication ({ $why }).
kept-by-html = L’évaluation elle-même est dans ce fichier, en JSON.
kept-by-markdown = Un rapport en HTML, en PDF ou en JSON contient l’évaluation elle-même.
glossary-named = Désigner, écarter
    .meaning = { $about ->
        [answer] Ce que fait une attaque quand elle juge que la vraie réponse de quelqu’un est, ou n’est pas, celle que l’on suppose.
        [value] Ce que fait une attaque quand elle juge que la valeur de quelqu’un dépasse la borne, ou non.
       *[membership] Ce que fait une attaque quand elle juge que quelqu’un figure dans les données, ou non.
     }
glossary-prior = Chances de départ (a priori)
    .meaning = Ce que l’on croit avant la publication. Nous montrons plusieurs valeurs, car personne ne connaît la bonne.
glossary-odds = Cote
    .meaning = La probabilité que quelque chose soit vrai, divisée par celle que ce soit faux. Pour 20 %, la cote est de 1 contre 4.
glossary-fpr = Fausses alertes (alpha)
    .meaning = La part désignée à tort par une attaque, parmi les { who-out }.
glossary-power = Identifié (puissance)
    .meaning = La part désignée à raison par une attaque, parmi les { who-in }.
glossary-curve = Courbe d’arbitrage
    .meaning = Pour chaque taux de fausses alertes, la plus petite part que toute attaque doit manquer. Tous les nombres s’y lisent.
glossary-advantage = Avantage
    .meaning = Le plus grand écart entre la part identifiée et la part de fausses alertes, pour toutes les attaques possibles.
glossary-epsilon = Epsilon, delta
    .meaning = Les deux nombres par lesquels on exprime la confidentialité différentielle. Ils ne décrivent qu’un point de la courbe.
glossary-neighbours = Voisins
    .meaning = { $about ->
        [answer] Les deux cas qu’une attaque doit distinguer : une vraie réponse, ou une autre.
        [value] Les deux cas qu’une attaque doit distinguer : une valeur au-dessus de la borne, ou non.
       *[membership] Les deux jeux de données qu’une attaque doit distinguer : avec et sans un enregistrement, ou avec un autre à sa place.
     }
glossary-unit = Unité protégée
    .meaning = Ce que représente un enregistrement : une personne, un ménage, une visite.
glossary-certificate = Certificat
    .meaning = Comment nous connaissons un nombre, et entre quelles bornes est la valeur exacte.
glossary-auc = AUC
    .meaning = L’aire sous la courbe de l’attaque. Ne la lisez jamais seule : elle peut paraître rassurante alors que quelques personnes sont exposées.
