"""A launch's grid as expressions of a spec: a function of the configuration is called with symbols in place of numbers."""

import builtins
import contextlib
import itertools


# The problem sizes by their names, which stand for numbers in expressions.
SIZES = {}
# Smaller numbers are themselves.
SMALLEST_SIZE = 16


class NoExpression(Exception):
    """A grid that is not an expression of its configuration."""


class Symbol:
    """A number that is not known: the text of its expression, the strength of its operator, and its parts."""

    # Strengths: a sum, a product, and what needs no brackets.
    SUM, PRODUCT, WHOLE = range(3)

    def __init__(self, text, strength=WHOLE, parts=None):
        self.text, self.strength, self.parts = text, strength, parts

    def __add__(self, other):
        return made(self, "+", other, Symbol.SUM)

    def __radd__(self, other):
        return made(other, "+", self, Symbol.SUM)

    def __sub__(self, other):
        return made(self, "-", other, Symbol.SUM)

    def __rsub__(self, other):
        return made(other, "-", self, Symbol.SUM)

    def __mul__(self, other):
        return made(self, "*", other, Symbol.PRODUCT)

    def __rmul__(self, other):
        return made(other, "*", self, Symbol.PRODUCT)

    def __mod__(self, other):
        return made(self, "%", other, Symbol.PRODUCT)

    def __rmod__(self, other):
        return made(other, "%", self, Symbol.PRODUCT)

    def __floordiv__(self, other):
        return quotient(self, other)

    def __rfloordiv__(self, other):
        return quotient(other, self)

    def __truediv__(self, other):
        return Fraction(self, other)

    def __rtruediv__(self, other):
        return Fraction(other, self)

    def __neg__(self):
        if self.parts and self.parts[0] == "//":
            above, below = self.parts[1:]
            if type(above) is int and above < 0:
                return ceiling(-above, below)
            if isinstance(above, Symbol) and above.parts and above.parts[0] == "neg":
                return ceiling(above.parts[1], below)
        return Symbol(f"-{bracketed(self, Symbol.WHOLE)}", Symbol.SUM, ("neg", self))

    def __int__(self):
        raise NoExpression("a number is asked for")

    __index__ = __bool__ = __float__ = __int__

    def compared(self, _other):
        raise NoExpression("it is compared")

    __lt__ = __le__ = __gt__ = __ge__ = compared

    def __eq__(self, other):
        if isinstance(other, Symbol):
            return self.text == other.text
        raise NoExpression("it is compared")

    def __hash__(self):
        return hash(self.text)


class Fraction:
    """A quotient that is not rounded yet."""

    def __init__(self, above, below):
        self.above, self.below = above, below

    def __ceil__(self):
        return ceiling(self.above, self.below)

    def __floor__(self):
        return quotient(self.above, self.below)

    __int__ = None

    def __getattr__(self, name):
        raise NoExpression("a fraction is used")


def bracketed(value, strength):
    """The text of an operand."""
    if not isinstance(value, Symbol):
        if type(value) is not int:
            raise NoExpression(f"it has a {type(value).__name__}")
        return named(value)
    return value.text if value.strength >= strength else f"({value.text})"


def made(left, sign, right, strength):
    """An operator with its operands."""
    if not isinstance(left, Symbol) and left == 0 and sign == "+":
        return right
    if not isinstance(right, Symbol) and right == 0 and sign in "+-":
        return left
    if sign == "*" and not isinstance(left, Symbol) and left == 1:
        return right
    if sign == "*" and not isinstance(right, Symbol) and right == 1:
        return left
    beyond = strength + (sign in "-%")
    text = f"{bracketed(left, strength)} {sign} {bracketed(right, beyond)}"
    return Symbol(text, strength, (sign, left, right))


def plain(value):
    """A value's text as an argument of a function."""
    return bracketed(value, Symbol.SUM)


def quotient(above, below):
    """A quotient that is rounded down; `(x + y - 1) // y` and `-(-x // y)` are rounded up."""
    if isinstance(above, Symbol) and above.parts:
        sign, *parts = above.parts
        rest = None
        if sign == "-" and type(parts[1]) is int and parts[1] == 1 and isinstance(parts[0], Symbol) and parts[0].parts:
            inner, left, right = (*parts[0].parts, None)[:3]
            rest = left if inner == "+" and same(right, below) else right if inner == "+" and same(left, below) else None
        elif sign == "+" and type(below) is int and type(parts[1]) is int and parts[1] == below - 1:
            rest = parts[0]
        elif sign == "+" and same(parts[1], made(below, "-", 1, Symbol.SUM)):
            rest = parts[0]
        if rest is not None:
            return ceiling(rest, below)
    return Symbol(f"floor_div({plain(above)}, {plain(below)})", Symbol.WHOLE, ("//", above, below))


def same(one, other):
    """True for equal texts, or equal numbers."""
    text = lambda value: value.text if isinstance(value, Symbol) else value  # noqa: E731
    return text(one) == text(other)


def ceiling(above, below):
    """A quotient that is rounded up."""
    return Symbol(f"ceil_div({plain(above)}, {plain(below)})")


def chosen(name, python):
    """Python's `min` or `max`, which take symbols too."""

    def choose(*values, **words):
        listed = list(values[0]) if len(values) == 1 else list(values)
        if words or not any(isinstance(value, Symbol) for value in listed):
            return python(*values, **words)
        return Symbol(f"{name}({', '.join(plain(value) for value in listed)})")

    return choose


@contextlib.contextmanager
def choosing():
    """Within it `min` and `max` take symbols."""
    kept = builtins.min, builtins.max
    builtins.min, builtins.max = chosen("min", kept[0]), chosen("max", kept[1])
    try:
        yield
    finally:
        builtins.min, builtins.max = kept


def named(value):
    """A number's text: the problem size that is equal to it, if there is one alone."""
    names = [name for name, size in SIZES.items() if size == value and value >= SMALLEST_SIZE]
    return names[0] if len(names) == 1 else str(value) if value >= 0 else f"({value})"


def dimensions(grid):
    """The three numbers of a grid."""
    listed = list(grid) if isinstance(grid, (tuple, list)) else [grid]
    if not 1 <= len(listed) <= 3:
        raise NoExpression(f"it has {len(listed)} numbers")
    return [number(one) for one in listed] + [1] * (3 - len(listed))


def number(value):
    """A number of programs: an integer or a symbol."""
    if isinstance(value, (Symbol, bool)):
        return value
    if hasattr(value, "value") and not isinstance(value, int):
        value = value.value
    try:
        return value.__index__()
    except (AttributeError, TypeError) as why:
        raise NoExpression(f"it has a {type(value).__name__}") from why


def symbolic(grid, bound, names):
    """A grid as expressions of the names: from a function of the configuration, which is called with symbols."""
    with choosing():
        return dimensions(grid({**bound, **{name: Symbol(name) for name in names}}))


def texts(sides):
    """The texts of a grid's sides, without ones at its end."""
    while len(sides) > 1 and type(sides[-1]) is int and sides[-1] == 1:
        sides = sides[:-1]
    return [side.text if isinstance(side, Symbol) else named(side) for side in sides]


def by_cases(configurations, counts):
    """A side of a grid that is known for each configuration: a sum over the values of the fewest names that decide it."""
    if len(set(counts)) == 1:
        return counts[0]
    names = [name for name in configurations[0] if len({one[name] for one in configurations}) > 1]
    for many in range(1, len(names) + 1):
        for deciding in itertools.combinations(names, many):
            cases = {}
            for one, count in zip(configurations, counts):
                cases.setdefault(tuple(one[name] for name in deciding), set()).add(count)
            if all(len(found) == 1 for found in cases.values()) and len(cases) <= 64:
                terms = []
                for values, found in cases.items():
                    tests = [f"({name} == {value})" for name, value in zip(deciding, values)]
                    terms.append(" * ".join([*tests, str(next(iter(found)))]))
                return Symbol(" + ".join(terms), Symbol.SUM)
    raise NoExpression("no few names decide it")


def value_of(text, values):
    """The value of an expression for the values of its names."""
    functions = {"ceil_div": lambda a, b: -(-a // b), "floor_div": lambda a, b: a // b, "min": min, "max": max}
    return int(eval(text, {"__builtins__": {}}, {**functions, **values}))
