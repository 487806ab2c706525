import SyncPrograms
import SyncSystem

/// Runs a program to its end. Blocks: belongs on a thread of its own.
enum ProgramRun {
  /// What it is told.
  enum Argument {
    case word(String)
    /// The name of a file that holds these bytes, and that only it gets.
    case file([UInt8])
  }

  /// How it ended.
  enum End: Equatable {
    /// With this exit status, or 128 and the number of the signal that ended it; and what it wrote
    /// to standard output and standard error, of which the first 64 KiB.
    case ended(status: Int32, said: [UInt8])
    /// It was still running when its time was over, and was killed.
    case overdue
  }

  /// Runs a program that is found by its name. It gets no other file of ours, and reads nothing
  /// from standard input. It speaks English.
  static func run(
    _ program: String, _ arguments: [Argument], within limit: Duration
  ) throws(StartError) -> End {
    var (files, words): ([NamelessFile], [String]) = ([], [program])
    defer { for file in files { file.close() } }
    for _ in 0..<2 { files.append(try NamelessFile()) }
    let (nothing, said) = (files[0], files[1])
    for argument in arguments {
      switch argument {
      case .word(let word): words.append(word)
      case .file(let bytes):
        // After standard input, output and error.
        words.append("/dev/fd/\(files.count + 1)")
        files.append(try NamelessFile(holding: bytes))
      }
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let number = try ChildProgram(
      program, words, environment: ["PATH=" + path, "LC_ALL=C"],
      files: [nothing, said, said].map(\.descriptor) + files.dropFirst(2).map(\.descriptor)
    ).start()
    guard let status = wait(for: number, until: .now + limit) else {
      kill(-number, SIGKILL)
      _ = ChildProgram.wait(for: number)
      return .overdue
    }
    let signal = status & 0x7F
    return .ended(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, said: said.bytes(atMost: 1 << 16))
  }

  /// The status of a process; `nil` where it hasn't ended by then.
  private static func wait(for number: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
    var (status, pause): (Int32, UInt32) = (0, 500)
    while true {
      let ended = waitpid(number, &status, WNOHANG)
      if ended == number { return status }
      if ended == 0 {
        guard ContinuousClock.now < deadline else { return nil }
        usleep(pause)
        pause = min(2 * pause, 50_000)
      }
    }
  }
}
