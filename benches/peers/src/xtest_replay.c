/* Usage: xtest_replay [-u] EVENTS.tsv
 * The least a replay can cost: XTEST requests, each action flushed, at absolute times of CLOCK_MONOTONIC; with -u without any pause.
 * Lines: "T_MS move X Y", "T_MS click X Y", "T_MS key NAME", fields separated by tabs. */
#define _GNU_SOURCE
#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct action {
    double at_ms;
    char kind;
    int x, y;
};

static struct action *read_actions(Display *display, FILE *file, size_t *count) {
    size_t room = 4096;
    struct action *actions = malloc(room * sizeof *actions);
    char line[256], kind[16], first[32], second[32];
    for (*count = 0; actions != NULL && fgets(line, sizeof line, file) != NULL;) {
        double at_ms;
        second[0] = 0;
        if (sscanf(line, "%lf %15s %31s %31s", &at_ms, kind, first, second) < 3) continue;
        if (*count == room) actions = realloc(actions, (room *= 2) * sizeof *actions);
        if (actions == NULL) break;
        int x = kind[0] == 'k' ? XKeysymToKeycode(display, XStringToKeysym(first)) : atoi(first);
        actions[(*count)++] = (struct action){at_ms, kind[0], x, atoi(second)};
    }
    return actions;
}

static void wait_until(const struct timespec *start, double after_ms) {
    long long nanos = start->tv_nsec + (long long)(after_ms * 1e6);
    struct timespec until = {start->tv_sec + nanos / 1000000000, nanos % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

int main(int argc, char **argv) {
    int at_once = 0, option;
    while ((option = getopt(argc, argv, "u")) != -1) {
        if (option != 'u') return 2;
        at_once = 1;
    }
    FILE *file = optind + 1 == argc ? fopen(argv[optind], "r") : NULL;
    Display *display = file == NULL ? NULL : XOpenDisplay(NULL);
    if (display == NULL) return 2;
    size_t count;
    struct action *actions = read_actions(display, file, &count);
    if (actions == NULL) return 2;
    struct timespec start;
    XSync(display, False);
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t at = 0; at < count; at++) {
        const struct action *action = &actions[at];
        if (!at_once) wait_until(&start, action->at_ms);
        if (action->kind == 'k') {
            XTestFakeKeyEvent(display, action->x, True, 0);
            XTestFakeKeyEvent(display, action->x, False, 0);
        } else {
            XTestFakeMotionEvent(display, -1, action->x, action->y, 0);
        }
        if (action->kind == 'c') {
            XTestFakeButtonEvent(display, 1, True, 0);
            XTestFakeButtonEvent(display, 1, False, 0);
        }
        XFlush(display);
    }
    XSync(display, False);
    XCloseDisplay(display);
    return 0;
}
