import CSyncSystem
import SyncSystem

/// Runs a program to its end. Blocks: belongs on a thread of its own.
enum ProgramRun {
  /// How it ended.
  struct End: Equatable {
    /// Its exit status; 128 and the signal's number, if one ended it.
    var status: Int32
    /// What it wrote to standard output and standard error.
    var said: [UInt8]
  }

  /// Why it couldn't be started, in the system's words.
  struct Problem: Error {
    var reason: String

    init(_ number: Int32) {
      reason = String(cString: strerror(number))
    }
  }

  /// Runs a program that is found by its name. Each of `files` it gets as a file that is named
  /// after its other arguments; it gets no other file of ours, and reads nothing from standard
  /// input. It speaks English.
  static func run(_ arguments: [String], reading files: [[UInt8]]) throws(Problem) -> End {
    var passed: [PassedFile] = []
    defer { for file in passed { file.close() } }
    for bytes in files { passed.append(try PassedFile(holding: bytes)) }
    let said = try PassedFile(holding: [])
    defer { said.close() }
    let names = passed.indices.map { "/dev/fd/\(firstPassed + Int32($0))" }
    let number = try spawn(arguments + names, passed, said)
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return End(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, said: said.bytes(atMost: 1 << 16))
  }

  /// After standard input, output and error.
  private static let firstPassed: Int32 = 3

  private static func spawn(
    _ arguments: [String], _ files: [PassedFile], _ said: PassedFile
  ) throws(Problem) -> pid_t {
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
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, said.descriptor, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, said.descriptor, STDERR_FILENO)
    for (place, file) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file.descriptor, firstPassed + Int32(place))
    }
    #if os(Linux)
      csync_spawn_closing_from(&actions, firstPassed + Int32(files.count))
    #endif
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    // A signal at the terminal is for us to hear of; the program ends by itself.
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    var number = pid_t()
    let program = arguments.first ?? ""
    let failure = withCStrings(arguments) { arguments in
      withCStrings(["PATH=" + path, "LC_ALL=C"]) { variables in
        posix_spawnp(&number, program, &actions, &attributes, arguments, variables)
      }
    }
    guard failure == 0 else { throw Problem(failure) }
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

/// A file without a name, for a program that is started.
private struct PassedFile {
  /// Beyond all numbers under which the program gets files, so that none takes another's place.
  let descriptor: Int32

  init(holding bytes: [UInt8]) throws(ProgramRun.Problem) {
    #if os(Linux)
      let made = csync_memory_file("passed")
    #else
      var path = Array("/tmp/passed.XXXXXX".utf8CString)
      let made = mkstemp(&path)
      if made >= 0 { unlink(path) }
    #endif
    guard made >= 0 else { throw ProgramRun.Problem(errno) }
    descriptor = fcntl(made, F_DUPFD_CLOEXEC, 16)
    let failure = errno
    SyncSystem.close(made)
    guard descriptor >= 0 else { throw ProgramRun.Problem(failure) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = errno
        close()
        throw ProgramRun.Problem(failure)
      }
      rest = rest.dropFirst(count)
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// What the program has written.
  func bytes(atMost most: Int) -> [UInt8] {
    Array(unsafeUninitializedCapacity: most) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, most, 0))
    }
  }

  func close() { SyncSystem.close(descriptor) }
}
