import SyncEssentials
import SyncSystem

/// The manager of services that started this program, as systemd is one: it listens at the socket
/// that the environment names in `NOTIFY_SOCKET`, and may want to hear a sign of life.
public struct ServiceManager: Sendable {
  /// How often it wants to hear ``ServiceMessage/watchdog`` at the least; `nil` for never.
  public let watchdogInterval: Duration?
  private let address: [UInt8]

  /// The manager that an environment names, or this program's own one; `nil` where there is none.
  ///
  /// - Parameter process: The number of this process, if not the real one: a watchdog may be
  ///   another one's.
  public init?(_ environment: [String: String]? = nil, process: Int32? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let path = environment["NOTIFY_SOCKET"], let address = Self.address(path) else {
      return nil
    }
    self.address = address
    watchdogInterval = Self.watchdog(environment, process ?? getpid())
  }

  /// The variables by which a manager is found. What this program starts mustn't find it.
  public static let variables: Set<String> = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

  /// A path below the root, or a name of Linux's own name space, which begins with `@`.
  static func address(_ path: String) -> [UInt8]? {
    var bytes = Array(path.utf8)
    guard let first = bytes.first, bytes.count > 1,
      bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path),
      !bytes.contains(0)
    else { return nil }
    switch first {
    case UInt8(ascii: "/"): return bytes
    case UInt8(ascii: "@"):
      bytes[0] = 0
      return bytes
    default: return nil
    }
  }

  static func watchdog(_ environment: [String: String], _ process: Int32) -> Duration? {
    guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0
    else { return nil }
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    return isOurs ? .microseconds(microseconds) : nil
  }

  /// Tells the manager. One that doesn't listen, or has too much to hear, isn't waited for.
  public func tell(_ message: ServiceMessage) {
    #if os(Linux)
      let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_DGRAM
    #endif
    let socket = socket(AF_UNIX, kind, 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: address) }
    // The name's length counts: what follows it would be part of a name that begins with NUL.
    let length = (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0) + address.count
    let bytes = Array(message.text.utf8)
    _ = withUnsafeBytes(of: &place) { place in
      sendto(
        socket, bytes, bytes.count, Int32(MSG_DONTWAIT),
        place.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
    }
  }

  /// The time by which a manager recognises a reload that it has asked for.
  public static var monotonicMicroseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
  }
}
