### Ce que les commandes affichent en plus des fiches et des rapports ; voir en/commands.ftl.

written = Fichier écrit : { $file }
written-bytes = Fichier écrit : { $file } ({ $bytes } octets)
every-number = Tous les nombres et leurs bornes
every-head-question = question
every-head-answer = réponse
every-head-low = borne basse
every-head-high = borne haute
every-head-route = méthode
route-short = { $route ->
    [enumeration] énumération
    [shift] décalage
    [cells] cellules
    [leakage] fuite
    [convolution] convolution
    [search] recherche
    [limit] loi limite
    [unknown] inconnue
    [exact] exacte
    [contour] contour
    [grid] grille
    [orders] ordres
    [lattice] réseau
    [spline] spline
    [imported] reprise
    [measured] mesure
    [simulation] simulation
   *[other] { $route }
 }
waiting-assess = Évaluation en cours … (Ctrl-C pour arrêter)
waiting-report = Rédaction du rapport … (Ctrl-C pour arrêter)
waiting-compare = Comparaison en cours … (Ctrl-C pour arrêter)
waiting-search = Recherche en cours … (Ctrl-C pour arrêter)
waiting-convert = Conversion en cours … (Ctrl-C pour arrêter)
waiting-families = Examen de toutes les familles de bruit … (Ctrl-C pour arrêter)
waiting-draw = Tracé de la plage possible … (Ctrl-C pour arrêter)
waiting-count = Décompte en cours … (Ctrl-C pour arrêter)
waiting-power = Calcul de la puissance … (Ctrl-C pour arrêter)
waiting-solve = Résolution en cours … (Ctrl-C pour arrêter)
waiting-worst = Recherche de la pire attaque … (Ctrl-C pour arrêter)
calibrated = { $name } = { $value }
calibrate-refused = { $larger ->
    [yes] Aucune limite n’est atteinte : dplens n’accepte pas ici de valeur plus grande de { $name }. { $why }
   *[no] Aucune limite n’est atteinte : dplens n’accepte pas ici de valeur plus petite de { $name }. { $why }
 }
convert-epsilon = epsilon pour delta = { $delta }
convert-mu = mu (confidentialité différentielle gaussienne)
convert-zcdp = rho (zéro-concentrée)
convert-renyi = divergence de Rényi d’ordre { $order }
convert-delta = delta pour epsilon = { $epsilon }
convert-power = part identifiée avec { $rate } de fausses alertes
convert-advantage = avantage
convert-auc = aire sous la courbe ROC (à ne jamais lire seule)
convert-head-notion = notion
convert-head-value = valeur
convert-failure = { $failure ->
    [none] Pire cas : la cote a une limite.
    [graceful] Pire cas : aucun résultat ne peut rien prouver, mais la cote n’a pas de limite.
    [catastrophic] Pire cas : un résultat peut prouver quelque chose.
   *[undetermined] Pire cas : inconnu.
 }
audit-proved = Prouvé à un niveau de confiance de { $confidence }
audit-head-bound = borne
audit-head-least = au moins
audit-all-guessed = Nous supposons que l’attaque a répondu pour chaque témoin. S’il y a plus de témoins que de réponses, indiquez leur nombre (--canaries).
power-noise = Puissance avec le bruit : { $power } (arrondie vers le bas).
power-none = Puissance sans bruit : { $power }.
power-solved = { $name } = { $value }
power-reached = On obtient ainsi une puissance de { $power }.
choose-every = Toutes les familles examinées
choose-head-family = famille
choose-head-noise = bruit
choose-head-worst = pire cas
choose-head-power = puissance
choose-head-admissible = acceptable
choose-worst = { $failure ->
    [none] cote limitée
    [graceful] preuve impossible
    [catastrophic] preuve possible
   *[undetermined] inconnu
 }
choose-yes = oui
choose-no = non
choose-noise = { parameter-name } = { $amount }
leak-described = L’attaque que vous décrivez
reproduced-head-name = nom
reproduced-head-place = endroit
reproduced-head-verdict = verdict
reproduced-head-what = sujet
reproduced-verdict = { $verdict ->
    [MATCHES] concorde
    [CORRECTED] concorde après correction d’une faute d’impression
    [CONDITION] vaut sous une condition
   *[FAILS] ne vaut pas
 }
reproduced-reading = { $reading ->
    [rounded] arrondi
    [cut] tronqué
   *[differs] différent
 }
reproduced-number = { $what } : valeur publiée { $printed }, la nôtre { $ours } ({ reproduced-reading }).
reproduced-errors = Les articles contiennent des erreurs à { $count } endroits : { $file }
ask-or = { $first } ou { $second }
ask-blatant = Acceptez-vous qu’un résultat prouve que quelqu’un figure dans les données ?
ask-sure = Acceptez-vous qu’une attaque devienne aussi sûre d’elle que l’on veut, même rarement ?
ask-power = Quelle puissance faut-il conserver ?
ask-door = Par quoi commencez-vous ?
ask-door-privacy = J’ai une limite pour le risque (la protection d’abord)
ask-door-utility = J’ai besoin de cette puissance (l’utilité d’abord)
ask-limit = Comment indiquez-vous le risque que vous pouvez accepter ?
ask-limit-odds = par combien la cote peut être multipliée
ask-limit-members = combien de personnes présentes une attaque peut identifier
ask-factor = Par combien la cote peut-elle être multipliée, au plus ?
ask-rate = À quel taux de fausses alertes ?
ask-share = Quelle part des personnes présentes une attaque peut-elle identifier, au plus ?
ask-analysis = Une analyse a-t-elle besoin du nombre publié ?
ask-n = Nombre d’enregistrements
ask-low = Plus petite valeur possible d’un enregistrement
ask-high = Plus grande valeur possible
ask-effect = Différence de moyenne à détecter
ask-level = Probabilité de fausse alerte que vous acceptez
