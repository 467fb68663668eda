"""The list of the forms of statements that random kernels are made of."""
from dataclasses import dataclass
from typing import Callable

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
    # Its addresses are known, but for what all lanes have in common.
    together: bool = False

    def suits(self, draw):
        """True if the form may stand where the drawing is."""
        deep = draw.depth > 3 or draw.rounds()[0] > 8
        if deep and (self.nests or self.loops) or self.leaves and draw.held:
            return False
        if self.parts and draw.mixed or self.together and draw.scattered:
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
