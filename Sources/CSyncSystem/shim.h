// The Linux calls that Swift's Glibc module lacks: openat2, renameat2 and syncfs.
#ifndef CSYNC_SYSTEM_SHIM_H
#define CSYNC_SYSTEM_SHIM_H

#ifdef __linux__

#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

// openat2(2), Linux 5.6. Returns a descriptor, or -1 with errno set.
static inline int csync_openat2(
    int directory, const char *path, unsigned long long flags, unsigned long long mode,
    unsigned long long resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// renameat2(2), Linux 3.15. Returns 0, or -1 with errno set.
static inline int csync_renameat2(
    int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
  return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}

// syncfs(2), Linux 2.6.39. Returns 0, or -1 with errno set.
static inline int csync_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

#endif

#endif
