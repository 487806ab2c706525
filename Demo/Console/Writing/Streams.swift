import SyncEssentials
import SyncLock
import SyncSystem

/// The two standard streams, and the log beside them. Nothing here waits for a reader but a result,
/// and the program's end.
public enum Streams {
  private static let outlets = Outlets()
  private static let log = Locked<LogFile?>(nil)
  /// Whether a live line may stand there, which other lines have to take away first.
  private static let hasLive = Locked(false)
  /// The bytes of lines that are written at once.
  private static let longestPiece = 32 << 10
  /// Takes away what stands in the line.
  private static let erasure = "\r\u{1B}[K"

  /// Called before anything else is opened, which would take the place of a stream that is closed:
  /// then what is told would go into one of the program's files.
  public static func open() {
    _ = outlets
  }

  /// From now on there is a log, too; lines are added to what the file holds.
  /// - Throws: ``LogProblem``.
  public static func openLog(_ path: String) throws {
    let file = try LogFile(path: path)
    log.withLock { $0 = file }
  }

  /// Writes a line to standard output.
  public static func out(_ line: String, _ weight: Outlet.Weight = .kept) {
    outPlain(Subject.current?.named(line) ?? line, weight)
  }

  /// Writes the lines that `tell` hands on to standard output, as ``out(_:_:)`` would one after the
  /// other, and many at once: there may be millions. Waits as ``outPiece(_:)``.
  public static func outLines(_ tell: ((String) -> Void) -> Void) {
    let subject = Subject.current
    var piece: [UInt8] = []
    tell { line in
      if piece.isEmpty, outlets.areOne { piece += startOfLine.utf8 }
      piece += (subject?.named(line) ?? line).utf8
      piece.append(UInt8(ascii: "\n"))
      guard piece.count >= longestPiece else { return }
      outPiece(piece)
      piece = []
    }
    if !piece.isEmpty { outPiece(piece) }
  }

  /// Writes a line to standard output as it is, whatever it speaks of.
  static func outPlain(_ line: String, _ weight: Outlet.Weight) {
    let start = outlets.areOne ? startOfLine : ""
    outlets.output.write(start + line + "\n", to: STDOUT_FILENO, weight)
  }

  /// Writes a piece of a longer text to standard output, as it is. Waits while whoever reads is far
  /// behind, so that none of Swift's few threads may call it.
  public static func outPiece(_ bytes: [UInt8]) {
    outlets.output.write(bytes, to: STDOUT_FILENO, .kept)
  }

  /// Writes a line, or several, to standard error. What in it could steer a terminal is escaped:
  /// names from elsewhere stand in it.
  public static func error(_ line: String, _ weight: Outlet.Weight = .kept) {
    let line = (Subject.current?.named(line) ?? line)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).printable }.joined(separator: "\n")
    outlets.errors.write(startOfLine + line + "\n", to: STDERR_FILENO, weight)
  }

  /// Writes a line to the log, if there is one.
  public static func log(_ line: String, _ weight: Outlet.Weight = .kept) {
    let line = Subject.current?.named(line) ?? line
    let file = log.withLock { $0 }
    file?.write(line, at: Date().timeIntervalSince1970, weight)
  }

  /// Draws the live line, in place of what stood there.
  public static func live(_ line: String) {
    hasLive.withLock { $0 = true }
    outlets.errors.write(erasure + line, to: STDERR_FILENO, .fleeting)
  }

  /// Takes the live line away.
  public static func endLive() {
    let start = startOfLine
    if !start.isEmpty { outlets.errors.write(start, to: STDERR_FILENO, .kept) }
  }

  /// What makes room for a line where the live one stands.
  private static var startOfLine: String {
    hasLive.withLock { hasLive in
      defer { hasLive = false }
      return hasLive ? erasure : ""
    }
  }

  /// How many lines of standard output were left out since this was asked last, as nobody read.
  public static func takeLeftOut() -> Int { outlets.output.takeLeftOut() }

  /// Waits for the readers no longer than a signal may be kept waiting, with time left to end.
  public static func hurry() {
    let deadline = ContinuousClock.now + .milliseconds(1_500)
    let file = log.withLock { $0 }
    for outlet in [outlets.output, outlets.errors, file?.outlet] {
      outlet?.hurry(until: deadline)
    }
  }

  /// Waits until everything is told; what can't be told in one place is said in another.
  /// - Parameter apology: What to say of the place that is named, as `on standard output`, and of
  ///   the system's reason.
  /// - Returns: whether everything was told.
  public static func finish(
    _ apology: @escaping @Sendable (_ place: String, _ reason: String) -> String
  ) async -> Bool {
    await telling { tellAll(apology) }
  }

  /// Tells something on a thread of its own: whoever should read may take for ever, and Swift's
  /// threads are few.
  public static func telling<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    let subject = Subject.current
    return await withCheckedContinuation { told in
      SystemThread.start {
        told.resume(returning: Subject.$current.withValue(subject) { body() })
      }
    }
  }

  private static func tellAll(_ apology: (String, String) -> String) -> Bool {
    let file = log.withLock { $0 }
    let logProblem = file?.outlet.finish()
    if let file, let logProblem { error(apology("in the log '\(file.path)'", logProblem)) }
    let problem = outlets.output.finish()
    if let problem { error(apology("on standard output", problem)) }
    guard let other = outlets.errors.finish() else { return problem == nil && logProblem == nil }
    if problem == nil, outlets.output !== outlets.errors {
      out(apology("on standard error", other))
      _ = outlets.output.finish()
    }
    return false
  }
}
