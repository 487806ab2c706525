import SyncEssentials
import SyncFiles
import SyncPrograms
import SyncSystem
import SyncText

/// Public keys as gpgv reads them.
struct Keyring {
  /// Packets of OpenPGP, or a keybox of GnuPG.
  let bytes: [UInt8]

  /// Reads a file, as `gpg --export` writes it, with `--armor` or without.
  init(path: String) throws(KeyringProblem) {
    guard let bytes = FileManager.default.contents(atPath: path) else { throw .unreadable }
    try self.init(Array(bytes))
  }

  /// Takes keys out of their armour (RFC 9580, section 6.2), where they are in any. Text may stand
  /// between; the sum at the end of an armour needn't agree (section 6.1).
  init(_ bytes: [UInt8]) throws(KeyringProblem) {
    // Each packet begins with its highest bit set, and a keybox with a length in four bytes.
    guard let first = bytes.first, first > 0, first < 0x80 || bytes.starts(with: Self.mark) else {
      guard !bytes.isEmpty else { throw .noKeys }
      self.bytes = bytes
      return
    }
    var packets: [UInt8] = []
    var rest = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).withoutOuterWhitespace }[...]
    while let start = rest.firstIndex(where: { $0.hasSuffix(Self.begin) }) {
      guard let end = rest[start...].firstIndex(of: Self.end) else { throw .damaged }
      packets += try Self.packets(in: rest[(start + 1)..<end])
      rest = rest[(end + 1)...]
    }
    guard !packets.isEmpty else { throw .noKeys }
    self.bytes = packets
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let begin = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
  private static let end = "-----END PGP PUBLIC KEY BLOCK-----"

  /// What stands between the headers, which a blank line ends, and the sum.
  private static func packets(in lines: ArraySlice<String>) throws(KeyringProblem) -> [UInt8] {
    guard let blank = lines.firstIndex(of: "") else { throw .damaged }
    let digits = lines[(blank + 1)...].filter { !$0.hasPrefix("=") }.joined()
    guard let packets = Data(base64Encoded: digits), !packets.isEmpty else { throw .damaged }
    return Array(packets)
  }
}

/// Runs a program to its end. Blocks: belongs on a thread of its own.
enum ProgramRun {
  enum Argument {
    case word(String)
    /// The name of a file that holds these bytes, and that only it gets.
    case file([UInt8])
  }

  enum End: Equatable {
    /// With this exit status; and what it wrote to standard output and standard error, of which the
    /// first 64 KiB.
    case ended(status: Int32, said: [UInt8])
    case killed(by: Int32)
    /// It was still running when its time was over, and was killed.
    case overdue
    /// It was still running when it was no longer wanted, and was killed.
    case stopped
    /// Nobody can tell: its status went to somebody else, or to nobody, as where this process
    /// ignores SIGCHLD.
    case lost
  }

  /// Runs a program that is found by its name, until `stop` is raised. It gets no other file of
  /// ours, and reads nothing from standard input. It speaks English.
  /// - Parameter output: Where its standard output goes, which then isn't among what it said.
  static func run(
    _ program: String, _ arguments: [Argument], within limit: Duration,
    until stop: StopFlag = StopFlag(), output: NamelessFile? = nil
  ) throws(Errno) -> End {
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
      files: ([nothing, output ?? said, said] + files.dropFirst(2)).map(\.descriptor)
    ).start()
    let end = end(of: number, .now + limit, stop)
    guard case .ended(let status, _) = end else { return end }
    return .ended(status: status, said: said.bytes(atMost: 1 << 16))
  }

  /// How a process ends, without what it said; kills it where it hasn't ended by then.
  private static func end(
    of number: pid_t, _ deadline: ContinuousClock.Instant, _ stop: StopFlag
  ) -> End {
    var pause: UInt32 = 500
    while true {
      switch ChildProgram.standing(of: number) {
      case .lost: return .lost
      case .ended(let status):
        let signal = status & 0x7F
        return signal == 0 ? .ended(status: status >> 8 & 0xFF, said: []) : .killed(by: signal)
      case .running:
        let isOverdue = ContinuousClock.now >= deadline
        guard isOverdue || stop.isRaised else {
          usleep(pause)
          pause = min(2 * pause, 50_000)
          continue
        }
        kill(-number, SIGKILL)
        _ = ChildProgram.wait(for: number)
        return isOverdue ? .overdue : .stopped
      }
    }
  }
}
