import Foundation

/// The two standard streams. Nothing here waits for a reader but a result, and the program's end.
package enum Streams {
  /// Whether standard error is a terminal, on which a line can be drawn again and again.
  package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  private static let outlets = Outlets()

  /// Called before anything else is opened, which would take the place of a stream that is closed:
  /// then what is told would go into one of the program's files.
  package static func open() {
    _ = outlets
  }

  /// Writes a line to standard output.
  package static func out(_ line: String, _ weight: Outlet.Weight = .kept) {
    outPlain(Subject.current?.named(line) ?? line, weight)
  }

  /// Writes a line to standard output as it is, whatever it speaks of.
  static func outPlain(_ line: String, _ weight: Outlet.Weight) {
    outlets.output.write(line + "\n", to: STDOUT_FILENO, weight)
  }

  /// Writes a line to standard error.
  package static func error(_ line: String) {
    let line = Subject.current?.named(line) ?? line
    outlets.errors.write(line + "\n", to: STDERR_FILENO, .kept)
  }

  /// Draws the live line, in place of what stood there.
  package static func live(_ line: String) {
    outlets.errors.write("\r\u{1B}[K" + line, to: STDERR_FILENO, .fleeting)
  }

  /// Takes the live line away.
  package static func endLive() {
    outlets.errors.write("\r\u{1B}[K", to: STDERR_FILENO, .kept)
  }

  /// The width of the terminal in columns.
  package static var width: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      ? Int(size.ws_col) : 80
  }

  /// How wide a text on standard output may be: as the terminal, if it is one, within reason.
  package static var helpWidth: Int { isatty(STDOUT_FILENO) == 1 ? min(max(width, 40), 100) : 80 }

  /// How many lines of standard output were left out since this was asked last, as nobody read.
  package static func takeLeftOut() -> Int { outlets.output.takeLeftOut() }

  /// Waits for the readers no longer than a signal may be kept waiting, with time left to end.
  package static func hurry() {
    let deadline = ContinuousClock.now + .milliseconds(1_500)
    for outlet in [outlets.output, outlets.errors] { outlet.hurry(until: deadline) }
  }

  /// Waits until everything is told; what can't be told on one stream is said on the other.
  /// - Parameter apology: What to say of the stream that is named, and of the system's reason.
  /// - Returns: whether everything was told.
  package static func finish(
    _ apology: @escaping @Sendable (_ stream: String, _ reason: String) -> String
  ) async -> Bool {
    await telling { tellAll(apology) }
  }

  /// Tells something on a thread of its own: whoever should read may take for ever, and Swift's
  /// threads are few.
  package static func telling<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    let subject = Subject.current
    return await withCheckedContinuation { told in
      Thread { told.resume(returning: Subject.$current.withValue(subject) { body() }) }.start()
    }
  }

  private static func tellAll(_ apology: (String, String) -> String) -> Bool {
    let problem = outlets.output.finish()
    if let problem { error(apology("standard output", problem)) }
    guard let other = outlets.errors.finish() else { return problem == nil }
    if problem == nil, outlets.output !== outlets.errors {
      out(apology("standard error", other))
      _ = outlets.output.finish()
    }
    return false
  }
}
