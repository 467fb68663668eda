"""The mutants of the Promela parts and templates: one changed guard or assignment each.

Guards: options (`:: guard ->`), conditions of expressions, of macros and of C. A guard is negated or made true; an operand of `&&` or
`||` is dropped. Receives: `eval(...)` becomes `_`.
Assignments, assertions and initial values: dropped, or one off; a loop's bounds: one off.
"""
import re
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["promela/parts", "templates"]
COMMENT = re.compile(r"/\*.*?\*/|\"(?:[^\"\\]|\\.)*\"", re.S)
TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.S)
OPEN, CLOSE = "([{", ")]}"


@dataclass(frozen=True)
class Mutant:
    """`new` in the place of text[begin:end] of a file."""

    path: str
    begin: int
    end: int
    new: str
    text: str
    # True if only models of programs with starts have the place.
    of_queues: bool = False

    def lines(self):
        """The changed lines, before and after."""
        first = self.text.rfind("\n", 0, self.begin) + 1
        last = self.text.find("\n", self.end)
        last = len(self.text) if last < 0 else last
        before = self.text[first:last]
        return before, self.text[first : self.begin] + self.new + self.text[self.end : last]

    def place(self):
        """The line, and which of the file's equal lines it is."""
        before, _ = self.lines()
        first = self.text.rfind("\n", 0, self.begin) + 1
        number = [line.strip() for line in self.text[:first].split("\n")].count(before.strip()) + 1
        return before.strip(), number

    def name(self):
        """Stays the same when other lines of the file change."""
        line, number = self.place()
        which = f" (#{number})" if number > 1 else ""
        old = self.text[self.begin : self.end]
        before = self.lines()[0][: self.begin - self.text.rfind("\n", 0, self.begin) - 1].count(old)
        where = f" (#{before + 1})" if before else ""
        short = self.path.replace("promela/", "")
        return f"{short}{which}: {line} | {old}{where} => {self.new or '(nothing)'}"


def blanked(text):
    """The text with spaces for its comments and strings."""
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def level_end(code, at, stops, step=1):
    """Where the expression around `at` ends: at a stop outside all brackets, or at the bracket that holds it."""
    opening, closing = (OPEN, CLOSE) if step > 0 else (CLOSE, OPEN)
    depth = 0
    while 0 <= at < len(code):
        if depth == 0 and any(code.startswith(stop, at) for stop in stops):
            return at
        if code[at] in opening:
            depth += 1
        elif code[at] in closing:
            if depth == 0:
                return at
            depth -= 1
        at += step
    return at


class Enumerator:
    """Collects the mutants of one file."""

    def __init__(self, path, text):
        self.path = str(path.relative_to(ROOT))
        self.text = text
        self.code = blanked(self.text)
        self.found = {}

    def add(self, begin, end, new):
        while begin < end and self.code[begin] in " \n":
            begin += 1
        while begin < end and self.code[end - 1] in " \n":
            end -= 1
        if begin < end and self.text[begin:end] != new:
            self.found[begin, end, new] = Mutant(self.path, begin, end, new, self.text)

    def guard(self, begin, end):
        old = self.text[begin:end].strip()
        if old and old not in ("else", "true", "1"):
            self.add(begin, end, "1" if self.in_c(begin) else "true")
            self.add(begin, end, f"!({old})")

    def in_c(self, at):
        return any(begin <= at < end for begin, end in self.c_regions)

    def run(self):
        self.c_regions = []
        for block in re.finditer(r"c_code \{", self.code):
            self.c_regions.append((block.end(), level_end(self.code, block.end(), [])))
        self.options()
        self.conditions()
        self.c_guards()
        self.operands()
        self.assignments()
        self.steps()
        self.definitions()
        self.others()
        return [mutant for mutant in self.found.values() if "{%" not in mutant.lines()[0]]

    def options(self):
        for option in re.finditer(r"::[ \n]*", self.code):
            begin = option.end()
            end = level_end(self.code, begin, ["->", ";", "\n"])
            content = self.code[begin:end].strip()
            bare = not self.code.startswith("->", end)
            if re.match(r"else\b|break\b|atomic\b|d_step\b", content) or re.search(r" = |\+\+|--|\?", content):
                continue
            if not bare or re.search(r" [<>=!&|]+ ", content):
                self.guard(begin, end)
        for receive in re.finditer(r"eval\(", self.code):
            self.add(receive.start(), level_end(self.code, receive.end(), []) + 1, "_")

    def conditions(self):
        """`condition -> this : that` in brackets."""
        for arrow in re.finditer(r" -> ", self.code):
            begin = level_end(self.code, arrow.start() - 1, ["\n", ";", "::", "{", " : "], -1)
            end = level_end(self.code, arrow.end(), [" : ", "\n", ";"])
            if self.code.startswith(" : ", end) and begin >= 0:
                while self.code[begin] in "(: ":
                    begin += 1
                    if self.code[begin - 1] == "(":
                        break
                self.guard(begin, arrow.start())

    def c_guards(self):
        for word in re.finditer(r"\b(?:if|while) \(", self.code):
            if self.in_c(word.start()):
                self.guard(word.end(), level_end(self.code, word.end(), []))
        for loop in re.finditer(r"\bfor \([^;]*;", self.code):
            if self.in_c(loop.start()):
                self.guard(loop.end(), level_end(self.code, loop.end(), [";"]))
        for choice in re.finditer(r" \? ", self.code):
            if self.in_c(choice.start()):
                begin = level_end(self.code, choice.start() - 1, [" = ", "\n", ";", ", "], -1) + 1
                skipped = re.match(r"(= |, |\s)*", self.code[begin:]).end()
                self.guard(begin + skipped, choice.start())

    def operands(self):
        stops = ["&&", "||", "->", ";", "::", "?", " = ", " : ", "\\\n"]
        for operator in re.finditer(r" (&&|\|\|) ", self.code):
            left = level_end(self.code, operator.start() - 1, stops, -1)
            left_stop = next((stop for stop in stops if self.code.startswith(stop, left)), self.code[left])
            begin = left + len(left_stop)
            end = level_end(self.code, operator.end(), [*stops, "\n"])
            self.add(begin, operator.end(), "")
            self.add(operator.start(), end, "")

    def assignments(self):
        for sign in re.finditer(r" (=|\+=|-=) ", self.code):
            line = self.code.rfind("\n", 0, sign.start()) + 1
            stops = [";", "->", "::", "{", "}", ", ", "for ("]
            begin = max(line, level_end(self.code, sign.start() - 1, stops, -1))
            stop = next((stop for stop in stops if self.code.startswith(stop, begin)), "")
            begin += len(stop)
            if self.code[begin] == "(":
                begin += 1
            end = level_end(self.code, sign.end(), [";", "\n", ", "])
            target = self.code[begin : sign.start()].strip()
            declared = re.match(r"(?:hidden |static |const |long |c_decl )*(?:int|byte|short|bool|long|char|FILE)\b", self.code[line:].strip())
            if "[" in target and "=" in target or re.match(r"\{[^{]", self.code[sign.end():]) or target.startswith("mtype"):
                continue
            value = self.text[sign.end() : sign.end() + len(self.code[sign.end() : end].rstrip())]
            self.add(sign.end(), end, f"({value}) + 1")
            if declared and not self.in_c(begin):
                self.add(sign.start(), end, "")
            elif not declared:
                self.add(begin, end, "0" if self.in_c(begin) else "skip")

    def steps(self):
        for step in re.finditer(r"(\+\+|--)", self.code):
            begin = step.start()
            while re.match(r"[\w\]\[()]", self.code[begin - 1]):
                begin -= 1
            if self.in_c(begin):
                self.add(*step.span(), "") if begin < step.start() else self.add(step.start(), step.end(), "")
                continue
            target = self.text[begin : step.start()]
            self.add(begin, step.end(), "skip")
            self.add(begin, step.end(), f"{target} = {target} {step[1][0]} 2")

    def definitions(self):
        for define in re.finditer(r"#define \w+(?:\([^)]*\))? +(?:\\\n *)?([^\n]+)", self.code):
            value = self.text[define.start(1) : define.end(1)]
            value = re.split(r"  +", value)[0].strip()
            end = define.start(1) + len(value)
            if value.endswith("\\"):
                continue
            if value.startswith("{{") or value.isdigit() and value != "0":
                self.add(define.start(1), end, f"({value} - 1)")
            elif value.startswith("(") or value == "0":
                self.add(define.start(1), end, f"({value} + 1)")

    def others(self):
        for check in re.finditer(r"\bassert\(", self.code):
            self.add(check.start(), level_end(self.code, check.end(), []) + 1, "skip")
        for loop in re.finditer(r"\bfor \(\w+ : (.+?) \.\. ", self.code):
            end = level_end(self.code, loop.end(), [])
            self.add(loop.start(1), loop.end(1), f"{loop[1]} + 1")
            self.add(loop.end(), end, f"{self.text[loop.end():end]} - 1")


def rendered(text, has_queues):
    """A part as it stands in models of programs with starts, or without."""
    text = re.sub(r"\s*\{%-", "{%", text)
    either = re.compile(r"\{% if queues %\}(.*?)(?:\{% else %\}(.*?))?\{% endif %\}", re.S)
    return either.sub(lambda found: found[1] if has_queues else found[2] or "", text)


def mutants_of(path):
    found = {}
    for has_queues in (False, True):
        text = path.read_text()
        for mutant in Enumerator(path, rendered(text, has_queues) if path.parent.name == "parts" else text).run():
            found.setdefault(mutant.name(), replace(mutant, of_queues=has_queues))
    return list(found.values())


def files():
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.pml"))]
