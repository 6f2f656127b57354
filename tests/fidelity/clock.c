// Time and power for a Redis server under test; put before it with LD_PRELOAD.
//
// - The wall clock shows what the test wrote: `gettimeofday`, `time` and `clock_gettime(CLOCK_REALTIME)` return the number
//   of microseconds in the file named by LOCKSTEP_CLOCK. It stands still until the test moves it, forwards or back. The
//   monotonic clock, which drives only the event loop, stays real. While the file's second number is not 0, syncs do not end.
//   If LOCKSTEP_CLOCK_RUNS is set, the clock runs and the number says how far it is ahead of the real one.
// - A sync of an append-only file does not touch the disk. Its size at that moment is written to `<file>.synced`: such a
//   file only grows, so cutting it to that size is what a power loss would leave of it.
// - The server dies with the thread that started it, so that a test that is killed leaves no server behind.
//
// No allocation, no locks, no look-ups of the functions that are replaced: the server's allocator asks for the time before
// it works (on which larger libraries of this kind stumble).

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *wall_us;
static int runs;

__attribute__((constructor)) static void open_clock(void) {
    const char *path = getenv("LOCKSTEP_CLOCK");
    if (path == NULL) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const char *parent = getenv("LOCKSTEP_PARENT");
    if (parent != NULL && atol(parent) != (long)getppid()) _exit(70); // it died before the line above
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) _exit(70);
    void *page = mmap(NULL, 2 * sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) _exit(70);
    close(fd);
    runs = getenv("LOCKSTEP_CLOCK_RUNS") != NULL;
    wall_us = page;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (wall_us == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE))
        return (int)syscall(SYS_clock_gettime, clock, now);
    int64_t us = *wall_us;
    if (runs) {
        struct timespec real;
        syscall(SYS_clock_gettime, clock, &real);
        us += real.tv_sec * 1000000 + real.tv_nsec / 1000;
    }
    now->tv_sec = us / 1000000;
    now->tv_nsec = us % 1000000 * 1000;
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now != NULL) *now = exact.tv_sec;
    return exact.tv_sec;
}

static int note_sync(int fd) {
    while (wall_us[1] != 0) usleep(1000);
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - sizeof ".synced");
    struct stat file;
    if (length < 4 || memcmp(path + length - 4, ".aof", 4) != 0 || fstat(fd, &file) != 0) return 0;
    memcpy(path + length, ".synced", sizeof ".synced");
    int synced = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (synced < 0) return -1;
    int64_t size = file.st_size;
    ssize_t written = pwrite(synced, &size, sizeof size, 0);
    close(synced);
    return written == sizeof size ? 0 : -1;
}

int fsync(int fd) { return wall_us == NULL ? (int)syscall(SYS_fsync, fd) : note_sync(fd); }

int fdatasync(int fd) { return wall_us == NULL ? (int)syscall(SYS_fdatasync, fd) : note_sync(fd); }
