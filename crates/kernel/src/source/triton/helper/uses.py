"""Which arguments of a kernel are pointers, by their use."""

import ast
import re

from .loading import FUNCTIONS, called

# The functions whose first argument is an address, and those whose keyword is one.
ACCESSES = ("load", "store", "make_block_ptr", "make_tensor_descriptor", "_experimental_make_tensor_descriptor", "advance")
BASES = ("pointer", "base", "ptr")
# Methods and functions that hand on an address.
PASSING = ("to", "multiple_of", "max_contiguous", "cast", "advance", "broadcast_to", "assume")
# Functions of numbers.
COUNTING = ("cdiv", "range", "static_range", "arange", "min", "max", "minimum", "maximum", "full", "zeros")
# The names of pointers.
POINTER = re.compile(r"ptr|pointer|(^|_)p($|_)")


def named(parts):
    """The names among operands, also those that are cast, or with a sign."""
    found = set()
    for part in parts:
        while not isinstance(part, ast.Name):
            if isinstance(part, ast.UnaryOp):
                part = part.operand
            elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "to":
                part = part.func.value
            else:
                break
        if isinstance(part, ast.Name):
            found.add(part.id)
    return found


class Uses:
    """The addresses of one function."""

    def __init__(self, node, functions, known):
        self.node, self.functions, self.known = node, functions, known
        listed = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        self.arguments = [one.arg for one in listed]
        self.values = {}
        # What is multiplied, divided, compared or counted with is a number.
        self.factors = set()
        for one in ast.walk(node):
            if isinstance(one, (ast.Assign, ast.AnnAssign)) and one.value is not None:
                for to in getattr(one, "targets", [getattr(one, "target", None)]):
                    self.assigned(to, one.value)
            elif isinstance(one, ast.BinOp) and not isinstance(one.op, (ast.Add, ast.Sub)):
                self.factors |= named((one.left, one.right))
            elif isinstance(one, ast.Compare):
                self.factors |= named((one.left, *one.comparators))
            elif isinstance(one, ast.Call) and called(one) in COUNTING:
                self.factors |= named(one.args)

    def assigned(self, to, value):
        """Notes the values of variables, also of those that a tuple holds."""
        if isinstance(to, ast.Name):
            self.values.setdefault(to.id, []).append(value)
        elif isinstance(to, ast.Tuple) and isinstance(value, ast.Tuple):
            for part, one in zip(to.elts, value.elts):
                self.assigned(part, one)

    def bases(self, address, seen):
        """The arguments that an address begins with."""
        if isinstance(address, ast.Name):
            name = address.id
            if name in seen:
                return set()
            of_values = set()
            for value in self.values.get(name, ()):
                of_values |= self.bases(value, seen | {name})
            return {name} | of_values if name in self.arguments and name not in self.factors else of_values
        if isinstance(address, ast.BinOp) and isinstance(address.op, (ast.Add, ast.Sub)):
            left, right = self.bases(address.left, seen), self.bases(address.right, seen)
            # One of two is the pointer: the one that is called so, else the first.
            called_so = [one for one in (left, right) if any(POINTER.search(name.lower()) for name in one)]
            return called_so[0] if left and right and len(called_so) == 1 else left or right
        if isinstance(address, ast.IfExp):
            return self.bases(address.body, seen) | self.bases(address.orelse, seen)
        if isinstance(address, ast.Call) and called(address) in (*PASSING, "where", "make_block_ptr"):
            of_method = isinstance(address.func, ast.Attribute) and called(address) == "to"
            parts = [address.func.value] if of_method else address.args[1:3] if called(address) == "where" else address.args[:1]
            parts += [one.value for one in address.keywords if one.arg in BASES]
            return set().union(*(self.bases(one, seen) for one in parts))
        return set()

    def pointers(self):
        """The arguments that are addresses, or parts of them, in this function and in those that it calls."""
        found = set()
        for one in ast.walk(self.node):
            if not isinstance(one, ast.Call):
                continue
            name = called(one) or ""
            if name in ACCESSES or name.startswith("atomic_"):
                parts = one.args[:1] + [word.value for word in one.keywords if word.arg in BASES]
                for part in parts:
                    found |= self.bases(part, frozenset())
            elif name in self.functions and isinstance(one.func, ast.Name):
                found |= self.handed(one, self.functions[name])
        return found

    def handed(self, call, function):
        """The arguments that a call hands on as addresses."""
        inner = Uses(function, self.functions, self.known)
        if function.name not in self.known:
            # A function that calls itself hands on no more than this call finds.
            self.known[function.name] = set()
            self.known[function.name] = inner.pointers()
        pointers, found = self.known[function.name], set()
        pairs = list(zip(inner.arguments, call.args)) + [(word.arg, word.value) for word in call.keywords]
        for name, value in pairs:
            if name in pointers:
                found |= self.bases(value, frozenset())
        return found


def pointers(node, tree):
    """The names of a kernel's arguments that are pointers, in their order."""
    functions = {one.name: one for one in ast.walk(tree) if isinstance(one, FUNCTIONS)}
    uses = Uses(node, functions, {node.name: set()})
    found = uses.pointers()
    return [name for name in uses.arguments if name in found]
