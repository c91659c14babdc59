"""A display of the comparisons' own, and the Debian packages they need."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

from common import HERE

# The package of each program and header.
PACKAGES = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "xdotool": "xdotool",
    "xterm": "xterm",
    "xmodmap": "x11-xserver-utils",
    "setxkbmap": "x11-xkb-utils",
    "xprop": "x11-utils",
    "X11/Xlib.h": "libx11-dev",
    "X11/extensions/XShm.h": "libxext-dev",
    "X11/extensions/XTest.h": "libxtst-dev",
    "tkinter": "python3-tk",
}


def need(*things):
    """Installs the packages of programs, headers and modules that are missing, as root or with sudo."""
    missing = sorted({PACKAGES[thing] for thing in things if not is_there(thing)})
    if not missing:
        return
    root = [] if os.geteuid() == 0 else ["sudo"]
    install = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
    print(f"installing: {' '.join(missing)}", file=sys.stderr)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if subprocess.run(install, **quiet).returncode != 0:
        subprocess.run([*root, "apt-get", "update", "-qq"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL)


def is_there(thing):
    """Whether a program, header or module is installed."""
    if thing == "tkinter":
        return tk() is not None
    if thing.endswith(".h"):
        return subprocess.run(["cc", "-E", "-x", "c", "-"], input=f"#include <{thing}>\n".encode(), capture_output=True).returncode == 0
    return shutil.which(thing) is not None


def tk():
    """A Python with Tk: the first one on the path may be another than Debian's."""
    for python in ("python3", "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run([python, "-c", "import tkinter"], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return None


class Display:
    """Xvfb of 1920x1080 with openbox, in a `with`; what is started by `start` ends with it."""

    def __enter__(self):
        need("Xvfb", "openbox", "xprop")
        server = ["Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1920x1080x24"]
        self.children = [subprocess.Popen(server, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)]
        self.name = ":" + self.children[0].stdout.readline().strip()
        # pyautogui does not start without a file of credentials, although it needs none.
        self.credentials = tempfile.NamedTemporaryFile()
        ours = {"DISPLAY": self.name, "XAUTHORITY": self.credentials.name, "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1"}
        self.environment = {**os.environ, **ours}
        self.start(["openbox", "--sm-disable"])
        self.until(lambda: "window id" in self.output(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]), "a window manager")
        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            child.terminate()
            child.wait()

    def start(self, command, **options):
        """Starts a program on the display."""
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
        self.children.append(subprocess.Popen(command, env=self.environment, **options))
        return self.children[-1]

    def end(self, child, signal):
        """Ends a program that was started."""
        child.send_signal(signal)
        child.wait()
        self.children.remove(child)

    def run(self, command):
        """Runs a program on the display; it must end with 0. Its standard output."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{(done.stdout + done.stderr)[:2000]}")
        return done.stdout

    def output(self, command):
        """The standard output of a program, whatever its end."""
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def until(self, holds, what):
        """Waits until something holds."""
        for _ in range(600):
            if holds():
                return
            time.sleep(0.05)
        sys.exit(f"waited in vain for {what}")


SINK = HERE.parent.parent / "tests" / "display" / "sink.py"
