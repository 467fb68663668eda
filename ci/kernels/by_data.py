"""Forms of branches that data decides, with what is assumed of them."""
from dataclasses import dataclass

from accesses import load
from by_ids import long_loop
from drawn import ARRAYS, Line
from forms import form

# Values of data elements, and conditions that the first one makes true and the second one false.
YES, NO = 7, 0
CONDITIONS = ["{} > 3", "3 < {}", "{} >= 4", "{} != 0", "{} == 7", "!({} <= 3)", "({} & 1)", "{} % 2 == 1", "!(!{})"]
OPPOSITES = ["{} < 4", "!{}", "{} == 0", "{} <= 3", "!({} > 3)", "{} % 2 != 1"]


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
    """Two conditions, side by side or one behind the other. The first one decides, and the second one is as the whole is."""
    both, is_true, names = draw.choice("&&", "||"), draw.chance(0.5), [draw.name("v"), draw.name("v")]
    value = YES if is_true else NO
    other = draw.choice(YES, NO) if is_true == (both == "||") else value
    assumed = {"taken": int(is_true)}
    if draw.chance(0.5):
        for name, one in zip(names, (value, value)):
            statement.line(f"const int {name} = LD(y, {draw.data([one])});")
        statement.line(f"acc += {names[1]};")
        statement.line(f"if ({names[0]} > 3 {both} {names[1]} > 4) {{", **assumed)
    else:
        statement.line(f"if (LD(y, {draw.data([value])}) > 3 {both}", **assumed)
        statement.line(f"    LD(y, {draw.data([other])}) != 0) {{")
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
