"""Marks on the conditions and loops of a kernel that a user's assumptions speak of, in MLIR's text for LLVM.

There each condition of the source still is a branch whose first target is the side where it is true. A marked condition passes a
function that the optimiser does not know; an iteration of a marked loop calls one that has an effect.
"""

import contextlib
import os
import re
import tempfile

# The attributes of a function that only passes its argument on, and of one whose effect no access of memory meets: as LLVM
# numbers the effects on memory.
PASSES_ON = '["nounwind", "willreturn", "nosync", "nofree", "speculatable", ["memory", "0"]]'
COUNTS = '["nounwind", "willreturn", "nosync", "nofree", ["memory", "12"]]'
# What keeps a loop from being unrolled where its iterations are not known, and from being peeled.
WHOLE = "#llvm.loop_annotation<unroll = <runtimeDisable = true>, peeled = <count = 1000 : i32>>"
BRANCH = re.compile(r"^\s*llvm\.cond_br (?P<condition>%[\w.$#-]+)")
LABEL = re.compile(r"^\s*(\^bb\d+)\b.*:")


def places(text):
    """The file and line of each location by its name: the innermost that is no file of Triton's own."""
    listed = dict(re.findall(r"^(#loc\w*) = (loc\(.*\))$", text, re.MULTILINE))
    own = os.sep + "triton" + os.sep + "language" + os.sep

    def found(location, depth=0):
        named = re.search(r'"([^"]*)":(\d+):\d+', location)
        if named:
            return None if own in named[1] else (named[1], int(named[2]))
        inner = (found(listed.get(name, ""), depth + 1) for name in re.findall(r"#loc\w*", location))
        return next(filter(None, inner), None) if depth < 64 else None

    return {name: found(location) for name, location in listed.items()}


def line_of(text, known):
    """The user's line of an operation; 0 if it has none."""
    name = re.search(r"loc\((#loc\w*)\)\s*$", text)
    place = known.get(name[1]) if name else None
    return place[1] if place else 0


def blocks(lines):
    """The blocks of all functions: label, first line, last line and the labels that follow."""
    made, label, first = [], None, None
    for number, line in enumerate(lines):
        if re.match(r"^\s*llvm\.func ", line):
            label, first = f"entry {number}", number + 1
        elif LABEL.match(line):
            label, first = LABEL.match(line)[1], number + 1
        elif label and re.match(r"^\s*llvm\.(br|cond_br|switch|return|unreachable)\b", line):
            made.append((label, first, number, re.findall(r"\^bb\d+", line)))
            label = None
    return made


def leads_back(start, to, after):
    """True if a way leads from a block to another, and not by a block in front of that: a loop around both begins there."""
    order = {label: number for number, label in enumerate(after)}
    seen, left = set(), [start]
    while left:
        label = left.pop()
        if label == to:
            return True
        if label not in seen and order.get(label, -1) > order[to]:
            seen.add(label)
            left.extend(after[label])
    return False


def target_of(line, label):
    """A branch's target with its operands: `^bb3(%8, %11 : i32, !llvm.struct<(f32)>)`."""
    first = re.search(re.escape(label) + r"\b", line).start()
    at, depth = first + len(label), 0
    while at < len(line) and (depth > 0 or line[at] == "("):
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        at += 1
    return line[first:at]


def marked(text, taken, trips):
    """The text of a module with marks for the lines of conditions and of loops' ends."""
    lines, known = text.split("\n"), places(text)
    # A kernel is one function: all others are inlined.
    all_blocks = blocks(lines)
    after = {label: targets for label, _, _, targets in all_blocks}
    before, behind, functions = {}, {}, {}
    for label, _, last, targets in all_blocks:
        branch, line = BRANCH.match(lines[last]), line_of(lines[last], known)
        if not branch or len(targets) != 2:
            continue
        stays = [to for to in targets if leads_back(to, label, after)]
        if len(stays) == 1:
            if line in trips:
                mark_loop(lines, all_blocks, (label, stays[0], line, last), (before, behind), functions, after)
        elif line in taken:
            name = f"autotune_condition.{line}.{last}.first"
            functions[name] = ("i1", "i1", PASSES_ON)
            at = re.search(r"loc\(#loc\w*\)\s*$", lines[last])[0]
            call = f"    %autotune_{last} = llvm.call @{name}({branch['condition']}) : (i1) -> i1 {at}"
            before.setdefault(last, []).append(call)
            lines[last] = lines[last].replace(branch["condition"], f"%autotune_{last}", 1)
    return whole(lines, before, behind, functions)


def mark_loop(lines, all_blocks, loop, beside, functions, after):
    """Marks the ways into a loop that a block ends, and its iterations, on the way to its body, and keeps the loop as it is."""
    head, body, line, end = loop
    before, behind = beside
    order = {label: number for number, label in enumerate(after)}
    name = f"autotune_iteration.{line}.{end}"
    functions[name] = ("", "()", COUNTS)
    # The body may be the head of a loop in it, which other ways lead to.
    target, between = target_of(lines[end], body), f"^bb{len(lines) + end}"
    lines[end] = lines[end].replace(target, between, 1)
    call = f"    llvm.call @{name}() : () -> () loc(unknown)"
    behind[end] = [f"  {between}:", call, f"    llvm.br {target} loc(unknown)"]
    entry = f"autotune_entry.{line}.{end}"
    functions[entry] = ("", "()", COUNTS)
    for label, _, last, targets in all_blocks:
        if head in targets and order[label] < order[head]:
            before.setdefault(last, []).insert(0, f"    llvm.call @{entry}() : () -> () loc(unknown)")
        if head in targets and order[label] >= order[head] and "loop_annotation" not in lines[last]:
            at = lines[last].rindex(" loc(")
            lines[last] = f"{lines[last][:at]} {{loop_annotation = {WHOLE}}}{lines[last][at:]}"


def whole(lines, before, behind, functions):
    """The text with the lines that stand before and behind others, and the declared functions."""
    first = next((number for number, line in enumerate(lines) if re.match(r"^\s*llvm\.func ", line)), 0)
    for name, (taken, returned, attributes) in functions.items():
        returned = "" if returned == "()" else f" -> {returned}"
        declared = f"  llvm.func @{name}({taken}){returned} attributes {{passthrough = {attributes}}} loc(unknown)"
        before.setdefault(first, []).insert(0, declared)
    made = []
    for number, line in enumerate(lines):
        made.extend(before.get(number, []))
        made.append(line)
        made.extend(behind.get(number, []))
    return "\n".join(made)


@contextlib.contextmanager
def marking(taken, trips):
    """The time in which Triton's modules get marks before they become LLVM's."""
    from triton._C.libtriton import ir, llvm

    plain = llvm.to_module

    def to_module(module, context, *others):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file:
            file.write(marked(str(module), taken, trips))
            file.flush()
            of = getattr(module, "context", None)
            made = ir.parse_mlir_module(file.name, of) if of is not None else module
        return plain(made, context, *others)

    llvm.to_module = to_module
    try:
        yield
    finally:
        llvm.to_module = plain
