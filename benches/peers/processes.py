"""Whether a process of a name runs, among many, against a bare scan of /proc in C."""

import subprocess

from common import Row, medians, seconds

SLEEPERS = 200
# Enough looks in one run that their cost stands out from the start of a process.
LOOKS = 100
MACRO = """\
name: {name}
preconditions:
{preconditions}steps:
  - id: nothing
    backend: native_api
    action: find_executable
    params: {{name: sh}}
"""


def rows(setup):
    """The lines about processes."""
    look = "  - not: {process_running: no-such-process}\n"
    looking = artifact(setup, "looking", look * LOOKS)
    idle = artifact(setup, "idle", "  - file_exists: /\n")
    scan = [setup.program("proc_scan"), "no-such-process", "50"]
    sleepers = [subprocess.Popen(["sleep", "600"]) for _ in range(SLEEPERS)]
    try:
        cases = {
            "looking": lambda: seconds(setup.macrocli("run", looking, "--json")) * 1e6,
            "idle": lambda: seconds(setup.macrocli("run", idle, "--json")) * 1e6,
            "scan": lambda: float(subprocess.run(scan, check=True, capture_output=True, text=True).stdout),
        }
        took = medians(cases, setup.rounds)
    finally:
        for sleeper in sleepers:
            sleeper.terminate()
            sleeper.wait()
    ours = (took["looking"] - took["idle"]) / LOOKS
    peer = f"C scan of /proc: {took['scan']:.0f} us"
    return [Row(f"process_running, a miss among {SLEEPERS} more", f"{ours:.0f} us", peer, ours / took["scan"], 2)]


def artifact(setup, name, preconditions):
    source = setup.work / f"{name}.yaml"
    source.write_text(MACRO.format(name=name, preconditions=preconditions))
    seconds(setup.macrocli("build", source, "-o", setup.work / "processes"))
    return setup.work / "processes" / f"{name}.mcb"
