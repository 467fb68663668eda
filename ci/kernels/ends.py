"""Forms of loops that data ends or leaves, and of what made the analysis stand still."""
from by_data import NO, YES, decided, drawn_condition, wrapped
from by_ids import long_loop
from drawn import Line
from forms import form


def trips(draw):
    """The rounds of a loop, fewer within others."""
    around = draw.rounds()[0]
    return draw.choice(1, 2, 3, 5) if around > 1 else draw.choice(1, 2, 3, 5, 7, 8, 10, 17)


def ending(draw, statement, head, index, rounds, assumed):
    """A loop with statements, which data ends after some rounds."""
    number = draw.name("")
    statement.line(f"ENTER({number}) {head} {{ ROUND({number})", **assumed)
    with draw.inside(index, rounds + 1, scattered=index.startswith("(n")):
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
        (f"for (int {counter} = {end}; {counter} > 0; --{counter})", rounds, f"({end} - {counter})"),
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


@form("break", nests=True)
def break_(draw, statement):
    """A loop of known rounds that data leaves, in one of them or never."""
    counter, rounds = draw.name("j"), draw.choice(2, 4, 8, 16) if draw.rounds()[0] == 1 else draw.choice(2, 4)
    number, last = counter[1:], draw.random.randint(1, rounds + 1)
    text, is_true, is_false = drawn_condition(draw)
    statement.line(f"ENTER({number}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({number})")
    with draw.inside(counter, rounds):
        draw.block(statement, 1)
        loaded = f"LD(y, {draw.data([is_true if place == last - 1 else is_false for place in range(rounds)])})"
        condition = wrapped(draw, statement, text, loaded, direct=True)
        assumed = {"trip": last if last <= rounds else rounds + 5}
        if draw.chance(0.5):
            statement.line(f"  if ({condition}) break;", **assumed)
        else:
            statement.line(f"  if ({condition})", **assumed)
            statement.line("    break;")
        draw.block(statement, 2)
    statement.line(f"}} LEAVE({number})")


@form("continue", nests=True)
def continue_(draw, statement):
    """A loop of known rounds that data cuts short."""
    counter, rounds = draw.name("j"), draw.choice(2, 4, 8, 16) if draw.rounds()[0] == 1 else draw.choice(2, 4)
    number = counter[1:]
    statement.line(f"ENTER({number}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({number})")
    with draw.inside(counter, rounds, exact=True):
        draw.block(statement, 1)
        decision = decided(draw, statement, can_mix=False)
        if draw.chance(0.5):
            statement.line(f"  if ({decision.condition}) continue;", **decision.assumed)
        else:
            statement.line(f"  if ({decision.condition})", **decision.assumed)
            statement.line("    continue;")
        with draw.on_side(decision.share):
            if draw.chance(0.5) and draw.rounds()[0] <= 8:
                long_loop(draw, statement)
            draw.block(statement, 2)
    statement.line(f"}} LEAVE({number})")


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
