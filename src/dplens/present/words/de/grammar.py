"""The grammar of German that its texts need: units that scenarios are often about, with their gender and cases."""

from __future__ import annotations

# English name: gender, singular, genitive, plural, plural in dative; then the singular in dative and accusative if it
# is not the first, or each of them. Gender "a" is an adjective used as a masculine noun: ein Erwachsener, jeder
# Erwachsene; gender "e" is an adjective before a feminine noun: eine befragte Person, alle befragten Personen.
# "P." stands for "Person".
_TABLE = """
person           f Person Person Personen Personen
individual       f Person Person Personen Personen
adult            a Erwachsener Erwachsenen Erwachsene Erwachsenen
child            n Kind Kindes Kinder Kindern
woman            f Frau Frau Frauen Frauen
man              m Mann Mannes Männer Männern
resident         m Einwohner Einwohners Einwohnerinnen_und_Einwohner Einwohnerinnen_und_Einwohnern
inhabitant       m Einwohner Einwohners Einwohnerinnen_und_Einwohner Einwohnerinnen_und_Einwohnern
citizen          m Bürger Bürgers Bürger Bürgern
voter            a Wahlberechtigter Wahlberechtigten Wahlberechtigte Wahlberechtigten
taxpayer         a Steuerpflichtiger Steuerpflichtigen Steuerpflichtige Steuerpflichtigen
patient          m Patient Patienten Patienten Patienten Patienten
survivor         a Überlebender Überlebenden Überlebende Überlebenden
visitor          m Besucher Besuchers Besucher Besuchern
passenger        m Fahrgast Fahrgastes Fahrgäste Fahrgästen
driver           m Fahrer Fahrers Fahrer Fahrern
respondent       e befragte_P. befragten_P. befragte_P.en befragten_P.en befragten_P. befragte_P.
participant      m Teilnehmer Teilnehmers Teilnehmer Teilnehmern
member           n Mitglied Mitglieds Mitglieder Mitgliedern
subscriber       m Abonnent Abonnenten Abonnenten Abonnenten Abonnenten
user             m Nutzer Nutzers Nutzer Nutzern
customer         m Kunde Kunden Kunden Kunden Kunden
client           m Klient Klienten Klienten Klienten Klienten
employee         a Beschäftigter Beschäftigten Beschäftigte Beschäftigten
worker           a Beschäftigter Beschäftigten Beschäftigte Beschäftigten
student          a Studierender Studierenden Studierende Studierenden
pupil            m Schüler Schülers Schüler Schülern
household        m Haushalt Haushalts Haushalte Haushalten
family           f Familie Familie Familien Familien
dwelling         f Wohnung Wohnung Wohnungen Wohnungen
building         n Gebäude Gebäudes Gebäude Gebäuden
company          n Unternehmen Unternehmens Unternehmen Unternehmen
business         n Unternehmen Unternehmens Unternehmen Unternehmen
firm             n Unternehmen Unternehmens Unternehmen Unternehmen
establishment    m Betrieb Betriebs Betriebe Betrieben
school           f Schule Schule Schulen Schulen
hospital         n Krankenhaus Krankenhauses Krankenhäuser Krankenhäusern
device           n Gerät Geräts Geräte Geräten
phone            n Telefon Telefons Telefone Telefonen
sensor           m Sensor Sensors Sensoren Sensoren
vehicle          n Fahrzeug Fahrzeugs Fahrzeuge Fahrzeugen
car              n Auto Autos Autos Autos
trip             f Fahrt Fahrt Fahrten Fahrten
visit            m Besuch Besuchs Besuche Besuchen
stay             m Aufenthalt Aufenthalts Aufenthalte Aufenthalten
case             m Fall Falls Fälle Fällen
event            n Ereignis Ereignisses Ereignisse Ereignissen
transaction      f Transaktion Transaktion Transaktionen Transaktionen
purchase         m Kauf Kaufs Käufe Käufen
account          n Konto Kontos Konten Konten
session          f Sitzung Sitzung Sitzungen Sitzungen
message          f Nachricht Nachricht Nachrichten Nachrichten
document         n Dokument Dokuments Dokumente Dokumenten
image            n Bild Bilds Bilder Bildern
measurement      f Messung Messung Messungen Messungen
answer           f Antwort Antwort Antworten Antworten
response         f Antwort Antwort Antworten Antworten
record           m Datensatz Datensatzes Datensätze Datensätzen
training_example n Trainingsbeispiel Trainingsbeispiels Trainingsbeispiele Trainingsbeispielen
"""
_HUMAN = frozenset(
    [
        *("person", "individual", "adult", "child", "woman", "man", "resident", "inhabitant", "citizen", "voter"),
        *("taxpayer", "patient", "survivor", "visitor", "passenger", "driver", "respondent", "participant", "member"),
        *("subscriber", "user", "customer", "client", "employee", "worker", "student", "pupil"),
    ]
)
_ROWS = [
    [word.replace("_", " ").replace("P.", "Person") for word in line.split()] for line in _TABLE.strip().splitlines()
]
_UNITS = {row[0]: row[1:] for row in _ROWS}
_ENGLISH = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    # a scenario in German may name its unit in German
    **{row[2].lower(): row[0] for row in reversed(_ROWS)},
}
# What stands before the noun: for each form, the words for m, f and n.
_BEFORE = {
    "one": ("ein", "eine", "ein"),
    "genitive": ("eines", "einer", "eines"),
    "dative": ("einem", "einer", "einem"),
    "accusative": ("einen", "eine", "ein"),
    "particular": ("ein bestimmter", "eine bestimmte", "ein bestimmtes"),
    "each": ("jeder", "jede", "jedes"),
    "each-genitive": ("jedes", "jeder", "jedes"),
    "each-dative": ("jedem", "jeder", "jedem"),
    "each-accusative": ("jeden", "jede", "jedes"),
    "none-accusative": ("keinen", "keine", "kein"),
    "chosen-accusative": ("einen vorher ausgewählten", "eine vorher ausgewählte", "ein vorher ausgewähltes"),
    "other-genitive": ("eines anderen", "einer anderen", "eines anderen"),
}


def _known(name: str) -> str:
    """A unit as the table has it, or the name in small letters."""
    small = name.lower()
    known = _ENGLISH.get(small, small)
    return known if known in _UNITS else known.removesuffix("s")


def unit(name: str, form: str) -> str:
    """A unit in a form: name, many, many-dative, many-definite (alle Kinder), the, it, or with words of ``_BEFORE``."""
    row = _UNITS.get(_known(name))
    if row is None:  # any other word is quoted
        many = f"Einheiten („{name}“)"
        row = ["f", f"Einheit („{name}“)", f"Einheit („{name}“)", many, many]
    gender, one, genitive, many, many_dative, *oblique = row
    adjective, kind = gender == "a", "mfn".index({"a": "m", "e": "f"}.get(gender, gender))
    if form == "it":
        return ("er", "sie", "es")[kind]
    if form in ("the", "the-noun"):  # around a number: der 13. Haushalt
        return ("der", "die", "das")[kind] if form == "the" else many if adjective else one
    if form in ("many", "many-dative", "many-definite", "name"):
        definite = many_dative if gender in "ae" else many
        return {"many": many, "many-dative": many_dative, "many-definite": definite, "name": one}[form]
    case = form.rpartition("-")[2]
    if case == "genitive":
        noun = genitive
    elif case in ("dative", "accusative"):
        noun = oblique[-1 if case == "accusative" else 0] if oblique else genitive if adjective else one
    else:  # jeder Befragte, but ein Befragter
        noun = many if adjective and form == "each" else one
    return f"{_BEFORE[form][kind]} {noun}"


def human(name: str) -> str:
    """Whether a unit is a human being: "yes" or "no"."""
    return "yes" if _known(name) in _HUMAN else "no"


FUNCTIONS = {"UNIT": unit, "HUMAN": human}
