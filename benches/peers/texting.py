"""Text typed into a terminal and a Tk text field: how often it arrives as it is, and how fast, against xdotool and pynput."""

import json
import signal
import statistics
import time

from common import Row
from display import SINK, Display, need, tk

TEXTS = {
    "ASCII": (
        "The quick brown Fox jumps over the lazy Dog; 0123456789 (a+b)*[c-d]/{e} = f_g? \"quoted\" & 'single' ~ `tick` "
        "$5.00 @home #1 50% ^up | pipe \\ back <tag> ! Mixed,CASE: xYzZyX pack my box with five dozen jugs."
    ),
    "Unicode": "Größe: äéñ€→😀 ok; Ünïcödé – “quotes” Ж 漢字",
}
MACRO = """\
name: typing
parameters:
  text: {type: string, required: true}
steps:
  - {id: type, backend: visual_anchor, action: type_text, timeout: 5m, params: {text: "${text}", interval_ms: 0}}
"""
PYNPUT = "import sys; from pynput import keyboard; keyboard.Controller().type(sys.argv[1])"


def rows(setup):
    """The lines about typing."""
    need("xdotool", "xterm", "setxkbmap", "tkinter")
    (setup.work / "typing.yaml").write_text(MACRO)
    runs = max(1, setup.rounds // 3)
    tools = {
        "macrocli": lambda text: setup.macrocli("run", setup.work / "typing.yaml", "--param", f"text={text}", "--json"),
        "xdotool": lambda text: ["xdotool", "type", "--", text],
        "xdotool --delay 0": lambda text: ["xdotool", "type", "--delay", "0", "--", text],
        "pynput": lambda text: [setup.python("pynput"), "-c", PYNPUT, text],
    }
    lines = []
    with Display() as display:
        for receiver, open_ in (("xterm", Terminal), ("Tk", Field)):
            for name, text in TEXTS.items():
                found = {tool: [] for tool in tools}
                for _ in range(runs):
                    for tool, command in tools.items():
                        found[tool].append(once(setup, display, open_, command(text), text))
                lines.append(line(f"typing {name} into {receiver}", found, len(text)))
    return lines


def line(what, found, characters):
    """How many runs were exact; the peers are told with the time they took."""
    right = {tool: sum(exact for exact, _ in runs) for tool, runs in found.items()}
    took = {tool: statistics.median(seconds for _, seconds in runs) for tool, runs in found.items()}
    told = {tool: f"{right[tool]}/{len(runs)}, {characters / took[tool]:.0f} /s" for tool, runs in found.items()}
    ours = told.pop("macrocli")
    peers = "; ".join(f"{tool}: {text}" for tool, text in told.items())
    return Row(f"{what}: exact", ours, peers, right["macrocli"] / len(found["macrocli"]), 1, unit="of all", at_least=True)


def once(setup, display, open_, command, text):
    """Whether the text arrived, and the seconds of the program that typed it."""
    # Some tools leave their changes of the keymap behind.
    display.run(["setxkbmap", "us"])
    receiver = open_(setup, display)
    start = time.perf_counter()
    display.output(command)
    took = time.perf_counter() - start
    time.sleep(0.3)
    exact = receiver.text() == text
    display.end(receiver.program, signal.SIGKILL)
    return exact, took


class Terminal:
    """A terminal whose input goes to a file as it is."""

    def __init__(self, setup, display):
        self.file = setup.work / "typed.txt"
        self.file.unlink(missing_ok=True)
        command = f"stty raw -echo; exec cat > {self.file}"
        self.program = display.start(["xterm", "-u8", "-T", "receiver", "-e", "sh", "-c", command])
        display.until(self.file.exists, "a terminal")
        focus(display)

    def text(self):
        return self.file.read_text(errors="replace")


class Field:
    """A Tk text field that writes what it holds."""

    def __init__(self, setup, display):
        self.file = setup.work / "typed.json"
        self.file.unlink(missing_ok=True)
        self.program = display.start([tk(), str(SINK), str(self.file), "receiver", "1200x300+20+20"])
        display.until(self.file.exists, "a text field")
        focus(display)

    def text(self):
        return json.loads(self.file.read_text())["text"]


def focus(display):
    """Waits until the window has the keyboard."""
    active = ["xdotool", "getactivewindow", "getwindowname"]
    display.until(lambda: display.output(active).strip() == "receiver", "the keyboard")
    time.sleep(0.2)
