# Comment s’appellent les requêtes et leur bruit. Les autres mécanismes sont dans card.ftl.
release-bounded_noise = nombres entiers avec un bruit borné à { $values } valeurs possibles
