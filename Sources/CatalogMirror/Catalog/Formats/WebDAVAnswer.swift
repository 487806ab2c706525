import SyncText

/// An answer of WebDAV as it stands there (RFC 4918, section 13: `multistatus`).
struct WebDAVAnswer {
  /// What is said of one resource.
  struct Resource {
    /// Where it is, as written.
    var href: String?
    /// What is said of all of it, in place of its properties.
    var status: Int?
    /// The properties that it has.
    var properties: [String: String] = [:]
    /// Whether it is known what it is: a collection or not.
    var isCollection: Bool?
    /// Whether it can tell what has changed in it.
    var tellsChanges = false
  }

  private(set) var resources: [Resource] = []
  /// What to ask from the next time, after a report.
  private(set) var token: String?

  /// The names in the standard.
  private static let namespace = "DAV:"

  init(
    _ root: MarkupElement, of body: CatalogBody, _ limits: CatalogLimits
  ) throws(CatalogError) {
    guard root.isCalled("multistatus", in: Self.namespace) else {
      throw body.unreadable(expected: .format(.webdav), found: .xml)
    }
    for child in root.children where child.namespace == Self.namespace {
      switch child.name {
      case "response":
        resources.append(Resource(child))
        try body.checkCount(resources.count, limits)
      case "sync-token": token = child.text
      default: break
      }
    }
  }
}

extension WebDAVAnswer.Resource {
  fileprivate init(_ response: MarkupElement) {
    for child in response.children where child.namespace == "DAV:" {
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
    let parts = propstat.children.filter { $0.namespace == "DAV:" }
    guard let status = parts.first(where: { $0.name == "status" }), Self.status(status.text) == 200
    else { return }
    for property in parts.filter({ $0.name == "prop" }).flatMap(\.children)
    where property.namespace == "DAV:" {
      switch property.name {
      case "resourcetype":
        isCollection = property.children.contains { $0.isCalled("collection", in: "DAV:") }
      case "supported-report-set":
        tellsChanges = property.children.flatMap(\.children).flatMap(\.children)
          .contains { $0.isCalled("sync-collection", in: "DAV:") }
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
