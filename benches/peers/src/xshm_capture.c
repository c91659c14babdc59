/* Usage: xshm_capture ROUNDS
 * The least a capture can cost: the whole screen by XShmGetImage into one segment, ROUNDS times; prints the median in microseconds. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <time.h>

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    int rounds = argc == 2 ? atoi(argv[1]) : 0;
    Display *display = rounds < 1 ? NULL : XOpenDisplay(NULL);
    if (display == NULL) return 2;
    int screen = DefaultScreen(display);
    int width = DisplayWidth(display, screen), height = DisplayHeight(display, screen);
    XShmSegmentInfo segment;
    XImage *image = XShmCreateImage(display, DefaultVisual(display, screen), DefaultDepth(display, screen), ZPixmap, NULL, &segment, width, height);
    segment.shmid = shmget(IPC_PRIVATE, (size_t)image->bytes_per_line * height, IPC_CREAT | 0600);
    segment.shmaddr = image->data = shmat(segment.shmid, NULL, 0);
    segment.readOnly = False;
    XShmAttach(display, &segment);
    XSync(display, False);
    shmctl(segment.shmid, IPC_RMID, NULL);
    double *times = calloc(rounds, sizeof(double));
    if (times == NULL) return 2;
    for (int round = 0; round < rounds; round++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        XShmGetImage(display, RootWindow(display, screen), image, 0, 0, AllPlanes);
        clock_gettime(CLOCK_MONOTONIC, &end);
        times[round] = (end.tv_sec - start.tv_sec) * 1e6 + (end.tv_nsec - start.tv_nsec) / 1e3;
    }
    qsort(times, rounds, sizeof(double), by_value);
    printf("%.3f\n", times[rounds / 2]);
    return 0;
}
