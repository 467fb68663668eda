"""Forms of control flow that known numbers decide: the ids of the work item, and an argument."""
from forms import form


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
