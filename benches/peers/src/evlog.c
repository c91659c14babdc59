/* Usage: evlog OUT.tsv
 * A window over the whole screen that notes every event it gets. Prints "ready", and ends on SIGTERM or SIGINT.
 * Columns: monotonic nanoseconds, type (M motion, B and b button down and up, K and k key down and up), button or key code, x, y, keysym in
 * hexadecimal. They are kept in memory and written at the end, so that writing does not disturb what is measured. */
#define _GNU_SOURCE
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct note {
    long long at;
    unsigned long keysym;
    unsigned detail;
    short x, y;
    char type;
};

static volatile sig_atomic_t asked_to_stop;

static void stop(int signal) {
    (void)signal;
    asked_to_stop = 1;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static Window cover(Display *display) {
    int screen = DefaultScreen(display);
    XSetWindowAttributes attributes = {
        .override_redirect = True,
        .background_pixel = WhitePixel(display, screen),
        .event_mask = KeyPressMask | KeyReleaseMask | ButtonPressMask | ButtonReleaseMask | PointerMotionMask | ExposureMask,
    };
    Window window = XCreateWindow(display, RootWindow(display, screen), 0, 0, DisplayWidth(display, screen), DisplayHeight(display, screen),
                                  0, CopyFromParent, InputOutput, CopyFromParent, CWOverrideRedirect | CWBackPixel | CWEventMask, &attributes);
    XStoreName(display, window, "evlog");
    XMapRaised(display, window);
    XEvent event;
    do XNextEvent(display, &event);
    while (event.type != Expose);
    XSetInputFocus(display, window, RevertToParent, CurrentTime);
    XSync(display, False);
    return window;
}

int main(int argc, char **argv) {
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    Display *display = argc == 2 ? XOpenDisplay(NULL) : NULL;
    if (display == NULL) return 2;
    cover(display);
    size_t room = 1 << 16, count = 0;
    struct note *notes = malloc(room * sizeof *notes);
    puts("ready");
    fflush(stdout);
    struct pollfd ready = {ConnectionNumber(display), POLLIN, 0};
    while (notes != NULL && !asked_to_stop) {
        if (!XPending(display)) {
            poll(&ready, 1, 200);
            continue;
        }
        XEvent event;
        XNextEvent(display, &event);
        if (event.type == MappingNotify) XRefreshKeyboardMapping(&event.xmapping);
        if (event.type < KeyPress || event.type > MotionNotify) continue;
        if (count == room) notes = realloc(notes, (room *= 2) * sizeof *notes);
        if (notes == NULL) return 2;
        struct note *note = &notes[count++];
        *note = (struct note){now(), 0, 0, event.xmotion.x_root, event.xmotion.y_root, "..KkBbM"[event.type]};
        if (event.type == MotionNotify) continue;
        /* The button is at the same place in its event. */
        note->detail = event.xkey.keycode;
        if (event.type == KeyPress || event.type == KeyRelease) note->keysym = XLookupKeysym(&event.xkey, 0);
    }
    FILE *out = fopen(argv[1], "w");
    if (out == NULL) return 2;
    for (size_t at = 0; at < count; at++) {
        const struct note *note = &notes[at];
        fprintf(out, "%lld\t%c\t%u\t%d\t%d\t%lx\n", note->at, note->type, note->detail, note->x, note->y, note->keysym);
    }
    return fclose(out);
}
