"""A window that keeps what reaches it: `sink.py FILE TITLE GEOMETRY [KIND]`.

FILE is replaced soon after every event by a JSON object: `text` is the content of the text field, `events` a list of the events in order, `focus` whether
the window has the keyboard. KIND is `text` (a text field) or `canvas` (an empty canvas).
"""

import json
import os
import sys
import tkinter

path, title, geometry = sys.argv[1:4]
kind = sys.argv[4] if len(sys.argv) > 4 else "text"
root = tkinter.Tk(className=os.environ.get("SINK_CLASS", "Sink"))
root.title(title)
root.geometry(geometry)
events = []
waiting = False
if kind == "text":
    area = tkinter.Text(root, wrap="char", undo=False, highlightthickness=0, borderwidth=0)
else:
    area = tkinter.Canvas(root, highlightthickness=0, borderwidth=0, background="white")
area.pack(fill="both", expand=True)
area.focus_set()


def write(*_):
    global waiting
    waiting = False
    text = area.get("1.0", "end-1c") if kind == "text" else ""
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        json.dump({"text": text, "events": events, "focus": root.focus_displayof() is not None}, file)
    os.replace(path + ".new", path)


def soon(*_):
    """One writing for many events, so that a fast run of keys does not make the window slow."""
    global waiting
    if not waiting:
        waiting = True
        root.after(10, write)


def note(name):
    def handle(event):
        events.append({"type": name, "x": event.x, "y": event.y, "button": event.num, "keysym": str(event.keysym),
                       "char": event.char, "state": event.state, "time": event.time})
        soon()
    return handle


for name in ("KeyPress", "KeyRelease", "ButtonPress", "ButtonRelease", "Motion", "FocusIn", "FocusOut"):
    area.bind(f"<{name}>", note(name), add="+")
for name in ("Double-Button-1", "Triple-Button-1"):
    area.bind(f"<{name}>", note(name.split("-")[0]), add="+")
if kind == "text":
    area.bind("<<Modified>>", lambda _: (area.edit_modified(False), soon()), add="+")
# The window is there when the file is.
area.bind("<Map>", soon, add="+")
root.mainloop()
