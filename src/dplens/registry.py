"""Registries of mechanisms, questions, queries, data models, the analyst's tests, and presenters of results.

``@register`` above a dataclass is all it takes: scenario files and their schema, the command line, saved results, words
and documents look names up only here, so your own classes work like those that come with dplens. Imports nothing but
the checks of input; start with :func:`register`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

from dplens import _validate

if TYPE_CHECKING:
    from dplens.assessment.records import Declaration

Class = TypeVar("Class", bound=type)
Presenter = TypeVar("Presenter", bound=Callable[..., Any])
PLUGINS = "dplens"  # group of entry points whose modules register classes when they are imported


class Registry(Mapping[str, type]):
    """Classes of one kind by name, in alphabetical order.

    kind: the word for them in messages. reserved: keys that files write beside the fields of a class, so that no field
    may have such a name. suffix: the end of class names that registered names leave out.
    """

    def __init__(self, kind: str, reserved: str, suffix: str = "") -> None:
        self.kind, self.reserved, self.suffix = kind, frozenset(reserved.split()), suffix
        self._classes: dict[str, type] = {}

    def __getitem__(self, name: str) -> Any:
        return self._classes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._classes))

    def __len__(self) -> int:
        return len(self._classes)

    def name_of(self, cls: type) -> str | None:
        """The name of a registered class; None for any other."""
        return next((name for name, known in self._classes.items() if known is cls), None)

    def add(self, cls: type, name: str | None) -> None:
        """Make a class known, by default as ``AttackPower`` is known as ``attack_power``."""
        name = _validate.text("name", name) if name is not None else snake(cls.__name__).removesuffix(self.suffix)
        if not name.isidentifier() or name != name.lower() or name in _YAML_VALUES:
            raise _validate.reject("name", "to be a lower-case word such as 'attack_power'", name)
        for field in fields(cls):
            if field.name in self.reserved or field.name.startswith(("_", "model_")):
                rule = f"to have no field {field.name!r}, which a {self.kind} uses otherwise"
                raise _validate.reject("cls", rule, cls, "Rename the field.")
        known = self._classes.get(name)
        if known is not None and _home(known) != _home(cls):  # a cell of a notebook may be run again
            remedy = "Pass register(name=…) with another one."
            raise _validate.reject("name", f"not to be taken; {_home(known)} has it", name, remedy)
        self._classes[name] = cls


MECHANISMS = Registry("mechanism", "mechanism name of repeat group fails_with tradeoff subsample")
QUESTIONS = Registry("question", "question of at_most at_least value low high")
QUERIES = Registry("query", "query mechanism noise release name")
MODELS = Registry("data model", "model weights method attackers view worst", "_data")
TESTS = Registry("test", "test name release min_power", "_test")
_YAML_VALUES = ("null", "true", "false", "yes", "no", "on", "off")  # YAML does not read these as names


@overload
def register(cls: Class) -> Class: ...
@overload
def register(*, name: str | None = None) -> Callable[[Class], Class]: ...
def register(cls: Any = None, *, name: str | None = None) -> Any:
    """Make a mechanism, question, query, data model or test known by its name; a decorator, above ``@dataclass``.

    name: by default the name of the class in lower case with underscores. Words call it by the first sentence of its
    docstring, with its arguments. Packages name modules that register classes as entry points of the group ``dplens``;
    they are imported when a name is not known otherwise.

    >>> from dataclasses import dataclass
    >>> import dplens as dl
    >>> @dl.register
    ... @dataclass(frozen=True, kw_only=True)
    ... class HalfPower(dl.Question):
    ...     "The share of targets found at a false-positive rate of one half."
    ...     def _read(self, curve):
    ...         return curve.power(0.5)
    >>> print(f"{dl.assess(dl.Gaussian(sigma=2.0), questions=[HalfPower()]).answer(HalfPower()):.4f}")
    0.6915
    """

    def added(cls: Any) -> Any:
        registry = getattr(cls, "registry", None)
        complete = inspect.isclass(cls) and is_dataclass(cls) and not inspect.isabstract(cls)
        if not isinstance(registry, Registry) or not complete:
            kinds = "Mechanism, Question, Query, AnalystTest or a data model"
            rule = f"to be a dataclass derived from {kinds}, nothing left abstract"
            raise _validate.reject_type("cls", rule, cls, "Write @dplens.register above @dataclass(frozen=True, …).")
        registry.add(cls, name)
        return cls

    return added if cls is None else added(cls)


def import_all(package: ModuleType) -> None:
    """Import every module of a package, so that the classes they register are known."""
    for module in iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")


_loaded: list[str] = []  # plug-ins; empty until the first unknown name


def load_plugins() -> None:
    """Import the modules that installed packages name as entry points, once."""
    if _loaded:
        return
    from importlib.metadata import entry_points

    _loaded.append(PLUGINS)
    for point in entry_points(group=PLUGINS):
        point.load()
        _loaded.append(point.value)


_PRESENTERS = "dplens.present.presenters"  # the module that registers presenters when it is imported
_presenters: dict[tuple[type, str], Callable[..., Any]] = {}


def presents(kind: type, form: str) -> Callable[[Presenter], Presenter]:
    """Make a function known as the one that shows results of a class in a form, such as ``"words"``."""

    def added(presenter: Presenter) -> Presenter:
        _presenters.setdefault((kind, form), presenter)
        return presenter

    return added


class Discreet:
    """Base of classes whose completion leaves out ``_hooks``, which only other rooms and classes of one's own need."""

    _hooks: ClassVar[tuple[str, ...]] = ()

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in ("registry", *self._hooks)]


class Presented:
    """Base of what calls return to be read: presenters give it a short ``repr``, and a table in notebooks."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__repr__ = cls.__repr__  # in the class itself, where ``@dataclass`` leaves it alone

    def __repr__(self) -> str:
        return present(self, "repr")

    def _repr_html_(self) -> str:
        return present(self, "html")


class Result(Presented):
    """Base of results with numbers."""

    def metrics(self) -> dict[str, float]:
        """The numbers as one flat dictionary for experiment trackers: ``mlflow.log_metrics(result.metrics())``.

        Names have lower-case letters, digits and underscores. Every value is a finite float on its safe side, and 1.0
        or 0.0 for yes or no. A number that is infinite is left out, and its name with ``_infinite`` is 1.0 (or -1.0).

        >>> import dplens as dl
        >>> print(dl.noise_error(dl.Laplace(scale=2.0)).metrics()["variance"])
        8.0
        """
        return present(self, "metrics")

    def words(self, *, language: str | None = None) -> str:
        """The verdict and the main numbers in lines of text; by default in the language of the result.

        >>> import dplens as dl
        >>> print(dl.compare(dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=2.0)).words().splitlines()[0])
        Gaussian(sigma=2.0) protects better than Gaussian(sigma=1.0) at every rate of false alarms.
        """
        return present(self, "words", language)

    def report(
        self, path: str | PathLike[str], *, language: str | None = None, declared: Declaration | None = None
    ) -> Path:
        """Writes the report; the suffix decides: ``.html``, ``.pdf``, ``.md``, ``.json``. Whole, or not at all.

        language: of the sentences; by default that of the result. declared: what those who are responsible state, for
        the first page; scenario files hold it too.
        """
        return present(self, "report", path, language, declared)


class Tabular(Presented):
    """Base of results that hold a table."""

    def to_pandas(self) -> Any:
        """The table as a pandas data frame; needs ``pip install 'dplens[pandas]'``.

        >>> import dplens as dl
        >>> dl.frame("roc", dl.Laplace(scale=1.0)).to_pandas().columns.tolist()[:2]
        ['alpha', 'power']
        """
        return present(self, "pandas")

    def to_polars(self) -> Any:
        """The table as a polars data frame; needs ``pip install 'dplens[polars]'``."""
        return present(self, "polars")


def present(result: Any, form: str, *arguments: Any) -> Any:
    """Show a result in a form. Presenters are loaded on first use, so that results need not know them."""
    import_module(_PRESENTERS)
    kind = next((kind for kind in type(result).__mro__ if (kind, form) in _presenters), None)
    if kind is None:
        names = sorted(kind.__name__ for kind, other in _presenters if other == form)
        known = " or ".join(f"{'an' if name[0] in 'AEIOU' else 'a'} {name}" for name in names)
        raise _validate.reject_type("result", f"to be {known}", result)
    return _presenters[kind, form](result, *arguments)


def snake(name: str) -> str:
    """A class name as it is written in files: ``DiscreteGaussian`` is ``discrete_gaussian``."""
    return re.sub(r"(?<=[^A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def docstring_phrase(thing: Any, skip: Iterable[str] = ()) -> str:
    """A phrase for an object of a registered class: the first sentence of its docstring, with its arguments."""
    kind = type(thing)
    said = " ".join(inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0].split())
    if not said or said.startswith(f"{kind.__name__}("):  # written by @dataclass
        said = snake(kind.__name__).replace("_", " ")
    said = said.partition(". ")[0].rstrip(". ").replace("``", "")
    if not said[:2].isupper():
        said = said[:1].lower() + said[1:]
    values = {f.name: getattr(thing, f.name) for f in fields(thing) if f.name not in skip}
    shown = {name: x.tolist() if hasattr(x, "tolist") else x for name, x in values.items()}
    given = ", ".join(f"{name} {x if isinstance(x, str) else _validate.shown(x)}" for name, x in shown.items())
    return f"{said} ({given})" if given else said


def _home(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
