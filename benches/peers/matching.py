"""A search for a template on a desktop, against OpenCV in colour and in grey with as many threads, and against another Rust matcher."""

import json
import os
import pathlib
import subprocess

from common import HERE, ROOT, Row, medians, ms

DATA = ROOT / "benches" / "data"
PACKAGES = ["numpy==2.4.6", "opencv-python-headless==5.0.0.93"]
# imageproc needs seconds for a search, which is too long for the large templates and for many rounds.
SLOW = "icon24"


def rows(setup):
    """The lines about matching."""
    templates = json.loads((DATA / "templates" / "templates.json").read_text())["templates"]
    with Timer([example(setup), DATA / "desktop.png"]) as ours, Timer([python(setup), HERE / "opencv_search.py", DATA / "desktop.png"]) as opencv:
        found = []
        differ = 0
        for name in dict.fromkeys(entry["name"] for entry in templates):
            entries = [entry for entry in templates if entry["name"] == name]
            for threads in (1, 2):
                lines, wrong = searches(setup, ours, opencv, entries, threads)
                found += lines
                differ += wrong
        found.append(Row("places other than OpenCV's, of all that are there", f"{differ}", "OpenCV in colour: 0", differ, 0, unit=""))
        slow = next(entry for entry in templates if entry["name"] == SLOW and entry["variant"] == "noise")
        return [*found, *copies(setup, ours, templates), imageproc(setup, ours, slow)]


def searches(setup, ours, opencv, entries, threads):
    """Two lines for a template: the variant that is worst for us against OpenCV in colour, and against it in grey."""
    worst, wrong = {}, 0
    for entry in entries:
        places = {}

        def ask(who, method):
            took, *places[method] = who.ask(method, threads, entry["file"])
            return took

        cases = {
            "search": lambda: ask(ours, "search"),
            "colour": lambda: ask(opencv, "colour"),
            "grey": lambda: ask(opencv, "grey"),
        }
        took = medians(cases, max(3, setup.rounds // 3))
        if entry["present"] and places["search"][:2] != places["colour"][:2]:
            wrong += 1
        for peer in ("colour", "grey"):
            ratio = took[peer] / took["search"]
            worst[peer] = min(worst.get(peer, (ratio,)), (ratio, entry["variant"], took["search"], took[peer]))
    found = []
    for peer, bound in (("colour", 30), ("grey", 5)):
        ratio, variant, own, other = worst[peer]
        work = f"search {entries[0]['name']}, threads: {threads}, worst of {len(entries)}: {variant}"
        found.append(Row(work, ms(own), f"OpenCV in {peer}: {ms(other)}", ratio, bound, at_least=True))
    return found, wrong


def copies(setup, ours, templates):
    found = []
    for entry in (entry for entry in templates if entry["variant"] == "exact"):
        cases = {method: (lambda method=method: ours.ask(method, 1, entry["file"])[0]) for method in ("search", "read")}
        took = medians(cases, setup.rounds)
        work = f"search {entry['name']}, a copy is there, threads: 1"
        found.append(Row(work, ms(took["search"]), f"reading the screen once: {ms(took['read'])}", took["search"] / took["read"], 3))
    return found


def imageproc(setup, ours, entry):
    cases = {method: (lambda method=method: ours.ask(method, 2, entry["file"])[0]) for method in ("search", "imageproc")}
    took = medians(cases, 1)
    ratio = took["imageproc"] / took["search"]
    return Row(f"search {entry['name']}, noise", ms(took["search"]), f"imageproc in grey: {ms(took['imageproc'])}", ratio, 30, at_least=True)


class Timer:
    """A program that has the screen, and answers METHOD THREADS TEMPLATE with microseconds, x, y and a score."""

    def __init__(self, command):
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def ask(self, method, threads, file):
        """Seconds, x, y, score."""
        self.process.stdin.write(f"{method} {threads} {DATA / 'templates' / file}\n")
        self.process.stdin.flush()
        micros, x, y, score = self.process.stdout.readline().split()[:4]
        place = (int(x), int(y)) if x != "-" else (None, None)
        return float(micros) / 1e6, *place, float(score)


def example(setup):
    """The program of vm/examples/search.rs."""
    subprocess.run(["cargo", "build", "--release", "--package", "macrocli-vm", "--example", "search"], cwd=ROOT, check=True)
    return ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "examples" / "search"


def python(setup):
    """An interpreter that has OpenCV."""
    python = pathlib.Path(setup.python())
    if subprocess.run([python, "-c", "import cv2"], stderr=subprocess.DEVNULL).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python
