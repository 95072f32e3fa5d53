# What queries and their noise are called. The other mechanisms are in card.ftl.
release-bounded_noise = whole numbers with bounded noise of { $values } possible values
