"""Pictures as files without network access: SVG, PNG, self-contained HTML, or the specification."""

from __future__ import annotations

import errno
import html
import json
import os
import re
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from dplens import _validate
from dplens.errors import required
from dplens.present.charts.theme import FONTS

FORMATS = (".svg", ".png", ".html", ".json", ".csv")
_IDS = re.compile(r'(id="|url\(#|href="#)((?:clip|gradient)[\w-]*)')


def altair() -> Any:
    """Altair, or the command that installs it."""
    return required("altair", "Pictures need altair", "charts")


def converter() -> Any:
    """vl-convert with the typeface of pictures, or the command that installs it."""
    found = required("vl_convert", "Pictures need vl-convert-python", "charts")
    _learn_letters(found.register_font_directory)
    return found


@cache
def _learn_letters(register: Callable[[str], None]) -> None:
    register(str(FONTS))


def svg(spec: dict[str, Any], prefix: str = "") -> str:
    """The picture as SVG; ids get a prefix, so that several pictures can stand in one page."""
    drawn = converter().vegalite_to_svg(spec, allowed_base_urls=[])
    return _IDS.sub(rf"\g<1>{prefix}\g<2>", drawn) if prefix else drawn


def as_bytes(spec: dict[str, Any], suffix: str, alt: str, title: str) -> bytes:
    """The picture in the format of a file name's suffix."""
    if suffix == ".json":
        return json.dumps(spec, indent=1, ensure_ascii=False).encode()
    opaque = {**spec, "background": "white"}  # a file has no page behind it
    if suffix == ".svg":
        return _described(svg(opaque), alt).encode()
    if suffix == ".png":
        return converter().vegalite_to_png(opaque, scale=2, allowed_base_urls=[])
    page = converter().vegalite_to_html(opaque, bundle=True)
    head = f'<title>{html.escape(title)}</title><meta name="description" content="{html.escape(alt, quote=True)}">'
    return page.replace("<head>", f"<head>{head}", 1).replace("<html>", '<html lang="en">', 1).encode()


def _described(drawn: str, alt: str) -> str:
    """The SVG as one image with a description, for those who do not see it."""
    label = html.escape(alt, quote=True)
    drawn = drawn.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    return re.sub(r"<svg [^>]*>", lambda tag: f"{tag[0]}<title>{html.escape(alt)}</title>", drawn, count=1)


def write_whole(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file completely or not at all, through a temporary file beside it.

    Follows links; keeps the permissions of an existing file.
    """
    target = _target(path)
    try:
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
    except OSError as error:
        raise _validate.unwritable(target, error) from None
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        os.chmod(beside, _rights(target))
        os.replace(beside, target)
    except BaseException as error:
        Path(beside).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _validate.unwritable(target, error) from None
        raise
    return Path(path)


def _target(path: str | os.PathLike[str]) -> Path:
    """The file behind a name, which the system must allow and no directory may have."""
    rule = "to be the name of a file"
    try:
        target = Path(os.path.realpath(path))
        directory = target.is_dir()
        os.fsencode(target)
    except ValueError:
        remedy = "Leave out the characters that no name can hold, such as NUL."
        raise _validate.reject("path", rule, os.fspath(path), remedy) from None
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise _validate.unwritable(path, error) from None
        remedy = "It is too long for this system; choose a shorter name."
        raise _validate.reject("path", rule, os.fspath(path), remedy) from None
    if directory:
        raise _validate.reject("path", rule, str(target), "It is a directory.")
    return target


def _rights(target: Path) -> int:
    """Permissions of the existing file, or those of any new file, which mkstemp does not give."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
