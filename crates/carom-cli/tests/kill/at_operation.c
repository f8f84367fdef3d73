/* Loaded before the C library (LD_PRELOAD): counts what a process does to files, and kills it before operation number
   CAROM_KILL_AT; without that, CAROM_COUNT names a file that gets the count. Nothing is flushed to the disk, so that
   hundreds of runs take seconds: a process that is killed loses nothing that the system has. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long done = 0;

static void operation(void) {
    const char *at = getenv("CAROM_KILL_AT");
    if (__sync_fetch_and_add(&done, 1) == (at ? atol(at) : -1))
        kill(getpid(), SIGKILL);
}

__attribute__((destructor)) static void report(void) {
    const char *name = getenv("CAROM_COUNT");
    long count = done;
    FILE *file = name ? fopen(name, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}

#define COUNTED(type, name, parameters, arguments)                  \
    type name parameters {                                          \
        type(*next) parameters = dlsym(RTLD_NEXT, #name);           \
        operation();                                                \
        return next arguments;                                      \
    }

COUNTED(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size))
COUNTED(int, rename, (const char *from, const char *to), (from, to))
COUNTED(int, link, (const char *from, const char *to), (from, to))
COUNTED(int, linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
COUNTED(int, unlink, (const char *path), (path))
COUNTED(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
COUNTED(int, mkdir, (const char *path, mode_t mode), (path, mode))
COUNTED(int, rmdir, (const char *path), (path))
COUNTED(int, ftruncate64, (int file, off64_t size), (file, size))

int fsync(int file) {
    (void)file;
    operation();
    return 0;
}

int fdatasync(int file) { return fsync(file); }
