"""A macro of one step, as a whole process, against the command alone."""

import subprocess

from common import Row, seconds

MACRO = """\
name: one_step
steps:
  - id: echo
    backend: native_api
    action: run_command
    params:
      command: [/bin/echo, hello]
      capture_stdout: true
"""


def rows(setup):
    """The lines about starting programs."""
    source = setup.work / "one_step.yaml"
    source.write_text(MACRO)
    seconds(setup.macrocli("build", source, "-o", setup.work / "one_step"))
    artifact = setup.work / "one_step" / "one_step.mcb"
    commands = [
        ["/bin/echo", "hello"],
        setup.macrocli("run", artifact, "--json"),
        setup.macrocli("run", source, "--json"),
        setup.macrocli("--version"),
    ]
    arguments = [word for command in commands for word in ["--", *command]]
    measure = [setup.program("spawn"), str(setup.rounds * 20), *arguments]
    alone, of_artifact, of_source, nothing = map(float, subprocess.run(measure, check=True, capture_output=True, text=True).stdout.split())
    peer = f"/bin/echo alone: {alone:.2f} ms"
    return [
        Row("run a one-step artifact, more than the command", f"{of_artifact:.2f} ms", peer, of_artifact - alone, 3, unit="ms"),
        Row("run a one-step YAML file, more than the command", f"{of_source:.2f} ms", peer, of_source - alone, 3, unit="ms"),
        Row("macrocli --version, as a whole process", f"{nothing:.2f} ms", peer, nothing / alone, None),
    ]
