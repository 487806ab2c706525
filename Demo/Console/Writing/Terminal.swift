import SyncEssentials
import SyncSystem

/// What standard error leads to, as far as it matters for what is drawn on it.
public struct Terminal: Equatable, Sendable {
  /// Whether a line can be drawn on it again and again.
  public var isLive: Bool

  /// - Parameters:
  ///   - isTerminal: Whether it is a terminal at all.
  ///   - environment: `TERM` names its kind: one without a name, or a `dumb` one, can't take a line
  ///     back. `NO_COLOR` needs no look: nothing is ever coloured.
  public init(isTerminal: Bool, environment: [String: String]) {
    isLive = isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// That of this program.
  public static var current: Terminal {
    Terminal(
      isTerminal: isatty(STDERR_FILENO) == 1, environment: ProcessInfo.processInfo.environment)
  }

  /// Its width in columns, which may change at any time.
  public static var width: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      ? Int(size.ws_col) : 80
  }

  /// How wide a text on standard output may be: as the terminal, if it is one, within reason.
  public static var helpWidth: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(max(Int(size.ws_col), 40), 100)
  }
}
