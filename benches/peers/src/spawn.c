/* Usage: spawn ROUNDS -- COMMAND… [-- COMMAND…]…
 * Runs every command once in each round, in turn, and prints for each the median of its wall times in milliseconds, one per line, from
 * posix_spawn to wait4. A command that does not end with 0 ends the measurement. Input and output of the commands are /dev/null. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_COMMANDS = 16, WARM_UP = 3 };

extern char **environ;

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double run(char **command, const posix_spawn_file_actions_t *files) {
    pid_t child;
    int status;
    double start = now_ms();
    int error = posix_spawnp(&child, command[0], files, NULL, command, environ);
    if (error != 0) {
        fprintf(stderr, "spawn: %s: %s\n", command[0], strerror(error));
        exit(2);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    double end = now_ms();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "spawn: %s did not end with 0 (status %#x)\n", command[0], status);
        exit(1);
    }
    return end - start;
}

int main(int argc, char **argv) {
    char **commands[MOST_COMMANDS];
    double *times[MOST_COMMANDS];
    int count = 0, rounds = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0) continue;
        argv[i] = NULL;
        if (count == MOST_COMMANDS || i + 1 == argc) return 2;
        commands[count++] = &argv[i + 1];
    }
    if (rounds < 1 || count == 0) {
        fprintf(stderr, "usage: spawn ROUNDS -- COMMAND... [-- COMMAND...]...\n");
        return 2;
    }
    for (int c = 0; c < count; c++) {
        times[c] = calloc(rounds, sizeof(double));
        if (times[c] == NULL) return 2;
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    for (int round = -WARM_UP; round < rounds; round++) {
        for (int c = 0; c < count; c++) {
            double time = run(commands[c], &files);
            if (round >= 0) times[c][round] = time;
        }
    }
    for (int c = 0; c < count; c++) {
        qsort(times[c], rounds, sizeof(double), by_value);
        printf("%.4f\n", rounds % 2 ? times[c][rounds / 2] : (times[c][rounds / 2 - 1] + times[c][rounds / 2]) / 2);
    }
    return 0;
}
