"""What is held down on the display: a JSON object of `keys`, key codes, and `buttons`, the bits of X11's state."""

import ctypes
import json

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))
down = (ctypes.c_ubyte * 32)()
x11.XQueryKeymap(display, down)
windows = [ctypes.c_ulong(), ctypes.c_ulong()]
places = [ctypes.c_int() for _ in range(4)]
state = ctypes.c_uint()
root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
x11.XQueryPointer(display, root, *map(ctypes.byref, [*windows, *places, state]))
keys = [code for code in range(256) if down[code // 8] >> code % 8 & 1]
print(json.dumps({"keys": keys, "buttons": state.value >> 8 & 31}))
