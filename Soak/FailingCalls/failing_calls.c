// Lets one call of the C library fail once, in a program that this library is loaded into before it (LD_PRELOAD).
//
// The program looks up the functions that are not static. Calls that glibc makes of its own accord, for memory for example, do
// not come here.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>

static const char *const names[] = {
    "open", "write", "pwrite", "pread", "rename", "fsync", "mmap", "connect", "send", "recv", "epoll_ctl",
};
enum call { OPEN, WRITE, PWRITE, PREAD, RENAME, FSYNC, MMAP, CONNECT, SEND, RECV, EPOLL_CTL, CALL_COUNT };

static atomic_bool is_counting;
static atomic_int counts[CALL_COUNT];
static enum call failing_call = CALL_COUNT;
static int failing_index, failing_error;

// Counts from now on. The call of this index, from 0, fails with this error.
void failing_calls_start(const char *name, int index, int error) {
    for (enum call call = 0; call < CALL_COUNT; call++) {
        atomic_store(&counts[call], 0);
        if (strcmp(names[call], name) == 0) failing_call = call;
    }
    failing_index = index;
    failing_error = error;
    atomic_store(&is_counting, true);
}

void failing_calls_stop(void) {
    atomic_store(&is_counting, false);
}

// How many calls of this name were made while they were counted.
int failing_calls_count(const char *name) {
    for (enum call call = 0; call < CALL_COUNT; call++) {
        if (strcmp(names[call], name) == 0) return atomic_load(&counts[call]);
    }
    return 0;
}

static bool fails(enum call call) {
    if (!atomic_load(&is_counting)) return false;
    int index = atomic_fetch_add(&counts[call], 1);
    if (call != failing_call || index != failing_index) return false;
    errno = failing_error;
    return true;
}

// The function of the C library.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// The result of the call, or of its failure.
#define PASS(call, name, failure, ...) return fails(call) ? (failure) : REAL(name)(__VA_ARGS__)

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    // Without O_CREAT there is none. The system does not look at it then.
    mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    PASS(OPEN, open, -1, path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) { PASS(WRITE, write, -1, file, bytes, count); }

ssize_t pwrite(int file, const void *bytes, size_t count, off_t position) {
    PASS(PWRITE, pwrite, -1, file, bytes, count, position);
}

ssize_t pread(int file, void *bytes, size_t count, off_t position) { PASS(PREAD, pread, -1, file, bytes, count, position); }

int rename(const char *path, const char *new_path) { PASS(RENAME, rename, -1, path, new_path); }

int fsync(int file) { PASS(FSYNC, fsync, -1, file); }

void *mmap(void *address, size_t count, int protection, int flags, int file, off_t position) {
    PASS(MMAP, mmap, MAP_FAILED, address, count, protection, flags, file, position);
}

int connect(int socket, const struct sockaddr *address, socklen_t size) { PASS(CONNECT, connect, -1, socket, address, size); }

ssize_t send(int socket, const void *bytes, size_t count, int flags) { PASS(SEND, send, -1, socket, bytes, count, flags); }

ssize_t recv(int socket, void *bytes, size_t count, int flags) { PASS(RECV, recv, -1, socket, bytes, count, flags); }

// The system may refuse to watch another file. To change or end a watch never fails for want of something, and libdispatch takes a
// failure for done: its timers would be lost.
int epoll_ctl(int queue, int operation, int file, struct epoll_event *event) {
    if (operation != EPOLL_CTL_ADD) return REAL(epoll_ctl)(queue, operation, file, event);
    PASS(EPOLL_CTL, epoll_ctl, -1, queue, operation, file, event);
}
