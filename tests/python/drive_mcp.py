"""Has the official SDK for Python call each tool of `autotune mcp`: the SDK's version, and the program. The SDK holds each reply
against the schema of its tool; what `full: true` gives is held here against the schema of the command line's answer.
"""
import asyncio
import importlib.metadata
import json
import os
import pathlib
import sys

import jsonschema
import mcp

SCHEMAS = pathlib.Path("schemas")
NAIVE = "examples/kernels/transpose_naive.yaml"
CONFIG = {"block_x": 32, "block_y": 8}
KERNEL = {"path": NAIVE, "gpu": "gtx1050"}
BROKEN = {"text": "kernel: k\nparameters: { WG: { values: [32] } }\nlaunch: { work_items: 64, work_group: WG }\nbody: [x]\n"}
CALLS = [
    ("check", {"path": NAIVE}, "diagnosis.json"),
    ("check", {**KERNEL, "gpu": ["gtx1050", "a100"]}, "diagnosis.json"),
    ("check", BROKEN, "diagnosis.json"),
    ("inspect", {**KERNEL, "config": CONFIG}, "inspection.json"),
    ("evaluate", KERNEL, "evaluation.json"),
    ("evaluate", {**KERNEL, "config": CONFIG}, "evaluation.json"),
    ("evaluate", {"path": "tuning-specs/transpose.yaml", "gpu": "gtx1050", "prove": True}, "result.json"),
    ("explain", {**KERNEL, "config": CONFIG}, "explanation.json"),
    ("diff", {"path": "examples/diff/transpose.yaml", "old": {"path": "examples/kernels/transpose.yaml"},
              "gpu": ["a100", "gtx1050"], "config": {"TS": 32, "ROWS": 8, "PAD": 1}}, "diff.json"),
    ("gpus", {}, "gpus.json"),
    ("gpus", {"gpu": ["a100", "mi50"]}, "gpus.json"),
    ("gpus", {"gpu": "all"}, "gpus.json"),
]
REFUSED = [("explain", KERNEL), ("gpus", {"gpu": "h1000"})]


def value_of(result):
    """The reply as a value; an error is a text alone."""
    described = result.model_dump(by_alias=True)
    value, is_error, text = described["structuredContent"], described["isError"], json.loads(result.content[0].text)
    assert value == (None if is_error else text), (value, text)
    assert is_error == ("error" in text), text
    return value or text


async def call_all(client):
    """Makes all calls, and returns their number."""
    listed = await client.list_tools()
    assert [tool.name for tool in listed.tools] == ["check", "inspect", "evaluate", "explain", "diff", "gpus"]
    for tool in listed.tools:
        described = tool.model_dump(by_alias=True)
        for schema in (described["inputSchema"], described["outputSchema"]):
            jsonschema.Draft202012Validator.check_schema(schema)
    for tool, arguments, schema in CALLS:
        decisive = value_of(await client.call_tool(tool, arguments))
        assert "next" in decisive and "schema" not in decisive, (tool, decisive)
        whole = value_of(await client.call_tool(tool, {**arguments, "full": True}))
        jsonschema.validate(whole, json.loads((SCHEMAS / schema).read_text()))
    for tool, arguments in REFUSED:
        assert "error" in value_of(await client.call_tool(tool, arguments)), (tool, arguments)
    return 2 * len(CALLS) + len(REFUSED)


async def main(program):
    server = mcp.StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ))
    if hasattr(mcp, "Client"):
        async with mcp.Client(server) as client:
            return await call_all(client)
    async with mcp.stdio_client(server) as (read, write), mcp.ClientSession(read, write) as client:
        await client.initialize()
        return await call_all(client)


version, program = sys.argv[1:]
assert importlib.metadata.version("mcp") == version, importlib.metadata.version("mcp")
print(asyncio.run(main(program)), "calls")
