"""The user's files: their syntax trees, and the files that they import."""

import ast
import functools
import os
from collections import deque


class Refused(Exception):
    """A request that cannot be answered: what, and where in the user's file."""

    def __init__(self, kind, message, file=None, line=0, column=0):
        super().__init__(message)
        self.answer = {"kind": kind, "message": message, "file": file, "line": line, "column": column}


# The parts of a statement that hold statements.
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


@functools.cache
def text_of(path):
    """The text of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


@functools.cache
def parsed(path):
    """The syntax tree of a file, which nobody changes: a package has a hundred files, and each is read once."""
    try:
        return ast.parse(text_of(path), path)
    except SyntaxError as why:
        raise Refused("syntax", why.msg, path, why.lineno or 0, why.offset or 0) from why
    except ValueError as why:
        raise Refused("syntax", str(why), path) from why


def has_word(path, word):
    """True if a file that can be read has a word."""
    try:
        return word in text_of(path)
    except (OSError, ValueError):
        return False


@functools.cache
def imports(tree):
    """The imports of a file, also those within functions. Expressions, which are most of a tree, hold none."""
    found, open_nodes = [], deque([tree])
    while open_nodes:
        node = open_nodes.popleft()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append(node)
        for part in BODIES:
            open_nodes.extend(one for one in getattr(node, part, ()) if isinstance(one, ast.AST))
    return found


def package_of(path, tree):
    """The folder above a file's package, and the package's name; the file's own folder and no name if there is none."""
    levels = [node.level for node in imports(tree) if isinstance(node, ast.ImportFrom)]
    folder, names = os.path.dirname(path), []
    while os.path.isfile(os.path.join(folder, "__init__.py")) or len(names) < max(levels, default=0):
        above, name = os.path.split(folder)
        if not name:
            break
        folder, names = above, [name, *names]
    return folder, ".".join(names)


def neighbours(path, tree, known):
    """The files beside a file, or in its package, that it imports, and those that these import."""
    folder = os.path.dirname(path)
    root, _ = package_of(path, tree)
    for node in imports(tree):
        for place in imported(node, folder, root):
            for file in (place + ".py", os.path.join(place, "__init__.py")):
                if os.path.isfile(file) and file not in known and file != path:
                    known.append(file)
                    try:
                        neighbours(file, parsed(file), known)
                    except (Refused, OSError, ValueError):
                        pass
    return known


def imported(node, folder, root):
    """The places that an import names, beside a file and in its package."""
    if isinstance(node, ast.Import):
        return [os.path.join(place, *alias.name.split(".")) for alias in node.names for place in (folder, root)]
    if not isinstance(node, ast.ImportFrom):
        return []
    places = [folder, root]
    for _ in range(node.level - 1):
        folder = os.path.dirname(folder)
    places = [folder] if node.level else places
    of_module = [os.path.join(place, *(node.module or "").split(".")) if node.module else place for place in places]
    return of_module + [os.path.join(place, alias.name) for place in of_module for alias in node.names]


def trees(path, files):
    """The syntax trees of a file and of others, as far as they are Python."""
    for file in [path, *files]:
        try:
            yield parsed(file)
        except (Refused, OSError, ValueError):
            pass
