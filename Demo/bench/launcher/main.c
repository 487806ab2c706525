// launcher RESULT OUTPUT ERRORS PROGRAM ARGUMENT…: runs one command and writes what it cost, as a
// JSON object, to RESULT; the command's process number stands in RESULT.pid meanwhile.
//
// It is C and a process of its own because Linux begins to count the peak memory of a program with
// that of the process that starts it: this one is as small as a process can be.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

static void redirect(int descriptor, const char *path, int flags) {
  int file = open(path, flags, 0644);
  if (file < 0 || dup2(file, descriptor) < 0) {
    perror(path);
    _exit(126);
  }
  close(file);
}

static void become(char **arguments) {
  redirect(0, "/dev/null", O_RDONLY);
  redirect(1, arguments[2], O_WRONLY | O_CREAT | O_TRUNC);
  redirect(2, arguments[3], O_WRONLY | O_CREAT | O_TRUNC);
  // What is ignored would be inherited.
  signal(SIGPIPE, SIG_DFL);
  execvp(arguments[4], arguments + 4);
  fprintf(stderr, "%s: %s\n", arguments[4], strerror(errno));
  _exit(127);
}

// Whoever wants to interrupt the command finds its number whole or not at all.
static void tell_number(const char *result, pid_t child) {
  char draft[4096], path[4096];
  snprintf(draft, sizeof draft, "%s.draft", result);
  snprintf(path, sizeof path, "%s.pid", result);
  FILE *file = fopen(draft, "w");
  if (!file) return;
  fprintf(file, "%d", child);
  fclose(file);
  rename(draft, path);
}

int main(int count, char **arguments) {
  if (count < 5) return 64;
  struct rusage usage;
  int status;
  double began = now(CLOCK_MONOTONIC), date = now(CLOCK_REALTIME);
  pid_t child = fork();
  if (child == 0) become(arguments);
  if (child < 0) return 1;
  tell_number(arguments[1], child);
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
  double wall = now(CLOCK_MONOTONIC) - began;

  FILE *file = fopen(arguments[1], "w");
  if (!file) return 1;
  fprintf(
      file,
      "{\"wall\":%.9f,\"user\":%.6f,\"system\":%.6f,\"peak\":%ld,\"status\":%d,\"began\":%.9f}\n",
      wall, seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss * 1024L,
      WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), date);
  return fclose(file) == 0 ? 0 : 1;
}
