/// The party that answers for an address: scheme, host and port (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
  /// `http` or `https`.
  package let scheme: String
  /// The host in lower case; IPv6 in brackets.
  package let host: String
  package let port: UInt16
  /// Taken once: each request asks a dozen tables for what they hold of its origin.
  private let hash: Int

  /// An origin of these.
  package init(scheme: String, host: String, port: UInt16) {
    self.scheme = scheme
    self.host = host
    self.port = port
    var hasher = Hasher()
    hasher.combine(scheme)
    hasher.combine(host)
    hasher.combine(port)
    hash = hasher.finalize()
  }

  /// Hashes what was taken of all three.
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension Origin: CustomStringConvertible {
  /// `scheme://host`, and the port where it isn't the scheme's own.
  package var description: String {
    let usual: UInt16 = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port == usual ? "" : ":\(port)")
  }
}
