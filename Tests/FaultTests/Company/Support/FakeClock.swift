import Foundation
import SyncLock
import TestSupport

/// A clock for a program that can be set while the program runs. What measures how time passes
/// (CLOCK_MONOTONIC and its kin) isn't touched, as when a person or NTP sets a real clock.
///
/// Not libfaketime: that one changes the program's environment before its start, and Swift then
/// finds no arguments.
final class FakeClock: Sendable {
  private let file: URL
  private let library: URL

  /// A clock that is wrong by so many seconds; `folder` is the test's own.
  init(in folder: URL, _ seconds: Int) throws {
    file = folder.appending(path: "clock-\(UUID().uuidString)")
    library = folder.appending(path: "clock.so")
    if !isThere(library) {
      try Self.build(library, in: folder)
    }
    try set(seconds)
  }

  /// Moves it from now on.
  func set(_ seconds: Int) throws {
    try Data("\(seconds)\n".utf8).write(to: file, options: .atomic)
  }

  /// What a program needs to see it.
  var environment: [String: String] {
    ["LD_PRELOAD": library.path, "WRONG_CLOCK": file.path, "TZ": "UTC"]
  }

  private static func build(_ library: URL, in folder: URL) throws {
    let source = folder.appending(path: "clock.c")
    try Data(text.utf8).write(to: source)
    let child = try ChildProcess(
      try Programs.find("clang"), ["-shared", "-fPIC", "-O1", "-o", library.path, source.path],
      environment: ["PATH": "/usr/bin:/bin"], directory: folder,
      records: folder.appending(path: "records"))
    guard try child.end(within: .seconds(60)) == .exited(0) else {
      throw NotBuilt(said: child.said)
    }
  }

  /// The library that is loaded before the program's own could not be made.
  struct NotBuilt: Error {
    var said: String
  }

  private static let text = """
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>

    static long long shift(void) {
      char text[32] = {0};
      const char *path = getenv("WRONG_CLOCK");
      int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
      if (file < 0) return 0;
      long count = read(file, text, sizeof text - 1);
      close(file);
      return count > 0 ? atoll(text) : 0;
    }

    int clock_gettime(clockid_t clock, struct timespec *now) {
      int result = (int)syscall(SYS_clock_gettime, clock, now);
      int isDate = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
      if (result == 0 && isDate) now->tv_sec += shift();
      return result;
    }

    int gettimeofday(struct timeval *restrict now, void *restrict zone) {
      struct timespec date;
      clock_gettime(CLOCK_REALTIME, &date);
      now->tv_sec = date.tv_sec;
      now->tv_usec = date.tv_nsec / 1000;
      return 0;
    }

    time_t time(time_t *result) {
      struct timespec date;
      clock_gettime(CLOCK_REALTIME, &date);
      if (result) *result = date.tv_sec;
      return date.tv_sec;
    }
    """
}

/// Says whether it is asked for the first time.
final class Once: Sendable {
  private let isOver = Locked(false)

  func isFirst() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}
