"""A capture of the whole screen, 1920x1080, against a bare XShmGetImage in C and mss."""

import os
import subprocess

from common import ROOT, Row, medians
from display import Display, need

CAPTURES = 200
MSS = """\
import sys, time
import mss
with mss.mss() as screen:
    times = []
    for _ in range(int(sys.argv[1])):
        start = time.perf_counter()
        screen.grab(screen.monitors[0])
        times.append(time.perf_counter() - start)
print(sorted(times)[len(times) // 2] * 1e6)
"""


def rows(setup):
    """The line about captures."""
    need("X11/Xlib.h", "X11/extensions/XShm.h")
    subprocess.run(["cargo", "build", "--quiet", "--release", "--example", "capture"], cwd=ROOT, check=True)
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    ours = target / "release" / "examples" / "capture"
    with Display() as display:
        once = lambda *command: lambda: float(display.run([*map(str, command), str(CAPTURES)]))
        cases = {
            "macrocli": once(ours),
            "c": once(setup.program("xshm_capture", ["Xext", "X11"])),
            "mss": once(setup.python("mss"), "-c", MSS),
        }
        took = medians(cases, setup.rounds)
    text = f"{took['macrocli']:.0f} us"
    return [
        Row("capture of 1920x1080", text, f"C, XShmGetImage: {took['c']:.0f} us", took["macrocli"] / took["c"], 1.3),
        Row("capture of 1920x1080", text, f"mss: {took['mss']:.0f} us", took["macrocli"] / took["mss"], None),
    ]
