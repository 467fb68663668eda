"""Keeps what the helper answers with the Triton of this Python: `PYTHON tests/data/triton/kept/keep.py`, from the project's root.

The answers are whole but for the target's assembly. They name their sources as files of `/kernels`.
"""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HELPER = HERE.parents[3] / "crates/kernel/src/source/triton/emit.py"

MATMUL = {"types": {"a": "*fp16", "b": "*fp16", "c": "*fp16"},
          "hints": dict.fromkeys(["M", "N", "K", "row_a", "row_b", "row_c"], 16), "constants": {"GROUP_M": 8}}
SOFTMAX = {"types": {"x": "*fp32", "y": "*fp32"}, "hints": {"rows": 16, "columns": 16}, "constants": {"WIDTH": 1024}}
GATHER = {"types": {"table": "*fp16", "numbers": "*i32", "chosen": "*fp16"}, "hints": {"count": 16, "columns": 16},
          "constants": {"ROWS": 32, "COLUMNS": 64}}
SEARCH = {"types": {"starts": "*i32", "x": "*fp32", "y": "*fp32"}, "hints": {"count": 16}, "constants": {"BLOCK": 128}}

LEAVE = {"types": {"left": "*i32", "x": "*fp32", "y": "*fp32"}, "hints": {"n": 16}, "constants": {"BLOCK": 128},
         "assumed": {"taken": [10], "trips": []}}
POLICY = {"types": {"x": "*fp32", "y": "*fp32"}, "hints": {"n": 16}, "constants": {"BLOCK": 128}}
PERSISTENT = {"types": {"a": "*fp16", "b": "*fp16", "c": "*fp16"}, "hints": dict.fromkeys(["M", "N", "K"], 16),
              "constants": {"GROUP": 2, "PROGRAMS": 4}}


def tile(m, n, k, warps, stages):
    return {"BM": m, "BN": n, "BK": k, "num_warps": warps, "num_stages": stages}


KEPT = [
    ("matmul", MATMUL, tile(128, 128, 32, 4, 4), ["sm_80", "sm_90", "gfx942"]),
    ("matmul", MATMUL, tile(64, 64, 32, 4, 2), ["sm_80", "sm_90", "gfx942"]),
    ("softmax", SOFTMAX, {"num_warps": 4}, ["sm_80", "gfx942"]),
    ("gather", GATHER, {"num_warps": 4}, ["sm_80", "gfx942"]),
    ("search", SEARCH, {"num_warps": 4}, ["sm_80"]),
    ("leave", LEAVE, {"num_warps": 4}, ["sm_80"]),
    ("policy", POLICY, {"num_warps": 4}, ["sm_80"]),
    ("persistent", PERSISTENT, tile(128, 128, 64, 4, 3), ["sm_80"]),
]


def target(name):
    return ["cuda", int(name[3:]), 32] if name.startswith("sm_") else ["hip", name, 64]


def answer(kernel, spec, chosen, on):
    options = {name: value for name, value in chosen.items() if name.startswith("num_")}
    constants = {**spec["constants"], **{name: value for name, value in chosen.items() if name not in options}}
    configuration = {"constants": constants, "hints": spec["hints"], "options": options,
                     "types": dict.fromkeys(spec["hints"], "i32")}
    request = {"do": "compile", "file": str(HERE / f"{kernel}.py"), "kernel": kernel, "target": target(on),
               "types": spec["types"], "unaligned": [], "assumed": spec.get("assumed", {}), "assembly": False, "seconds": 60,
               "configurations": [configuration]}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(request))
        file.flush()
        done = subprocess.run([sys.executable, HELPER, file.name], stdout=subprocess.PIPE, check=True, text=True)
    answered = json.loads(done.stdout)
    if answered.get("error"):
        raise SystemExit(f"{kernel} on {on}: {answered['error']}")
    answered["assembly"] = ""
    answered["llir"] = answered["llir"].replace(f'directory: "{HERE}"', 'directory: "/kernels"')
    return answered


for kernel, spec, chosen, targets in KEPT:
    for on in targets:
        answered = answer(kernel, spec, chosen, on)
        size = "_" + "x".join(str(chosen[name]) for name in ["BM", "BN", "BK"]) if "BM" in chosen else ""
        path = HERE / f"{kernel}{size}__{answered['triton']}__{on}.json.gz"
        path.write_bytes(gzip.compress(json.dumps(answered).encode(), 9, mtime=0))
