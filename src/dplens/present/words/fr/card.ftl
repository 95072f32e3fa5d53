### Fiches et résumés. en/card.ftl explique les variables. Les attaquants sont au pluriel : « ils » désigne un groupe.

unit-many = { UNIT($unit, "many") }
unit-one = { UNIT($unit, "one") }
unit-record = { $several ->
    [yes] enregistrement
   *[no] { UNIT($unit, "name") }
 }
unit-one-record = { $several ->
    [yes] un enregistrement
   *[no] { unit-one }
 }
unit-records = { $several ->
    [yes] enregistrements
   *[no] { unit-many }
 }
unit-of-records = { $several ->
    [yes] d’enregistrements
   *[no] { UNIT($unit, "of") }
 }
unit-with = { $several ->
    [yes] {" "}avec jusqu’à { $size } enregistrements
   *[no] {""}
 }
unit-who = { $named ->
    [yes] {" "}(« { $name } »)
   *[no] {""}
 }
unit-someone = { HUMAN($unit) ->
    [yes] quelqu’un
   *[no] { unit-one }
 }
unit-that-someone = { HUMAN($unit) ->
    [yes] que quelqu’un
   *[no] qu’{ unit-one }
 }
who-units = { HUMAN($unit) ->
    [yes] personnes
   *[no] { unit-many }
 }
who-in = { $about ->
    [answer] { who-units } dont c’est la vraie réponse
    [value] { who-units } dont la valeur dépasse { $gamma }
    [related] cas où c’est la valeur
   *[membership] { who-units } qui figurent dans les données
 }
who-out = { $about ->
    [answer] { who-units } qui ont une autre vraie réponse
    [value] { who-units } dont la valeur ne dépasse pas { $gamma }
    [related] cas où la valeur est autre
   *[membership] { who-units } qui ne figurent pas dans les données
 }
who-with = { $about ->
    [answer] avec la réponse reçue
   *[membership] avec cette publication
 }
who-with-this = { $refuted ->
    [yes] D’après la description réfutée
   *[no] { $about ->
        [answer] Avec la réponse reçue
       *[membership] Avec cette publication
     }
 }
who-most = { $mildest ->
    [yes] environ
   *[no] au plus
 }
who-up-to = { $mildest ->
    [yes] environ
   *[no] jusqu’à
 }
who-chance = { $one_in ->
    [0] { $chance }
    [1000000] un sur un million
   *[other] 1 sur { $one_in }
 }
list-last = { $first } et { $last }
card-title = Fiche de risque
heading-summary = Résumé
heading-limits = Limites
heading-next = Prochaine étape
heading-learning = Risque pour une personne
heading-finding = Meilleure attaque
heading-absence = Écarter des personnes
heading-you = Avec et sans vos données
heading-asked = Questions complémentaires
heading-related = Si des personnes sont liées entre elles
heading-analyst = Précision
heading-audit = Attaques mesurées
heading-warnings = À noter
heading-published = Ce qui est publié
heading-assumptions = Hypothèses
heading-not_covered = Ce qui n’est pas couvert
heading-declared = Décision
heading-epsilon = Epsilon et delta
verdict-none = Aucune limite n’est fixée. Nous ne pouvons donc pas dire ici si le risque est acceptable.
verdict-kept = { $count ->
    [one] Nous avons prouvé que la limite est respectée.
    [2] Nous avons prouvé que les deux limites sont respectées.
   *[other] Nous avons prouvé que les { $count } limites sont respectées.
 }
verdict-kept-stated = { $count ->
    [one] Si la garantie indiquée est exacte, la limite est respectée.
    [2] Si la garantie indiquée est exacte, les deux limites sont respectées.
   *[other] Si la garantie indiquée est exacte, les { $count } limites sont respectées.
 }
verdict-kept-related = { $count ->
    [one] Nous avons prouvé que la limite est respectée, même si des personnes sont liées comme le décrit le modèle.
    [2] Nous avons prouvé que les deux limites sont respectées, même si des personnes sont liées comme le décrit le modèle.
   *[other] Nous avons prouvé que les { $count } limites sont respectées, même si des personnes sont liées comme le décrit le modèle.
 }
verdict-exceeded = { $count ->
    [one] La limite est dépassée.
   *[other] { $exceeded ->
        [one] 1 limite sur { $count } est dépassée.
        [2] { $count ->
            [2] Les deux limites sont dépassées.
           *[other] 2 limites sur { $count } sont dépassées.
         }
       *[other] { $exceeded } limites sur { $count } sont dépassées.
     }
 }
verdict-open = { $count ->
    [one] Nous n’avons pas pu prouver que la limite est respectée.
   *[other] Nous n’avons pas pu prouver que { $exceeded } limites sur { $count } sont respectées.
 }
verdict-exposed = { $about ->
    [answer] Quelques vraies réponses peuvent être entièrement révélées : pour chacune, la probabilité est d’{ who-most } { who-chance }.{ exposed-many }
    [value] Quelques valeurs peuvent être révélées : pour chacune, la probabilité est d’{ who-most } { who-chance }.{ exposed-many }
   *[membership] Les données de quelques { who-units } peuvent être entièrement révélées : à chaque fois, la probabilité est d’{ who-most } { who-chance }.{ exposed-many }
 }
exposed-many = { $many ->
    [none] {""}
   *[other] {" "}Sur { $n } { unit-many }, cela peut en toucher { $many } en moyenne.
 }
verdict-power = { $missed ->
    [one] Le bruit rend l’analyse prévue trop faible : il lui reste moins de puissance qu’il n’en faut.
   *[other] Le bruit rend { $missed } analyses prévues trop faibles : il leur reste moins de puissance qu’il n’en faut.
 }
verdict-power-kept = L’analyse prévue reste utile : elle garde la puissance nécessaire.
verdict-refuted = Une attaque mesurée prouve que la description est fausse. Le vrai risque est plus élevé que celui indiqué ici.
verdict-mildest = Le vrai risque peut être plus élevé que celui indiqué ici. Nous ne connaissons que la publication la moins risquée qui explique une attaque mesurée.
verdict-unprotected = { $about ->
    [answer] La protection est presque nulle. La meilleure attaque trouve presque toujours la vraie réponse (avantage : { $advantage }).
    [value] La protection est presque nulle. La meilleure attaque sait presque toujours quelles valeurs dépassent { $gamma } (avantage : { $advantage }).
   *[membership] La protection est presque nulle. La meilleure attaque sait presque toujours { HUMAN($unit) ->
        [yes] qui figure
       *[no] ce qui figure
     } dans les données (avantage : { $advantage }).
 }
next-refuted = Ne pas publier. Trouver pourquoi la description est fausse, puis réévaluer.
next-mildest = Ne pas se fier à ces seuls nombres. Demander comment la publication est faite, puis réévaluer.
next-exceeded = Ne pas publier en l’état : ajouter du bruit, puis réévaluer. Seules les personnes qui décident peuvent fixer d’autres limites.
next-open = Ne pas publier encore : ajouter du bruit jusqu’à ce que les limites soient prouvées, ou revoir les limites.
next-power = Prévoir une étude plus grande ou moins de bruit, puis réévaluer.
next-exposed = Décider si les données de quelques personnes peuvent être révélées. Sinon, choisir un autre mécanisme ou un delta bien plus petit.
next-none = Fixer des limites au risque, puis réévaluer.
next-kept = Avant de publier, examiner les hypothèses et ce qui n’est pas couvert.
next-who = Qui décide : { $whom ->
    [none] non indiqué.
   *[other] « { $whom } »
 }
verdict-related = Des enregistrements sont liés entre eux. Pour qui connaît ces liens, un résultat peut multiplier le rapport des chances de deux valeurs par { $factor } au plus.
verdict-related-unbounded = Des enregistrements sont liés entre eux. Qui connaît ces liens peut en apprendre plus sur un enregistrement que la publication seule ne le permet.
pair = { $about ->
    [answer] Supposons que des attaquants{ unit-who } estiment à { $prior } la probabilité d’une certaine vraie réponse, pour chaque { UNIT($unit, "name") }. Sur { $out_of } { unit-many } qu’ils désignent, ils auraient raison { $before } fois par hasard. { who-with-this }, { who-up-to } { $after } fois. (Ils désignent à tort { $fpr } des { who-out } : { $fpr } de fausses alertes.)
    [value] Supposons que des attaquants{ unit-who } estiment à { $prior } la probabilité d’une valeur supérieure à { $gamma }, pour chaque { UNIT($unit, "name") }. Sur { $out_of } { unit-many } qu’ils désignent, ils auraient raison { $before } fois par hasard. { who-with-this }, { who-up-to } { $after } fois. (Ils désignent à tort { $fpr } des { who-out } : { $fpr } de fausses alertes.)
   *[membership] Supposons que des attaquants{ unit-who } estiment à { $prior } la probabilité que chaque { UNIT($unit, "name") } figure dans les données. Sur { $out_of } { unit-many } qu’ils désignent, ils auraient raison { $before } fois par hasard. { who-with-this }, { who-up-to } { $after } fois. (Ils désignent à tort { $fpr } des { who-out } : { $fpr } de fausses alertes.)
 }
pair-other = { $named ->
    [yes] En partant de { $prior } (« { $name } ») : { $before } sur { $out_of } par hasard, { who-up-to } { $after } { who-with }.
   *[no] En partant de { $prior } : { $before } sur { $out_of } par hasard, { who-up-to } { $after } { who-with }.
 }
odds = En cotes (chances « pour » contre chances « contre »), en partant de { $prior } : { $before_kind ->
    [sure] certitude
    [even] à égalité
    [for] { $before } contre 1
   *[against] 1 contre { $before }
 } par hasard, { $after_kind ->
    [sure] certitude
    [even] à égalité
    [for] { $after } contre 1
   *[against] 1 contre { $after }
 } { who-with }.
learning-alone = Les nombres de cette section valent pour la publication seule. S’il y a des liens entre des { unit-many }, le risque peut être plus grand : voir « { heading-related } ».
caution-none = Même s’ils en désignent très peu, la part de désignations justes est d’{ who-most } : { $limits }.
caution-none-sure = Ces nombres valent en moyenne, avec { $fpr } de fausses alertes. En désignant moins de cas, on peut être presque certain.
caution-graceful = Ces nombres valent en moyenne, avec { $fpr } de fausses alertes. En désignant moins de cas, on peut avoir raison plus souvent, et dans de rares cas avec une quasi-certitude.
caution-catastrophic = Ces nombres valent en moyenne, avec { $fpr } de fausses alertes. Quand un résultat constitue une preuve, les attaquants ont la certitude.
caution-undetermined = Ces nombres valent en moyenne, avec { $fpr } de fausses alertes. Nous ne savons pas à quel point on peut être sûr en désignant moins de cas.
one-of = { $count } sur { $out_of } (en partant de { $prior })
worst-none = { $about ->
    [answer] Quelle que soit la réponse reçue, la cote (rapport des chances pour et contre) d’une vraie réponse donnée peut être multipliée ou divisée par { $factor } au plus.
    [value] Quel que soit le résultat publié, la cote d’une valeur supérieure à { $gamma } peut être multipliée ou divisée par { $factor } au plus.
   *[membership] Quel que soit le résultat publié, la cote (rapport des chances pour et contre) de présence dans les données peut être multipliée ou divisée par { $factor } au plus.
 }
worst-none-large = { $about ->
    [answer] Une réponse reçue peut multiplier ou diviser la cote d’une vraie réponse par { $factor } au plus.
    [value] Un résultat peut multiplier ou diviser la cote d’une valeur supérieure à { $gamma } par { $factor } au plus.
   *[membership] Un résultat peut multiplier ou diviser la cote (rapport des chances pour et contre) de présence dans les données par un facteur allant jusqu’à { $factor }.
 }
worst-none-alone = { $about ->
    [answer] À elle seule, la réponse multiplie ou divise la cote d’une vraie réponse donnée par { $factor } au plus.
    [value] À elle seule, cette publication multiplie ou divise la cote d’une valeur supérieure à { $gamma } par { $factor } au plus.
   *[membership] À elle seule, cette publication multiplie ou divise la cote (rapport des chances pour et contre) de présence dans les données par { $factor } au plus.
 }
worst-none-proof = Aucun résultat n’est une preuve : si la probabilité était de 50 % avant, elle est d’{ who-most } { $certain } après.
worst-none-near = De 50 %, on peut passer à { $certain }. Ce n’est pas une preuve, mais on s’en approche.
worst-none-mildest = Si la probabilité était de 50 % avant, elles sont d’{ who-most } { $certain } après.
worst-none-related = Aucun résultat n’est une preuve : pour qui connaît ces liens, une valeur qui avait 50 % de chances en a au plus { $certain } après.
worst-graceful = { $about ->
    [answer] Aucune réponse reçue ne donne une certitude complète sur la vraie réponse. Dans de rares cas, une réponse peut s’en approcher.
    [value] Aucun résultat publié ne donne la certitude complète qu’une valeur dépasse { $gamma }. Dans de rares cas, un résultat peut s’en approcher.
   *[membership] Aucun résultat publié ne peut prouver { unit-that-someone } figure dans les données. Dans de rares cas, un résultat peut s’en approcher.
 }
worst-catastrophic = { $about ->
    [answer] Avec une probabilité d’{ who-most } { who-chance }, une réponse reçue prouve quelle est la vraie réponse { UNIT($unit, "of-one") }.
    [value] Avec une probabilité d’{ who-most } { who-chance }, un résultat publié prouve si la valeur { UNIT($unit, "of-one") } dépasse { $gamma }.
   *[membership] Avec une probabilité d’{ who-most } { who-chance }, un résultat publié prouve { HUMAN($unit) ->
        [yes] qu’une personne précise
       *[no] qu’{ unit-one }
     } figure dans les données.
 }
worst-undetermined = { $about ->
    [answer] Nous ne savons pas si une réponse reçue peut prouver quelle est la vraie réponse de quelqu’un.
    [value] Nous ne savons pas si un résultat publié peut prouver que la valeur de quelqu’un dépasse { $gamma }.
   *[membership] Nous ne savons pas si un résultat publié peut prouver { unit-that-someone } figure dans les données.
 }
factor-huge = un très grand nombre
finding = Avec { $rate } de fausses alertes, la meilleure attaque identifie { who-most } { $power } des { who-in }.
relative = À ce taux de fausses alertes, la cote d’une désignation juste est multipliée { who-most } par { $factor }.
advantage = La part identifiée dépasse la part de fausses alertes d’{ who-most } { $advantage } points de pourcentage (0 : aucun gain ; 100 : certitude).
absence = { $about ->
    [answer] Supposons qu’ils écartent plutôt une réponse. Probabilité de départ{ unit-who } : { $prior }. Sur { $out_of } cas écartés, ils auraient raison { $before } fois par hasard. Avec la réponse reçue, { who-up-to } { $after } fois. (Ils écartent à raison { $fpr } des { who-out }.)
    [value] Supposons qu’ils écartent plutôt une valeur supérieure à { $gamma }. Probabilité de départ{ unit-who } : { $prior }. Sur { $out_of } cas écartés, ils auraient raison { $before } fois par hasard. Avec cette publication, { who-up-to } { $after } fois. (Ils écartent à raison { $fpr } des { who-out }.)
   *[membership] Supposons qu’ils écartent plutôt des { unit-many }. Probabilité de départ{ unit-who } : { $prior }. Sur { $out_of } cas écartés, ils auraient raison { $before } fois par hasard. Avec cette publication, { who-up-to } { $after } fois. (Ils écartent à raison { $fpr } des { who-out }.)
 }
you = { $apart ->
    [replace] { HUMAN($unit) ->
        [yes] Supposons que cette publication vous expose à un risque de préjudice de { $before } avec les données de quelqu’un d’autre à la place des vôtres. Avec vos propres données, ce risque est d’{ who-most } { $after }.
       *[no] Supposons que le risque de préjudice soit de { $before } avec { UNIT($unit, "other") } à la place { UNIT($unit, "of-one") }. Sinon, ce risque est d’{ who-most } { $after }.
     }
    [local] Supposons que l’une des vraies réponses possibles vous expose à un risque de préjudice de { $before }. Si la vraie réponse est autre, ce risque est d’{ who-most } { $after }.
    [value] Supposons que cette publication entraîne un risque de préjudice de { $before } pour une valeur d’au plus { $gamma }. Pour une valeur supérieure, ce risque est d’{ who-most } { $after }.
   *[add_remove] { HUMAN($unit) ->
        [yes] Supposons que cette publication vous expose à un risque de préjudice de { $before } sans vos données. Avec vos données, ce risque est d’{ who-most } { $after }.
       *[no] Supposons que cette publication entraîne un risque de préjudice de { $before } sans les données { UNIT($unit, "of-one") }. Avec elles, ce risque est d’{ who-most } { $after }.
     }
 }
you-still = { $setting ->
    [local] Ce que l’ensemble des réponses révèle sur les gens comme vous, il le révèle avec ou sans la vôtre. Ce n’est pas compté ici.
   *[central] Ce que la publication révèle sur tout le monde, elle le révèle aussi sur vous, avec ou sans vos données. Ce n’est pas compté ici.
 }
delta-given = Epsilon est indiqué pour un delta égal à { $delta }, valeur donnée.
delta-from_n = Epsilon est indiqué pour un delta égal à { $delta }, soit la puissance de dix juste inférieure à 1 ÷ (10 × nombre { unit-of-records }).
delta-default = Epsilon est indiqué pour un delta égal à { $delta }, valeur par défaut. Le nombre { unit-of-records } n’est pas indiqué. Nous n’avons donc pas pu vérifier que delta est assez petit.
neighbours = { $apart ->
    [replace] Nous comparons des jeux de données où l’on remplace { unit-one }{ unit-with } par { UNIT($unit, "other") }.
    [local] Nous comparons deux vraies réponses possibles { UNIT($unit, "of-one") }{ unit-with }.
    [value] Nous comparons les valeurs possibles { UNIT($unit, "of-one") } : celles qui dépassent { $gamma } et les autres.
   *[add_remove] Nous comparons des jeux de données avec et sans { unit-one }{ unit-with }.
 }
answers-apart = La sensibilité indiquée est comprise comme le plus grand écart entre deux vraies réponses { UNIT($unit, "of-one") }. Les garanties se lisent de même.
unit-protected = { $n ->
    [0] Ce qui est protégé : { unit-one }{ unit-with }.
    [one] Ce qui est protégé : { unit-one }{ unit-with }. Il n’y a qu’{ unit-one-record }.
   *[other] Ce qui est protégé : { unit-one }{ unit-with }. Il y a { $n } { unit-records }.
 }
sampling-none = Pas d’échantillonnage : chaque { unit-record } compte dans toutes les publications.
sampling-poisson = Chaque { unit-record } entre ou non, au hasard, dans chaque échantillon, indépendamment des autres (échantillonnage de Poisson).
sampling-without_replacement = Chaque échantillon compte un nombre fixe { unit-of-records }, avec un nouveau tirage au hasard à chaque fois.
sampling-one_in_clear = On montre en clair { unit-one-record }, au hasard, ou rien.
sampling-unknown = Nous ne savons pas si l’on a tiré des échantillons. Seule une garantie est indiquée.
setting = { $setting ->
    [local] Chaque réponse peut être changée par hasard avant l’envoi. Personne d’autre ne détient la vraie réponse.
   *[central] L’organisme qui détient les données voit les vrais enregistrements. { $known ->
        [guarantee] La façon dont les résultats sont protégés n’est pas décrite.
       *[noise] Du bruit est ajouté avant toute publication.
     }
 }
attacker = { $about ->
    [answer] Les attaquants peuvent tout connaître, sauf la vraie réponse et les nombres tirés au hasard. Ils cherchent à savoir laquelle de deux réponses { UNIT($unit, "of-one") } est la vraie.
    [value] Les attaquants peuvent savoir comment le mécanisme fonctionne et quelle était la probabilité de chaque valeur. Ils cherchent à savoir si la valeur { UNIT($unit, "of-one") } dépasse { $gamma }.
   *[membership] Les attaquants peuvent connaître tous les autres enregistrements et savoir comment le mécanisme fonctionne. Ils cherchent à savoir si { unit-one } figure dans les données.
 }
priors = Les chances de départ sont { $priors }. Ce sont des exemples. Ils ne disent rien de personne en particulier.
prior-named = { $prior } (« { $name } »)
epsilon = Pour delta = { $delta }, epsilon vaut { who-most } { $epsilon }.
epsilon-both = Pour delta = { $delta } et pour delta = 0, epsilon vaut { who-most } { $epsilon }.
epsilon-infinite = Pour delta = { $delta }, il n’y a pas d’epsilon fini : la cote peut varier sans limite.
epsilon-means = { $alone ->
    [yes] Sans liens, la part qu’une attaque identifie serait au plus { $factor } fois sa part de fausses alertes, plus delta.
   *[no] La part qu’une attaque identifie est donc au plus { $factor } fois sa part de fausses alertes, plus delta.
 }
epsilon-related = Ces nombres valent pour la publication seule : voir « { heading-related } ».
epsilon-means-pure = { $alone ->
    [yes] Sans liens, aucun résultat ne multiplierait ni ne diviserait la cote par plus de { $factor }.
   *[no] Aucun résultat ne multiplie ni ne divise donc la cote par plus de { $factor }.
 }
epsilon-unknown = Pour delta = { $delta }, epsilon vaut au moins { $low }. Il peut être infini.
epsilon-explained = Epsilon dit de combien un résultat peut changer la cote ; delta admet de rares exceptions. Plus ils sont petits, plus c’est sûr.
epsilon-delta = En dessous de delta = { $proof }, aucun epsilon n’existe : avec cette probabilité, un résultat prouve quelque chose.{ $epsilon ->
    [none] {""}
   *[other] {" "}Pour delta = { $proof }, epsilon vaut au plus { $epsilon }.
 }
warning-mildest = Cette publication n’est accompagnée d’aucune affirmation. D’autres attaques peuvent révéler un risque plus élevé.
warning-claim_refuted = Les autres nombres décrivent ce qui a été affirmé, et non la réalité.
warning-limit_exceeded = { $broken ->
    [one] Une limite est dépassée : voir « Limites ».
    [2] Deux limites sont dépassées : voir « Limites ».
   *[other] { $broken } limites sont dépassées : voir « Limites ».
 }
warning-limit_open = Pour une limite, rien n’est prouvé, ni respect ni dépassement : voir « Limites ».
warning-power_missed = Le bruit laisse moins de puissance qu’il n’en faut : voir « Précision ».
warning-plan_not_counted = Le plan tire { $planned } d’une publication bruitée qui n’est pas comptée ici. Son risque s’ajoute. Évaluez les deux ensemble.
warning-catastrophic = Les données de quelques personnes peuvent être entièrement révélées, même si les pourcentages ci-dessus paraissent faibles. Si les destinataires ne sont pas tenus au secret, choisissez un autre mécanisme.
warning-undetermined = Tant qu’on ne le sait pas, supposez qu’un résultat peut prouver quelque chose.
warning-answers_apart = Chaque réponse est bruitée à part. Les sensibilités sont donc des écarts entre deux vraies réponses (2 pour des valeurs de −1 à 1). Si l’écart entre des réponses peut être plus grand, le risque est plus élevé.
warning-responses_seen = Une réponse cache laquelle est vraie, mais non le fait d’avoir répondu. Quiconque voit de qui elle vient sait qui a participé.
warning-delta_not_below_one_in_n = Le delta choisi ({ $delta }) n’est pas inférieur à 1 sur { $n }, le nombre { unit-of-records }. Un delta si grand permettrait de publier un enregistrement en clair. Choisissez-en un plus petit.
warning-proof_not_below_one_in_n = { $about ->
    [answer] Pour chaque { UNIT($unit, "name") }, avec une probabilité d’{ who-most } { $chance }, une réponse reçue peut prouver quelle est la vraie réponse.
    [value] Pour chaque { UNIT($unit, "name") }, avec une probabilité d’{ who-most } { $chance }, un résultat peut prouver si la valeur dépasse { $gamma }.
   *[membership] Pour chaque { UNIT($unit, "name") }, avec une probabilité d’{ who-most } { $chance }, un résultat peut prouver qu’{ UNIT($unit, "it") } figure dans les données.
 } { $openly ->
    [yes] { $stated ->
        [yes] Publier en clair un enregistrement tiré au hasard respecterait aussi cette garantie.
       *[no] Publier en clair un enregistrement tiré au hasard ne prouverait pas plus souvent quelque chose.
     } { open-remedy }
   *[no] { open-remedy }
 }
open-remedy = { $stated ->
    [yes] Exigez un delta bien plus petit.
   *[no] Choisissez un autre mécanisme ou un delta bien plus petit.
 }
warning-poisson_batches = À chaque pas, le hasard doit décider de l’emploi de chaque { unit-record } (échantillonnage de Poisson). Les nombres ne valent pas si l’on mélange les données pour les découper en lots de taille fixe.
warning-uniform_batches = Ces nombres supposent un nouvel échantillon au hasard à chaque fois. Ils ne valent pas si l’on mélange les données une seule fois pour les lire dans l’ordre.
warning-unknown_batches = Si la garantie repose sur un échantillonnage, les lots doivent être tirés de cette façon. Elle ne vaut pas si l’on a seulement mélangé et découpé les données.
warning-related_worse = Des attaquants qui connaissent ces liens peuvent en apprendre plus : voir « { heading-related } ».
warning-search_not_exhaustive = Nous n’avons pas comparé toutes les attaques sur des enregistrements liés. D’autres peuvent en apprendre plus, jusqu’à la borne.
warning-relations_not_modelled = Des personnes peuvent être liées par la famille, le lieu ou le temps. Un enregistrement renseigne alors sur d’autres, et des attaquants peuvent en apprendre plus. Aucun modèle de ces liens n’est donné.
warning-guarantee_only = Nous connaissons une garantie, et non le mécanisme. Les nombres décrivent le pire cas qu’elle permet.
warning-guarantee_in_part = Pour une partie de la publication, nous connaissons une garantie, et non le mécanisme. Là, les nombres décrivent le pire cas qu’elle permet.
warning-roughly_known = Valeur connue seulement de façon approchée : { $rough }.
warning-f_score_blind = Un score F (poids { $weight }) ne distingue pas des publications dont l’epsilon est inférieur à { $blind }. Ne le lisez jamais seul.
limit-kept = { $whom ->
    [related] Respectée, même si des personnes sont liées : { limit-asked } ; valeur calculée : { $answer }.
    [other] Respectée face à « { $name } » : { limit-asked } ; valeur calculée : { $answer }.
   *[release] Respectée : { limit-asked } ; valeur calculée : { $answer }.
 }
limit-exceeded = { $whom ->
    [related] Dépassée si des personnes sont liées : { limit-asked } ; valeur calculée : { $answer }.
    [other] Dépassée face à « { $name } » : { limit-asked } ; valeur calculée : { $answer }.
   *[release] Dépassée : { limit-asked } ; valeur calculée : { $answer }.
 }
limit-open = { $whom ->
    [related] Non prouvée si des personnes sont liées : { limit-asked } ; nous n’avons pu prouver que { $answer }.
    [other] Non prouvée face à « { $name } » : { limit-asked } ; nous n’avons pu prouver que { $answer }.
   *[release] Non prouvée : { limit-asked } ; nous n’avons pu prouver que { $answer }.
 }
limit-refuted = { $whom ->
    [related] Respectée seulement d’après l’affirmation réfutée, si des personnes sont liées : { limit-asked } ; ce serait { $answer }.
    [other] Respectée seulement d’après l’affirmation réfutée, face à « { $name } » : { limit-asked } ; ce serait { $answer }.
   *[release] Respectée seulement d’après l’affirmation réfutée : { limit-asked } ; ce serait { $answer }.
 }
limit-asked = { $question }. Limite : { limit-bound }
limit-bound = { $more ->
    [yes] au plus { $bound }
   *[no] au moins { $bound }
 }
asked = { $more ->
    [yes] { $question } : { who-most } { $answer }.
   *[no] { $question } : { $mildest ->
        [yes] environ
       *[no] au moins
     } { $answer }.
 }
asked-related = { $more ->
    [yes] { $question }, pour la pire attaque sur des enregistrements liés : au plus { $answer }.
   *[no] { $question }, pour la pire attaque sur des enregistrements liés : au moins { $answer }.
 }
asked-infinite = { $question } : valeur infinie.
asked-unknown = { $question } : au moins { $low }, peut-être l’infini.
question-accuracy = fréquence à laquelle la meilleure attaque a raison ({ $blind } au hasard, pour { $prior } de chances)
question-advantage = avantage de l’attaque sur le hasard
question-attribute_inference = probabilité de deviner une caractéristique d’une personne ({ $baseline } sans son enregistrement)
question-attack_power = part identifiée par une attaque parmi les { who-in } (avec { $fpr } de fausses alertes)
question-auc = aire sous la courbe ROC de l’attaque
question-cost = plus petit coût attendu de l’attaque (en partant de { $prior } de chances)
question-delta = delta pour epsilon = { $epsilon }
question-epsilon = epsilon pour delta = { $delta }
question-f_score = meilleur score F de l’attaque (poids { $weight }, en partant de { $prior } de chances)
question-inference_advantage = gain en caractéristiques devinées ({ $baseline } sont justes sans l’enregistrement)
question-max_posterior = plus grande certitude que puisse donner un résultat (en partant de { $prior } de chances)
question-min_fpr = plus petit taux de fausses alertes d’une attaque qui manque au plus { $fnr }
question-mu = plus petit mu de la confidentialité différentielle gaussienne
question-posterior = { $about ->
    [membership] probabilité { HUMAN($unit) ->
        [yes] qu’une personne désignée figure dans les données
       *[no] qu’une désignation soit juste
     } (avec { $fpr } de fausses alertes, en partant de { $prior })
   *[answer] probabilité qu’un cas désigné soit vrai (avec { $fpr } de fausses alertes, en partant de { $prior })
 }
question-posterior_after_negative = { $about ->
    [membership] probabilité restante { HUMAN($unit) ->
        [yes] qu’une personne écartée figure dans les données
       *[no] qu’une mise à l’écart soit fausse
     } (avec { $fpr } de fausses alertes, en partant de { $prior })
   *[answer] probabilité restante qu’un cas écarté soit vrai (avec { $fpr } de fausses alertes, en partant de { $prior })
 }
question-precision = part des désignations justes (si { $recall } sont identifiés, en partant de { $prior } de chances)
question-reconstruction = probabilité de reconstituer un enregistrement entier ({ $baseline } sans lui)
question-relative_risk = { $never ->
    [yes] { $about ->
        [membership] facteur par lequel un résultat quelconque peut multiplier la cote de présence dans les données
       *[answer] facteur par lequel un résultat quelconque peut multiplier la cote
     }
   *[no] { $about ->
        [membership] facteur par lequel la cote de présence dans les données peut être multipliée (à partir de { $fpr } de fausses alertes)
       *[answer] facteur par lequel la cote peut être multipliée (à partir de { $fpr } de fausses alertes)
     }
 }
question-renyi = divergence de Rényi d’ordre { $order }
answer-undefined = non définie
analyst = { $named ->
    [yes] « { $name } » :
   *[no] Le test :
 } sur { $out_of } études avec un effet réel de { $effect }, au moins { $after } le détectent. Sans bruit, il y en aurait { $before }. En l’absence d’effet, au plus { $level } des études en annoncent un à tort.
analyst-kept = Cela suffit : il faut une puissance de { $needed }.
analyst-missed = Cela ne suffit pas : il faut une puissance de { $needed }.
analyst-plan = { $first ->
    [yes] Le plan suppose { $values } ({ analyst-sourced }).
   *[no] Il suppose aussi { $values } ({ analyst-sourced }).
 }
analyst-value = { planned-name } = { $value }
analyst-sourced = { $noted ->
    [yes] { analyst-source } : « { $note } »
   *[no] { analyst-source }
 }
analyst-source = { $source ->
    [public] information publique
    [worst_case] pire cas, quelles que soient les données
    [private_estimate] publication bruitée distincte
   *[not_stated] source non indiquée
 }
model-discrete = { $n ->
    [one] Le modèle ne comporte qu’{ unit-one }.
   *[other] Un tableau décrit les liens entre { $n } { unit-many }.
 }
model-markov = { $n ->
    [one] Le modèle ne comporte qu’{ unit-one }.
   *[other] Le modèle est une chaîne de { $n } { unit-many }. Chaque maillon dépend du précédent.
 }
model-gaussian = { $n ->
    [one] Le modèle ne comporte qu’{ unit-one }.
   *[other] Le modèle est un ensemble de valeurs normales liées entre elles, pour { $n } { unit-many }.
 }
model-gaussian_chain = { $n ->
    [one] Le modèle ne comporte qu’{ unit-one }.
   *[other] Le modèle est une chaîne de { $n } { unit-many } aux valeurs normales. Chaque maillon dépend du précédent.
 }
related-who = { $kind ->
    [named] « { $name } » : l’attaque vise { unit-target } et { related-knows }.
    [worst] { $exhaustive ->
        [yes] La pire attaque
       *[no] La pire attaque trouvée
     } vise { unit-target } et { related-knows }.
   *[unnamed] Une attaque vise { unit-target } et { related-knows }.
 }
unit-target = { $target ->
    [1] { UNIT($unit, "first") }
   *[other] { UNIT($unit, "the") } { $target }e { UNIT($unit, "name") }
 }
related-knows = { $knows ->
    [none] ne sait rien des autres
    [one] connaît { $known }
    [some] connaît { $known }
    [many] connaît { $count } autres enregistrements
   *[all] connaît tous les autres
 }
related-place = { $value ->
    [none] le n° { $place }
   *[other] le n° { $place } (valeur : { $value })
 }
related-determined = La valeur est alors déjà connue : la publication n’ajoute rien.
related-belief = Selon le modèle, la valeur « { $value } » a { $before } de chances. Après cette publication, jusqu’à { $after } (avec { $fpr } de fausses alertes). Si les personnes n’étaient pas liées, ce serait { $alone }.
related-example = Supposons que l’une des deux valeurs ait { $before } de chances. Après cette publication, jusqu’à { $after } (avec { $fpr } de fausses alertes). Si les personnes n’étaient pas liées, ce serait { $alone }.
related-odds = { $bounded ->
    [yes] Le rapport des chances de deux valeurs peut être multiplié par { $factor } au plus. Avec la publication seule, ce serait { $alone }.
   *[no] Le rapport des chances de deux valeurs peut être multiplié par { $factor } au plus. À elle seule, la publication ne fixe pas de limite.
 }
related-unbounded = Les indices peuvent être aussi forts que l’on veut, mais les indices forts sont rares.
related-by-leakage = Les publications sont trop nombreuses pour un calcul commun. Ces nombres sont le maximum que permet la limite sur la cote.
related-sure = { $exhaustive ->
    [yes] { $compared ->
            [one] Il n’y a qu’une attaque à comparer.
           *[other] Nous avons comparé les { $compared } attaques possibles. Aucune autre n’a un epsilon plus grand pour delta = { $delta }.
         } Les limites sont vérifiées pour la pire de toutes.
   *[no] { $compared ->
            [one] Nous avons examiné une attaque.
           *[other] Nous avons comparé { $compared } attaques.
         } Pour delta = { $delta }, l’epsilon de toute autre { $bounded ->
            [yes] est d’au plus { $bound }
           *[no] n’est pas borné
         }. Les limites sont vérifiées en conséquence.
 }
related-others = À ce taux de fausses alertes, une autre attaque peut être plus sûre d’elle, mais aucune ne dépasse { $most }.
related-fewer = Avec des liens, la pire attaque peut être celle qui en sait le moins.
audit-unclaimed = Rien n’est affirmé : il n’y a donc rien à réfuter. L’attaque prouve une borne inférieure du risque. Une autre peut faire plus.
audit-refuted = L’affirmation est réfutée (niveau de confiance { $confidence }). Avec au plus { $rate } de fausses alertes, { $named ->
    [yes] l’attaque « { $name } »
   *[no] l’attaque
 } identifie au moins { $measured } des { who-in }. La description en permet au plus { $claimed }.
audit-not_refuted = L’affirmation n’est pas réfutée (niveau de confiance { $confidence }). { $named ->
    [yes] L’attaque « { $name } »
   *[no] L’attaque
 } ne prouve pas plus que ce que permet la description. Cela ne la confirme pas : une autre attaque peut faire plus.
audit-size = Mesuré sur { $n_in } scores avec la cible et { $n_out } sans elle. Epsilon vaut au moins { $epsilon } pour delta = { $delta }, et { $pure } pour delta = 0. Mu vaut au moins { $mu }.
audit-run-refuted = L’affirmation est réfutée (niveau de confiance { $confidence }). { audit-run-right } Une description vraie en permettrait moins de { $takes }.
audit-run-not_refuted = L’affirmation n’est pas réfutée (niveau de confiance { $confidence }). { audit-run-right } Il en faudrait { $takes } pour la réfuter. Cela ne la confirme pas : une autre attaque peut faire plus.
audit-run-too_few = L’affirmation n’est pas réfutée (niveau de confiance { $confidence }). { audit-run-right } C’est trop peu de réponses pour réfuter quoi que ce soit. Cela ne confirme donc rien.
audit-run-right = { $named ->
    [yes] Dans « { $name } », { $right } réponses sur { $guesses } au sujet de témoins étaient justes.
   *[no] { $right } réponses sur { $guesses } au sujet de témoins étaient justes.
 }
audit-run-size = Mesuré en une exécution avec { $canaries } témoins. Epsilon vaut au moins { $epsilon } pour delta = { $delta }, et { $pure } pour delta = 0. Mu vaut au moins { $mu }.
audit-assumes-scores = Cela ne vaut que si les scores sont indépendants et si l’attaque était fixée d’avance. Les scores de chaque côté doivent suivre une même loi.
audit-assumes-counts = Cela ne vaut que si les cas sont indépendants, et si l’attaque et le seuil étaient fixés d’avance. Les cas de chaque côté doivent suivre une même loi.
audit-assumes-points = Cela ne vaut que si les cas derrière les taux publiés sont indépendants et si l’attaque était fixée d’avance. Les cas de chaque côté doivent suivre une même loi.
audit-assumes-run = Cela ne vaut que si l’on a tiré la présence de chaque témoin à pile ou face, avec une pièce équilibrée. L’attaque n’a vu aucun tirage. L’attaque et le nombre de réponses étaient fixés d’avance.
audit-several = Il y a { $count } audits. Si la description est vraie, la probabilité que l’un d’eux la réfute est d’au plus { $error }.
not-covered-singling = Repérer n’importe qui : les nombres valent pour { unit-one } choisi{ UNIT($unit, "e") } d’avance. En trouver { UNIT($unit, "article") } quelconque est plus facile.
not-covered-reconstruction = Reconstruction : la probabilité de reconstituer un enregistrement entier est une autre question.
not-covered-attributes = Caractéristiques : la probabilité de deviner une caractéristique { UNIT($unit, "of-one") } présent{ UNIT($unit, "e") } dans les données est une autre question.
not-covered-details = Autres caractéristiques : seule la valeur du modèle est examinée.
not-covered-baseline = Réussite sans l’enregistrement : elle est déclarée. Nous ne pouvons pas la vérifier.
not-covered-others = Autres publications sur les mêmes { unit-many } : les risques s’ajoutent. Comptez-les toutes.
not-covered-implementation = Erreurs de logiciel : un mécanisme programmé autrement que décrit, { $known ->
    [noise] une sensibilité sous-estimée, des nombres aléatoires de mauvaise qualité.
   *[answers] des nombres aléatoires de mauvaise qualité.
 }
not-covered-floating = Arrondis : les derniers chiffres d’un bruit tiré en virgule flottante ordinaire peuvent révéler de l’information.
not-covered-several = { HUMAN($unit) ->
    [yes] { $several ->
        [yes] Groupes plus grands : le risque augmente pour une famille, ou avec plus d’enregistrements par unité qu’indiqué.
       *[no] Groupes plus grands : le risque augmente pour une famille, ou avec plusieurs enregistrements { UNIT($unit, "of-one") }.
     }
   *[no] { $several ->
        [yes] Groupes plus grands : le risque augmente pour plusieurs { unit-many } ensemble, ou avec plus d’enregistrements par unité qu’indiqué.
       *[no] Groupes plus grands : { $owned ->
            [yes] une personne présente dans plusieurs { unit-many } court un risque plus grand.
           *[no] le risque augmente pour plusieurs { unit-many } ensemble, ou avec plusieurs enregistrements { UNIT($unit, "of-one") }.
         }
     }
 }
not-covered-unrelated = Liens : aucun modèle de la dépendance entre enregistrements n’est donné.
not-covered-related = Autres liens : ce qui est dit des liens ne vaut que s’ils sont tels que le décrit le modèle.
declared-purpose = But
declared-benefits = Bénéfices attendus
declared-nature = Nature des données
declared-recipients = Destinataires
declared-no-recipients = Destinataires : non indiqués.
declared-decided_by = Qui décide
declared-reasons = Motifs
declared = { $name } : { $value }
declared-said = { $name } : « { $value } »
declared-missing = Informations manquantes : { $missing }.
declared-nothing = Le but, les données, les destinataires et la décision ne sont pas indiqués.
published = { $named ->
    [yes] « { $name } » : { $what }.
   *[no] { CAPITAL($what) }.
 }
published-mildest = La publication n’est accompagnée d’aucune affirmation. Les nombres sont ceux de la publication la moins risquée qui explique l’attaque :
published-other = Une publication qu’aucun fichier ne peut contenir : { $what }.
release-additive_noise = un nombre avec un bruit de loi { $noise }
release-approximate_dp = seule une garantie est indiquée : epsilon = { $epsilon }, delta = { $delta }
release-continuous_pair = un nombre qui suit l’une de deux lois, { $p } ou { $q }
release-discrete_gaussian = des nombres entiers avec un bruit gaussien discret, sigma = { $sigma }
release-dpsgd = un modèle entraîné en { $steps } pas bruités (DP-SGD), avec un facteur de bruit de { $noise_multiplier }. Chaque { unit-record } sert à chaque pas avec une probabilité de { $sample_rate }. On publie le modèle entraîné
release-exponential = un choix par le mécanisme exponentiel ou un mécanisme semblable, epsilon = { $epsilon }
release-finite_pair = l’un de { $p } résultats
release-gaussian = des nombres avec un bruit gaussien, écart-type { $sigma }
release-gaussian_dp = seule une garantie est indiquée : confidentialité différentielle gaussienne, mu = { $mu }
release-geometric = des nombres entiers avec un bruit géométrique bilatéral, échelle { $scale }
release-laplace = des nombres avec un bruit de Laplace, échelle { $scale }
release-privacy_profile = seule une garantie est indiquée : delta pour { $epsilons ->
    [one] 1 valeur
   *[other] { $epsilons } valeurs
 } d’epsilon
release-randomized_response = de chaque { UNIT($unit, "name") }, une réponse parmi { $categories } : la vraie ou, par hasard, une autre (epsilon = { $epsilon }). La vraie est envoyée avec une probabilité d’{ who-most } { $truth }
release-renyi_dp = seule une garantie est indiquée : confidentialité différentielle de Rényi à { $orders ->
    [one] 1 ordre
   *[other] { $orders } ordres
 }
release-staircase = des nombres avec un bruit en escalier, epsilon = { $epsilon }
release-trade_off_points = seule une garantie est indiquée : les deux erreurs de l’attaque en { $alphas } sommets de leur courbe
release-uniform_sampling = un enregistrement tiré au hasard parmi { $n } { unit-records }, ou aucun (mu = { $mu })
release-zero_concentrated_dp = seule une garantie est indiquée : confidentialité différentielle zéro-concentrée, rho = { $rho }
release-composed = plusieurs publications ensemble, décrites ci-après
release-subsampled = une publication, décrite ci-après, qui porte sur une part tirée au hasard des { unit-records } ({ $rate })
release-grouped = une publication, décrite ci-après, avec jusqu’à { $size_here } enregistrements par { UNIT($unit, "name") }
release-failing = une publication, décrite ci-après, qui révèle tout avec une probabilité de { $probability }
release-value_above = une publication, décrite ci-après, où l’on cherche à savoir si une valeur dépasse { $gamma }
release-replaced = une publication, décrite ci-après, où l’on remplace { unit-one } par { UNIT($unit, "other") }
release-sensitive = { $about ->
    [answer] { $what }. Deux vraies réponses diffèrent d’au plus { $sensitivity }
   *[membership] { $what }. { CAPITAL(unit-one-record) } change le résultat d’au plus { $sensitivity }
 }
release-sensitive-apart = { $what }. Deux vraies réponses diffèrent d’au plus { $sensitivity }
release-sampled = { $what } ; sur un échantillon où chaque { unit-record } entre avec une probabilité de { $sample_rate }
release-repeated = { $what }. Cela se répète { $repeat } fois, avec un nouveau bruit
release-fails = { $what } ; avec une probabilité de { $fails_with }, tout est révélé
release-group = { $what } ; { unit-one } peut avoir jusqu’à { $group } enregistrements
