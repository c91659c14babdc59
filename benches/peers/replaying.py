"""A replay of pointer and key events, with a pause of 5 ms and without any, as they arrive in a window, against a bare loop over XTEST in C,
a script of xdotool, and pyautogui in a loop with absolute times."""

import json
import signal
import statistics
import sys
import time

from common import Row
from display import Display, need

ACTIONS = 1000
PAUSE_MS = 5
# Without pauses a replay is over so soon that it takes more actions to be measured.
ACTIONS_AT_ONCE = 20_000
MACRO = """\
name: {name}
steps:
  - {{id: replay, backend: gui_macro, action: replay, timeout: 10m, params: {{macro_file: {name}.json}}}}
"""
PYAUTOGUI = """\
import sys, time
import pyautogui
pyautogui.PAUSE = 0
actions = [line.rstrip("\\n").split("\\t") for line in open(sys.argv[1])]
start = time.monotonic() + 0.05
for at, kind, x, y in actions:
    if len(sys.argv) < 3:
        time.sleep(max(0, start + float(at) / 1e3 - time.monotonic()))
    if kind == "key":
        pyautogui.press(x)
    elif kind == "click":
        pyautogui.click(int(x), int(y))
    else:
        pyautogui.moveTo(int(x), int(y))
"""


def rows(setup):
    """The lines about replays."""
    need("xdotool", "X11/Xlib.h", "X11/extensions/XTest.h")
    runs = max(1, setup.rounds // 3)
    with Display() as display:
        paced = measure(setup, display, "paced", schedule(ACTIONS), PAUSE_MS, runs)
        at_once = measure(setup, display, "at_once", schedule(ACTIONS_AT_ONCE), 0, runs)
    return [*about_pace(paced), *about_rate(at_once)]


def about_pace(found):
    """The lines about the error of a schedule."""
    late = {name: statistics.median(run["p99"] for run in runs) for name, runs in found.items()}
    drift = {name: statistics.median(run["drift"] for run in runs) for name, runs in found.items()}
    what = f"replay, one event per {PAUSE_MS} ms"
    ours = f"{late['macrocli'] * 1e3:.0f} us"
    lines = [
        Row(f"{what}: p99 late", ours, f"{name}: {late[peer] * 1e3:.0f} us", late["macrocli"] / late[peer], bound)
        for peer, name, bound in PEERS
    ]
    ends = f"C loop: {drift['c']:.2f} ms, xdotool: {drift['xdotool']:.0f} ms"
    lines.append(Row(f"{what}: drift of {ACTIONS}", f"{drift['macrocli']:.2f} ms", ends, abs(drift["macrocli"]), 1, unit="ms"))
    return lines


def about_rate(found):
    """The lines about the most that goes through."""
    rate = {name: statistics.median(run["rate"] for run in runs) for name, runs in found.items()}
    ours = f"{rate['macrocli']:.0f} /s"
    return [
        Row("replay without pauses: time per event", ours, f"{name}: {rate[peer]:.0f} /s", rate[peer] / rate["macrocli"], bound)
        for peer, name, bound in PEERS
    ]


PEERS = [("c", "C loop", 1.5), ("xdotool", "xdotool script", None), ("pyautogui", "pyautogui", None)]


def schedule(count):
    """Half of them moves, a quarter clicks, a quarter keys, no two neighbours alike."""
    for at in range(count):
        kind = ("move", "move", "click", "key")[at % 4]
        yield (kind, chr(97 + at % 26), "") if kind == "key" else (kind, 200 + at * 7 % 1500, 150 + at * 13 % 800)


def measure(setup, display, name, actions, pause_ms, runs):
    """What arrived of every program's replay, run by run, in turn."""
    actions = list(actions)
    table = write(setup.work, name, actions, pause_ms)
    display.run(setup.macrocli("build", setup.work / f"{name}.yaml", "-o", setup.work / "replay"))
    at_once = pause_ms == 0
    python = [setup.python("pyautogui"), "-c", PYAUTOGUI, str(table)]
    commands = {
        "macrocli": setup.macrocli("run", setup.work / "replay" / f"{name}.mcb", "--json"),
        "c": [setup.program("xtest_replay", ["Xtst", "X11"]), *(["-u"] if at_once else []), str(table)],
        "xdotool": ["xdotool", str(setup.work / f"{name}.xdotool")],
        "pyautogui": [*python, "at once"] if at_once else python,
    }
    found = {tool: [] for tool in commands}
    for _ in range(runs):
        for tool, command in commands.items():
            # Slow tools need not do everything to be measured.
            found[tool].append(replay(setup, display, command, actions, pause_ms))
    return found


def write(work, name, actions, pause_ms):
    """One schedule in the form of every program; returns the table's path."""
    table = work / f"{name}.tsv"
    table.write_text("".join(f"{at * pause_ms}\t{kind}\t{x}\t{y}\n" for at, (kind, x, y) in enumerate(actions)))
    forms = {"move": "mousemove {0} {1}\n", "click": "mousemove {0} {1} click --delay 0 1\n", "key": "key --delay 0 {0}\n"}
    pause = f"sleep {pause_ms / 1e3:g}\n" if pause_ms else ""
    (work / f"{name}.xdotool").write_text("".join(forms[kind].format(x, y) + pause for kind, x, y in actions))
    step = lambda kind, x, y: {"type": "key", "keys": x} if kind == "key" else {"type": kind, "x": x, "y": y}
    steps = [{**step(*action), "delay_ms": pause_ms} for action in actions]
    (work / f"{name}.json").write_text(json.dumps({"version": 1, "screen_resolution": "1920x1080", "steps": steps}))
    (work / f"{name}.yaml").write_text(MACRO.format(name=name))
    return table


def replay(setup, display, command, actions, pause_ms):
    """Runs one replay into a window that notes what arrives."""
    log = setup.work / "events.tsv"
    window = display.start([setup.program("evlog", ["X11"]), str(log)], stdout=-1, text=True)
    if window.stdout.readline().strip() != "ready":
        sys.exit("evlog did not start")
    time.sleep(0.3)
    display.run(command)
    time.sleep(0.3)
    display.end(window, signal.SIGTERM)
    return judge(log, actions, pause_ms)


def judge(log, actions, pause_ms):
    """Times in milliseconds. An event is late against the earliest one of its run, which needs no common clock with the sender."""
    arrived = iter([line.rstrip("\n").split("\t") for line in open(log)])
    offsets = []
    for at, (kind, x, y) in enumerate(actions):
        wanted = ("K", f"{ord(x):x}") if kind == "key" else ("B" if kind == "click" else "M", str(x), str(y))
        for when, type_, _, to_x, to_y, keysym in arrived:
            if wanted == ((type_, keysym) if type_ == "K" else (type_, to_x, to_y)):
                offsets.append(int(when) / 1e6 - at * pause_ms)
                break
        else:
            sys.exit(f"event {at}, {wanted}, did not arrive")
    late = sorted(offset - min(offsets) for offset in offsets)
    took = offsets[-1] - offsets[0] + (len(actions) - 1) * pause_ms
    return {"p99": late[round(0.99 * (len(late) - 1))], "drift": offsets[-1] - offsets[0], "rate": (len(actions) - 1) / took * 1e3}
