"""The grammar of German that its texts need: units that scenarios are often about, with their gender and cases."""

from __future__ import annotations

# English name: (gender, singular, singular in dative and accusative, plural, plural in dative)
_UNITS = {
    "person": ("f", "Person", "Person", "Personen", "Personen"),
    "resident": ("m", "Einwohner", "Einwohner", "Einwohner", "Einwohnern"),
    "household": ("m", "Haushalt", "Haushalt", "Haushalte", "Haushalten"),
    "patient": ("m", "Patient", "Patienten", "Patienten", "Patienten"),
    "visitor": ("m", "Besucher", "Besucher", "Besucher", "Besuchern"),
    "respondent": ("m", "Befragter", "Befragten", "Befragte", "Befragten"),
    "user": ("m", "Nutzer", "Nutzer", "Nutzer", "Nutzern"),
    "customer": ("m", "Kunde", "Kunden", "Kunden", "Kunden"),
    "employee": ("m", "Beschäftigter", "Beschäftigten", "Beschäftigte", "Beschäftigten"),
    "student": ("m", "Student", "Studenten", "Studenten", "Studenten"),
    "child": ("n", "Kind", "Kind", "Kinder", "Kindern"),
    "family": ("f", "Familie", "Familie", "Familien", "Familien"),
    "visit": ("m", "Besuch", "Besuch", "Besuche", "Besuchen"),
    "record": ("m", "Datensatz", "Datensatz", "Datensätze", "Datensätzen"),
    "company": ("n", "Unternehmen", "Unternehmen", "Unternehmen", "Unternehmen"),
    "training example": ("n", "Trainingsbeispiel", "Trainingsbeispiel", "Trainingsbeispiele", "Trainingsbeispielen"),
}
_ARTICLES = {
    "m": ("ein", "einem", "einen", "jedem"),
    "f": ("eine", "einer", "eine", "jeder"),
    "n": ("ein", "einem", "ein", "jedem"),
}
_FORMS = ("one", "dative", "accusative", "each")
_HUMAN = ("person", "resident", "patient", "visitor", "respondent", "user", "customer", "employee", "student", "child")


def unit(name: str, form: str) -> str:
    """A unit in a form: one (eine Person), dative, accusative, each (jeder Person), name, many, many-dative."""
    known = _UNITS.get(name.lower())
    if known is None:  # any other word is quoted
        known = ("f", f"Einheit („{name}“)", f"Einheit („{name}“)", f"Einheiten („{name}“)", f"Einheiten („{name}“)")
    gender, one, oblique, many, many_dative = known
    if form in ("many", "many-dative", "name"):
        return {"many": many, "many-dative": many_dative, "name": one}[form]
    article = _ARTICLES[gender][_FORMS.index(form)]
    return f"{article} {one if form == 'one' else oblique}"


def human(name: str) -> str:
    """Whether a unit is a human being: "yes" or "no"."""
    return "yes" if name.lower() in _HUMAN else "no"


FUNCTIONS = {"UNIT": unit, "HUMAN": human}
