// The Linux calls and constants that Swift's Glibc module lacks, or has not in every version:
// openat2, renameat2, syncfs, FICLONE, sync_file_range, mallopt, memfd_create, inotify and eventfd.
#ifndef CSYNC_SYSTEM_SHIM_H
#define CSYNC_SYSTEM_SHIM_H

#ifdef __linux__

#include <errno.h>
#include <linux/openat2.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// What every path of a mirror is resolved with: beneath the descriptor, through no symbolic or
// magic link, onto no other mounted file system.
static const unsigned long long CSYNC_RESOLVE_CONTAINED =
    RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;

// The flags of renameat2(2), from <linux/fs.h>, which clashes with other headers.
static const unsigned int CSYNC_RENAME_NOREPLACE = 1;
static const unsigned int CSYNC_RENAME_EXCHANGE = 2;

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

// Gives an open file all bytes of another, which share their place on the disk until either is
// written to: FICLONE, from <linux/fs.h>. Returns 0, or -1 with errno set.
static inline int csync_clone(int source, int target) {
  return ioctl(target, _IOW(0x94, 9, int), source);
}

// Asks for the write-back of a range and doesn't wait for it: sync_file_range(2) with
// SYNC_FILE_RANGE_WRITE. A hint; where the call has another shape, nothing happens.
static inline void csync_start_write_back(int descriptor, long long offset, long long count) {
#if defined(SYS_sync_file_range) && defined(__LP64__)
  (void)syscall(SYS_sync_file_range, descriptor, offset, count, 2);
#else
  (void)descriptor, (void)offset, (void)count;
#endif
}

// A file in memory that has no name and goes with its last descriptor: memfd_create(2), Linux 3.17.
// Returns a descriptor that programs which are started don't get, or -1 with errno set.
static inline int csync_memory_file(const char *title) {
  return (int)syscall(SYS_memfd_create, title, 1U /* MFD_CLOEXEC */);
}

#ifdef __GLIBC__
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int)
    __attribute__((weak));
#endif

// Has a program that is started get no descriptor from `first` on: glibc 2.34. Elsewhere nothing
// happens, and it gets those that aren't marked to be closed.
static inline void csync_spawn_closing_from(posix_spawn_file_actions_t *actions, int first) {
#ifdef __GLIBC__
  if (posix_spawn_file_actions_addclosefrom_np)
    (void)posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)actions, (void)first;
#endif
}

// Lets all threads share one heap, where the C library would reserve 64 MiB and more for each.
static inline void csync_share_one_heap(void) {
#ifdef __GLIBC__
  (void)mallopt(M_ARENA_MAX, 1);
#endif
}

// Has large blocks given back to the system as soon as they are let go of. Otherwise the C library
// keeps what is smaller than the largest that it has seen so, up to 32 MiB: of the lists of a
// million items, a sixth more memory.
static inline void csync_give_back_large_blocks(void) {
#ifdef __GLIBC__
  (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

// What changes a directory's listing, or a file in it: inotify(7).
static const unsigned int CSYNC_WATCHED =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB |
    IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;
static const unsigned int CSYNC_WATCH_OVERFLOW = IN_Q_OVERFLOW;
static const unsigned int CSYNC_WATCH_IGNORED = IN_IGNORED;

// A watch without anything in it. Returns a descriptor, or -1 with errno set.
static inline int csync_watch_make(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

// Watches an open directory, through the name that the system has for each open file. Returns the
// number of the directory in this watch, the same one each time, or -1 with errno set.
static inline int csync_watch_add(int watch, int directory) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
  return inotify_add_watch(watch, path, CSYNC_WATCHED);
}

// Watches a directory no longer.
static inline int csync_watch_remove(int watch, int number) {
  return inotify_rm_watch(watch, number);
}

// A descriptor that can be read once it was written to, for waking a thread that waits.
static inline int csync_wake_make(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static inline void csync_wake(int descriptor) { (void)eventfd_write(descriptor, 1); }

#endif

#endif
