### Rapports sur les comparaisons, audits, décisions et tout autre résultat. Les nombres arrivent formatés et arrondis.
### Une clé finit par le nom d’un genre de résultat ; une clé sans nom vaut pour tous les autres.

## Titres

document-title = { $kind }
document-title-comparison = Quelle publication protège le mieux
document-title-changes = Ce qui a changé
document-title-side-by-side = { $count } publications côte à côte
document-title-decision = Combien de bruit ajouter
document-title-audit = Ce que prouve une attaque mesurée
document-title-one-run-audit = Ce que prouvent des réponses sur une exécution
document-title-refutation = Une affirmation et une attaque mesurée
document-title-worst = Ce qu’on apprend si des personnes sont liées
document-title-view = Ce qu’un attaquant apprend si des personnes sont liées
document-title-frameworks = Notions de confidentialité si des personnes sont liées
document-title-solution = Plan d’une étude
document-title-calibration = La valeur la plus risquée qui respecte les limites
document-title-budget-split = Comment un budget est réparti

## Le verdict en un mot ou deux, à côté de sa forme

document-state-met = { verdict-state-kept }
document-state-broken = Non respecté
document-state-open = { verdict-state-open }
document-state-none = Pour information
document-state-met-decision = Un bruit convient aux deux côtés
document-state-broken-decision = Aucun bruit ne convient aux deux côtés
document-state-none-comparison = Comparaison
document-state-none-changes = Changements
document-state-none-audit = Bornes inférieures
document-state-none-one-run-audit = Bornes inférieures
document-state-broken-refutation = Affirmation réfutée
document-state-none-refutation = Affirmation non réfutée
document-state-none-worst = Pire attaquant
document-state-broken-frameworks = Une inégalité publiée est fausse ici
document-state-none-solution = Plan
document-state-some-side-by-side = Toutes n’ont pas été jugées
document-proved = { $kind ->
    [power] À un niveau de confiance de { $confidence }, une attaque avec { $rate } de fausses alertes identifie au moins { $least } des personnes présentes dans les données.
    [epsilon] À un niveau de confiance de { $confidence }, epsilon vaut au moins { $least }.
   *[nothing] Cette attaque ne prouve aucun risque (niveau de confiance : { $confidence }). Une autre attaque peut trouver davantage.
 }

## De quoi il s’agit

document-about = Ce rapport donne un résultat avec tous ses nombres.
document-about-comparison = Nous comparons { $count } publications : que peut-on en apprendre ? L’une est plus sûre si toute attaque y trouve moins de personnes.
document-about-side-by-side = Nous comparons { $count } publications, chacune selon sa propre description. Limites et nombres sont côte à côte.
document-about-changes = Nous comparons deux évaluations. Avant : { $before }. Après : { $after }.
document-about-audit = La publication a été attaquée. Les résultats prouvent qu’on peut apprendre au moins cela.
document-about-one-run-audit = Des données de test ont été mises dans une exécution, et un attaquant a deviné lesquelles. Les bonnes réponses prouvent qu’on peut apprendre au moins cela.
document-about-refutation = Nous confrontons une attaque mesurée à ce qui est affirmé.
document-about-audited = Nous confrontons une attaque mesurée à ce qui est affirmé.
document-about-audit-plan = Ce plan dit combien il faut d’essais pour trouver un défaut.
document-about-worst = Les données de personnes liées en disent l’une sur l’autre. Nous cherchons l’attaquant qui en apprend le plus.
document-about-view = Les données de personnes liées en disent l’une sur l’autre. Cet attaquant sait comment, et connaît peut-être une partie des données.
document-about-frameworks = Pour des données liées, il y a plusieurs notions de confidentialité. Nous donnons l’epsilon de chacune, pour la même publication.
document-about-calibration = Nous cherchons la valeur avec le moins de bruit qui respecte encore chaque limite.
document-about-budget-split = Plusieurs nombres sont publiés sous une même limite. Nous disons combien de bruit chacun reçoit.
document-about-solution = Nous cherchons { $unknown } dans le plan d’une étude.
document-claim = Ce qui est affirmé : { $claim }.
document-other-neighbours = Ces publications comparent des données différentes. Leurs nombres répondent à des questions différentes.
document-door-privacy-first = Nous partons du risque acceptable. Puis nous cherchons un bruit qui laisse assez de puissance à l’analyse.
document-door-utility-first = Nous partons de la puissance dont l’analyse a besoin. Puis nous cherchons le bruit qui en dit le moins aux attaquants.
document-wanted = L’analyse a besoin d’une puissance de { $power }.
document-not-stated = L’objectif, les bénéfices et les destinataires ne sont pas indiqués.
document-model-assumed = Les nombres valent pour ce modèle des liens. Si les personnes sont liées autrement, on peut apprendre davantage.

## Ce qui n’est pas couvert

document-not-covered = Ces nombres ne disent rien des erreurs de programmes, ni des personnes qui voient les données elles-mêmes.
document-not-covered-comparison = Nous comparons ces publications seules. D’autres, tirées des mêmes données, en disent encore plus.
document-not-covered-changes = Nous comparons ces publications seules. D’autres, tirées des mêmes données, en disent encore plus.
document-not-covered-side-by-side = Chaque publication est regardée seule. Si plusieurs paraissent, on apprend plus que de chacune.
document-not-covered-decision = Les nombres ne disent pas quel risque est acceptable. Les erreurs de programmes et les autres publications ne sont pas couvertes.
document-not-covered-audit = Aucune attaque ne confirme une garantie : une autre peut trouver plus.
document-not-covered-one-run-audit = Aucune attaque ne confirme une garantie : une autre peut trouver plus.
document-not-covered-refutation = Aucune attaque ne confirme une garantie : une autre peut trouver plus.
document-not-covered-audited = Aucune attaque ne confirme une garantie : une autre peut trouver plus.
document-not-covered-solution = Le plan ne dit pas ce que les attaquants apprennent. Évaluez la publication pour cela.

## Titres de sections et tableaux

heading-about = De quoi il s’agit
heading-results = Résultats
heading-claim = L’affirmation
heading-reasons = Comment nous avons choisi
heading-feasible = Combien de bruit convient aux deux côtés
heading-concessions = Ce qu’il faudrait changer
heading-planning = Sur quoi repose le plan
document-head-what = grandeur
document-head-value = valeur
document-head-publication = publication
document-head-verdict = verdict
document-head-pair = justes parmi les désignés, jusqu’à
document-head-related = epsilon si des personnes sont liées, jusqu’à
document-pair = { $after } sur { $out_of } ({ $before } par hasard)
document-epsilon = { $epsilon } (delta { $delta })
document-table-main = { heading-main }
document-table-1 = Nombres
document-table-2 = Autres nombres
document-table-3 = Autres nombres
document-table-claim = L’affirmation et la mesure
document-table-1-side-by-side = Verdicts et nombres principaux
document-table-1-decision = Tous les genres de bruit examinés
document-table-1-changes = Réponses avant et après
document-table-2-changes = Entrées avant et après
document-table-1-worst = Le pire attaquant selon ce qu’il sait
document-table-1-budget-split = Ce que chaque test reçoit
document-table-2-budget-split = Limites et réponses
document-table-1-calibration = Limites et réponses
document-more-rows = La première page montre { $shown } lignes sur { $count }. La section des résultats les a toutes.
document-range = { $state ->
    [empty] Aucune quantité de bruit ne convient aux deux côtés. La limite demande { $parameter } d’au moins { $low }. L’analyse supporte au plus { $high }.
    [open] La limite demande { $parameter } d’au moins { $low }. Rien ne limite le bruit vers le haut.
   *[closed] La limite demande { $parameter } d’au moins { $low }. L’analyse supporte au plus { $high }.
 }
document-no-range = Il n’y a pas de plage de bruit à montrer.

## La page qui énumère les rapports d’un dossier

index-title = Rapports
index-intro = { $count ->
    [one] { $read ->
        [0] Le fichier n’a pas pu être lu.
       *[other] Le fichier a pu être lu.
     }
   *[other] { $read ->
        [one] { $read } fichier sur { $count } a pu être lu.
       *[other] { $read } fichiers sur { $count } ont pu être lus.
     }
 }
index-head-title = titre
index-head-verdict = verdict
index-head-said = en une phrase
index-head-files = fichiers
index-failed = Non lu
kind-side-by-side = Comparaison
