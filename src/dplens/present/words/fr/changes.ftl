### Ce qui a changé entre deux évaluations, et des publications côte à côte ; voir en/changes.ftl.

changed-risk = { $risk ->
    [higher] Le risque est plus élevé qu’avant.
    [lower] Le risque est plus faible qu’avant.
    [mixed] Le risque est plus élevé selon certaines mesures, plus faible selon d’autres.
   *[same] Le risque est le même qu’avant.
 }
changed-by-description = { $risk ->
    [higher] D’après les seules descriptions, le risque est plus élevé qu’avant.
    [lower] D’après les seules descriptions, le risque est plus faible qu’avant.
    [mixed] D’après les seules descriptions, le risque est plus élevé selon certaines mesures, plus faible selon d’autres.
   *[same] D’après les seules descriptions, le risque est le même.
 }
changed-refuted-before = Une attaque mesurée montre que le risque était auparavant plus élevé qu’indiqué.
changed-refuted-after = Une attaque mesurée montre que le risque est maintenant plus élevé qu’indiqué.
changed-refuted-both = Des attaques mesurées montrent que le risque, avant comme maintenant, est plus élevé qu’indiqué.
changed-mildest = Le vrai risque peut être plus élevé : certains nombres ne reposent sur aucune affirmation.
changed-related-before = Seuls les anciens nombres tiennent compte de ce que révèlent les enregistrements liés.
changed-related-after = Seuls les nouveaux nombres tiennent compte de ce que révèlent les enregistrements liés.
changed-related-bound = Ce que les enregistrements liés peuvent révéler a changé.
changed-missed = Nous ne pouvons pas prouver une limite vérifiée seulement maintenant : { $question }, { limit-bound }.
changed-nothing = Rien n’a changé.
changed-neighbours = Attention : l’unité protégée ou la comparaison a changé. Les anciens nombres et les nouveaux répondent à des questions différentes.
changed-failure = Pire cas avant : { $before ->
    [none] la cote avait une limite
    [graceful] aucun résultat ne pouvait rien prouver, mais la cote n’avait pas de limite
    [catastrophic] un résultat pouvait prouver quelque chose
   *[undetermined] inconnu
 }. Pire cas maintenant : { $after ->
    [none] la cote a une limite
    [graceful] aucun résultat ne peut rien prouver, mais la cote n’a pas de limite
    [catastrophic] un résultat peut prouver quelque chose
   *[undetermined] inconnu
 }.
changed-input = Modifié : { $place }, de { $before } à { $after }.
changed-new = Nouveau : { $place }, { $after }.
changed-gone = Supprimé : { $place }, qui valait { $before }.
changed-none = rien
changed-answer = { $question } : { $before } avant, { $after } maintenant.
changed-related = Si des personnes sont liées, { $question } : { $before } avant, { $after } maintenant.
changed-power = Puissance de l’analyse « { $name } » : { $before } avant, { $after } maintenant.
changed-asked = Question posée seulement maintenant : { $question }.
changed-unasked = Question posée seulement avant : { $question }.
changed-limit = { $met ->
    [yes] Nous pouvons maintenant prouver le respect d’une limite, ce qui n’était pas le cas avant : { $question }, { limit-bound }.
   *[no] Nous ne pouvons plus prouver le respect d’une limite, ce qui était le cas avant : { $question }, { limit-bound }.
 }
compared-safer = { $a } protège mieux que { $b }, quel que soit le taux de fausses alertes.
compared-riskier = { $b } protège mieux que { $a }, quel que soit le taux de fausses alertes.
compared-equal = { $a } et { $b } protègent autant. Nous ne pouvons prouver aucune différence.
compared-crossing = { $where ->
    [none] Aucune des deux ne protège toujours mieux : les courbes de { $a } et { $b } se croisent.
   *[some] Aucune des deux ne protège toujours mieux : les courbes de { $a } et { $b } se croisent à { $rates } de fausses alertes.
 }
compared-by-description = D’après les seules descriptions : { $said }
compared-refuted = Une attaque mesurée montre que le risque de { $name } est plus élevé qu’indiqué.
compared-next-to = { $end ->
    [zero] presque 0
   *[all] presque 100 %
 }
compared-neighbours = Attention : { $a } et { $b } ne comparent pas la même chose ({ $first } ; { $second }). Leurs courbes répondent à des questions différentes.
compared-by = Comparaison selon : { $question }
compared-head-release = publication
compared-head-answer = réponse
compared-head-variance = variance du bruit
compared-head-equal = à risque égal à la première
compared-from = De { $a } à { $b } :
