package import SyncText

/// What tells one catalog from another: its address without user-info, query, default port and
/// components `.` and `..`. A slash at its end makes no difference: a directory answers to both.
package struct CatalogIdentity: Hashable, Sendable, CustomStringConvertible {
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
    let plain = url.resolved(against: url).path
    path = plain.isEmpty ? "/" : plain
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
    guard directory.utf8.elementsEqual(asked.directory.utf8) else { return false }
    if origin.utf8.elementsEqual(asked.origin.utf8) { return true }
    return scheme == "http" && asked.scheme == "https" && host == asked.host
  }

  private var directory: Substring { path.hasSuffix("/") ? path.dropLast() : path[...] }

  private var origin: Substring { text.dropLast(path.count) }

  private static let defaultPorts = ["http": ":80", "https": ":443"]

  /// An IPv6 address has colons of its own, within brackets.
  private static func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
    return String(host[..<colon])
  }

  package var description: String { text }
}
