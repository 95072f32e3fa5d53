"""How fast dplens is, against the bare functions it needs and against its peers: `make bench`."""
