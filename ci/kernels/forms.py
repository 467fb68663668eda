"""The forms of statements that random kernels are made of: accesses, and control flow by known numbers and by data."""
from dataclasses import dataclass
from typing import Callable

from drawn import ARRAYS, FAR, ROWS, Line

# Values of data elements, and conditions that the first one makes true and the second one false.
YES, NO = 7, 0
CONDITIONS = ["{} > 3", "3 < {}", "{} >= 4", "{} != 0", "{} == 7", "!({} <= 3)", "({} & 1)", "{} % 2 == 1", "!(!{})"]
OPPOSITES = ["{} < 4", "!{}", "{} == 0", "{} <= 3", "!({} > 3)", "{} % 2 != 1"]


@dataclass(frozen=True)
class Form:
    """A form of statements."""

    name: str
    draw: Callable
    weight: float = 1
    nests: bool = False
    languages: tuple = ("opencl", "cuda", "hip")
    # It has a barrier, which all work items have to reach.
    barriers: bool = False
    # It has a loop of its own.
    loops: bool = False
    # It leaves the kernel, or a loop around it.
    leaves: bool = False
    # Sides, whose accesses need different types.
    sides: int = 1
    # Types of its own accesses.
    types: tuple = ()
    # The lanes of a warp may part by their ids: none in a side that data gives to some lanes, where both together decide.
    parts: bool = False

    def suits(self, draw):
        """True if the form may stand where the drawing is."""
        deep = draw.depth > 3 or draw.rounds()[0] > 8
        if deep and (self.nests or self.loops) or self.leaves and draw.held:
            return False
        if self.parts and draw.mixed:
            return False
        if len(draw.types) < self.sides or not set(self.types) <= set(draw.types):
            return False
        return draw.language in self.languages and not (self.barriers and (draw.depth or not draw.uniform))


FORMS: list[Form] = []
ON_GPUS = ("cuda", "hip")


def form(name, **options):
    """Enters a function into the list of forms."""
    def enter(function):
        FORMS.append(Form(name, function, **options))
        return function
    return enter


# Accesses.


@form("load", weight=4)
def load(draw, statement):
    statement.line(f"acc += {draw.load()};")


@form("store", weight=2)
def store(draw, statement):
    array = draw.random.choice(draw.types) + "_o"
    statement.line(f"ST({array}, {draw.element(array)}, acc);")


@form("atomic", types=("int",))
def atomic(draw, statement):
    result = draw.choice("", "acc += ")
    statement.line(f"{result}AT(at, {draw.element('at')});")


@form("in_function")
def in_function(draw, statement):
    name, array = draw.name("part"), draw.loaded()
    pointer = draw.pointer(ARRAYS[array][0])
    statement.function(f"{draw.device} float {name}({pointer}from, int i)", "{", "  return LD(from, i);", "}")
    statement.line(f"acc += {name}({array}, {draw.element(array)});")


@form("in_macro")
def in_macro(draw, statement):
    name, array = draw.name("ADD"), draw.loaded()
    statement.function(f"#define {name}(array, i) acc += LD(array, i)")
    statement.line(f"{name}({array}, {draw.element(array)});")


@form("in_template", languages=ON_GPUS)
def in_template(draw, statement):
    name, array = draw.name("part"), draw.loaded()
    statement.function(f"template <class T, int STEP> {draw.device} float {name}(const T *from, int i)", "{", "  return LD(from, STEP * i);", "}")
    statement.line(f"acc += {name}<{ARRAYS[array][0].removeprefix('const ')}, 2>({array}, ({draw.element(array)}) / 2);")


@form("by_pointer")
def by_pointer(draw, statement):
    name, array = draw.name("p"), draw.loaded()
    statement.line(f"{draw.pointer(ARRAYS[array][0])}{name} = {array} + {draw.element(array)};")
    statement.line(f"acc += DEREF({name});")


@form("volatile", weight=1.5, types=("float", "int"))
def volatile(draw, statement):
    array, element = draw.choice("v", "vi"), None
    element = draw.element(array)
    for _ in range(draw.random.randint(2, 4)):
        if draw.chance(0.7):
            statement.line(f"acc += LD({array}, {element});")
        else:
            statement.line(f"ST({array}, {element}, 1);")


@form("volatile_loop", loops=True, types=("float",))
def volatile_loop(draw, statement):
    counter, element = draw.name("j"), draw.element("v")
    if draw.chance(0.5):
        statement.line("#pragma unroll")
    statement.line(f"ENTER({counter[1:]}) for (int {counter} = 0; {counter} < {draw.choice(2, 4, 9)}; ++{counter}) {{ ROUND({counter[1:]})")
    statement.line(f"  acc += LD(v, {element});")
    statement.line(f"}} LEAVE({counter[1:]})")


@form("reload", types=("float",))
def reload(draw, statement):
    """A store through a pointer that may lead to what is loaded before and behind it."""
    element = draw.element("w")
    for _ in range(draw.random.randint(1, 3)):
        statement.line(f"acc += LD(w, {element});")
        statement.line(f"ST(u, {draw.element('u')}, acc);")
    statement.line(f"acc += LD(w, {element});")


@form("reload_loop", loops=True, types=("float",))
def reload_loop(draw, statement):
    counter, element, rounds = draw.name("j"), draw.element("w"), draw.choice(2, 5, 8, 16)
    statement.line(f"ENTER({counter[1:]}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({counter[1:]})")
    with draw.inside(counter, rounds):
        statement.line(f"  ST(u, {draw.element('u')}, LD(w, {element}));")
    statement.line(f"}} LEAVE({counter[1:]})")


@form("fence", types=("float",))
def fence(draw, statement):
    """Loads of one element on both sides of a fence."""
    fences = {"opencl": ["mem_fence(CLK_GLOBAL_MEM_FENCE);"], "cuda": ["__threadfence();", "__threadfence_block();"], "hip": ["__threadfence();"]}
    element = draw.element("u")
    statement.line(f"acc += LD(u, {element});")
    statement.line(draw.random.choice(fences[draw.language]))
    statement.line(f"acc += LD(u, {element});")


# Known numbers decide.


def known(draw):
    """A condition of the work item's ids and of the argument."""
    limit = draw.choice(1, 5, 16, 17, 31, 32, 33)
    return draw.choice(
        f"lx < {limit}", f"lid >= {limit}", "(lx & 1) == 0", "lx % 3 == 1", "ly > 0", "arg > 3", f"lx == {limit}", f"lx != {limit} && arg < 50",
        f"lx < {limit} || ly == 1", f"(lx ^ 5) % {draw.choice(3, 4, 7)} == 0", f"lid / 32 == {draw.choice(0, 1)}", f"min(lx, {limit}) == {limit - 1}",
    )


@form("known_if", nests=True, parts=True)
def known_if(draw, statement):
    statement.line(f"if ({known(draw)}) {{")
    with draw.part(0), draw.parted():
        draw.block(statement)
    if len(draw.types) > 1 and draw.chance(0.5):
        statement.line("} else {")
        with draw.part(1), draw.parted():
            draw.block(statement)
    statement.line("}")


@form("known_loop", nests=True, weight=1.5)
def known_loop(draw, statement):
    counter, rounds = draw.name("j"), draw.choice(2, 3, 4, 4, 8)
    number, parts = counter[1:], not draw.mixed
    leaves, even = parts and draw.chance(0.15), not parts or draw.chance(0.6)
    head, index, bound = draw.choice(
        (f"for (int {counter} = 0; {counter} < {rounds}; ++{counter})", counter, rounds),
        (f"for (int {counter} = {rounds}; {counter} > 0; --{counter})", f"({rounds} - {counter})", rounds),
    ) if even else draw.choice(
        (f"for (int {counter} = lx; {counter} < 64; {counter} += 16)", f"({counter} / 16)", 4),
        (f"for (int {counter} = 0; {counter} < (arg & 3); ++{counter})", counter, 4),
        (f"for (unsigned {counter} = 0; {counter} <= (unsigned)(lx & 3); ++{counter})", f"(int){counter}", 4),
    )
    if draw.chance(0.4):
        statement.line("#pragma unroll 1")
    statement.line(f"ENTER({number}) {head} {{ ROUND({number})")
    with draw.inside(index, bound, exact=even and not leaves), draw.parted(leaves or not even):
        draw.block(statement)
        if leaves:
            statement.line(f"  if ({known(draw)}) {draw.choice('break', 'continue')};")
            draw.block(statement, 1)
    statement.line(f"}} LEAVE({number})")


@form("long_loop", loops=True)
def long_loop(draw, statement):
    """A loop that stays one."""
    counter, rounds = draw.name("j"), 150 if draw.rounds()[0] == 1 and draw.chance(0.3) else draw.choice(6, 12)
    number = counter[1:]
    if rounds < 150 or draw.chance(0.3):
        statement.line("#pragma unroll 1")
    statement.line(f"ENTER({number}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({number})")
    with draw.inside(counter, rounds):
        statement.line(f"  acc += {draw.load()};")
    statement.line(f"}} LEAVE({number})")


@form("known_switch", nests=True, weight=0.7, sides=3, parts=True)
def known_switch(draw, statement):
    statement.line(f"switch ({draw.choice('lx', 'lid / 2', 'arg', '(lx ^ 3)')} & 3) {{")
    for place, case in enumerate(draw.random.sample(range(4), draw.random.randint(1, 2))):
        statement.line(f"case {case}: {{")
        with draw.part(place, 3), draw.parted():
            draw.block(statement, 2)
        statement.line(draw.choice("} break;", "} break;", "}"))
    if draw.chance(0.5):
        statement.line("default: {")
        with draw.part(2, 3), draw.parted():
            draw.block(statement, 1)
        statement.line("}")
    statement.line("}")


@form("known_return", weight=0.4, leaves=True, parts=True)
def known_return(draw, statement):
    statement.line(f"if ({known(draw)}) {{")
    statement.line(f"  ST(long_o, {draw.element('long_o')}, acc);")
    statement.line("  return;")
    statement.line("}")


# Data decides.


@dataclass
class Decision:
    """A condition on data: its text, the lines before it, and the share of the cases that make it true, if the user says it."""

    condition: str
    share: float | None

    @property
    def assumed(self):
        return {} if self.share is None else {"taken": f"{self.share:g}"}


def decided(draw, statement, shares=(0, 1), direct=True, can_mix=True):
    """Draws a condition on data. A share between 0 and 1 is that of the rounds of the loop around. Without a share the lanes take
    both sides."""
    text, is_true, is_false = drawn_condition(draw)
    share = draw.choice(*shares)
    values = [is_true if share else is_false]
    others = None
    if can_mix and draw.can_mix and draw.chance(0.2):
        share, values, others = None, [is_true], [is_false]
    elif draw.exact and draw.chance(0.3):
        rounds = draw.loops[-1][1]
        true = draw.random.randint(1, rounds - 1)
        share, values = true / rounds, [is_true] * true + [is_false] * (rounds - true)
        draw.random.shuffle(values)
    loaded = f"LD(y, {draw.data(values, others)})"
    return Decision(wrapped(draw, statement, text, loaded, direct), share)


def drawn_condition(draw):
    """A condition with a place for the value, a value that makes it true, and one that makes it false."""
    if draw.chance(0.7):
        return draw.random.choice(CONDITIONS), YES, NO
    return draw.random.choice(OPPOSITES), NO, YES


def wrapped(draw, statement, text, loaded, direct):
    """The condition on a loaded value: directly, by a variable, a function, a macro or a template."""
    way = draw.choice("variable", "variable", "direct", "function", "macro", "template")
    name = draw.name("v")
    if way == "direct" and direct:
        return text.format(loaded)
    statement.line(f"const int {name} = {loaded};")
    statement.line(f"acc += {name};")
    if way == "function":
        statement.function(f"{draw.device} int is_{name}(int x) {{ return {text.format('x')}; }}")
        return f"is_{name}({name})"
    if way == "macro":
        statement.function(f"#define IS_{name}(x) ({text.format('(x)')})")
        return f"IS_{name}({name})"
    if way == "template" and not draw.is_c:
        statement.function(f"template <class T> {draw.device} bool is_{name}(T x) {{ return {text.format('x')}; }}")
        return f"is_{name}({name})"
    return text.format(name)


def side(draw, statement, decision, place=0, sides=2):
    """A side of a branch on data."""
    with draw.on_side(decision.share), draw.part(place, sides):
        draw.block(statement, 2)


@form("if", nests=True, weight=1.5)
def if_(draw, statement):
    decision = decided(draw, statement)
    statement.line(f"if ({decision.condition}) {{", **decision.assumed)
    side(draw, statement, decision, 0, 1)
    statement.line("}")


@form("if_else", nests=True, weight=1.5, sides=2)
def if_else(draw, statement):
    decision = decided(draw, statement)
    statement.line(f"if ({decision.condition}) {{", **decision.assumed)
    side(draw, statement, decision, 0)
    statement.line("} else {")
    side(draw, statement, decision, 1)
    statement.line("}")


@form("else_if", nests=True, sides=3)
def else_if(draw, statement):
    decisions, names = [], [draw.name("v"), draw.name("v")]
    for name in names:
        value = draw.choice(YES, NO)
        statement.line(f"const int {name} = LD(y, {draw.data([value])});")
        statement.line(f"acc += {name};")
        decisions.append(Decision(f"{name} > 3", value // YES))
    statement.line(f"if ({decisions[0].condition}) {{", **decisions[0].assumed)
    side(draw, statement, decisions[0], 0, 3)
    statement.line(f"}} else if ({decisions[1].condition}) {{", **decisions[1].assumed)
    side(draw, statement, decisions[1], 1, 3)
    if draw.chance(0.7):
        statement.line("} else {")
        side(draw, statement, decisions[1], 2, 3)
    statement.line("}")


@form("return", weight=0.8, leaves=True)
def return_(draw, statement):
    """An early return; the work item stores what it has, so that no compiler moves its loads behind the return."""
    is_first = not any(draw.slots.values())
    decision = decided(draw, statement, shares=(0, 0, 1), can_mix=False)
    if is_first or draw.chance(0.5):
        if not is_first:
            statement.line(f"ST(double_o, {draw.element('double_o')}, acc);")
        statement.line(f"if ({decision.condition}) return;", **decision.assumed)
        if draw.rounds()[0] <= 8 and draw.chance(0.7 if is_first else 0.4):
            long_loop(draw, statement)
    else:
        statement.line(f"if ({decision.condition}) {{", **decision.assumed)
        statement.line(f"  ST(long_o, {draw.element('long_o')}, acc);")
        statement.line("  return;")
        statement.line("}")


@form("return_in_function", sides=2)
def return_in_function(draw, statement):
    name, value = draw.name("found"), draw.choice(YES, NO)
    condition = draw.choice("x > 3", "x != 0", "x == 7")
    one, other = (f"{type_}_a" for type_ in draw.random.sample(draw.types, 2))
    pointers = f"{draw.pointer(ARRAYS[one][0])}one, {draw.pointer(ARRAYS[other][0])}other"
    statement.function(f"{draw.device} float {name}({pointers}, int x, int i, int j)", "{",
                       Line(f"  if ({condition})", {"taken": value // YES}), "    return LD(one, i);", "  return LD(other, j) * 2;", "}")
    loaded = draw.name("v")
    statement.line(f"const int {loaded} = LD(y, {draw.data([value])});")
    statement.line(f"acc += {name}({one}, {other}, {loaded}, {draw.element(one)}, {draw.element(other)});")


@form("ternary", sides=2)
def ternary(draw, statement):
    decision = decided(draw, statement)
    statement.line(f"acc += ({decision.condition})", **decision.assumed)
    with draw.on_side(decision.share):
        statement.compared = "warps" if draw.mixed else "all"
        with draw.part(0):
            statement.line(f"    ? {draw.load()}")
        with draw.part(1):
            statement.line(f"    : {draw.load()};")


@form("and_or", nests=True, sides=2)
def and_or(draw, statement):
    """Two conditions, side by side or one behind the other."""
    values, names = [draw.choice(YES, NO), draw.choice(YES, NO)], [draw.name("v"), draw.name("v")]
    both = draw.choice("&&", "||")
    if draw.chance(0.5):
        # One line: both conditions are true, or both are false.
        values[1] = values[0]
        for name, value in zip(names, values):
            statement.line(f"const int {name} = LD(y, {draw.data([value])});")
        statement.line(f"acc += {names[1]};")
        statement.line(f"if ({names[0]} > 3 {both} {names[1]} > 4) {{", taken=values[0] // YES)
    else:
        statement.line(f"if (LD(y, {draw.data(values[:1])}) > 3 {both}", taken=values[0] // YES)
        statement.line(f"    LD(y, {draw.data(values[1:])}) != 0) {{", taken=values[1] // YES)
    with draw.part(0):
        draw.block(statement, 2)
    if draw.chance(0.5):
        statement.line("} else {")
        with draw.part(1):
            draw.block(statement, 2)
    statement.line("}")


@form("switch", nests=True, sides=2)
def switch(draw, statement):
    """Lanes take all cases."""
    if not draw.can_mix:
        load(draw, statement)
        return
    name = draw.name("v")
    statement.line(f"const int {name} = LD(y, {draw.data([1], [0])});")
    statement.line(f"acc += {name};")
    statement.line(f"switch ({name}) {{")
    with draw.on_side(None):
        for case in range(2):
            statement.line(f"case {case}: {{")
            with draw.part(case):
                draw.block(statement, 2)
            statement.line("} break;")
    statement.line("}")


# Loops that data ends.


def trips(draw):
    """The rounds of a loop, fewer within others."""
    around = draw.rounds()[0]
    return draw.choice(1, 2, 3, 5) if around > 1 else draw.choice(1, 2, 3, 5, 7, 8, 10, 17)


def ending(draw, statement, head, index, rounds, assumed):
    """A loop with statements, which data ends after some rounds."""
    number = draw.name("")
    statement.line(f"ENTER({number}) {head} {{ ROUND({number})", **assumed)
    with draw.inside(index, rounds + 1):
        draw.block(statement, 2)
    return number


@form("for", nests=True, weight=2)
def for_(draw, statement):
    counter, end, rounds = draw.name("j"), draw.name("n"), trips(draw)
    head, value, index = draw.choice(
        (f"for (int {counter} = 0; {counter} < {end}; ++{counter})", rounds, counter),
        (f"for (int {counter} = 0; {counter} < {end}; {counter}++)", rounds, counter),
        (f"for (int {counter} = 0; {counter} < min({end}, 64); ++{counter})", rounds, counter),
        (f"for (int {counter} = 0; {counter} != {end}; ++{counter})", rounds, counter),
        (f"for (int {counter} = 1; {counter} <= {end}; ++{counter})", rounds, f"({counter} - 1)"),
        (f"for (int {counter} = {end}; {counter} > 0; --{counter})", rounds, f"({counter} - 1)"),
        (f"for (int {counter} = 0; {counter} < {end}; {counter} += 2)", 2 * rounds, f"({counter} / 2)"),
        (f"for (unsigned {counter} = 0; {counter} < (unsigned){end}; ++{counter})", rounds, f"(int){counter}"),
    )
    statement.line(f"const int {end} = LD(y, {draw.data([value])});")
    if draw.chance(0.2):
        statement.line(draw.choice("#pragma unroll 1", "#pragma unroll 4"))
    number = ending(draw, statement, head, index, rounds, {"trip": rounds})
    statement.line(f"}} LEAVE({number})")


@form("while", nests=True)
def while_(draw, statement):
    counter, rounds = draw.name("j"), trips(draw)
    statement.line(f"int {counter} = 0;")
    with draw.inside(counter, rounds + 1):
        index = draw.data([YES] * rounds + [NO])
    number = ending(draw, statement, f"while (LD(y, {index}) > 3)", counter, rounds, {"trip": rounds})
    statement.line(f"  ++{counter};")
    statement.line(f"}} LEAVE({number})")


@form("do", nests=True)
def do(draw, statement):
    counter, rounds = draw.name("j"), trips(draw)
    statement.line(f"int {counter} = 0;")
    number = ending(draw, statement, "do", counter, rounds, {})
    with draw.inside(counter, rounds + 1):
        index = draw.data([YES] * (rounds - 1) + [NO, NO])
    name = draw.name("v")
    statement.parts.insert(1, Line(f"int {name};"))
    statement.line(f"  {name} = LD(y, {index});")
    statement.line(f"  ++{counter};")
    statement.line(f"}} while ({name} > 3); LEAVE({number})", trip=rounds)


@form("for_two_ends", nests=True)
def for_two_ends(draw, statement):
    counter, rounds = draw.name("j"), trips(draw)
    with draw.inside(counter, rounds + 1):
        index = draw.data([YES] * rounds + [NO])
    head = f"for (int {counter} = 0; {counter} < {draw.choice(32, 100)} && LD(y, {index}) > 3; ++{counter})"
    number = ending(draw, statement, head, counter, rounds, {"trip": rounds})
    statement.line(f"}} LEAVE({number})")


def leaving(draw, statement, word):
    """A loop of known rounds that data leaves, or whose rounds data cuts short."""
    counter, rounds = draw.name("j"), draw.choice(2, 4, 8, 16) if draw.rounds()[0] == 1 else draw.choice(2, 4)
    number = counter[1:]
    statement.line(f"ENTER({number}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({number})")
    with draw.inside(counter, rounds, exact=word == "continue"):
        draw.block(statement, 1)
        decision = decided(draw, statement, can_mix=False)
        if draw.chance(0.5):
            statement.line(f"  if ({decision.condition}) {word};", **decision.assumed)
        else:
            statement.line(f"  if ({decision.condition})", **decision.assumed)
            statement.line(f"    {word};")
        with draw.on_side(decision.share):
            if draw.chance(0.5) and draw.rounds()[0] <= 8:
                long_loop(draw, statement)
            draw.block(statement, 2)
    statement.line(f"}} LEAVE({number})")


@form("break", nests=True)
def break_(draw, statement):
    leaving(draw, statement, "break")


@form("continue", nests=True)
def continue_(draw, statement):
    leaving(draw, statement, "continue")


# What made the analysis stand still.


@form("running_minimum", loops=True, types=("int",))
def running_minimum(draw, statement):
    counter, least, value, rounds = draw.name("j"), draw.name("m"), draw.name("v"), draw.choice(4, 8, 16)
    number, falls = counter[1:], draw.chance(0.5)
    statement.line(f"int {least} = 100;")
    statement.line(f"ENTER({number}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({number})")
    with draw.inside(counter, rounds):
        statement.line(f"  const int {value} = LD(y, {draw.data([rounds - i if falls else 100 + i for i in range(rounds)])});")
        statement.line(f"  if ({value} < {least}) {{", taken=int(falls))
        statement.line(f"    {least} = {value};")
        statement.line(f"    ST(int_o, {draw.element('int_o')}, {draw.choice(least, counter)});")
    statement.line("  }")
    statement.line(f"}} LEAVE({number})")
    if draw.chance(0.5):
        statement.line(f"acc += {least};")


@form("two_thresholds", types=("int", "long"))
def two_thresholds(draw, statement):
    name, values = draw.name("m"), draw.choice((0, 0, 0), (5, 0, 0), (5, 9, 0), (9, 0, 0))
    first, second = values[0] > 3, values[0] + (values[1] if values[0] > 3 else 0) > 7
    statement.line(f"int {name} = LD(y, {draw.data(values[:1])});")
    statement.line(f"if ({name} > 3) {{", taken=int(first))
    statement.line(f"  ST(int_o, {draw.element('int_o')}, {name});")
    statement.line(f"  {name} += LD(y, {draw.data(values[1:2])});")
    statement.line("}")
    statement.line(f"if ({name} > 7)", taken=int(second))
    statement.line(f"  ST(long_o, {draw.element('long_o')}, {name});")


@form("halves", loops=True)
def halves(draw, statement):
    """A search by halves, and a branch on what it found."""
    low, high, middle, number = draw.name("low"), draw.name("high"), draw.name("mid"), draw.name("")
    upper = draw.chance(0.5)
    with draw.inside(middle, 16):
        index = draw.data([YES if upper else NO] * 16)
    statement.line(f"int {low} = 0, {high} = 16;")
    statement.line(f"ENTER({number}) while ({low} < {high}) {{ ROUND({number})", trip=4 if upper else 5)
    statement.line(f"  const int {middle} = ({low} + {high}) / 2;")
    statement.line(f"  if (LD(y, {index}) > 3) {low} = {middle} + 1; else {high} = {middle};", taken=int(upper))
    statement.line(f"}} LEAVE({number})")
    if draw.chance(0.7):
        statement.line(f"if ({low} > 3)", taken=int(upper))
        statement.line(f"  acc += {draw.load()};")


# Pointers into two memories.


@form("two_memories", languages=ON_GPUS, barriers=True, weight=2)
def two_memories(draw, statement):
    size = draw.group[0] * draw.group[1]
    local, mine = draw.name("s"), draw.choice("lid", f"{size - 1} - lid", f"(lid + 5) % {size}")
    statement.locals.append(f"LOCAL_ARRAY(float, {local}, {size});")
    statement.line(f"ST({local}, lid, {draw.choice('acc', 'lid')});")
    statement.line(draw.barrier())
    condition = draw.choice("lid == 0", "lid % 32 == 0", "lid % 32 != 0", "lid < 16", "lid & 1", f"lid == {size - 1}", "lid >= 33")
    element, value = draw.element("float_a"), draw.name("l")
    way = draw.choice("branch", "choice", "function")
    here, there = (f"LD(float_a, {element})", f"LD({local}, {mine})")
    if draw.chance(0.5):
        here, there = there, here
    if way == "branch":
        statement.joined = True
        statement.line(f"float {value};")
        statement.line(f"if ({condition})")
        statement.line(f"  {value} = {here};")
        statement.line("else")
        statement.line(f"  {value} = {there};")
        statement.line(f"ST(double_o, {draw.element('double_o')}, {value});")
    elif way == "choice":
        statement.line(f"const float *{value} = {condition} ? float_a + {element} : {local} + {mine};")
        statement.line(f"acc += DEREF({value});")
    else:
        name = draw.name("either")
        statement.function(f"{draw.device} float {name}(const float *from, int i) {{ return LD(from, i); }}")
        statement.line(f"acc += {name}({condition} ? float_a : {local}, {condition} ? {element} : {mine});")
    statement.line(draw.barrier())


# What is the same for all lanes.


def row(draw):
    """The index of an element of `in` from a row `r` that is the same for all lanes."""
    return draw.choice("{r} * 256 + lid", "{r} * 256 + lid", "{r}", "({r} ^ 3) * 64 + lid", "{r} / 2 * 256 + lid", "({r} + 1) * 8 + 2 * lid", "{r} * 256 + 255 - lid")


@form("uniform", weight=1.5, types=("float",))
def uniform(draw, statement):
    name = draw.name("r")
    (_, slot), (_, there) = draw.slot("rows"), draw.slot("in")
    statement.line(f"const int {name} = LD(rows, ({slot}) * {ROWS} + {draw.choice('gx', 'gx', '5')});")
    statement.line(f"acc += LD(in, ({there}) * {FAR} + {row(draw).format(r=name)});")


@form("uniform_rows", loops=True, types=("float",))
def uniform_rows(draw, statement):
    """Rows that are not zero, as in a sparse matrix: their numbers, and where they begin, are data."""
    counter, first, rounds = draw.name("j"), draw.name("r"), draw.choice(2, 4, 8)
    number = counter[1:]
    _, slot = draw.slot("rows")
    statement.line(f"const int {first} = LD(rows, ({slot}) * {ROWS} + gx);")
    statement.line(f"ENTER({number}) for (int {counter} = {first}; {counter} < {first} + {rounds}; ++{counter}) {{ ROUND({number})")
    _, there = draw.slot("in")
    statement.line(f"  acc += LD(in, ({there}) * {FAR} + {counter} * 256 + lid);")
    statement.line(f"}} LEAVE({number})")


@form("staged", barriers=True)
def staged(draw, statement):
    size = draw.group[0] * draw.group[1]
    local, counter, rounds = draw.name("s"), draw.name("j"), draw.choice(2, 4, 16)
    number = counter[1:]
    statement.locals.append(f"LOCAL_ARRAY(int, {local}, {size});")
    _, slot = draw.slot("rows")
    statement.line(f"ST({local}, lid, LD(rows, ({slot}) * {ROWS} + lid % 64));")
    statement.line(draw.barrier())
    statement.line(f"ENTER({number}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({number})")
    with draw.inside(counter, rounds):
        _, there = draw.slot("in")
        statement.line(f"  acc += LD(in, ({there}) * {FAR} + LD({local}, {counter}) * {draw.choice('8', '256 + lid', '32 + lid')});")
    statement.line(f"}} LEAVE({number})")
    statement.line(draw.barrier())


@form("local", barriers=True)
def local(draw, statement):
    """Neighbours exchange numbers in local memory."""
    size = draw.group[0] * draw.group[1]
    name = draw.name("s")
    statement.locals.append(f"LOCAL_ARRAY(float, {name}, {2 * size});")
    array = draw.loaded()
    statement.line(f"ST({name}, lid, LD({array}, {draw.element(array)}));")
    statement.line(draw.barrier())
    statement.line(f"acc += LD({name}, (lid + {draw.choice(1, 7, 16)}) % {size});")
    if draw.chance(0.5):
        statement.line(f"ST({name}, {size} + lid, acc);")
        statement.line(draw.barrier())
        statement.line(f"acc *= LD({name}, {size} + {size - 1} - lid);")
    statement.line(draw.barrier())
