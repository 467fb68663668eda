"""Damages a kept proof and has check.py check it, again and again; prints the fields that it does not check.

A file holds something that is not a proof, or a field of the result or of a program has a wrong value.
"""
import contextlib
import copy
import gzip
import hashlib
import importlib.util
import io
import json
import sys

sys.dont_write_bytecode = True
source = importlib.util.spec_from_file_location("check", sys.argv[1])
check = importlib.util.module_from_spec(source)
source.loader.exec_module(check)
FOLDER = sys.argv[2]
JUNK = [None, True, -1, 10**60, "x", [{}], {"a": 1}]
RAW = [b"", b"\n", b"\xff\xfe\n", b"[]", b"{", b"NaN", b"1" * 10**5, b"[" * 10**5, b'{"a": ' * 10**5, b'{"a": 1, "a": 1}', b" " * 10**6]
FILES = {}      # what is in a file, instead of what it holds
def fields(value, place=()):
    """The places of the values in a document; in a list, only those of the first two."""
    yield place
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ():
        yield from fields(inner, (*place, key))


def damaged(document, place, junk):
    if not place:
        return junk
    document = copy.deepcopy(document)
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = junk
    return document


def content(folder, name, read=check.content):
    return FILES[name] if name in FILES else read(folder, name)


def answer():
    output = io.StringIO()
    sys.argv = ["check.py", FOLDER]
    with contextlib.redirect_stdout(output):
        status = check.main()
    last = output.getvalue().splitlines()[-1]
    assert (status, last) == (0, "optimum confirmed") or status == 1 and last.startswith("REFUTED: "), last
    return status


def unread(name, document, pack):
    """The fields whose wrong values are not refuted."""
    found = set()
    for place in fields(document):
        for junk in JUNK:
            FILES[name] = pack(damaged(document, place, junk))
            if answer() == 0:
                found.add("/".join(key for key in place if isinstance(key, str)))
    FILES[name] = pack(document)
    assert answer() == 0
    return found


with contextlib.redirect_stdout(None):
    hashes = check.sealed_files(FOLDER)
check.sealed_files, check.content = lambda folder: hashes, content
result = json.loads(content(FOLDER, "result.json"))
programs = [json.loads(line) for line in gzip.decompress(content(FOLDER, "programs.jsonl.gz")).splitlines()]
for name in ("result.json", "programs.jsonl.gz"):
    good = content(FOLDER, name)
    for raw in [*RAW, *map(gzip.compress, RAW), good[:-9], good + b"x"]:
        FILES[name] = raw
        assert answer() == 1, raw[:40]
    FILES[name] = good
missed = unread("result.json", result, lambda document: json.dumps(document).encode())
missed |= unread("programs.jsonl.gz", programs, lambda lines: gzip.compress(
    "".join(json.dumps(line) + "\n" for line in (lines if isinstance(lines, list) else [lines])).encode(), 1))
print(*sorted(name for name in missed if not any(name.startswith(other + "/") for other in missed)), sep="\n")
