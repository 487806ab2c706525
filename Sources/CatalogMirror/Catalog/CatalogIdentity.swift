package import SyncText

/// What tells one catalog from another: its address without user-info, query and default port.
package struct CatalogIdentity: Hashable, Sendable {
  /// The address, as it is kept and shown; it holds no secret.
  package let text: String
  private let scheme: String
  private let host: String
  private let path: String

  /// The identity of the catalog at an absolute URL.
  package init(_ url: URLReference) {
    scheme = url.scheme ?? ""
    var host = (url.authority ?? "").lowercased()
    if let at = host.lastIndex(of: "@") { host.removeSubrange(...at) }
    if let port = Self.defaultPorts[scheme], host.hasSuffix(port) {
      host.removeLast(port.utf8.count)
    }
    path = url.path.isEmpty ? "/" : url.path
    text = "\(scheme)://\(host)\(path)"
    self.host = Self.withoutPort(host)
  }

  /// An identity that was kept; `nil` for a text that is none.
  package init?(kept text: String) {
    guard let url = URLReference(text), url.scheme != nil else { return nil }
    self.init(url)
  }

  /// Whether a folder that mirrors this catalog may follow that one: it is the same, or the server
  /// has gone over from http to https. (Then it is at another port.)
  package func admits(_ asked: CatalogIdentity) -> Bool {
    if self.text.utf8.elementsEqual(asked.text.utf8) { return true }
    return scheme == "http" && asked.scheme == "https" && host == asked.host
      && path.utf8.elementsEqual(asked.path.utf8)
  }

  private static let defaultPorts = ["http": ":80", "https": ":443"]

  /// An IPv6 address has colons of its own, within brackets.
  private static func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
    return String(host[..<colon])
  }
}

extension CatalogIdentity: CustomStringConvertible {
  /// The address.
  package var description: String { text }
}
