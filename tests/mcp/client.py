"""Drives a server through the official client of the protocol: client.py SCENARIO MACROCLI FOLDER…

A folder is called `legacy` (a session with a handshake) or `modern` (every request for itself), and the scenario is played in each. Ends with 0
when all was as it must be."""

import json
import os
import pathlib
import sys
import time

import anyio
import jsonschema
from mcp import MCPError, StdioServerParameters
from mcp.client.client import Client

VERSIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
# Long enough for a busy machine.
SOON = 25


def server(macrocli, *more):
    words = ["--macros", "m", "mcp", *more]
    return StdioServerParameters(command=macrocli, args=words, env={"PATH": os.environ["PATH"], "HOME": os.getcwd()})


async def until(what, look):
    """Waits until `look` gives something, and returns it."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        await anyio.sleep(0.01)
    raise AssertionError(f"never came: {what}")


def noted(path):
    """The number of a process in a file, once it is whole."""
    try:
        text = pathlib.Path(path).read_text()
    except FileNotFoundError:
        return None
    return int(text) if text.endswith("\n") else None


def gone(pid):
    """Whether a process has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] in "ZX"
    except FileNotFoundError:
        return True


class Tools:
    """A client, and the schemas its results must keep."""

    def __init__(self, client):
        self.client = client
        self.tools = {}

    async def list(self):
        listed = await self.client.list_tools()
        self.tools = {tool.name: tool for tool in listed.tools}
        return listed

    async def call(self, name, arguments, error=False, **more):
        """The document of a call; as text it is the same, and it keeps the tool's schema."""
        result = await self.client.call_tool(name, arguments, **more)
        document = result.structured_content
        assert json.loads(result.content[0].text) == document, result
        assert result.is_error is error, document
        if not self.tools:
            await self.list()
        jsonschema.Draft202012Validator(self.tools[name].output_schema).validate(document)
        return document


async def lists(era, macrocli):
    async with Client(server(macrocli), mode=era) as client:
        assert client.protocol_version == VERSIONS[client_era(era)], client.protocol_version
        assert client.server_info is None or client.server_info.name == "macrocli"
        tools = Tools(client)
        listed = await tools.list()
        names = [tool.name for tool in listed.tools]
        assert names[:4] == ["macros_search", "macro_check", "screen_capture", "run_status"], names
        assert names[4:] == sorted(names[4:]) and len(set(names)) == len(names), names
        assert "broken" not in names and "transform_json" in names, names
        for tool in listed.tools:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)
            assert tool.title and tool.description and tool.annotations.read_only_hint is not None, tool
        typed = tools.tools["typed"]
        assert typed.title == "Typed" and typed.description == "Says what it was given.", typed
        assert typed.input_schema == {
            "type": "object",
            "properties": {
                "word": {"type": "string", "description": "A word.", "enum": ["one", "two"], "examples": ["one"]},
                "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
                "part": {"type": "number", "default": 0.5},
                "loud": {"type": "boolean", "default": False},
                "list": {"type": "array", "default": []},
                "map": {"type": "object", "default": {}},
                "key": {"type": "string", "writeOnly": True},
                "needed": {"type": "string"},
            },
            "required": ["word", "needed"],
            "additionalProperties": False,
        }, typed.input_schema
        notes = {name: tools.tools[name].annotations for name in ("typed", "look", "run_status_user")}
        assert (notes["look"].read_only_hint, notes["look"].open_world_hint) == (True, False), notes
        assert (notes["typed"].read_only_hint, notes["typed"].destructive_hint) == (False, True), notes
        again = await client.list_tools()
        assert [tool.name for tool in again.tools] == names


async def calls(era, macrocli):
    async with Client(server(macrocli), mode=era) as client:
        tools = Tools(client)
        given = {"word": "two", "count": 2, "list": [1, "a"], "map": {"k": None}, "needed": "é\n", "key": "hunter2"}
        done = await tools.call("typed", given)
        assert done["schema"] == "macrocli.run/1" and done["success"] is True, done
        assert done["output"] == {"told": "two 2 0.5 false é\n", "list": [1, "a"], "map": {"k": None}}, done
        assert "hunter2" not in json.dumps(done) and done["warnings"] == [], done
        assert pathlib.Path("key").read_text() == "hunter2"
        # Mistakes of a call are results, so that a model can read them.
        for wrong in ({"word": "three", "needed": ""}, {"word": "one"}, {"word": "one", "needed": "", "more": 1}, {}, None):
            refused = await tools.call("typed", wrong, error=True)
            assert (refused["error_code"], refused["exit_code"], refused["telemetry"]["steps_run"]) == ("usage", 2, 0), refused
        failed = await tools.call("fails", {}, error=True)
        assert (failed["error_code"], failed["output"], len(failed["steps"])) == ("step_failed", {}, 2), failed
        # Only a tool that is not there is a mistake of the protocol.
        try:
            await client.call_tool("typd", {})
            raise AssertionError("an unknown tool")
        except MCPError as error:
            assert error.error.code == -32602 and "`typed`" in error.error.message, error


async def fixed(era, macrocli):
    async with Client(server(macrocli), mode=era) as client:
        tools = Tools(client)
        found = await tools.call("macros_search", {"query": "JSON settings"})
        assert [one["tool"] for one in found["macros"]][:1] == ["transform_json"], found
        assert (await tools.call("macros_search", {"query": "nothing is called so"}))["total"] == 0
        everything = await tools.call("macros_search", {"limit": 1})
        assert len(everything["macros"]) == 1 and everything["total"] > 10, everything
        await tools.call("macros_search", {"query": 1}, error=True)
        # What is not listed is named with its mistakes.
        checked = await tools.call("macro_check", {})
        assert not checked["valid"] and any(one["file"].endswith("broken.yaml") for one in checked["diagnostics"]), checked
        assert (await tools.call("macro_check", {"name": "typed"}))["valid"]
        text = await tools.call("macro_check", {"yaml": "name: x\nsteps: [{action: touch_me}]"})
        assert text["diagnostics"][0]["code"] == "E0302" and not text["valid"], text
        assert not pathlib.Path("touched").exists()
        # Nothing of the user's files is told, nor whether they are there; what lies in the folders of macros is found.
        secret = pathlib.Path("secrets.yaml").resolve()
        secret.write_text("DB_PASS=topsecret X=1\n")
        for path in (secret, "secrets.yaml", "m/../secrets.yaml", "/nowhere/none.yaml"):
            for step in (f"macro: {path}", f"backend: gui_macro, action: replay, params: {{macro_file: {path}}}",
                         f"backend: visual_anchor, action: click_image, params: {{template: {path}}}"):
                found = await tools.call("macro_check", {"yaml": f"name: x\nsteps: [{{id: a, {step}}}]"})
                assert not found["valid"] and "not found here" in str(found), found
                assert "topsecret" not in str(found), found
            refused = await tools.call("macro_check", {"name": str(path)}, error=True)
            assert "is found here" in refused["error"] and "topsecret" not in str(refused), refused
        secret.unlink()
        inside = await tools.call("macro_check", {"yaml": "name: x\nsteps: [{id: a, macro: m/fails.yaml}]"})
        # It is found, and what is wrong is another thing.
        assert [one["code"] for one in inside["diagnostics"]] == ["E0503"], inside
        for wrong in ({"name": "typd"}, {"name": "-"}, {"name": "a", "yaml": "b"}, {"path": "x"}):
            refused = await tools.call("macro_check", wrong, error=True)
            assert refused["schema"] == "macrocli.error/1" and refused["error_code"] == "usage", refused
        # There is no display here.
        blind = await tools.call("screen_capture", {}, error=True)
        assert blind["error_code"] == "backend_unavailable" and blind["hint"], blind
        run = await tools.call("fails", {}, error=True)
        listed = await tools.call("run_status", {})
        assert listed["running"] == [] and [one["status"] for one in listed["finished"]] == ["failed"], listed
        one = await tools.call("run_status", {"run_id": run["telemetry"]["run_id"]})
        assert one["run"]["result"] == run, one
        await tools.call("run_status", {"run_id": "none"}, error=True)


async def cancels(era, macrocli):
    async with Client(server(macrocli), mode=era) as client:
        tools = Tools(client)
        await tools.list()
        async with anyio.create_task_group() as group:
            with anyio.CancelScope() as scope:
                group.start_soon(until_then_cancel, scope)
                await client.call_tool("sleeps", {})
        assert scope.cancelled_caught
        pid = noted("pid")
        await until("the end of what the run had started", lambda: gone(pid))
        await until("the run's own end", lambda: pathlib.Path("cleaned").exists())

        async def ended():
            return (await tools.call("run_status", {}))["finished"]

        end = time.monotonic() + SOON
        while not (finished := await ended()) and time.monotonic() < end:
            await anyio.sleep(0.05)
        assert [one["error_code"] for one in finished] == ["interrupted"], finished
        # The server goes on.
        assert (await tools.call("look", {}))["success"]


async def until_then_cancel(scope):
    await until("a run under way", lambda: noted("pid"))
    scope.cancel()


async def tells(era, macrocli):
    told = []

    async def progress(done, total, message):
        told.append((done, total, message))

    async with Client(server(macrocli), mode=era) as client:
        tools = Tools(client)
        await tools.call("paces", {}, progress_callback=progress)
        await until("the last notification", lambda: len(told) == 3)
        assert told == [(1.0, 3.0, "one: ok"), (2.0, 3.0, "two: skipped"), (3.0, 3.0, "three: ok")], told
        # Nobody is told who does not ask.
        await tools.call("paces", {})
        assert len(told) == 3, told


async def together(era, macrocli):
    async with Client(server(macrocli, "--jobs", "2"), mode=era) as client:
        tools = Tools(client)
        await tools.list()
        results = {}

        async def one(name, mine, other):
            results[name] = await tools.call("meets", {"mine": mine, "other": other})

        # Each waits for a file of the other.
        async with anyio.create_task_group() as group:
            group.start_soon(one, "a", "a", "b")
            group.start_soon(one, "b", "b", "a")
        assert all(result["success"] for result in results.values()), results
        # More than may run at once wait for their turn.
        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(one, number, f"n{number}", f"n{number}")
        assert len(results) == 8 and all(result["success"] for result in results.values()), results


async def leaves(era, macrocli):
    async with Client(server(macrocli), mode=era) as client:
        await client.list_tools()
        async with anyio.create_task_group() as group:
            group.start_soon(abandon, client)
            await until("a run under way", lambda: noted("pid"))
            group.cancel_scope.cancel()
    pid = noted("pid")
    await until("the end of what the run had started", lambda: gone(pid))
    assert pathlib.Path("cleaned").exists()


async def abandon(client):
    await client.call_tool("sleeps", {})


async def changes(era, macrocli):
    changed = anyio.Event()

    async def heard(message):
        if "ToolListChanged" in type(message).__name__:
            changed.set()

    async with Client(server(macrocli), mode=era, message_handler=heard) as client:
        tools = Tools(client)
        assert "fresh" not in (await tools.list(), tools.tools)[1]
        new = "name: fresh\nsteps:\n  - {action: find_executable, params: {name: sh}}\n"
        if client.protocol_version == VERSIONS["modern"]:
            async with client.listen(tools_list_changed=True) as events:
                await anyio.sleep(1)
                pathlib.Path("m/fresh.yaml").write_text(new)
                with anyio.fail_after(SOON):
                    async for _ in events:
                        break
        else:
            await anyio.sleep(1)
            pathlib.Path("m/fresh.yaml").write_text(new)
            with anyio.fail_after(SOON):
                await changed.wait()
        await tools.list()
        assert (await tools.call("fresh", {}))["success"]


def client_era(mode):
    return "legacy" if mode == "legacy" else "modern"


SCENARIOS = {"lists": lists, "calls": calls, "fixed": fixed, "cancels": cancels, "tells": tells, "together": together, "leaves": leaves, "changes": changes}


def main():
    scenario, macrocli, *folders = sys.argv[1:]
    for folder in folders:
        os.chdir(folder)
        # `auto` asks the server first, and finds the newest revision.
        mode = "legacy" if pathlib.Path(folder).name == "legacy" else "auto"
        print(f"{scenario}, {mode}", file=sys.stderr)
        anyio.run(SCENARIOS[scenario], mode, macrocli)


if __name__ == "__main__":
    main()
