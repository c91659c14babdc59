"""A window for accessibility that does what its second argument says.

`grow.py FOLDER still`: shows a button `Late N` as soon as there is a file `N` in FOLDER, and writes when, in seconds, to `N.shown`.
`grow.py FOLDER busy`: changes a label as fast as it can. `grow.py FOLDER hung`: answers nothing any more.
"""

import os
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk

folder, mode = sys.argv[1:3]
window = Gtk.Window(title="Growing")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
label = Gtk.Label(label="0")
box.add(Gtk.Button(label="First"))
box.add(label)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
count = 0


def grow():
    global count
    if os.path.exists(os.path.join(folder, str(count))):
        button = Gtk.Button(label="Late %d" % count)
        button.show()
        box.add(button)
        with open(os.path.join(folder, "%d.new" % count), "w", encoding="utf-8") as file:
            file.write(repr(time.time()))
        os.rename(os.path.join(folder, "%d.new" % count), os.path.join(folder, "%d.shown" % count))
        count += 1
    return True


def change():
    global count
    for _ in range(20):
        count += 1
        label.set_label(str(count))
    return True


def hang():
    if os.path.exists(os.path.join(folder, "hang")):
        open(os.path.join(folder, "hung"), "w").close()
        time.sleep(600)
    return True


GLib.timeout_add(*{"still": (10, grow), "busy": (5, change), "hung": (10, hang)}[mode])
Gtk.main()
