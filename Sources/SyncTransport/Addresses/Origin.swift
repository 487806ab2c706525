/// The party that answers for an address: scheme, host and port (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
  /// `http` or `https`.
  package let scheme: String
  /// The host in lower case; IPv6 in brackets.
  package let host: String
  /// The port.
  package let port: UInt16
}

extension Origin: CustomStringConvertible {
  /// `scheme://host`, and the port where it isn't the scheme's own.
  package var description: String {
    let usual: UInt16 = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port == usual ? "" : ":\(port)")
  }
}
