import SyncLock
import SyncTransport

/// Decides which network addresses may be talked to (M9): public ones, and others only where the
/// person who named the catalog led.
///
/// The first answer of the catalog teaches where its host is. From then on a private, link-local or
/// loopback address is admitted only if it is one of those, if the catalog's own host moved within
/// the same kind of address, or if the host was allowed by name. So neither a redirect, nor a URL in
/// the catalog, nor a name that suddenly resolves elsewhere reaches into a private network.
final class AddressGuard: Sendable {
  private let catalogHost: String
  private let allowedHosts: Set<String>
  private let learned = Locked<Set<IPAddress>>([])

  init(catalogHost: String, allowedHosts: Set<String>) {
    self.catalogHost = catalogHost
    self.allowedHosts = allowedHosts
  }

  /// The catalog answered from this address.
  func learn(_ address: IPAddress) {
    learned.withLock { _ = $0.insert(address) }
  }

  /// Whether the host may be talked to at an address.
  func admits(_ address: IPAddress, for host: String) -> Bool {
    if address.isPublic || allowedHosts.contains(host) { return true }
    let known = learned.withLock { $0 }
    if host == catalogHost {
      return known.isEmpty || known.contains { $0.scope == address.scope }
    }
    return known.contains(address)
  }
}
