### Ce que les commandes affichent en plus des fiches et des rapports ; voir en/commands.ftl.

written = Écrit : { $file }
written-bytes = Écrit : { $file } ({ $bytes } octets)
every-number = Tous les nombres avec leurs bornes
every-head-question = question
every-head-answer = réponse
every-head-low = bas
every-head-high = haut
every-head-route = connu par
calibrated = { $name } = { $value }
calibrate-refused = { $larger ->
    [yes] Aucune limite n’a été atteinte : dplens n’accepte pas ici de { $name } plus grand. { $why }
   *[no] Aucune limite n’a été atteinte : dplens n’accepte pas ici de { $name } plus petit. { $why }
 }
convert-epsilon = epsilon pour delta { $delta }
convert-mu = mu (confidentialité différentielle gaussienne)
convert-zcdp = rho (à concentration nulle)
convert-renyi = divergence de Rényi d’ordre { $order }
convert-delta = delta pour epsilon { $epsilon }
convert-power = identifié avec { $rate } de fausses alertes
convert-advantage = avantage
convert-auc = aire sous la courbe ROC (jamais seule)
convert-head-notion = notion
convert-head-value = valeur
convert-failure = { $failure ->
    [none] Pire cas : la cote a une limite.
    [graceful] Pire cas : aucun résultat ne peut rien prouver, mais la cote n’a pas de limite.
    [catastrophic] Pire cas : un résultat peut prouver quelque chose.
   *[undetermined] Pire cas : non connu.
 }
audit-proved = Prouvé avec { $confidence } de confiance
audit-head-bound = borne
audit-head-least = au moins
audit-all-guessed = Nous supposons que l’attaque a répondu pour chaque témoin. S’il y en avait plus, indiquez --canaries.
power-noise = Puissance avec le bruit : { $power } (arrondie vers le bas).
power-none = Puissance sans bruit : { $power }.
power-solved = { $name } = { $value }
power-reached = Cela donne une puissance de { $power }.
choose-every = Toutes les familles que nous avons examinées
choose-head-family = famille
choose-head-noise = bruit
choose-head-worst = pire cas
choose-head-power = puissance
choose-head-admissible = possible
choose-worst = { $failure ->
    [none] cote limitée
    [graceful] pas de preuve
    [catastrophic] preuve possible
   *[undetermined] non connu
 }
choose-yes = oui
choose-no = non : { $why }
reproduced-number = { $what } : imprimé { $printed }, chez nous { $ours } ({ $reading }).
reproduced-errors = Les articles se trompent à { $count } endroits : { $file }
ask-blatant = Un résultat peut-il prouver que quelqu’un est dans les données ?
ask-sure = Une attaque peut-elle devenir aussi sûre que l’on veut, même rarement ?
ask-power = Quelle puissance doit rester ?
ask-door = Par où commencez-vous ?
ask-door-privacy = J’ai une limite pour le risque (la protection d’abord)
ask-door-utility = J’ai besoin de cette puissance (l’utilité d’abord)
ask-limit = Comment indiquez-vous le risque que vous pouvez accepter ?
ask-limit-odds = de combien la cote peut monter
ask-limit-members = combien de personnes présentes une attaque peut identifier
ask-factor = De quel facteur la cote peut-elle monter, au plus ?
ask-rate = À quel taux de fausses alertes ?
ask-share = Quelle part des personnes présentes peut-elle identifier, au plus ?
ask-analysis = Y a-t-il une analyse qui a besoin du nombre ?
ask-n = Nombre d’enregistrements
ask-low = Plus petite valeur possible d’un enregistrement
ask-high = Plus grande valeur possible
ask-effect = Différence de la moyenne qu’il faut voir
ask-level = Probabilité d’une fausse alerte que vous acceptez
