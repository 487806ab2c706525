import CSyncSystem
import SyncSystem

/// Why a program couldn't be started, in the system's words.
struct SpawnError: Error {
  var reason: String

  init(_ number: Int32) {
    reason = String(cString: strerror(number))
  }
}

/// Starts programs.
enum Spawn {
  /// Starts `/bin/sh -c COMMAND` in a process group of its own, with the signals of a new process.
  /// Its output goes to our standard error; it gets no other file of ours.
  /// - Returns: its process number.
  static func shell(
    _ command: String, _ environment: [String: String], input: Int32
  ) throws(SpawnError) -> pid_t {
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
    #else
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    #if os(Linux)
      csync_spawn_closing_from(&actions, STDERR_FILENO + 1)
    #endif
    var (none, ours) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&ours)
    for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&ours, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ours)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var number = pid_t()
    let failure = withCStrings(["sh", "-c", command]) { arguments in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        posix_spawn(&number, "/bin/sh", &actions, &attributes, arguments, variables)
      }
    }
    guard failure == 0 else { throw SpawnError(failure) }
    return number
  }

  /// Calls `body` with texts as C has lists of them.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// A file without a name, to be read from its beginning.
struct NamelessFile {
  let descriptor: Int32

  /// A file that holds these bytes.
  init(holding bytes: [UInt8]) throws(SpawnError) {
    #if os(Linux)
      descriptor = csync_memory_file("report")
    #else
      var path = Array("/tmp/report.XXXXXX".utf8CString)
      descriptor = mkstemp(&path)
      unlink(path)
    #endif
    guard descriptor >= 0 else { throw SpawnError(errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = errno
        close()
        throw SpawnError(failure)
      }
      rest = rest.dropFirst(count)
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Lets go of it; who has it open keeps it.
  func close() {
    SyncSystem.close(descriptor)
  }
}
