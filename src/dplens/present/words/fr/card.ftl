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
    [yes] {" "}({ $name })
   *[no] {""}
 }
unit-someone = { HUMAN($unit) ->
    [yes] quelqu’un
   *[no] { unit-one }
 }
who-units = { HUMAN($unit) ->
    [yes] personnes
   *[no] { unit-many }
 }
who-in = { $about ->
    [answer] { who-units } dont c’est la vraie réponse
    [value] { who-units } dont la valeur dépasse { $gamma }
    [related] cas où c’est la valeur
   *[membership] { who-units } présentes dans les données
 }
who-out = { $about ->
    [answer] { who-units } dont la vraie réponse est autre
    [value] { who-units } dont la valeur est d’au plus { $gamma }
    [related] cas où la valeur est autre
   *[membership] { who-units } absentes des données
 }
who-with = { $about ->
    [answer] avec la réponse
   *[membership] avec cette publication
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
    [1000000] une sur un million
   *[other] 1 sur { $one_in }
 }
list-last = { $first } et { $last }
card-title = Fiche de risque
heading-summary = Résumé
heading-limits = Limites
heading-learning = Risque pour une personne
heading-finding = Meilleure attaque
heading-absence = Exclure des personnes
heading-you = Avec et sans vos données
heading-asked = Autres questions
heading-related = Si des personnes sont liées
heading-analyst = Précision
heading-audit = Attaques mesurées
heading-warnings = À noter
heading-published = Ce qui est publié
heading-assumptions = Hypothèses
heading-not_covered = Ce qui n’est pas couvert
heading-declared = Décision
heading-epsilon = Epsilon et delta
verdict-none = Aucune limite n’est fixée. Nous ne jugeons donc pas le risque ici.
verdict-kept = { $count ->
    [one] Nous avons prouvé que la limite est respectée.
    [2] Nous avons prouvé que les deux limites sont respectées.
   *[other] Nous avons prouvé que les { $count } limites sont respectées.
 }
verdict-kept-related = { $count ->
    [one] Nous avons prouvé que la limite est respectée, même si des personnes sont liées comme le dit le modèle.
    [2] Nous avons prouvé que les deux limites sont respectées, même si des personnes sont liées comme le dit le modèle.
   *[other] Nous avons prouvé que les { $count } limites sont respectées, même si des personnes sont liées comme le dit le modèle.
 }
verdict-exceeded = { $count ->
    [one] La limite est dépassée.
   *[other] { $exceeded ->
        [one] 1 limite sur { $count } est dépassée.
       *[other] { $exceeded } limites sur { $count } sont dépassées.
     }
 }
verdict-open = { $count ->
    [one] Nous n’avons pas pu prouver que la limite est respectée.
   *[other] Nous n’avons pas pu prouver que { $exceeded } limites sur { $count } sont respectées.
 }
verdict-power = { $missed ->
    [one] Le bruit laisse à une analyse moins de puissance qu’il ne lui en faut.
   *[other] Le bruit laisse à { $missed } analyses moins de puissance qu’il ne leur en faut.
 }
verdict-power-kept = L’analyse garde la puissance qu’il lui faut.
verdict-refuted = Une attaque mesurée prouve que la description est fausse. Le vrai risque est plus élevé que ce qui est indiqué ici.
verdict-mildest = Le vrai risque peut être plus élevé que ce qui est indiqué ici. Nous ne connaissons que la publication la moins risquée qui explique une attaque mesurée.
verdict-unprotected = { $about ->
    [answer] Il n’y a presque aucune protection. La meilleure attaque trouve presque toujours la vraie réponse (avantage { $advantage }).
    [value] Il n’y a presque aucune protection. La meilleure attaque sait presque toujours quelles valeurs dépassent { $gamma } (avantage { $advantage }).
   *[membership] Il n’y a presque aucune protection. La meilleure attaque sait presque toujours qui est dans les données (avantage { $advantage }).
 }
verdict-related = Des personnes dans les données sont liées. Qui sait comment peut changer la cote entre deux valeurs d’un enregistrement d’un facteur allant jusqu’à { $factor }.
verdict-related-unbounded = Des personnes dans les données sont liées. Qui sait comment en apprend plus sur un enregistrement que la publication seule ne le permet.
pair = { $about ->
    [answer] Supposons que des attaquants{ unit-who } donnent à une certaine vraie réponse { $prior } de chances pour chaque { UNIT($unit, "name") }. Sur { $out_of } { unit-many } qu’ils désignent, { $before } seraient justes par hasard. Avec la réponse, { who-up-to } { $after }. (Ils désignent à tort { $fpr } des { who-out }.)
    [value] Supposons que des attaquants{ unit-who } donnent à une valeur dépassant { $gamma } { $prior } de chances pour chaque { UNIT($unit, "name") }. Sur { $out_of } { unit-many } qu’ils désignent, { $before } seraient justes par hasard. Avec cette publication, { who-up-to } { $after }. (Ils désignent à tort { $fpr } des { who-out }.)
   *[membership] Supposons que des attaquants{ unit-who } donnent à chaque { UNIT($unit, "name") } { $prior } de chances d’être dans les données. Sur { $out_of } { unit-many } qu’ils désignent, { $before } seraient justes par hasard. Avec cette publication, { who-up-to } { $after }. (Ils désignent à tort { $fpr } des { who-out }.)
 }
pair-other = { $named ->
    [yes] Pour { $prior } de chances ({ $name }) : { $before } sur { $out_of } par hasard, { who-up-to } { $after } { who-with }.
   *[no] Pour { $prior } de chances : { $before } sur { $out_of } par hasard, { who-up-to } { $after } { who-with }.
 }
odds = En cotes, pour { $prior } de chances : { $before_kind ->
    [sure] certitude
    [even] égalité
    [for] { $before } contre 1 pour
   *[against] { $before } contre 1 en défaveur
 } par hasard, { $after_kind ->
    [sure] certitude
    [even] égalité
    [for] { $after } contre 1 pour
   *[against] { $after } contre 1 en défaveur
 } { who-with }.
caution-none = Même s’ils en désignent peu, le nombre de désignations justes a une limite. { $limits }
caution-none-sure = Ce n’est pas un maximum. S’ils en désignent moins, ils peuvent être presque certains.
caution-graceful = Ce n’est pas un maximum. Moins ils en désignent, plus ils peuvent être sûrs, et presque certains pour très peu.
caution-catastrophic = Ce n’est pas un maximum. Si un résultat le prouve, ils sont certains.
caution-undetermined = Ce n’est pas un maximum. Nous ne savons pas à quel point ils peuvent être sûrs s’ils en désignent moins.
one-of = Pour { $prior } de chances : { who-most } { $count } sur { $out_of }.
worst-none = { $about ->
    [answer] Quelle que soit la réponse, la cote d’une certaine vraie réponse ne peut changer de plus d’un facteur { $factor }.
    [value] Quoi qu’on publie, la cote d’une valeur dépassant { $gamma } ne peut changer pour personne de plus d’un facteur { $factor }.
   *[membership] Quoi qu’on publie, la cote d’être dans les données ne peut changer pour personne de plus d’un facteur { $factor }.
 }
worst-none-alone = { $about ->
    [answer] La réponse seule ne change pas la cote d’une certaine vraie réponse de plus d’un facteur { $factor }.
    [value] Cette publication seule ne change pas la cote d’une valeur dépassant { $gamma } de plus d’un facteur { $factor }.
   *[membership] Cette publication seule ne change pas la cote d’être dans les données de plus d’un facteur { $factor }.
 }
worst-none-proof = Aucun résultat ne le prouve : 50 % de chances peuvent devenir { who-most } { $certain }.
worst-none-near = 50 % de chances peuvent devenir { who-most } { $certain }.
worst-none-related = Pour qui connaît les liens, 50 % de chances peuvent devenir au plus { $certain }.
worst-graceful = { $about ->
    [answer] Aucune réponse ne peut prouver quelle est la vraie réponse de quelqu’un. Des indices forts sont possibles, mais plus ils sont forts, plus ils sont rares.
    [value] Aucun résultat publié ne peut prouver que la valeur de quelqu’un dépasse { $gamma }. Des indices forts sont possibles, mais plus ils sont forts, plus ils sont rares.
   *[membership] Aucun résultat publié ne peut prouver que { unit-someone } est dans les données. Des indices forts sont possibles, mais plus ils sont forts, plus ils sont rares.
 }
worst-catastrophic = { $about ->
    [answer] Avec une probabilité d’{ who-most } { who-chance }, une réponse prouve quelle est la vraie réponse de quelqu’un.
    [value] Avec une probabilité d’{ who-most } { who-chance }, un résultat publié prouve si la valeur de quelqu’un dépasse { $gamma }.
   *[membership] Avec une probabilité d’{ who-most } { who-chance }, un résultat publié prouve qu’{ HUMAN($unit) ->
        [yes] une certaine personne
       *[no] { unit-one }
     } est dans les données.
 }
worst-undetermined = { $about ->
    [answer] Nous ne savons pas si une réponse peut prouver quelle est la vraie réponse de quelqu’un.
    [value] Nous ne savons pas si un résultat publié peut prouver que la valeur de quelqu’un dépasse { $gamma }.
   *[membership] Nous ne savons pas si un résultat publié peut prouver que { unit-someone } est dans les données.
 }
factor-huge = un très grand nombre
finding = Avec { $rate } de fausses alertes, la meilleure attaque identifie { who-most } { $power } des { who-in }.
relative = À ce taux de fausses alertes, la cote qu’une désignation soit juste est multipliée par { who-most } { $factor }.
advantage = La meilleure attaque fait mieux que le hasard d’{ who-most } { $advantage } (0 % : aucun gain, 100 % : certitude).
absence = { $about ->
    [answer] Supposons qu’ils excluent plutôt une réponse, à laquelle ils donnent { $prior } de chances{ unit-who }. Sur { $out_of } exclusions, { $before } seraient justes par hasard. Avec la réponse, { who-up-to } { $after }. (Ils excluent à raison { $fpr } des { who-out }.)
    [value] Supposons qu’ils excluent plutôt une valeur dépassant { $gamma }, à laquelle ils donnent { $prior } de chances{ unit-who }. Sur { $out_of } exclusions, { $before } seraient justes par hasard. Avec cette publication, { who-up-to } { $after }. (Ils excluent à raison { $fpr } des { who-out }.)
   *[membership] Supposons qu’ils excluent plutôt des { unit-many }, en leur donnant { $prior } de chances d’être dans les données{ unit-who }. Sur { $out_of } exclusions, { $before } seraient justes par hasard. Avec cette publication, { who-up-to } { $after }. (Ils excluent à raison { $fpr } des { who-out }.)
 }
you = { $apart ->
    [replace] Supposons que votre risque de préjudice dû à cette publication soit de { $before } avec les données d’une autre personne à la place des vôtres. Avec vos propres données, il est d’{ who-most } { $after }.
    [local] Supposons que votre risque de préjudice dû à votre réponse soit de { $before } si votre vraie réponse est l’une. Si c’est l’autre, il est d’{ who-most } { $after }.
    [value] Supposons que le risque de préjudice dû à cette publication soit de { $before } pour une valeur d’au plus { $gamma }. Pour une valeur supérieure, il est d’{ who-most } { $after }.
   *[add_remove] Supposons que votre risque de préjudice dû à cette publication soit de { $before } sans vos données. Avec vos données, il est d’{ who-most } { $after }.
 }
you-still = { $setting ->
    [local] Ce que toutes les réponses apprennent sur des gens comme vous, elles l’apprennent avec ou sans la vôtre. Ce n’est pas compté ici.
   *[central] Ce que la publication apprend sur tout le monde, elle l’apprend aussi sur vous, avec ou sans vos données. Ce n’est pas compté ici.
 }
delta-given = Delta : { who-chance }, comme indiqué.
delta-from_n = Delta : { who-chance }, la puissance de dix juste sous 1 ÷ (10 × nombre { unit-of-records }).
delta-default = Delta : { who-chance }, par défaut. Le nombre { unit-of-records } n’est pas indiqué. Nous n’avons donc pas pu vérifier que delta est assez petit.
neighbours = { $apart ->
    [replace] Nous comparons des jeux de données où { unit-one }{ unit-with } est remplacé par un autre cas.
    [local] Nous comparons deux vraies réponses { UNIT($unit, "of-one") }{ unit-with }.
    [value] Nous comparons des valeurs { UNIT($unit, "of-one") } : celles qui dépassent { $gamma } et les autres.
   *[add_remove] Nous comparons des jeux de données avec et sans { unit-one }{ unit-with }.
 }
answers-apart = La sensibilité indiquée est prise comme le plus grand écart entre deux vraies réponses { UNIT($unit, "of-one") }. Il en va de même des garanties.
unit-protected = { $n ->
    [0] Ce qui est protégé : { unit-one }{ unit-with }.
    [one] Ce qui est protégé : { unit-one }{ unit-with }. Il n’y a qu’{ unit-one-record }.
   *[other] Ce qui est protégé : { unit-one }{ unit-with }. Il y a { $n } { unit-records }.
 }
sampling-none = Aucun échantillon : tous les { unit-records } comptent dans chaque publication.
sampling-poisson = Chaque { unit-record } entre au hasard dans chaque échantillon, indépendamment des autres (échantillonnage de Poisson).
sampling-without_replacement = Chaque échantillon a un nombre fixe { unit-of-records }, tirés à nouveau au hasard.
sampling-one_in_clear = Un { unit-record } tiré au hasard est montré ouvertement, ou aucun.
sampling-unknown = Nous ne savons pas si des échantillons ont été tirés. Seule une garantie est indiquée.
setting = { $setting ->
    [local] Chaque réponse est modifiée au hasard avant l’envoi. Personne d’autre n’a la vraie réponse.
   *[central] L’organisme qui détient les données voit les vrais enregistrements. Du bruit est ajouté avant toute publication.
 }
attacker = { $about ->
    [answer] Les attaquants peuvent tout connaître sauf la vraie réponse et les nombres tirés au hasard. Ils cherchent laquelle de deux réponses { UNIT($unit, "of-one") } est vraie.
    [value] Les attaquants peuvent savoir comment le bruit est tiré et quelle était la probabilité de chaque valeur. Ils cherchent si la valeur { UNIT($unit, "of-one") } dépasse { $gamma }.
   *[membership] Les attaquants peuvent connaître tous les autres enregistrements et savoir comment le bruit est tiré. Ils cherchent si { unit-one } est dans les données.
 }
priors = Les chances indiquées sont { $priors }. Ce sont des exemples, pas des constats sur qui que ce soit.
prior-named = { $prior } ({ $name })
epsilon = Pour delta { $delta }, epsilon vaut { who-most } { $epsilon }.
epsilon-infinite = Pour delta { $delta }, il n’y a pas d’epsilon fini.
epsilon-unknown = Pour delta { $delta }, epsilon vaut au moins { $low }. Il peut être infini.
epsilon-delta = Un delta inférieur à { $proof } n’a pas d’epsilon : avec cette probabilité, un résultat prouve quelque chose. Indiquez un delta plus grand.
warning-mildest = Rien n’est affirmé sur cette publication. D’autres attaques peuvent montrer un risque plus élevé.
warning-claim_refuted = Les autres nombres décrivent ce qui a été affirmé, pas ce qui se passe.
warning-limit_exceeded = Une limite est dépassée ; voir Limites.
warning-limit_open = Une limite n’est ni prouvée ni dépassée ; voir Limites.
warning-power_missed = Le bruit laisse moins de puissance qu’il n’en faut ; voir Précision.
warning-plan_not_counted = Le plan utilise { $planned } d’une publication bruitée qui n’est pas comptée ici. Son risque s’ajoute. Évaluez les deux ensemble.
warning-catastrophic = Quelques personnes peuvent être entièrement exposées, si petites que soient les moyennes. Si les destinataires ne sont pas tenus au secret, choisissez un autre mécanisme.
warning-undetermined = Tant qu’on ne le sait pas, supposez qu’un résultat peut prouver quelque chose.
warning-answers_apart = Chaque réponse est bruitée à part, donc les sensibilités sont des écarts entre deux vraies réponses (2 pour des valeurs de -1 à 1). Si des réponses peuvent être plus éloignées, le risque est plus élevé.
warning-responses_seen = Une réponse cache quelle réponse est vraie, pas que quelqu’un a répondu. Qui voit de qui elle vient sait qui a participé.
warning-delta_not_below_one_in_n = Delta { $delta } n’est pas inférieur à 1 sur { $n }, le nombre { unit-of-records }. Avec un delta si grand, on pourrait publier ouvertement un enregistrement. Choisissez-en un plus petit.
warning-proof_not_below_one_in_n = Un résultat prouve quelque chose avec une probabilité de { $chance }. Ce n’est pas inférieur à 1 sur { $n }, le nombre { unit-of-records }. Un enregistrement publié ouvertement passerait aussi. Exigez un delta bien plus petit.
warning-poisson_batches = Ces nombres supposent un échantillonnage de Poisson. Ils ne valent pas si les données sont mélangées et coupées en lots de taille fixe.
warning-uniform_batches = Ces nombres supposent un nouvel échantillon à chaque fois. Ils ne valent pas si les données sont mélangées une fois et lues dans l’ordre.
warning-unknown_batches = Si la garantie compte sur des échantillons, ils doivent être tirés ainsi. Si les données ont seulement été mélangées et coupées, elle ne vaut pas.
warning-related_worse = Des attaquants qui savent comment des personnes sont liées en apprennent plus ; voir plus bas.
warning-search_not_exhaustive = Nous n’avons pas comparé toutes les attaques sur des enregistrements liés. D’autres peuvent en apprendre plus, jusqu’à la borne.
warning-relations_not_modelled = Des personnes peuvent être liées, par la famille, le lieu ou le temps. Un enregistrement en dit alors sur d’autres, et des attaquants peuvent en apprendre plus. Aucun modèle n’en est donné.
warning-guarantee_only = Nous connaissons une garantie, pas le mécanisme. Les nombres sont le pire qu’elle permette.
warning-guarantee_in_part = Pour une partie, nous connaissons une garantie, pas le mécanisme. Là, les nombres sont le pire qu’elle permette.
warning-roughly_known = Connu seulement de façon approchée : { $rough }.
warning-f_score_blind = Un score F (poids { $weight }) ne montre pas de différence entre publications d’epsilon inférieur à { $blind }. Ne le lisez jamais seul.
limit-kept = { $whom ->
    [related] Respectée, même si des personnes sont liées : { limit-asked } ; résultat { $answer }.
    [other] Respectée face à { $name } : { limit-asked } ; résultat { $answer }.
   *[release] Respectée : { limit-asked } ; résultat { $answer }.
 }
limit-exceeded = { $whom ->
    [related] Dépassée si des personnes sont liées : { limit-asked } ; résultat { $answer }.
    [other] Dépassée face à { $name } : { limit-asked } ; résultat { $answer }.
   *[release] Dépassée : { limit-asked } ; résultat { $answer }.
 }
limit-open = { $whom ->
    [related] Non prouvée si des personnes sont liées : { limit-asked } ; nous n’avons pu prouver que { $answer }.
    [other] Non prouvée face à { $name } : { limit-asked } ; nous n’avons pu prouver que { $answer }.
   *[release] Non prouvée : { limit-asked } ; nous n’avons pu prouver que { $answer }.
 }
limit-refuted = { $whom ->
    [related] Respectée seulement selon l’affirmation réfutée, si des personnes sont liées : { limit-asked } ; le résultat serait { $answer }.
    [other] Respectée seulement selon l’affirmation réfutée, face à { $name } : { limit-asked } ; le résultat serait { $answer }.
   *[release] Respectée seulement selon l’affirmation réfutée : { limit-asked } ; le résultat serait { $answer }.
 }
limit-asked = { $more ->
    [yes] { $question }, au plus { $bound }
   *[no] { $question }, au moins { $bound }
 }
limit-bound = { $more ->
    [yes] au plus { $bound }
   *[no] au moins { $bound }
 }
asked = { $more ->
    [yes] { $question } : { who-most } { $answer }.
   *[no] { $question } : { $mildest ->
        [yes] environ
       *[no] au moins
     } { $answer }.
 }
asked-related = { $more ->
    [yes] { $question }, pour la pire attaque sur des enregistrements liés : au plus { $answer }.
   *[no] { $question }, pour la pire attaque sur des enregistrements liés : au moins { $answer }.
 }
asked-infinite = { $question } : infini.
asked-unknown = { $question } : au moins { $low }, peut-être infini.
question-accuracy = fréquence à laquelle la meilleure attaque a raison ({ $blind } au hasard, pour { $prior } de chances)
question-advantage = avantage de l’attaque sur le hasard
question-attribute_inference = probabilité de deviner un détail sur quelqu’un ({ $baseline } sans son enregistrement)
question-attack_power = { $about ->
    [membership] part des personnes présentes qu’une attaque identifie (avec { $fpr } de fausses alertes)
   *[answer] part des cas vrais qu’une attaque identifie (avec { $fpr } de fausses alertes)
 }
question-auc = aire sous la courbe ROC de l’attaque
question-cost = moindre coût attendu de l’attaque (pour { $prior } de chances)
question-delta = delta pour epsilon { $epsilon }
question-epsilon = epsilon pour delta { $delta }
question-f_score = meilleur score F de l’attaque (poids { $weight }, pour { $prior } de chances)
question-inference_advantage = gain en détails devinés sur quelqu’un ({ $baseline } sont justes sans son enregistrement)
question-max_posterior = plus grande certitude qu’un résultat puisse donner (à partir de { $prior })
question-min_fpr = plus petit taux de fausses alertes d’une attaque qui manque au plus { $fnr }
question-mu = plus petit mu de la confidentialité différentielle gaussienne
question-posterior = { $about ->
    [membership] probabilité qu’une personne désignée soit dans les données (avec { $fpr } de fausses alertes, à partir de { $prior })
   *[answer] probabilité qu’un cas désigné soit vrai (avec { $fpr } de fausses alertes, à partir de { $prior })
 }
question-posterior_after_negative = { $about ->
    [membership] probabilité restante qu’une personne exclue soit dans les données (avec { $fpr } de fausses alertes, à partir de { $prior })
   *[answer] probabilité restante qu’un cas exclu soit vrai (avec { $fpr } de fausses alertes, à partir de { $prior })
 }
question-precision = part des désignations justes (si { $recall } sont identifiés, pour { $prior } de chances)
question-reconstruction = probabilité de rebâtir un enregistrement entier ({ $baseline } sans lui)
question-relative_risk = { $about ->
    [membership] facteur dont peut monter la cote d’être dans les données{ $never ->
        [yes] {" "}(même si peu sont désignés)
       *[no] {" "}(à partir de { $fpr } de fausses alertes)
     }
   *[answer] facteur dont peut monter la cote{ $never ->
        [yes] {" "}(même si peu sont désignés)
       *[no] {" "}(à partir de { $fpr } de fausses alertes)
     }
 }
question-renyi = divergence de Rényi d’ordre { $order }
answer-undefined = non défini
analyst = { $named ->
    [yes] { $name } :
   *[no] Le test :
 } sur { $out_of } études avec un vrai effet de { $effect }, au moins { $after } le trouvent. Sans bruit, ce seraient { $before }. S’il n’y a pas d’effet, au plus { $level } des études en affirment un.
analyst-kept = Cela garde la puissance qu’il faut, { $needed }.
analyst-missed = Cela manque la puissance qu’il faut, { $needed }.
analyst-plan = Le plan utilise { $values }.
analyst-value = { $noted ->
    [yes] { $name } = { $value } ({ analyst-source } : { $note })
   *[no] { $name } = { $value } ({ analyst-source })
 }
analyst-source = { $source ->
    [public] connu de tous
    [worst_case] le pire cas, quelles que soient les données
    [private_estimate] une publication bruitée à part
   *[not_stated] source non indiquée
 }
model-discrete = { $n ->
    [one] Le modèle n’a qu’{ unit-one }.
   *[other] { $n } { unit-many } sont liés comme le dit un tableau.
 }
model-markov = { $n ->
    [one] Le modèle n’a qu’{ unit-one }.
   *[other] Le modèle est une chaîne de { $n } { unit-many }. Chaque maillon dépend du précédent.
 }
model-gaussian = { $n ->
    [one] Le modèle n’a qu’{ unit-one }.
   *[other] Le modèle est un ensemble de nombres normaux liés, pour { $n } { unit-many }.
 }
model-gaussian_chain = { $n ->
    [one] Le modèle n’a qu’{ unit-one }.
   *[other] Le modèle est une chaîne de { $n } { unit-many } aux valeurs normales. Chaque maillon dépend du précédent.
 }
related-who = { $kind ->
    [named] { $name } : l’attaque vise l’enregistrement { $target } (compté à partir de 0) et { related-knows }.
    [worst] La pire attaque trouvée vise l’enregistrement { $target } (compté à partir de 0) et { related-knows }.
   *[unnamed] Une attaque vise l’enregistrement { $target } (compté à partir de 0) et { related-knows }.
 }
related-knows = { $knows ->
    [none] n’en connaît aucun autre
    [one] connaît l’enregistrement { $known }
    [some] connaît les enregistrements { $known }
    [many] en connaît { $count } autres
   *[all] connaît tous les autres
 }
related-determined = La valeur est ainsi déjà connue ; la publication n’ajoute rien.
related-belief = Selon le modèle, la valeur { $value } a { $before } de chances. Après cette publication, jusqu’à { $after } (avec { $fpr } de fausses alertes). Si les personnes n’étaient pas liées, { $alone }.
related-example = Supposons qu’une de deux valeurs ait { $before } de chances. Après cette publication, jusqu’à { $after } (avec { $fpr } de fausses alertes). Si les personnes n’étaient pas liées, { $alone }.
related-odds = { $bounded ->
    [yes] La cote entre deux valeurs change d’au plus un facteur { $factor }. La publication seule permet { $alone }.
   *[no] La cote entre deux valeurs change d’au plus un facteur { $factor }. La publication seule ne fixe pas de limite.
 }
related-unbounded = Les indices peuvent être aussi forts que l’on veut, mais les forts sont rares.
related-by-leakage = Nous ne calculons pas ensemble autant de publications. Ces nombres sont le maximum que permet la limite sur la cote.
related-sure = { $exhaustive ->
    [yes] { $compared ->
            [one] Il n’y a qu’une attaque à comparer.
           *[other] Nous avons comparé les { $compared } attaques. Aucune autre n’a un epsilon plus grand pour delta { $delta }.
         } Les limites sont jugées sur la pire de toutes.
   *[no] { $compared ->
            [one] Nous avons examiné une attaque.
           *[other] Nous avons comparé { $compared } attaques.
         } Pour delta { $delta }, l’epsilon de toute autre { $bounded ->
            [yes] est d’au plus { $bound }
           *[no] n’est pas borné
         }. Les limites sont jugées là-dessus.
 }
related-others = À ce taux de fausses alertes, une autre attaque peut être plus sûre, mais aucune ne dépasse { $most }.
audit-unclaimed = Rien n’est affirmé, il n’y a donc rien à réfuter. L’attaque prouve une borne inférieure du risque. Une autre peut en trouver plus.
audit-refuted = L’affirmation est réfutée (confiance { $confidence }). Avec au plus { $rate } de fausses alertes, { $named ->
    [yes] l’attaque « { $name } »
   *[no] l’attaque
 } identifie au moins { $measured } des { who-in }. La description en permet au plus { $claimed }.
audit-not_refuted = L’affirmation n’est pas réfutée (confiance { $confidence }). { $named ->
    [yes] L’attaque « { $name } »
   *[no] L’attaque
 } ne prouve pas plus que la description ne permet. Cela ne la confirme pas : une autre attaque peut en trouver plus.
audit-size = Mesuré sur { $n_in } scores avec la cible et { $n_out } sans elle. Epsilon vaut au moins { $epsilon } pour delta { $delta }, et { $pure } pour delta 0. Mu vaut au moins { $mu }.
audit-run-refuted = L’affirmation est réfutée (confiance { $confidence }). { audit-run-right } Si la description était vraie, { $takes } ou plus seraient trop.
audit-run-not_refuted = L’affirmation n’est pas réfutée (confiance { $confidence }). { audit-run-right } Il en faudrait { $takes }. Cela ne la confirme pas : une autre attaque peut en trouver plus.
audit-run-too_few = L’affirmation n’est pas réfutée (confiance { $confidence }). { audit-run-right } C’est trop peu pour réfuter quoi que ce soit, donc cela ne confirme rien.
audit-run-right = { $named ->
    [yes] Dans « { $name } », { $right } réponses sur { $guesses } à propos de témoins étaient justes.
   *[no] { $right } réponses sur { $guesses } à propos de témoins étaient justes.
 }
audit-run-size = Mesuré en une exécution avec { $canaries } témoins. Epsilon vaut au moins { $epsilon } pour delta { $delta }, et { $pure } pour delta 0. Mu vaut au moins { $mu }.
audit-assumes-scores = Cela ne vaut que si les scores sont indépendants et si l’attaque était fixée d’avance. Les scores de chaque côté doivent suivre une même loi.
audit-assumes-counts = Cela ne vaut que si les cas sont indépendants, et si l’attaque et le seuil étaient fixés d’avance. Les cas de chaque côté doivent suivre une même loi.
audit-assumes-points = Cela ne vaut que si les cas derrière les taux publiés sont indépendants et si l’attaque était fixée d’avance. Les cas de chaque côté doivent suivre une même loi.
audit-assumes-run = Cela ne vaut que si une pièce équilibrée a décidé pour chaque témoin. L’attaque n’a vu aucune pièce. L’attaque et le nombre de réponses étaient fixés d’avance.
audit-several = Il y a { $count } audits. Si la description est vraie, la probabilité que l’un d’eux la réfute est d’au plus { $error }.
not-covered-singling = N’importe qui : les nombres valent pour une cible choisie d’avance. En trouver une quelconque est plus facile.
not-covered-reconstruction = Reconstruction : la probabilité de rebâtir un enregistrement entier est une autre question.
not-covered-attributes = Détails : la probabilité d’en deviner un sur quelqu’un qui est dans les données est une autre question.
not-covered-baseline = Devinettes sans l’enregistrement : leur taux de réussite est déclaré. Nous ne pouvons pas le vérifier.
not-covered-others = Autres publications sur les mêmes { unit-many } : les risques s’ajoutent. Comptez-les toutes.
not-covered-implementation = Erreurs de logiciel : un mécanisme bâti autrement, une sensibilité trop petite, un hasard de mauvaise qualité.
not-covered-floating = Arrondis : les derniers chiffres d’un bruit en virgule flottante ordinaire peuvent trahir quelque chose.
not-covered-several = { $several ->
    [yes] Groupes plus grands : une famille, ou plus d’enregistrements par unité qu’indiqué, court un risque plus grand.
   *[no] Groupes plus grands : une famille, ou plusieurs enregistrements { UNIT($unit, "of-one") }, court un risque plus grand.
 }
not-covered-unrelated = Liens : aucun modèle de la dépendance entre enregistrements n’est donné.
not-covered-related = Autres liens : les nombres valent si des personnes sont liées comme le dit le modèle.
declared-purpose = But
declared-benefits = Bénéfices attendus
declared-nature = Nature des données
declared-recipients = Destinataires
declared-decided_by = Qui décide
declared-reasons = Pourquoi
declared = { $name } : { $value }
declared-missing = Non indiqué : { $missing }.
declared-nothing = Le but, les données, les destinataires et la décision ne sont pas indiqués.
published = { $named ->
    [yes] { $name } : { $what }.
   *[no] { $what }.
 }
published-mildest = Rien n’en est affirmé. Les nombres sont ceux de la publication la moins risquée qui explique l’attaque :
published-other = Une publication qu’aucun fichier ne peut contenir : { $what }.
release-additive_noise = Un nombre avec un bruit de loi { $noise }
release-approximate_dp = Seule une garantie est indiquée : epsilon { $epsilon }, delta { $delta }
release-continuous_pair = Un nombre qui suit l’une de deux lois, { $p } ou { $q }
release-discrete_gaussian = Des nombres entiers avec un bruit gaussien discret, sigma { $sigma }
release-dpsgd = Un modèle entraîné par DP-SGD : { $steps } pas, facteur de bruit { $noise_multiplier }, chaque { unit-record } à chaque pas avec une probabilité de { $sample_rate }
release-exponential = Un choix par le mécanisme exponentiel ou un semblable, epsilon { $epsilon }
release-finite_pair = L’un de { $p } résultats
release-gaussian = Des nombres avec un bruit gaussien, écart-type { $sigma }
release-gaussian_dp = Seule une garantie est indiquée : DP gaussienne de mu { $mu }
release-geometric = Des nombres entiers avec un bruit géométrique bilatéral, échelle { $scale }
release-laplace = Des nombres avec un bruit de Laplace, échelle { $scale }
release-privacy_profile = Seule une garantie est indiquée : delta pour { $epsilons } valeurs d’epsilon
release-randomized_response = La réponse de chaque { UNIT($unit, "name") }, modifiée au hasard parmi { $categories } possibles, epsilon { $epsilon }
release-renyi_dp = Seule une garantie est indiquée : DP de Rényi à { $orders } ordres
release-staircase = Des nombres avec un bruit en escalier, epsilon { $epsilon }
release-trade_off_points = Seule une garantie est indiquée : les deux erreurs de l’attaque en { $alphas } coins de leur courbe
release-uniform_sampling = Un enregistrement tiré au hasard parmi { $n } { unit-records }, ou aucun (mu { $mu })
release-zero_concentrated_dp = Seule une garantie est indiquée : DP à concentration nulle, rho { $rho }
release-composed = Plusieurs publications ensemble, listées plus bas
release-subsampled = Une publication, listée plus bas, d’une part au hasard des { unit-records } ({ $rate })
release-grouped = Une publication, listée plus bas, avec jusqu’à { $size_here } enregistrements par { UNIT($unit, "name") }
release-failing = Une publication, listée plus bas, qui montre tout avec une probabilité de { $probability }
release-value_above = Une publication, listée plus bas, où l’on demande si une valeur dépasse { $gamma }
release-replaced = Une publication, listée plus bas, où { unit-one } part et un autre cas arrive
release-sensitive = { $about ->
    [answer] { $what } ; deux vraies réponses diffèrent d’au plus { $sensitivity }
   *[membership] { $what } ; { unit-one-record } change le résultat d’au plus { $sensitivity }
 }
release-sensitive-apart = { $what } ; deux vraies réponses diffèrent d’au plus { $sensitivity }
release-sampled = { $what } ; d’une part au hasard des { unit-records }, chacun avec une probabilité de { $sample_rate }
release-repeated = { $what } ; { $repeat } fois, avec un bruit nouveau à chaque fois
release-fails = { $what } ; avec une probabilité de { $fails_with }, tout est montré
release-group = { $what } ; { unit-one } a jusqu’à { $group } enregistrements
