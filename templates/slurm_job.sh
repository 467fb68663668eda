#!/bin/sh
# The task becomes what it was submitted with: signals of Slurm reach it, and no shell reads its arguments.
exec "$@"
