"""The program `autotune`: the one that was installed with this package, or the one on the path."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "autotune"


def found(program: str = NAME) -> str:
    """The path of a program; another name than `autotune` is the user's own choice, and stays as it is."""
    if program != NAME:
        return program
    here = Path(__file__).resolve().parent
    # Beside the Python that runs this, and where pip puts programs: of an environment or a user, and of `--target`.
    beside = [Path(sys.executable).parent] if sys.executable else []
    folders = beside + [prefix / "bin" for prefix in (*here.parents[3:4], here.parent)]
    paths = (folder / NAME for folder in folders)
    return next((str(path) for path in paths if path.is_file() and os.access(path, os.X_OK)), program)
