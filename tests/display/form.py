"""A window with controls of every kind, for accessibility; writes what happens to it to a file, one line each."""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

LOG = sys.argv[1]


def note(line):
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(line + "\n")


def labelled(grid, row, text, widget):
    label = Gtk.Label(label=text, use_underline=True, xalign=0)
    label.set_mnemonic_widget(widget)
    grid.attach(label, 0, row, 1, 1)
    grid.attach(widget, 1, row, 1, 1)
    return widget


window = Gtk.Window(title="A form")
grid = Gtk.Grid(row_spacing=4, column_spacing=8)

labelled(grid, 0, "_Name:", Gtk.Entry())
labelled(grid, 1, "Locked", Gtk.Entry(text="fixed", editable=False))
labelled(grid, 2, "_Level", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)).set_size_request(200, -1)

color = labelled(grid, 3, "_Colour", Gtk.ComboBoxText())
for name in ["Red", "Green", "Blue"]:
    color.append_text(name)
color.connect("changed", lambda box: note("colour " + box.get_active_text()))

check = Gtk.CheckButton(label="_Wrap lines", use_underline=True)
check.connect("toggled", lambda button: note("wrap %d" % button.get_active()))
grid.attach(check, 0, 4, 2, 1)

disabled = Gtk.Button(label="Disabled", sensitive=False)
grid.attach(disabled, 0, 5, 1, 1)
silent = Gtk.Button(label="Silent")
silent.connect("clicked", lambda _: note("silent"))
grid.attach(silent, 1, 5, 1, 1)

# No action but a press of the pointer reaches it.
box = Gtk.EventBox()
box.add(Gtk.Label(label="press me"))
box.get_accessible().set_name("Pad")
box.connect(
    "button-press-event",
    lambda _, event: note("pad %d %d %d %d" % (event.x, event.y, box.get_allocated_width(), box.get_allocated_height())),
)
grid.attach(box, 0, 6, 2, 1)

for place, page in enumerate(["One", "Two"]):
    if place == 0:
        book = Gtk.Notebook()
        book.get_accessible().set_name("Pages")
        grid.attach(book, 0, 7, 2, 1)
    book.append_page(Gtk.Label(label="page " + page), Gtk.Label(label=page))
book.connect("switch-page", lambda _, page, place: note("page %d" % place))

late = Gtk.Button(label="Show later")


def show(_):
    from gi.repository import GLib

    def add():
        button = Gtk.Button(label="Late")
        grid.attach(button, 1, 8, 1, 1)
        button.show()
        return False

    GLib.timeout_add(400, add)


late.connect("clicked", show)
grid.attach(late, 0, 8, 1, 1)

for column in range(2):
    twin = Gtk.Button(label="Twin")
    grid.attach(twin, column, 9, 1, 1)

window.add(grid)
window.connect("destroy", Gtk.main_quit)
window.show_all()
note("shown")
Gtk.main()
