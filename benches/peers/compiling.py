"""Checking and building many files, against a YAML parser that only parses them, and against themselves."""

import shutil
import subprocess

import gen_macros
from common import HERE, Row, medians, ms, seconds


def rows(setup):
    """The lines about compiling."""
    folders = {count: gen_macros.write(count, setup.work / f"macros-{count}") for count in (100, 1_000, 10_000)}
    return [*against_parser(setup, folders[1_000]), *linear(setup, folders), *second_build(setup, folders[1_000])]


def against_parser(setup, folder):
    python, output = setup.python(), setup.work / "built"

    def parse():
        command = [python, HERE / "parse_yaml.py", folder]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def build():
        shutil.rmtree(output, ignore_errors=True)
        return seconds(setup.macrocli("build", folder, "-o", output))

    cases = {"check": lambda: seconds(setup.macrocli("check", folder)), "build": build, "parse": parse}
    took = medians(cases, setup.rounds)
    peer = f"PyYAML C loader, parsing only: {ms(took['parse'])}"
    return [
        Row("check 1,000 files", ms(took["check"]), peer, took["parse"] / took["check"], 10, at_least=True),
        Row("build 1,000 files", ms(took["build"]), peer, took["parse"] / took["build"], 10, at_least=True),
    ]


def linear(setup, folders):
    cases = {count: (lambda folder=folder: seconds(setup.macrocli("check", folder))) for count, folder in folders.items()}
    took = medians(cases, max(3, setup.rounds // 3))
    found = []
    for few, many in ((100, 1_000), (1_000, 10_000)):
        growth = (took[many] / many) / (took[few] / few)
        found.append(Row(f"check {many:,} files, time per file", ms(took[many]), f"of {few:,} files: {ms(took[few])}", growth, 1.5))
    return found


def second_build(setup, folder):
    output = setup.work / "built-twice"

    def first():
        shutil.rmtree(output, ignore_errors=True)
        return seconds(setup.macrocli("build", folder, "-o", output))

    # The order matters: a second build follows each first one.
    cases = {"first": first, "second": lambda: seconds(setup.macrocli("build", folder, "-o", output))}
    took = medians(cases, setup.rounds)
    peer = f"first build: {ms(took['first'])}"
    return [Row("build 1,000 unchanged files again", ms(took["second"]), peer, took["second"] / took["first"], 0.1)]
