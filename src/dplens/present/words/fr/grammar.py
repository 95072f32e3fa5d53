"""The grammar of French that its texts need: units that scenarios are often about, with their gender and plural."""

from __future__ import annotations

# English name: (gender, singular, plural)
_UNITS = {
    "person": ("f", "personne", "personnes"),
    "resident": ("m", "habitant", "habitants"),
    "household": ("m", "ménage", "ménages"),
    "patient": ("m", "patient", "patients"),
    "visitor": ("m", "visiteur", "visiteurs"),
    "respondent": ("m", "répondant", "répondants"),
    "user": ("m", "utilisateur", "utilisateurs"),
    "customer": ("m", "client", "clients"),
    "employee": ("m", "employé", "employés"),
    "student": ("m", "étudiant", "étudiants"),
    "child": ("m", "enfant", "enfants"),
    "family": ("f", "famille", "familles"),
    "visit": ("f", "visite", "visites"),
    "record": ("m", "enregistrement", "enregistrements"),
    "company": ("f", "entreprise", "entreprises"),
    "training example": ("m", "exemple d’entraînement", "exemples d’entraînement"),
}
_HUMAN = ("person", "resident", "patient", "visitor", "respondent", "user", "customer", "employee", "student", "child")


def unit(name: str, form: str) -> str:
    """A unit in a form: one (une personne), of-one (d’une personne), of (de personnes), name, many."""
    gender, one, many = _UNITS.get(name.lower(), ("f", f"unité (« {name} »)", f"unités (« {name} »)"))
    article = "une" if gender == "f" else "un"
    link = "d’" if many[0] in "aeéhiou" else "de "
    return {
        "one": f"{article} {one}",
        "of-one": f"d’{article} {one}",
        "of": f"{link}{many}",
        "name": one,
        "many": many,
    }[form]


def human(name: str) -> str:
    """Whether a unit is a human being: "yes" or "no"."""
    return "yes" if name.lower() in _HUMAN else "no"


FUNCTIONS = {"UNIT": unit, "HUMAN": human}
