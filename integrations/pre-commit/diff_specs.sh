#!/bin/sh
# Compares each kernel whose files changed with the last commit's, for the hook `autotune-diff`; `--gpu LIST` and the other
# options of check_differences.py may follow.
exec python3 "$(dirname "$0")/../github/check_differences.py" --base HEAD "$@"
