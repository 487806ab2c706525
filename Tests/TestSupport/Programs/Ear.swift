private import Foundation

/// A socket that hears what is told a manager.
package final class Ear {
  private let descriptor: Int32
  private let path: String

  /// Listens at a path, or at a name that begins with `@`.
  package init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
    let status = withUnsafeBytes(of: &place) {
      bind(
        descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(2 + bytes.count))
    }
    guard status == 0 else { throw Programs.Missing(name: path, detail: "it can't be bound") }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// The next message; waits for it, but not for ever.
  package func hear(within milliseconds: Int32 = 50_000) -> String? {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&event, 1, milliseconds) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
