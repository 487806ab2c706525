import Foundation

/// `bench measure RESULT OUTPUT ERRORS PROGRAM ARGUMENT…`: runs one command and writes what it cost.
///
/// It is a process of its own since Linux counts the peak memory of a new program from that of the
/// process that started it: this one is small and stays so. Its own size is the floor below which
/// no peak can be seen; the report names it.
enum Launcher {
  /// What a command cost, with its children that it waited for (wait4(2)).
  struct Cost: Codable {
    /// Seconds on the wall, from before its start until it was waited for.
    var wall = 0.0
    /// Seconds of processor time, in user mode and in the kernel.
    var user = 0.0
    var system = 0.0
    /// The most memory that was resident at once, in bytes.
    var peak = 0
    /// Its exit status; 128 and the signal's number if a signal ended it.
    var status: Int32 = 0
    /// When it was started, in seconds since 1970.
    var began = 0.0
  }

  static func run(_ arguments: [String]) throws {
    guard arguments.count >= 4 else { throw UsageProblem(description: "bench measure …") }
    // A child inherits what is ignored.
    signal(SIGPIPE, SIG_DFL)
    let command = Array(arguments[3...])
    ProcessMemory.forgetPeak()
    var cost = Cost()
    cost.began = Date().timeIntervalSince1970
    let began = ContinuousClock.now
    let child = try start(command, output: arguments[1], errors: arguments[2])
    try "\(child)".write(toFile: arguments[0] + ".pid", atomically: true, encoding: .utf8)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
    cost.wall = (ContinuousClock.now - began) / .seconds(1)
    cost.user = seconds(usage.ru_utime)
    cost.system = seconds(usage.ru_stime)
    cost.peak = usage.ru_maxrss * 1_024
    let signal = status & 0x7f
    cost.status = signal == 0 ? (status >> 8) & 0xff : 128 + signal
    try JSONEncoder().encode(cost).write(to: URL(filePath: arguments[0]))
  }

  private static func start(_ command: [String], output: String, errors: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o644)
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, command[0], &actions, nil, &words, environ)
    guard code == 0 else {
      throw BenchProblem(
        description: "\(command[0]) can't be started: \(String(cString: strerror(code)))")
    }
    return child
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }
}
