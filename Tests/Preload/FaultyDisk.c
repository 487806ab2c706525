// A disk that fails on cue: preloaded into a program, it counts the calls that concern one folder
// and makes one of them fail, cuts the power before it, or ends the program there.
//
//   FAULTY_DISK_FOLDER  the folder, without links; calls elsewhere are none of our business
//   FAULTY_DISK_KINDS   which kinds of calls are counted, separated by commas
//   FAULTY_DISK_REPORT  a file that gets a line for each: its number, kind and path
//   FAULTY_DISK_AT      the number of the call at which it happens; it is counted per process
//   FAULTY_DISK_ACT     what happens: kill | cut | cutting | drop | short | an errno
//   FAULTY_DISK_LASTS   if set, calls fail from that number on
//
// Everything goes through the C library's functions, so whatever a program does by other ways
// isn't seen: a test holds the counts against those of strace.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// FS_IOC_SHUTDOWN, known by this number to ext4, XFS and others. 2: nothing is written any more,
// the journal's log included.
#define SHUT_DOWN _IOR('X', 125, unsigned)
static unsigned without_log = 2;

enum act { PASS, KILL, CUT, CUTTING, DROP, SHORT, FAIL };

static char folder[4096];
static char kinds[512];
static int report = -1;
static long at;
static bool lasts;
static enum act act;
static int failure;
static atomic_long count;
static bool ready;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("FAULTY_DISK_FOLDER");
  if (!text) return;
  snprintf(folder, sizeof folder, "%s", text);
  snprintf(kinds, sizeof kinds, ",%s,", getenv("FAULTY_DISK_KINDS") ?: "");
  if ((text = getenv("FAULTY_DISK_REPORT")))
    report = REAL(open)(text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  at = atol(getenv("FAULTY_DISK_AT") ?: "0");
  lasts = getenv("FAULTY_DISK_LASTS");
  text = getenv("FAULTY_DISK_ACT") ?: "";
  failure = atoi(text);
  act = !strcmp(text, "kill")      ? KILL
        : !strcmp(text, "cut")     ? CUT
        : !strcmp(text, "cutting") ? CUTTING
        : !strcmp(text, "drop")    ? DROP
        : !strcmp(text, "short")   ? SHORT
        : failure                  ? FAIL
                                   : PASS;
  ready = true;
}

static _Noreturn void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static void shut_down(void) {
  int descriptor = REAL(open)(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 || ioctl(descriptor, SHUT_DOWN, &without_log)) {
    perror("FaultyDisk: the file system can't be shut down");
    die();
  }
  close(descriptor);
}

static _Noreturn void cut(void) {
  shut_down();
  die();
}

static void *cut_beside(void *nothing) {
  (void)nothing;
  cut();
}

// Counts a call on a path below the folder and says what becomes of it.
static enum act meet_path(const char *kind, const char *path) {
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) || (path[length] && path[length] != '/')) return PASS;
  char name[64];
  snprintf(name, sizeof name, ",%s,", kind);
  if (!strstr(kinds, name)) return PASS;
  long number = atomic_fetch_add(&count, 1) + 1;
  if (report >= 0) {
    char line[4300];
    int size = snprintf(line, sizeof line, "%ld %s %s\n", number, kind, path);
    if (REAL(write)(report, line, size) != size) perror("FaultyDisk: its report");
  }
  if (!at || (lasts ? number < at : number != at)) return PASS;
  pthread_t thread;
  switch (act) {
    case KILL: die();
    case CUT: cut();
    case CUTTING: pthread_create(&thread, NULL, cut_beside, NULL); return PASS;
    case DROP: shut_down(); return PASS;
    default: return act;
  }
}

// The same for a name in an open directory, or for an open file when there is no name.
static enum act meet(const char *kind, int descriptor, const char *name) {
  if (!ready) return PASS;
  int before = errno;
  char path[8192] = "", link[64] = "/proc/self/cwd";
  int number, rest = 0;
  if (name && sscanf(name, "/proc/self/fd/%d/%n", &number, &rest) == 1 && rest) {
    // A name in an open directory, too, as SQLite is given them.
    descriptor = number;
    name += rest;
  }
  if (!name || name[0] != '/') {
    if (descriptor != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, 4096);
    path[length < 0 ? 0 : length] = 0;
    if (name) strcat(path, "/");
  }
  if (name) strncat(path, name, 4000);
  enum act found = meet_path(kind, path);
  errno = before;
  if (found == FAIL) errno = failure;
  return found;
}

#define OPENING(flags) ((flags) & (O_CREAT | O_TRUNC) ? "create" : "open")

#define OPEN(function)                                                      \
  int function(const char *path, int flags, ...) {                          \
    va_list rest;                                                           \
    va_start(rest, flags);                                                  \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                           \
    if (meet(OPENING(flags), AT_FDCWD, path) == FAIL) return -1;            \
    return REAL(function)(path, flags, mode);                               \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(function)                                                    \
  int function(int directory, const char *path, int flags, ...) {           \
    va_list rest;                                                           \
    va_start(rest, flags);                                                  \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                           \
    if (meet(OPENING(flags), directory, path) == FAIL) return -1;           \
    return REAL(function)(directory, path, flags, mode);                    \
  }
OPENAT(openat)
OPENAT(openat64)

// Half of what was to be written, where it has halves.
static size_t cut_short(enum act found, size_t size) {
  return found == SHORT && size > 1 ? size / 2 : size;
}

ssize_t write(int file, const void *bytes, size_t size) {
  enum act found = meet("write", file, NULL);
  return found == FAIL ? -1 : REAL(write)(file, bytes, cut_short(found, size));
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
  enum act found = meet("write", file, NULL);
  return found == FAIL ? -1 : REAL(pwrite)(file, bytes, cut_short(found, size), place);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place) {
  enum act found = meet("write", file, NULL);
  return found == FAIL ? -1 : REAL(pwrite64)(file, bytes, cut_short(found, size), place);
}
ssize_t writev(int file, const struct iovec *pieces, int many) {
  enum act found = meet("write", file, NULL);
  return found == FAIL ? -1 : REAL(writev)(file, pieces, found == SHORT ? 1 : many);
}
ssize_t read(int file, void *bytes, size_t size) {
  return meet("read", file, NULL) == FAIL ? -1 : REAL(read)(file, bytes, size);
}
ssize_t pread(int file, void *bytes, size_t size, off_t place) {
  return meet("read", file, NULL) == FAIL ? -1 : REAL(pread)(file, bytes, size, place);
}
ssize_t pread64(int file, void *bytes, size_t size, off64_t place) {
  return meet("read", file, NULL) == FAIL ? -1 : REAL(pread64)(file, bytes, size, place);
}

// A call on an open file.
#define ON_FILE(kind, function, parameters, ...)         \
  int function parameters {                              \
    if (meet(kind, file, NULL) == FAIL) return -1;       \
    return REAL(function)(__VA_ARGS__);                  \
  }
ON_FILE("truncate", ftruncate, (int file, off_t size), file, size)
ON_FILE("truncate", ftruncate64, (int file, off64_t size), file, size)

// FICLONE of <linux/fs.h>, which gives a file all bytes of another one.
#define CLONE _IOW(0x94, 9, int)

int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (request == CLONE && meet("clone", file, NULL) == FAIL) return -1;
  return REAL(ioctl)(file, request, argument);
}
ON_FILE("fsync", fsync, (int file), file)
ON_FILE("fdatasync", fdatasync, (int file), file)
ON_FILE("syncfs", syncfs, (int file), file)
ON_FILE("times", futimens, (int file, const struct timespec times[2]), file, times)
ON_FILE("mode", fchmod, (int file, mode_t mode), file, mode)
ON_FILE("mode", fchown, (int file, uid_t user, gid_t group), file, user, group)
ON_FILE("allocate", fallocate, (int file, int how, off_t place, off_t size), file, how, place, size)
ON_FILE("allocate", fallocate64, (int file, int how, off64_t place, off64_t size), file, how,
        place, size)

// posix_fallocate gives its error in place of -1.
int posix_fallocate(int file, off_t place, off_t size) {
  return meet("allocate", file, NULL) == FAIL ? errno : REAL(posix_fallocate)(file, place, size);
}

// A call on a name.
#define ON_NAME(kind, function, directory, name, parameters, ...) \
  int function parameters {                                       \
    if (meet(kind, directory, name) == FAIL) return -1;           \
    return REAL(function)(__VA_ARGS__);                           \
  }
ON_NAME("mkdir", mkdir, AT_FDCWD, path, (const char *path, mode_t mode), path, mode)
ON_NAME("mkdir", mkdirat, from, path, (int from, const char *path, mode_t mode), from, path, mode)
ON_NAME("unlink", unlink, AT_FDCWD, path, (const char *path), path)
ON_NAME("unlink", unlinkat, from, path, (int from, const char *path, int flags), from, path, flags)
ON_NAME("unlink", rmdir, AT_FDCWD, path, (const char *path), path)
ON_NAME("rename", rename, AT_FDCWD, path, (const char *path, const char *new), path, new)
ON_NAME("rename", renameat, from, path, (int from, const char *path, int to, const char *new), from,
        path, to, new)
ON_NAME("rename", renameat2, from, path,
        (int from, const char *path, int to, const char *new, unsigned flags), from, path, to, new,
        flags)
ON_NAME("link", link, AT_FDCWD, new, (const char *path, const char *new), path, new)
ON_NAME("link", linkat, to, new, (int from, const char *path, int to, const char *new, int flags),
        from, path, to, new, flags)
ON_NAME("link", symlink, AT_FDCWD, new, (const char *path, const char *new), path, new)
ON_NAME("link", symlinkat, to, new, (const char *path, int to, const char *new), path, to, new)
ON_NAME("mode", chmod, AT_FDCWD, path, (const char *path, mode_t mode), path, mode)
ON_NAME("truncate", truncate, AT_FDCWD, path, (const char *path, off_t size), path, size)
ON_NAME("times", utimensat, from, path,
        (int from, const char *path, const struct timespec times[2], int flags), from, path, times,
        flags)

// What the C library has no function for, or has only lately.
long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long a[6];
  for (int index = 0; index < 6; index++) a[index] = va_arg(rest, long);
  va_end(rest);
  enum act found = PASS;
  switch (number) {
    case SYS_openat2:
      found = meet(OPENING(((struct open_how *)a[2])->flags), (int)a[0], (const char *)a[1]);
      break;
    case SYS_renameat2: found = meet("rename", (int)a[0], (const char *)a[1]); break;
    case SYS_syncfs: found = meet("syncfs", (int)a[0], NULL); break;
    default: break;
  }
  if (found == FAIL) return -1;
  return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
