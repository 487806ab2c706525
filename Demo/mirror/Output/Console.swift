import CatalogMirror
import Foundation

/// The two standard streams. Nothing here waits for a reader but a result, and the program's end.
enum Console {
  /// Whether standard error is a terminal, on which a line can be drawn again and again.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  private static let outlets = Outlets()

  /// Called before anything else is opened, which would take the place of a stream that is closed:
  /// then what is told would go into a file of the mirror's.
  static func open() {
    _ = outlets
  }

  /// Writes a line to standard output.
  static func out(_ line: String, _ weight: Outlet.Weight = .kept) {
    outlets.output.write(line + "\n", to: STDOUT_FILENO, weight)
  }

  /// Writes a line to standard error.
  static func error(_ line: String) {
    outlets.errors.write(line + "\n", to: STDERR_FILENO, .kept)
  }

  /// Writes an error as one sentence to standard error.
  static func complain(_ problem: any Error) {
    error("mirror: \(sentence((problem as? MirrorError)?.told ?? "\(problem)"))")
  }

  /// A text that ends as a sentence does.
  static func sentence(_ text: String) -> String {
    text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
  }

  /// Draws the live line, in place of what stood there.
  static func live(_ line: String) {
    outlets.errors.write("\r\u{1B}[K" + line, to: STDERR_FILENO, .fleeting)
  }

  /// Takes the live line away.
  static func endLive() {
    outlets.errors.write("\r\u{1B}[K", to: STDERR_FILENO, .kept)
  }

  /// The width of the terminal in columns.
  static var width: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      ? Int(size.ws_col) : 80
  }

  /// How many lines of standard output were left out since this was asked last, as nobody read.
  static func takeLeftOut() -> Int { outlets.output.takeLeftOut() }

  /// Waits for the readers no longer than a signal may be kept waiting, with time left to end.
  static func hurry() {
    let deadline = ContinuousClock.now + .milliseconds(1_500)
    for outlet in [outlets.output, outlets.errors] { outlet.hurry(until: deadline) }
  }

  /// Waits until everything is told; what can't be told on one stream is said on the other.
  /// - Returns: whether everything was told.
  static func finish() async -> Bool { await telling(tellAll) }

  /// Tells something on a thread of its own: whoever should read may take for ever, and Swift's
  /// threads are few.
  static func telling<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { told in
      Thread { told.resume(returning: body()) }.start()
    }
  }

  private static func tellAll() -> Bool {
    let problem = outlets.output.finish()
    if let problem { error("mirror: \(apology("standard output", problem))") }
    guard let other = outlets.errors.finish() else { return problem == nil }
    if problem == nil, outlets.output !== outlets.errors {
      out("mirror: \(apology("standard error", other))")
      _ = outlets.output.finish()
    }
    return false
  }

  private static func apology(_ stream: String, _ problem: String) -> String {
    """
    what was to be told on \(stream) couldn't be written (\(problem)); what was done is done. Look \
    with 'mirror status', and mend where the output leads.
    """
  }
}

/// Where the two streams lead to.
private struct Outlets {
  let output: Outlet
  let errors: Outlet

  /// Streams that are closed are opened to nowhere, so that nothing else takes their place.
  init() {
    var closed: [Int32: Outlet.End] = [:]
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      closed[descriptor] = .failed(String(cString: strerror(errno)))
      _ = Foundation.open("/dev/null", O_RDWR)
    }
    output = Outlet(end: closed[STDOUT_FILENO])
    // In one place, lines stay in their order.
    let areOne = closed.isEmpty && Self.place(STDOUT_FILENO) == Self.place(STDERR_FILENO)
    errors = areOne ? output : Outlet(end: closed[STDERR_FILENO])
  }

  private static func place(_ descriptor: Int32) -> [UInt64] {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return [UInt64(descriptor)] }
    return [UInt64(facts.st_dev), UInt64(facts.st_ino)]
  }
}
