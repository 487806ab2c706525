/// What a service tells its manager, in the words of sd_notify(3).
public enum ServiceMessage: Equatable, Sendable {
  /// It has begun its work, or has read its configuration anew.
  case ready
  /// What it is at, in a line for people.
  case status(String)
  /// It reads its configuration anew; the time of the system's monotonic clock in microseconds.
  case reloading(monotonicMicroseconds: UInt64)
  /// It is about to end.
  case stopping
  /// It is alive.
  case watchdog

  /// The lines of the datagram.
  public var text: String {
    switch self {
    case .ready: "READY=1"
    case .status(let line): "STATUS=\(Self.oneLine(line))"
    case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
    case .stopping: "STOPPING=1"
    case .watchdog: "WATCHDOG=1"
    }
  }

  /// A line break would begin another message.
  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\0" ? " " : $0 })
  }
}
