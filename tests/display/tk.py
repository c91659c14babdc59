"""A program with windows: `tk.py FILE CODE`.

CODE has `root`, a window of 300x200 pixels, and `say(text)`, which adds a line to FILE. `click` says where the pointer was pressed in a widget.
"""

import sys
import tkinter

path, code = sys.argv[1:3]
root = tkinter.Tk(className="Win")
root.geometry("300x200+50+60")


def say(text):
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{text}\n")


def click(event):
    say(f"click {event.x} {event.y}")


exec(code)
say("ready")
root.mainloop()
