"""The grammar of French that its texts need: units that scenarios are often about, with their gender and plural."""

from __future__ import annotations

# English name: (gender, singular, plural)
_UNITS = {
    "person": ("f", "personne", "personnes"),
    "individual": ("m", "individu", "individus"),
    "resident": ("m", "habitant", "habitants"),
    "inhabitant": ("m", "habitant", "habitants"),
    "citizen": ("m", "citoyen", "citoyens"),
    "adult": ("m", "adulte", "adultes"),
    "child": ("m", "enfant", "enfants"),
    "woman": ("f", "femme", "femmes"),
    "man": ("m", "homme", "hommes"),
    "member": ("m", "membre", "membres"),
    "participant": ("m", "participant", "participants"),
    "patient": ("m", "patient", "patients"),
    "visitor": ("m", "visiteur", "visiteurs"),
    "passenger": ("m", "passager", "passagers"),
    "respondent": ("f", "personne interrogée", "personnes interrogées"),
    "user": ("m", "utilisateur", "utilisateurs"),
    "subscriber": ("m", "abonné", "abonnés"),
    "customer": ("m", "client", "clients"),
    "client": ("m", "client", "clients"),
    "employee": ("m", "salarié", "salariés"),
    "worker": ("m", "travailleur", "travailleurs"),
    "student": ("m", "étudiant", "étudiants"),
    "pupil": ("m", "élève", "élèves"),
    "taxpayer": ("m", "contribuable", "contribuables"),
    "voter": ("m", "électeur", "électeurs"),
    "household": ("m", "ménage", "ménages"),
    "family": ("f", "famille", "familles"),
    "dwelling": ("m", "logement", "logements"),
    "company": ("f", "entreprise", "entreprises"),
    "school": ("f", "école", "écoles"),
    "hospital": ("m", "hôpital", "hôpitaux"),
    "visit": ("f", "visite", "visites"),
    "stay": ("m", "séjour", "séjours"),
    "trip": ("m", "trajet", "trajets"),
    "session": ("f", "session", "sessions"),
    "transaction": ("f", "transaction", "transactions"),
    "device": ("m", "appareil", "appareils"),
    "phone": ("m", "téléphone", "téléphones"),
    "sensor": ("m", "capteur", "capteurs"),
    "vehicle": ("m", "véhicule", "véhicules"),
    "account": ("m", "compte", "comptes"),
    "message": ("m", "message", "messages"),
    "image": ("f", "image", "images"),
    "record": ("m", "enregistrement", "enregistrements"),
    "survivor": ("m", "survivant", "survivants"),
    "driver": ("m", "conducteur", "conducteurs"),
    "building": ("m", "bâtiment", "bâtiments"),
    "business": ("f", "entreprise", "entreprises"),
    "firm": ("f", "entreprise", "entreprises"),
    "establishment": ("m", "établissement", "établissements"),
    "car": ("f", "voiture", "voitures"),
    "case": ("m", "cas", "cas"),
    "event": ("m", "événement", "événements"),
    "purchase": ("m", "achat", "achats"),
    "document": ("m", "document", "documents"),
    "measurement": ("f", "mesure", "mesures"),
    "answer": ("f", "réponse", "réponses"),
    "response": ("f", "réponse", "réponses"),
    "training example": ("m", "exemple d’entraînement", "exemples d’entraînement"),
}
_KNOWN = {one: (gender, one, many) for gender, one, many in _UNITS.values()} | _UNITS  # units in French are understood
_PEOPLE = (
    *("person", "individual", "resident", "inhabitant", "citizen", "adult", "child", "woman", "man", "member"),
    *("participant", "patient", "visitor", "passenger", "respondent", "user", "subscriber", "customer", "client"),
    *("employee", "worker", "student", "pupil", "taxpayer", "voter", "survivor", "driver"),
)
_SEVERAL = {"people": "person", "children": "child", "men": "man", "women": "woman"}
_HUMAN = frozenset([*_PEOPLE, *(_UNITS[name][1] for name in _PEOPLE)])
_VOWELS = "aàâeéèêhiîoôuœ"  # no unit of the list begins with an aspirated h


def _known(name: str) -> str:
    """A unit as the table has it, or the name in small letters."""
    small = name.lower()
    known = _SEVERAL.get(small, small)
    return known if known in _KNOWN else known.removesuffix("s")


def unit(name: str, form: str) -> str:
    """A unit in a form: one (une famille), other (une autre), of-one (d’une famille), of (de familles), name, many.

    Or its article (une, the: la), its pronoun (it: elle), the first of a row, or the ending of its adjectives (e).
    """
    gender, one, many = _KNOWN.get(_known(name), ("f", f"unité (« {name} »)", f"unités (« {name} »)"))
    article = "une" if gender == "f" else "un"
    link = "d’" if many[0] in _VOWELS else "de "
    return {
        "one": f"{article} {one}",
        "other": f"{article} autre",
        "of-one": f"d’{article} {one}",
        "of": f"{link}{many}",
        "article": article,
        "it": "elle" if gender == "f" else "il",
        "the": "la" if gender == "f" else "le",
        "first": f"la première {one}" if gender == "f" else f"le premier {one}",
        "e": "e" if gender == "f" else "",
        "name": one,
        "many": many,
    }[form]


def human(name: str) -> str:
    """Whether a unit is a human being: "yes" or "no"."""
    return "yes" if _known(name) in _HUMAN else "no"


FUNCTIONS = {"UNIT": unit, "HUMAN": human}
