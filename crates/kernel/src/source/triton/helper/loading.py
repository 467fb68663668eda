"""The user's module, as far as kernels need it.

Of a file's statements, imports, assignments, classes and functions are executed, also behind conditions, one after the
other; what fails is left out, and its reason is kept. Files of the same package are executed so too, each when it is
imported, so that a kernel loads where a package needs what is not installed. Other modules are imported as ever.
"""

import __future__
import ast
import copy
import importlib
import importlib.machinery
import os
import sys
import types

from .files import has_word, imports, neighbours, package_of, parsed, trees

# The statements that make names, and no more.
MAKING = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# The decorators that change how a method is called.
BINDING = ("staticmethod", "classmethod", "property", "jit")
# Decorators that hand a function to a compiler or a registry, which need more than is here.
COMPILING = ("compile", "custom_op", "triton_op", "disable", "script", "register_fake", "libentry", "input_precision_tuned")
# The names that stand for `jit` in the files that are read.
JITS = set()
# The name of the decorator that stands for a list of configurations.
TUNED = "__autotune_tuned__"


def called(decorator):
    """The last part of a decorator's name: `jit` of `@triton.jit(...)`."""
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", None)


def is_jit(decorator):
    """True for `jit`, and for what stands for it in the files that are read."""
    return called(decorator) in ("jit", *JITS)


def is_kernel(node):
    """True for a function with the decorator `jit`, or with one that stands for it."""
    return isinstance(node, FUNCTIONS) and any(is_jit(one) for one in node.decorator_list)


def top(tree):
    """The statements of a file that stand by themselves or behind a condition."""
    for node in tree.body:
        yield from ast.walk(node) if isinstance(node, (ast.If, ast.Try)) else [node]


def functions(tree):
    """The functions of a file by their names."""
    return {node.name: node for node in top(tree) if isinstance(node, FUNCTIONS)}


def kernels(tree):
    """The kernels in the file's order, also those behind a condition and those that a call makes of a function."""
    known = functions(tree)
    for node in top(tree):
        made = node if is_kernel(node) else by_call(node, known)
        if made is not None:
            yield made


def by_call(node, known):
    """The kernel that `name = triton.jit(function)` makes: the function with the calls as decorators, each with the words that
    stand beside the function, as in `triton.jit(function, do_not_specialize=["n"])`; `None` if it makes none."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return None
    value, decorators = node.value, []
    while isinstance(value, ast.Call) and (function := function_of(value)) is not None:
        words = [word for word in value.keywords if word.value is not function]
        decorators.append(ast.Call(value.func, [], words) if words else value.func)
        value = function
    function = known.get(value.id) if isinstance(value, ast.Name) else None
    if function is None or is_kernel(function) or not any(is_jit(one) for one in decorators):
        return None
    # Python finds a function's text by the line of its first decorator.
    placed = [copy.deepcopy(one) for one in decorators]
    for one in (inner for decorator in placed for inner in ast.walk(decorator)):
        ast.copy_location(one, function)
    return copied(function, name=node.targets[0].id, decorator_list=placed)


def function_of(call):
    """The function that a call such as `jit(function, version=2)` or `jit(fn=function)` is about; `None` for another call."""
    if call.args:
        return call.args[0] if len(call.args) == 1 else None
    named = [word.value for word in call.keywords if word.arg == "fn"]
    return named[0] if named else None


def know_jits(path, files):
    """Takes note of the names that stand for `jit` in a file and in others."""
    named = [file for file in files if has_word(file, "jit")]
    JITS.update(name for tree in trees(path, named) for name in jits(tree))


def tritons_of(tree):
    """The names of Triton's own `jit` in a file. Other modules have one, too."""
    found = {"triton.jit"}
    for node in imports(tree):
        if isinstance(node, ast.Import):
            found |= {f"{one.asname}.jit" for one in node.names if one.name == "triton" and one.asname}
        elif isinstance(node, ast.ImportFrom) and node.module == "triton":
            found |= {one.asname or one.name for one in node.names if one.name == "jit"}
    return found


def names_one(node, names):
    """True for a name, or an attribute of a module, among these."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}" in names
    return isinstance(node, ast.Name) and node.id in names


def jits(tree):
    """The names in a file that stand for `jit`: functions that call it, and variables that are made of it."""
    known, tritons = functions(tree), tritons_of(tree)
    for node in top(tree):
        may_stand = isinstance(node, ast.Assign) or isinstance(node, FUNCTIONS) and not is_kernel(node)
        if not may_stand or by_call(node, known) is not None or not any(names_one(one, tritons) for one in ast.walk(node)):
            continue
        if isinstance(node, FUNCTIONS):
            inner = [one for one in ast.walk(node) if isinstance(one, FUNCTIONS) and is_kernel(one)]
            yield from [] if inner else [node.name]
        elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.Call, ast.Attribute, ast.Name, ast.Lambda)):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))


def tuner(node):
    """The decorator of a kernel that lists its configurations; `None` if there is none."""
    for one in node.decorator_list:
        if isinstance(one, ast.Call):
            name = called(one) or ""
            if any(word.arg == "configs" for word in one.keywords) or (name.endswith("autotune") and one.args):
                return one
    return None


def listing(decorator):
    """The expressions of a decorator's configurations, and of what prunes them; `None` for one that is absent."""
    named = {one.arg: one.value for one in decorator.keywords}
    configs = named.get("configs", decorator.args[0] if decorator.args else None)
    return configs, named.get("prune_configs_by")


def reason(why):
    """An exception in words."""
    return f"{type(why).__name__}: {why}" if str(why) else type(why).__name__


class Statements:
    """A module whose statements are executed one by one."""

    # All such modules.
    all = []

    def __init__(self, path, module, tree, kept):
        Statements.all.append(self)
        self.path, self.module, self.tree, self.kept = path, module, tree, kept
        # The reasons by the names, or the lines, that are missing.
        self.failed = {}
        self.functions = functions(tree)
        # Why the configurations of a kernel are missing: its line and the exception.
        self.untuned = {}
        self.flags = 0
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                features = [getattr(__future__, alias.name, None) for alias in node.names]
                self.flags |= sum(feature.compiler_flag for feature in features if feature)

    def run(self, nodes):
        """Executes statements; those that fail are noted."""
        for node in nodes:
            made = by_call(node, self.functions)
            if made is not None or isinstance(node, FUNCTIONS):
                self.function(made or node)
            elif isinstance(node, ast.ClassDef):
                self.attempt(node, [self.as_it_is, self.bare])
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.importing(node)
            else:
                self.attempt(node, [self.as_it_is])

    def importing(self, node):
        """Imports what can be imported: one name that is absent takes no other along."""
        if self.attempt(node, [self.as_it_is]) is not None and len(node.names) > 1:
            for alias in node.names:
                self.attempt(copied(node, names=[alias]), [self.as_it_is])

    def attempt(self, node, forms):
        """Executes the first form of a statement that does not fail. Returns the first exception."""
        first = None
        for form in forms:
            try:
                code = compile(ast.fix_missing_locations(ast.Module([form(node)], [])), self.path, "exec", self.flags, True)
                exec(code, self.module.__dict__)
                for name in names_of(node):
                    self.failed.pop(name, None)
                return first
            except KeyboardInterrupt:
                raise
            except BaseException as why:  # A user's code may raise anything, and may try to exit.
                first = first or why
        for name in names_of(node):
            self.failed[name] = reason(first)
        return first

    def function(self, node):
        """Executes a function: a kernel with the decorators that are kept, another one with as many as work."""
        if self.kept == ("jit",):
            self.attempt(with_decorators(node, [one for one in node.decorator_list if is_jit(one)]), [self.as_it_is])
        elif is_kernel(node):
            plain = [one for one in node.decorator_list if self.is_kept(one)]
            lists = tuner(node)
            if lists is not None:
                at = min(node.decorator_list.index(lists), len(plain))
                at = sum(1 for one in node.decorator_list[:at] if self.is_kept(one) and one is not lists)
                plain = [one for one in plain if one is not lists]
                why = self.attempt(with_decorators(node, [*plain[:at], tuned(lists), *plain[at:]]), [self.as_it_is])
                if why is None:
                    return
                self.untuned[node.name] = (lists.lineno, why)
            only = [one for one in plain if is_jit(one)]
            self.attempt(node, [lambda node: with_decorators(node, plain), lambda node: with_decorators(node, only)])
        else:
            usual = [one for one in node.decorator_list if called(one) not in COMPILING]
            forms = [lambda node: with_decorators(node, usual), lambda node: with_decorators(node, []), unannotated]
            self.attempt(node, forms)

    def is_kept(self, decorator):
        """True for a decorator that a kernel keeps."""
        return called(decorator) in self.kept or is_jit(decorator)

    def as_it_is(self, node):
        """The statement."""
        return node

    def bare(self, node):
        """A class whose methods have only the decorators that bind them."""
        methods = []
        for one in node.body:
            if isinstance(one, FUNCTIONS):
                binding = [mark for mark in one.decorator_list if called(mark) in BINDING or called(mark) == "setter"]
                one = with_decorators(one if is_kernel(one) else unannotated(one), binding)
            methods.append(one)
        return copied(node, body=methods, decorator_list=[])


def copied(node, **other):
    """A statement with other fields."""
    fields = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
    return ast.copy_location(type(node)(**{**fields, **other}), node)


def with_decorators(node, decorators):
    """A function with other decorators."""
    return copied(node, decorator_list=decorators)


def unannotated(node):
    """A function without decorators and annotations, which may name what is not installed."""
    function = copy.deepcopy(with_decorators(node, []))
    function.returns = None
    for one in ast.walk(function.args):
        if isinstance(one, ast.arg):
            one.annotation = None
    return function


def tuned(decorator):
    """The decorator that keeps a list of configurations."""
    configs, prune = listing(decorator)
    words = [ast.keyword("prune_configs_by", prune)] if prune is not None else []
    call = ast.Call(ast.Name(TUNED, ast.Load()), [configs or ast.List([], ast.Load())], words)
    return ast.copy_location(call, decorator)


def names_of(node):
    """The names that a statement makes; its line if there is none."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.split(".")[0] for alias in node.names]
    stored = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    inner = [one.name for one in ast.walk(node) if isinstance(one, (*FUNCTIONS, ast.ClassDef))]
    return stored + inner or [node.lineno]


def declaring(nodes):
    """The statements that make names. Of a condition, or of an attempt to import, all statements must do so."""
    for node in nodes:
        if isinstance(node, MAKING) or is_declaring(node):
            yield node


def is_declaring(node):
    """True for a condition or an attempt whose statements make names."""
    if isinstance(node, MAKING) or isinstance(node, (ast.Pass, ast.Raise)):
        return True
    if isinstance(node, ast.If):
        return all(is_declaring(one) for one in node.body + node.orelse)
    if isinstance(node, ast.Try):
        parts = node.body + node.orelse + node.finalbody + [one for handler in node.handlers for one in handler.body]
        return all(is_declaring(one) for one in parts)
    return False


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a file of the user's package statement by statement, and what stands for a folder only on demand."""

    kept = ("jit",)

    def exec_module(self, module):
        path = self.path
        statements = Statements(path, module, parsed(path), self.kept)
        prepare(module)
        if os.path.basename(path) == "__init__.py":
            module.__dict__["__getattr__"] = lambda name: on_demand(statements, name)
        else:
            run_module(statements)


def run_module(statements):
    """Executes the statements of an imported file: all of them, as an import does."""
    for node in statements.tree.body:
        statements.run([node])


def on_demand(statements, name):
    """A name of a package: what its file imports under this name, else one of its modules, else what its file makes."""
    module = statements.module
    if name.startswith("__"):
        raise AttributeError(name)
    binding = [node for node in statements.tree.body if not isinstance(node, ast.Expr) and name in names_of(node)]
    if binding and all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in binding):
        statements.run(binding)
    elif not binding and is_module(module, name):
        return importlib.import_module(f"{module.__name__}.{name}")
    elif not getattr(module, "__autotune_executed__", False):
        module.__dict__["__autotune_executed__"] = True
        run_module(statements)
    if name in module.__dict__:
        return module.__dict__[name]
    why = statements.failed.get(name)
    raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}" + (f" ({why})" if why else ""))


def is_module(module, name):
    """True if a package's folder has a module of this name."""
    places = [os.path.join(folder, name) for folder in module.__path__]
    return any(os.path.isfile(place + ".py") or os.path.isdir(place) for place in places)


class Finder:
    """Finds the modules of the user's package."""

    def __init__(self, root, package):
        self.package, self.root = package, root

    def find_spec(self, name, path=None, target=None):
        """The module's place with our loader; `None` for other modules."""
        if name.split(".")[0] != self.package:
            return None
        found = importlib.machinery.PathFinder.find_spec(name, path if path is not None else [self.root], target)
        if found is not None and isinstance(found.loader, importlib.machinery.SourceFileLoader):
            found.loader = Loader(found.loader.name, found.loader.path)
        return found


def prepare(module):
    """Puts the helper's own decorator into a module."""
    module.__dict__[TUNED] = getattr(sys.modules.get("autotune_helper.launches"), "tuned", None)


def load(path, kept=("jit",), more=lambda tree: []):
    """The module of a file as far as kernels need it, with the statements that `more` chooses besides.

    `kept` are the names of the decorators that kernels keep. Returns the statements, which hold the module."""
    tree = parsed(path)
    folder, package = package_of(path, tree)
    Loader.kept = kept
    know_jits(path, neighbours(path, tree, []))
    if package:
        sys.path.insert(0, folder)
        sys.path.append(os.path.dirname(path))
        sys.meta_path.insert(0, Finder(folder, package.split(".")[0]))
        try:
            importlib.import_module(package)
        except ImportError:
            pass
    else:
        sys.path.insert(0, folder)
    module = types.ModuleType("autotune_kernels")
    module.__dict__.update(__file__=path, __name__="autotune_kernels", __package__=package)
    sys.modules[module.__name__] = module
    prepare(module)
    statements = Statements(path, module, tree, kept)
    wanted = {*declaring(tree.body), *more(tree)}
    statements.run(node for node in tree.body if node in wanted)
    return statements
