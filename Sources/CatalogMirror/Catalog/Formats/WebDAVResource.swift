import SyncText

/// What an answer of WebDAV says of one resource (RFC 4918, section 14.24: `response`).
struct WebDAVResource {
  /// The names in the standard.
  static let namespace = "DAV:"

  private(set) var href: String?
  /// What is said of all of it, in place of its properties.
  private(set) var status: Int?
  private(set) var properties: [String: String] = [:]
  var isCollection: Bool?
  private(set) var tellsChanges = false

  /// What a `response` says.
  init(_ response: MarkupElement) {
    for child in response.children where child.namespace == Self.namespace {
      switch child.name {
      case "href": href = child.text
      case "status": status = Self.status(child.text)
      case "propstat": take(child)
      default: break
      }
    }
  }

  /// Takes the properties that have a value.
  private mutating func take(_ propstat: MarkupElement) {
    let parts = propstat.children.filter { $0.namespace == Self.namespace }
    guard let status = parts.first(where: { $0.name == "status" }), Self.status(status.text) == 200
    else { return }
    for property in parts.filter({ $0.name == "prop" }).flatMap(\.children)
    where property.namespace == Self.namespace {
      switch property.name {
      case "resourcetype":
        isCollection = property.children.contains { $0.isCalled("collection", in: Self.namespace) }
      case "supported-report-set":
        tellsChanges = property.children.flatMap(\.children).flatMap(\.children)
          .contains { $0.isCalled("sync-collection", in: Self.namespace) }
      default: properties[property.name] = property.text
      }
    }
  }

  /// The number in a line `HTTP/1.1 200 OK`.
  private static func status(_ line: String) -> Int? {
    let words = line.split(whereSeparator: \.isWhitespace)
    return words.count > 1 && words[0].hasPrefix("HTTP/") ? Int(words[1]) : nil
  }
}
