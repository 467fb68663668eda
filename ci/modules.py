"""Scripts as modules: those of this folder have no ending, which `import` needs."""
import importlib.util
import sys
from importlib.machinery import SourceFileLoader


def module(path):
    """The file as a module, of which nothing is kept beside it."""
    sys.dont_write_bytecode = True
    loader = SourceFileLoader(path.stem, str(path))
    loaded = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.stem, loader))
    loader.exec_module(loaded)
    return loaded
