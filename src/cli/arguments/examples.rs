//! The ends of help texts: commands that can be typed in the project's folder, and exit statuses.
//!
//! Lines break at 100 columns if the terminal is not wider. No command is longer than that.

pub(super) const SHORT: &str = "\
Examples:
  autotune tuning-specs/matmul_tiled.yaml --gpu fermi
  autotune tuning-specs/matmul_tiled.yaml --gpu fermi --format header > matmul_tiled.h

`autotune --help` has all options, `autotune COMMAND --help` those of a command";

pub(super) const TUNE: &str = "\
Examples:
  autotune tuning-specs/matmul_tiled.yaml --gpu fermi
  autotune tuning-specs/abstract_kernel.yaml --gpu abstract-fermi --set size=4096 --format json
  autotune model tuning-specs/abstract_kernel.yaml --gpu abstract-tiny --set size=16 > model.pml
  autotune tuning-specs/matmul_tiled.yaml --gpu fermi --format header > matmul_tiled.h
  autotune tuning-specs/transpose.yaml --gpu volta --within 2 --prefer 'max TS, min registers'
  autotune gpus

Exit status: 0 proved, 1 failed, 2 unusable command line or input, 3 not proved within the limits, 4 nothing is feasible";

pub(super) const EVALUATE: &str = "\
Examples:
  autotune evaluate tuning-specs/vector_add.yaml --gpu fermi --top 5
  autotune evaluate tuning-specs/matmul_tiled.yaml --gpu volta --set size=512 --format json";

pub(super) const LOCALITY: &str = "\
Examples:
  autotune locality tuning-specs/matmul_tiled.yaml --gpu fermi
  autotune locality tuning-specs/transpose.yaml --gpu fermi --config TS=32,ROWS=16,PAD=1";

pub(super) const MODEL: &str = "\
Examples:
  autotune model tuning-specs/abstract_kernel.yaml --gpu abstract-tiny --set size=16 > model.pml
  autotune model tuning-specs/matmul_tiled.yaml --gpu fermi --out model
  autotune model tuning-specs/transpose.yaml --gpu fermi --config TS=32,ROWS=8,PAD=0 --format json";

pub(super) const COMPARE: &str = "\
Examples:
  autotune compare tuning-specs/transpose.yaml --gpu gtx1050
  autotune compare tuning-specs/vector_add.yaml --gpu fermi --plot vector_add.svg";

pub(super) const EXPLAIN: &str = "\
Examples:
  autotune explain tuning-specs/transpose.yaml --gpu gtx1050 --config TS=32,ROWS=8,PAD=0";

pub(super) const DIFF: &str = "\
Examples:
  autotune diff old.yaml new.yaml --gpu a100,h100
  autotune diff --git HEAD~1 examples/kernels/transpose.yaml --gpu a100
  autotune diff examples/kernels/transpose.yaml --source-old old.cl --gpu a100 --all

Exit status: 0 nothing fails, 1 failed, 2 unusable command line or input, 4 nothing is feasible, 6 a count became worse";

pub(super) const INSPECT: &str = "\
Examples:
  autotune inspect examples/kernels/transpose.yaml --gpu a100
  autotune inspect examples/kernels/transpose.yaml --gpu a100 --format html --output page.html";

pub(super) const EXTRACT: &str = "\
Examples:
  autotune extract tuning-specs/transpose.yaml --gpu volta --config TS=32,ROWS=4,PAD=1 > transpose.yaml
  autotune extract --check tuning-specs/transpose.yaml --gpu volta

Exit status of --check: 0 body and source agree, 1 they differ";

pub(super) const GRAPH: &str = "\
Examples:
  autotune graph tuning-specs/matmul_tiled.yaml --gpu fermi --format svg > matmul.svg
  autotune graph tuning-specs/transpose.yaml --gpu fermi --config TS=32,ROWS=8,PAD=0 > graph.dot";

pub(super) const PREDICT: &str = "\
Examples:
  autotune predict tuning-specs/vector_add.yaml --gpu fermi
  autotune predict tuning-specs/transpose.yaml --gpu gtx1050 --config TS=32,ROWS=8,PAD=1";

pub(super) const EFFICIENCY: &str = "\
Examples:
  autotune efficiency tuning-specs/vector_add.yaml --gpu fermi
  autotune efficiency tuning-specs/vector_add.yaml --gpu fermi --weights 1,1,1,0.5,0.5,0.5
  autotune efficiency tuning-specs/measured/coulomb.yaml --gpu rtx2080ti \\
    --measured tests/data/measured/coulomb__rtx2080ti.csv.gz";

pub(super) const VALIDATE: &str = "\
Examples:
  autotune validate tuning-specs/measured/convolution_milo17.yaml --gpu mi50 \\
    --measured tests/data/measured/convolution_milo17__mi50.csv.gz --plot convolution.svg
  autotune validate tuning-specs/measured/coulomb.yaml --gpu rtx2080ti \\
    --measured tests/data/measured/coulomb__rtx2080ti.csv.gz --rows coulomb.csv
  autotune validate --versions examples/ladders/transpose.yaml";

pub(super) const SUGGEST: &str = "\
Examples:
  autotune suggest tuning-specs/measured/coulomb.yaml --gpu rtx2080ti --next 5 --format flags
  autotune suggest tuning-specs/measured/coulomb.yaml --gpu rtx2080ti \\
    --measured tests/data/measured/coulomb__rtx2080ti.csv.gz
  echo '{\"request\": \"next\", \"count\": 3}' |
    autotune suggest tuning-specs/measured/coulomb.yaml --gpu rtx2080ti --serve";

pub(super) const CHECK: &str = "\
Examples:
  autotune check tuning-specs/transpose.yaml --gpu volta
  autotune check tuning-specs/stencil_2d.yaml --format json
  autotune check tuning-specs/matmul_tiled.yaml --gpu all
  autotune check tuning-specs/matmul_tiled.yaml --require 'sm_75, gfx90a'";

pub(super) const INIT: &str = "\
Examples:
  autotune init --kernel matmul
  autotune init --kernel reduction --out mine.yaml && autotune check mine.yaml --gpu volta";

pub(super) const GPUS: &str = "\
Examples:
  autotune gpus
  autotune gpus --why rtx4070
  autotune gpus volta > mine.yaml && autotune tuning-specs/vector_add.yaml --gpu mine.yaml";

pub(super) const MEASURE: &str = "\
Examples:
  autotune measure tuning-specs/measured/coulomb.yaml --gpu rtx2080ti --runs 5 \\
      --run 'echo {Z_ITERATIONS} us'
  autotune measure tuning-specs/measured/coulomb.yaml --gpu rtx2080ti --runs 8 \\
      --run 'echo {Z_ITERATIONS} us' --resume
  autotune measure tuning-specs/measured/coulomb.yaml --gpu rtx2080ti --runs 3 --out tuned \\
      --build 'touch bench_{USE_SOA}' --verify 'test -e bench_{USE_SOA}' \\
      --run 'echo kernel: {Z_ITERATIONS}' --time-pattern 'kernel: (?<time>[0-9]+)' --unit us
  autotune measure --profile --gpu gtx1050 --work-groups 64,256 --run 'echo {GROUPS}.{STEPS} us'

Exit status: 0 the best is measured and confirmed, 1 no run succeeded, 2 unusable command line or input, 3 interrupted: what was measured is kept, 4 nothing can run";

pub(super) const TABLE: &str = "\
Examples:
  autotune table tuning-specs/matmul_tiled.yaml --gpu a100,h100 --set size=256,1024,4096 > table.h
  autotune table examples/kernels/matmul.yaml --gpu a100,h100,rtx4090 --set n=2^8..2^14:pow2 --format python

Exit status: 0 printed, 1 failed, 2 unusable command line or input, 4 no such variants, or P is out of reach";

pub(super) const EXPORT: &str = "\
Examples:
  autotune tuning-specs/vector_add.yaml --gpu fermi --format json > fermi.json
  autotune export fermi.json --format flags
  autotune export tests/data/batches/vector_add.json --format header > vector_add.h

Exit status: 0 printed, 1 failed, 2 unusable command line or input: nothing that is proved is chosen, or the form cannot hold it";

pub(super) const BATCH: &str = "\
A job list:
  jobs:                                   # the product of the lists in each entry
    - specs: [tuning-specs/*.yaml]        # relative to the list
      gpus: [fermi, volta]                # names, aliases, or profiles of your own
      set: { size: [1024, 4096] }         # problem sizes, optional
      limits: { time: 10m, memory: 4GiB } # of each job, optional
      together: true                      # one configuration for all GPUs and sizes of the entry, optional
      variants: 2                         # or this many, optional

Examples:
  autotune batch jobs.yaml --dry-run
  autotune batch jobs.yaml --out results
  autotune batch jobs.yaml --out results --resume
  autotune batch jobs.yaml --out results --executor slurm --sbatch=--partition=long

Exit status: the first that occurred of 1 a job failed, 2 unusable input, 4 nothing is feasible, 3 not proved, 0 all proved";

pub(super) const VERIFY: &str = "\
Examples:
  autotune tuning-specs/vector_add.yaml --gpu fermi --keep proof
  autotune verify proof
  autotune verify proof --clang clang-19

Exit status: 0 the proof holds, 1 it does not or could not be repeated, 2 the folder holds no kept proof";

pub(super) const CACHE: &str = "\
Examples:
  autotune cache
  autotune cache clear";

pub(super) const MCP: &str = "\
Examples:
  autotune mcp

A client of the protocol starts it in the folder of the kernels: nothing outside is read.";

pub(super) const DOCTOR: &str = "\
Examples:
  autotune doctor
  autotune doctor --format json

Exit status: 0 all is there, 1 something is missing";

pub(super) const COMPLETIONS: &str = "\
Examples:
  source <(autotune completions bash)
  autotune completions fish > autotune.fish";

pub(super) const MAN: &str = "\
Examples:
  autotune man > autotune.1
  autotune man --out man1";
