"""Drives the real Kernel Tuner in simulation mode by what autotune exports, and checks its results.

Arguments: a cache file (`--format kernel-tuner`), restrictions (`--format restrictions`), T4 results and T4 metadata.
"""

import json
import sys
import warnings

import jsonschema
import kernel_tuner
from kernel_tuner.file_utils import output_file_schema

# A real tuner is told of unmeasured thread blocks; nothing is launched here.
warnings.simplefilter("ignore")

KERNEL = "__kernel void unused() {}"


def tuned(cache_file, start, **options):
    """Kernel Tuner's best configuration, and the configurations that it evaluated, in order."""
    with open(cache_file) as file:
        cache = json.load(file)
    results, environment = kernel_tuner.tune_kernel(
        cache["kernel_name"],
        KERNEL,
        cache["problem_size"],
        [],
        start["tune_params"],
        lang="OpenCL",
        cache=cache_file,
        simulation_mode=True,
        quiet=True,
        **options,
    )
    return environment["best_config"], results


def parameters(configuration, start):
    return {name: configuration[name] for name in start["tune_params"]}


def main(cache_file, restrictions_file, t4_file, metadata_file):
    with open(restrictions_file) as file:
        start = json.load(file)
    optima = [one["parameters"] for one in start["promising"] if one["proved"]]
    assert optima, "autotune proved no optimum"

    best, everything = tuned(cache_file, start)
    assert parameters(best, start) in optima, best
    assert len(everything) == start["all"], (len(everything), start["all"])
    assert sum("__error__" not in one for one in everything) == start["feasible"]

    best, allowed = tuned(cache_file, start, restrictions=start["restrictions"])
    assert parameters(best, start) in optima, best
    assert len(allowed) == start["feasible"] < len(everything), (len(allowed), start["feasible"])
    assert all("__error__" not in one for one in allowed), "a configuration that cannot run was tried"

    for strategy in ("greedy_ils", "simulated_annealing"):
        options = {"x0": tuple(start["x0"]), "max_fevals": 10}
        best, tried = tuned(
            cache_file, start, restrictions=start["restrictions"], strategy=strategy, strategy_options=options
        )
        assert parameters(tried[0], start) in optima, (strategy, tried[0])
        assert parameters(best, start) in optima, (strategy, best)

    for name, path in (("results", t4_file), ("metadata", metadata_file)):
        with open(path) as file:
            jsonschema.validate(json.load(file), output_file_schema(name)[1])
    print(f"{len(everything)} without restrictions, {len(allowed)} with them")


main(*sys.argv[1:])
