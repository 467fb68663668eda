"""A strategy for Kernel Tuner."""

from __future__ import annotations

import logging
import math
import numbers
import random
from collections.abc import Generator, Mapping
from typing import Any

from kernel_tuner.strategies.common import CostFunc
from kernel_tuner.util import StopCriterionReached

from .error import AutotuneError
from .suggester import FilePath, Suggester

_log = logging.getLogger("autotune_gpu")

_Values = tuple[Any, ...]


class Corrected:
    """A strategy for Kernel Tuner that runs what `autotune suggest` suggests, one configuration at a time.

        kernel_tuner.tune_kernel(..., strategy=Corrected("kernel.yaml", "a100"), strategy_options={"max_fevals": 20})

    The spec has a parameter for each tunable parameter with several values. `max_fevals` and `time_limit` end the search,
    as with any other strategy. Each run corrects what is predicted by its objective. What the spec cannot run comes last, in random order. If `autotune` is missing, refuses the
    spec or ends early, a warning is logged and all that is left comes in random order.

    Args:
        spec: the kernel's spec, a YAML file
        gpu: a GPU's name or alias, or the path of a profile
        sizes: problem sizes that differ from those of the spec
        program: the program `autotune`
    """

    def __init__(
        self, spec: FilePath, gpu: FilePath, *, sizes: Mapping[str, int] | None = None, program: str = "autotune"
    ):
        self.spec, self.gpu, self.sizes, self.program = spec, gpu, sizes, program

    def tune(self, searchspace: Any, runner: Any, tuning_options: Any) -> list[dict[str, Any]]:
        """Runs configurations until a limit is reached, and returns the results. Kernel Tuner calls this."""
        cost = CostFunc(searchspace, tuning_options, runner, scaling=False, snap=False)
        order = self._order(searchspace)
        try:
            values = next(order)
            while True:
                cost(values, check_restrictions=False)
                values = order.send(_cost(cost.results[-1], tuning_options))
        except StopIteration:
            pass
        except StopCriterionReached as reached:
            if tuning_options.verbose:
                print(reached)
        finally:
            order.close()
        results: list[dict[str, Any]] = cost.results
        return results

    def _order(self, searchspace: Any) -> Generator[_Values, float | None, None]:
        """The configurations, each with the values of the search space; each is answered by its time."""
        left = dict.fromkeys(searchspace.list)
        try:
            yield from self._suggested(searchspace.tune_params, left)
        except (AutotuneError, OSError) as error:
            _log.warning("the search goes on in random order, without autotune's suggestions: %s", error)
        rest = list(left)
        random.shuffle(rest)
        for values in rest:
            yield values

    def _suggested(
        self, tune_params: Mapping[str, Any], left: dict[_Values, None]
    ) -> Generator[_Values, float | None, None]:
        """What `autotune suggest` suggests of what is left, until nothing of that can run by the spec."""
        names = [name for name, domain in tune_params.items() if len(domain) > 1 or isinstance(domain[0], numbers.Real)]
        among = {tuple(_integers(tune_params, values, names)): values for values in left}
        question: dict[str, Any] = {"sizes": self.sizes, "until": 0.0, "program": self.program}
        question["among"] = [dict(zip(names, key)) for key in among]
        with Suggester(self.spec, self.gpu, **question) as suggester:
            places = [names.index(name) for name in suggester.parameters]
            for place, name in enumerate(names):
                if place not in places and len(tune_params[name]) > 1:
                    raise AutotuneError(f"the spec has no parameter `{name}`, which is tuned")
            by_parameters = {tuple(key[place] for place in places): values for key, values in among.items()}
            while suggestions := suggester.next():
                [configuration] = suggestions
                values = by_parameters[tuple(configuration[name] for name in suggester.parameters)]
                del left[values]
                time = yield values
                suggester.tell(configuration, time)


def _integers(tune_params: Mapping[str, Any], values: _Values, names: list[str]) -> list[int]:
    """The values of these parameters as the integers that a spec has."""
    of = dict(zip(tune_params, values))
    for name in names:
        if not isinstance(of[name], numbers.Real) or of[name] % 1:
            raise AutotuneError(f"`{name}` has the value {of[name]!r}; a spec has integers only")
    return [int(of[name]) for name in names]


def _cost(result: Mapping[str, Any], tuning_options: Any) -> float | None:
    """What is to be small: the objective or, if the greatest is the best, its inverse; None if the run failed.

    Suggestions are the same whatever the unit is.
    """
    objectives, inverse = tuning_options.objective, tuning_options.objective_higher_is_better
    # With several objectives, the time is the one that is predicted.
    name, inverted = (objectives[0], inverse[0]) if len(objectives) == 1 else ("time", False)
    value = result.get(name)
    if "__error__" in result or not isinstance(value, numbers.Real):
        return None
    value = 1 / float(value) if inverted and value else float(value)
    return value if math.isfinite(value) and value > 0 else None
