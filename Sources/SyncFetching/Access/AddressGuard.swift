import SyncLock
import SyncTransport

/// Decides which network addresses may be talked to: public ones, and others only where the
/// person who named the source led.
///
/// Where the source's host is first connected with is learned. From then on a private, link-local
/// or loopback address is admitted only if it is that one, if the source's own host moved within
/// the same kind of address, or if the host was allowed by name. So neither a redirect, nor a URL
/// in the source, nor a name that suddenly resolves elsewhere reaches into a private network.
package final class AddressGuard: Sendable {
  private let sourceHost: String
  private let allowedHosts: Set<String>
  private let learned = Locked<Set<IPAddress>>([])

  /// - Parameter allowedHosts: Names and addresses as people write them, `::1` and `127.1` too.
  init(sourceHost: String, allowedHosts: Set<String>) {
    self.sourceHost = sourceHost
    self.allowedHosts = Set(allowedHosts.map(Self.asDialled))
  }

  private static func asDialled(_ host: String) -> String {
    let isBareSix = !host.hasPrefix("[") && IPAddress(host) != nil && host.contains(":")
    let address = try? WebAddress("http://\(isBareSix ? "[\(host)]" : host)/")
    return address?.host ?? host.lowercased()
  }

  func admits(_ address: IPAddress, for host: String) -> Bool {
    let known = learned.withLock { $0 }
    if address.isPublic || allowedHosts.contains(host) || known.contains(address) { return true }
    guard host == sourceHost else { return false }
    return known.isEmpty || known.contains { $0.scope == address.scope }
  }

  /// A connection with the host was made at an address. An address that was only tried teaches
  /// nothing: of a host with several, some may not be reachable.
  func met(_ host: String, at address: IPAddress) {
    guard host == sourceHost else { return }
    learned.withLock { if $0.isEmpty { $0.insert(address) } }
  }
}
