"""Times searches by OpenCV on one picture: `opencv_search.py SCREEN.png`, then lines of `colour|grey THREADS TEMPLATE.png` on standard input,
each answered by microseconds, x, y and the score. Only the search and the look for its best place are timed."""

import sys
import time

import cv2


def main():
    screen = cv2.imread(sys.argv[1], cv2.IMREAD_COLOR)
    screens = {"colour": screen, "grey": cv2.cvtColor(screen, cv2.COLOR_BGR2GRAY)}
    for line in sys.stdin:
        method, threads, path = line.split()
        template = cv2.imread(path, cv2.IMREAD_COLOR)
        if method == "grey":
            template = cv2.cvtColor(template, cv2.COLOR_BGR2GRAY)
        cv2.setNumThreads(int(threads))
        start = time.perf_counter()
        _, score, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(screens[method], template, cv2.TM_CCOEFF_NORMED))
        print((time.perf_counter() - start) * 1e6, x, y, score, flush=True)


if __name__ == "__main__":
    main()
