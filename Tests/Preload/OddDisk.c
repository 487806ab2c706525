// A file system as people carry them around: what is stored lies in another folder, and names are
// taken, refused and folded as told. Served through FUSE, so that a real program meets it.
//
//   OddDisk FOLDER PLACE RULE[,RULE…]
//
// It returns when the file system is mounted, and serves it until it is unmounted.
//
// case     "A" and "a" are one name
// dots     dots and blanks at a name's end don't count, as on FAT
// short    a name that begins with a dot has a second one of old, as MIRROR~1 for .mirror
// forms    composed and decomposed letters are one, and joiners don't count, as on HFS+
// renumber each name of a thing has an inode number of its own
// plain    a name holds none of \ : * ? " < > |, as on exFAT and NTFS
// names143 a name has at most 143 bytes, as on eCryptfs
// ascii    a name holds letters of ASCII only, as with fusefat
// lengths  the length of a file can't be changed, as with fusefat
// seconds  dates are even seconds, as on FAT
// rights   files and directories have the rights that the mount gives them, as on FAT
// nolocks  there are no locks
// noparts  there are no locks of parts of files, which SQLite takes
// rename   there is no call but rename(2)
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *lower, *rules;

static int has(const char *rule) {
  size_t length = strlen(rule);
  for (const char *at = rules; (at = strstr(at, rule)) != NULL; at += length) {
    char end = at[length];
    if ((at == rules || at[-1] == ',') && (end == 0 || end == ',')) return 1;
  }
  return 0;
}

// What two names have in common that are one; `folded` is as long as a name may become.
static void fold(const char *name, char *folded) {
  char *out = folded;
  for (const unsigned char *in = (const unsigned char *)name; *in; in++) {
    if (has("forms") && in[0] == 0xE2 && in[1] == 0x80 && (in[2] == 0x8C || in[2] == 0x8D)) {
      in += 2;
    } else if (has("forms") && in[0] == 0xC3 && in[1] == 0xA9) {
      memcpy(out, "e\xCC\x81", 3), out += 3, in++;
    } else {
      *out++ = has("case") ? (char)tolower(*in) : (char)*in;
    }
  }
  while (has("dots") && out > folded + 1 && (out[-1] == '.' || out[-1] == ' ')) out--;
  *out = 0;
}

static int is_short_name(const char *name, const char *of) {
  size_t length = strlen(of + 1) < 6 ? strlen(of + 1) : 6;
  return has("short") && of[0] == '.' && strncasecmp(name, of + 1, length) == 0
      && strcmp(name + length, "~1") == 0;
}

// The name under which `name` is stored in `directory`: its own where there is none yet.
static void find(const char *directory, const char *name, char *stored) {
  char wanted[1024], seen[1024];
  fold(name, wanted);
  strcpy(stored, name);
  DIR *open = opendir(directory);
  struct dirent *entry;
  while (open != NULL && (entry = readdir(open)) != NULL) {
    fold(entry->d_name, seen);
    if (strcmp(seen, wanted) == 0 || is_short_name(name, entry->d_name)) {
      strcpy(stored, entry->d_name);
      break;
    }
  }
  if (open != NULL) closedir(open);
}

// Where what `path` names is stored. Returns 0, or what is wrong with a name.
static int place(const char *path, char *real) {
  char copy[PATH_MAX], stored[NAME_MAX * 4], *rest = copy, *name;
  strcpy(copy, path);
  strcpy(real, lower);
  while ((name = strsep(&rest, "/")) != NULL) {
    if (*name == 0) continue;
    if (has("names143") && strlen(name) > 143) return -ENAMETOOLONG;
    if (has("plain") && strpbrk(name, "\\:*?\"<>|") != NULL) return -ENOENT;
    for (const char *at = name; has("ascii") && *at != 0; at++) {
      if ((unsigned char)*at >= 0x80) return -EPERM;
    }
    find(real, name, stored);
    strcat(strcat(real, "/"), stored);
  }
  return 0;
}

#define AT(path, real) \
  char real[PATH_MAX * 2]; \
  do { \
    int wrong = place(path, real); \
    if (wrong != 0) return wrong; \
  } while (0)
#define ANSWER(call) return (call) == -1 ? -errno : 0

static void *start(struct fuse_conn_info *connection, struct fuse_config *config) {
  (void)connection;
  config->use_ino = !has("renumber");
  config->hard_remove = 1;
  config->entry_timeout = config->attr_timeout = config->negative_timeout = 0;
  return NULL;
}

static int odd_getattr(const char *path, struct stat *status, struct fuse_file_info *file) {
  AT(path, real);
  if ((file != NULL ? fstat((int)file->fh, status) : lstat(real, status)) == -1) return -errno;
  if (has("seconds")) status->st_mtim.tv_sec &= ~1L, status->st_mtim.tv_nsec = 0;
  if (has("rights")) status->st_mode = (status->st_mode & S_IFMT) | 0755;
  return 0;
}

static int odd_readdir(
    const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *file,
    enum fuse_readdir_flags flags) {
  (void)offset, (void)file, (void)flags;
  AT(path, real);
  DIR *open = opendir(real);
  if (open == NULL) return -errno;
  struct dirent *entry;
  while ((entry = readdir(open)) != NULL) {
    struct stat status = {.st_ino = entry->d_ino, .st_mode = (mode_t)entry->d_type << 12};
    fill(buffer, entry->d_name, &status, 0, 0);
  }
  closedir(open);
  return 0;
}

static int odd_create(const char *path, mode_t mode, struct fuse_file_info *file) {
  AT(path, real);
  int opened = open(real, file->flags | O_CREAT, mode);
  if (opened == -1) return -errno;
  file->fh = (uint64_t)opened;
  return 0;
}

static int odd_open(const char *path, struct fuse_file_info *file) {
  AT(path, real);
  int opened = open(real, file->flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW));
  if (opened == -1) return -errno;
  file->fh = (uint64_t)opened;
  return 0;
}

static int odd_release(const char *path, struct fuse_file_info *file) {
  (void)path;
  close((int)file->fh);
  return 0;
}

static int odd_read(
    const char *path, char *bytes, size_t size, off_t offset, struct fuse_file_info *file) {
  (void)path;
  ssize_t count = pread((int)file->fh, bytes, size, offset);
  return count == -1 ? -errno : (int)count;
}

static int odd_write(
    const char *path, const char *bytes, size_t size, off_t offset, struct fuse_file_info *file) {
  (void)path;
  ssize_t count = pwrite((int)file->fh, bytes, size, offset);
  return count == -1 ? -errno : (int)count;
}

static int odd_truncate(const char *path, off_t size, struct fuse_file_info *file) {
  AT(path, real);
  if (has("lengths") && size > 0) return -EPERM;
  ANSWER(file != NULL ? ftruncate((int)file->fh, size) : truncate(real, size));
}

static int odd_utimens(
    const char *path, const struct timespec times[2], struct fuse_file_info *file) {
  AT(path, real);
  ANSWER(file != NULL ? futimens((int)file->fh, times) : utimensat(AT_FDCWD, real, times, 0));
}

static int odd_chmod(const char *path, mode_t mode, struct fuse_file_info *file) {
  (void)file;
  AT(path, real);
  if (has("rights")) return -EPERM;
  ANSWER(chmod(real, mode));
}

static int odd_mkdir(const char *path, mode_t mode) {
  AT(path, real);
  ANSWER(mkdir(real, mode));
}

static int odd_unlink(const char *path) {
  AT(path, real);
  ANSWER(unlink(real));
}

static int odd_rmdir(const char *path) {
  AT(path, real);
  ANSWER(rmdir(real));
}

static int odd_rename(const char *from, const char *to, unsigned int flags) {
  AT(from, old);
  AT(to, new);
  if (has("rename") && flags != 0) return -EINVAL;
  ANSWER(renameat2(AT_FDCWD, old, AT_FDCWD, new, flags));
}

static int odd_statfs(const char *path, struct statvfs *space) {
  AT(path, real);
  ANSWER(statvfs(real, space));
}

static int odd_fsync(const char *path, int data, struct fuse_file_info *file) {
  (void)path, (void)data;
  ANSWER(fsync((int)file->fh));
}

static int odd_fsyncdir(const char *path, int data, struct fuse_file_info *file) {
  (void)path, (void)data, (void)file;
  return 0;
}

static int no_flock(const char *path, struct fuse_file_info *file, int operation) {
  (void)path, (void)file, (void)operation;
  return -ENOLCK;
}

static int no_lock(const char *path, struct fuse_file_info *file, int command, struct flock *lock) {
  (void)path, (void)file, (void)command, (void)lock;
  return -ENOLCK;
}

int main(int count, char *arguments[]) {
  if (count != 4) return 64;
  lower = arguments[1], rules = arguments[3];
  umask(0);
  struct fuse_operations calls = {
      .init = start, .getattr = odd_getattr, .readdir = odd_readdir, .create = odd_create,
      .open = odd_open, .release = odd_release, .read = odd_read, .write = odd_write,
      .truncate = odd_truncate, .utimens = odd_utimens, .chmod = odd_chmod, .mkdir = odd_mkdir,
      .unlink = odd_unlink, .rmdir = odd_rmdir, .rename = odd_rename, .statfs = odd_statfs,
      .fsync = odd_fsync, .fsyncdir = odd_fsyncdir,
      .flock = has("nolocks") ? no_flock : NULL, .lock = has("nolocks") || has("noparts") ? no_lock : NULL,
  };
  char *options[] = {
      arguments[0], "-s", "-o", "allow_other,default_permissions", arguments[2], NULL};
  // What stays behind mustn't keep the descriptors by which others see that a program has ended.
  close_range(3, ~0U, 0);
  return fuse_main(5, options, &calls, NULL);
}
