"""Has check.py compute the lower bound and the time of each program on standard input, one a line."""
import importlib.util
import json
import sys

sys.dont_write_bytecode = True
source = importlib.util.spec_from_file_location("check", sys.argv[1])
check = importlib.util.module_from_spec(source)
source.loader.exec_module(check)
for line in sys.stdin:
    program = check.Program(json.loads(line), "standard input")
    print(program.bound, program.total(check.wave_time))
