# Wie Abfragen und ihr Rauschen heißen. Die übrigen Mechanismen stehen in card.ftl.
release-bounded_noise = ganze Zahlen mit beschränktem Rauschen von { $values } möglichen Werten
