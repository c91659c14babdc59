"""What the comparisons share: where things are, how commands are timed in turn, and the table."""

import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


# What shows that a package is there, and what installs it.
PYTHON = {
    "yaml": ("import yaml; yaml.CSafeLoader", "PyYAML==6.0.3"),
    "pyautogui": ("from importlib.metadata import version; version('PyAutoGUI')", "PyAutoGUI==0.9.54"),
    "pynput": ("from importlib.metadata import version; version('pynput')", "pynput==1.8.2"),
    "mss": ("from importlib.metadata import version; version('mss')", "mss==10.2.0"),
}


class Setup:
    """The programs compared, and a folder for everything that is made."""

    def __init__(self, binary, work, rounds):
        self.binary = str(binary)
        self.work = work
        self.rounds = rounds

    def macrocli(self, *arguments):
        """A command line of ours."""
        return [self.binary, *map(str, arguments)]

    def program(self, name, libraries=()):
        """A C program of `src`, compiled when it is missing or older than its source."""
        source, program = HERE / "src" / f"{name}.c", self.work / name
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", program, source, *(f"-l{library}" for library in libraries)], check=True)
        return str(program)

    def python(self, package="yaml"):
        """An interpreter that has a package of `PYTHON`, in an environment made on first use."""
        python = self.work / "venv" / "bin" / "python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", self.work / "venv"], check=True)
        # Some packages look for a display when they are imported.
        find, wanted = PYTHON[package]
        works = [python, "-c", find]
        if subprocess.run(works, stderr=subprocess.DEVNULL).returncode != 0:
            subprocess.run([python, "-m", "pip", "install", "--quiet", wanted], check=True)
            subprocess.run(works, check=True)
        return str(python)


class Row:
    """One line of the table. `value` is a ratio, or milliseconds where `unit` says so; lower is better unless `at_least`."""

    def __init__(self, work, ours, peer, value, bound, unit="x", at_least=False):
        self.work, self.ours, self.peer, self.value, self.unit = work, ours, peer, value, unit
        self.bound, self.at_least = bound, at_least

    def holds(self):
        """Whether the value keeps its bound; true without one."""
        if self.bound is None:
            return True
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def cells(self):
        """The texts of the line."""
        sign = "at least" if self.at_least else "at most"
        bound = "" if self.bound is None else f"{sign} {self.bound:g} {self.unit}"
        verdict = "" if self.bound is None else ("yes" if self.holds() else "NO")
        return [self.work, self.ours, self.peer, f"{self.value:.2f} {self.unit}", bound, verdict]


def print_table(rows):
    """Prints the rows as a Markdown table."""
    lines = [["work", "macrocli", "peer", "result", "must be", "is"], *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for place, line in enumerate(lines):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |")
        if place == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def seconds(command):
    """The wall time of one run of a command, which must end with 0."""
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    took = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.decode(errors='replace')[:2000]}")
    return took


def medians(cases, rounds):
    """Calls every case once in each round, in turn; a case returns what it measured. The medians, by name."""
    values = {name: [] for name in cases}
    for round_ in range(-1, rounds):
        for name, case in cases.items():
            value = case()
            # The first round only warms the caches.
            if round_ >= 0:
                values[name].append(value)
    return {name: statistics.median(list_) for name, list_ in values.items()}


def ms(seconds_):
    """Seconds as text in milliseconds."""
    return f"{seconds_ * 1e3:.2f} ms"
