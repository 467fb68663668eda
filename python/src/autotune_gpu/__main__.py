"""`python -m autotune_gpu ARGUMENTS` runs the program `autotune` with these arguments."""

from __future__ import annotations

import os
import sys

from .program import found


def main() -> None:
    """Becomes the program, for which this Python is the one that may have Triton and compilers."""
    program = found()
    os.environ.setdefault("AUTOTUNE_PYTHON", sys.executable)
    try:
        os.execvp(program, [program, *sys.argv[1:]])
    except FileNotFoundError:
        sys.exit(f"error: the program `{program}` is neither beside {sys.executable} nor on the path; install a wheel that has it")


if __name__ == "__main__":
    main()
