/* Usage: proc_scan NAME ROUNDS
 * Looks ROUNDS times through /proc/PID/comm for a process of that name and prints the median time of one look in microseconds. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_running(const char *name) {
    size_t length = strnlen(name, 15);
    int found = 0;
    DIR *processes = opendir("/proc");
    if (processes == NULL) exit(2);
    for (struct dirent *entry; !found && (entry = readdir(processes)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        char path[32], comm[32];
        snprintf(path, sizeof path, "%.20s/comm", entry->d_name);
        int file = openat(dirfd(processes), path, O_RDONLY | O_CLOEXEC);
        if (file < 0) continue;
        ssize_t size = read(file, comm, sizeof comm);
        close(file);
        found = size == (ssize_t)length + 1 && memcmp(comm, name, length) == 0;
    }
    closedir(processes);
    return found;
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    int rounds = argc == 3 ? atoi(argv[2]) : 0;
    if (rounds < 1) {
        fprintf(stderr, "usage: proc_scan NAME ROUNDS\n");
        return 2;
    }
    double *times = calloc(rounds, sizeof(double));
    if (times == NULL) return 2;
    for (int round = 0; round < rounds; round++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        is_running(argv[1]);
        clock_gettime(CLOCK_MONOTONIC, &end);
        times[round] = (end.tv_sec - start.tv_sec) * 1e6 + (end.tv_nsec - start.tv_nsec) / 1e3;
    }
    qsort(times, rounds, sizeof(double), by_value);
    printf("%.3f\n", times[rounds / 2]);
    return 0;
}
