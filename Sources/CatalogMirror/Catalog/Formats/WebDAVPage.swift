import SyncText

/// What an answer of WebDAV means for the collection that was asked about: its members, or what
/// has changed since.
final class WebDAVPage {
  private let body: CatalogBody
  private let isOfChanges: Bool
  /// The collection's path as bytes, with a slash at its end.
  private let path: [UInt8]
  private var page: CatalogPage
  private var itself: WebDAVResource?
  private var collections: Set<CatalogKey> = []
  /// What to ask from the next time, after a report.
  var token: String?

  init(of body: CatalogBody) {
    self.body = body
    isOfChanges = body.request.step == WebDAVRequest.changesStep
    let path = PercentEncoding.decode(body.url.path) ?? Array(body.url.path.utf8)
    self.path = path.last == UInt8(ascii: "/") ? path : path + [UInt8(ascii: "/")]
    page = CatalogPage(format: .webdav, claim: isOfChanges ? .changes : .whole)
  }

  func take(_ resource: WebDAVResource) throws(CatalogError) {
    guard let place = place(of: resource) else { throw unreadable(.cutPage) }
    switch place {
    case .itself:
      let isMoreToCome = isOfChanges && resource.status == 507
      // An answer that was cut says so of the collection (RFC 6578, section 3.6), and only of a
      // report the rest can be had.
      guard resource.status == nil || isMoreToCome else { throw unreadable(.cutPage) }
      if itself?.status == nil { itself = resource }
    case .member(let name, _) where isState(resource, name): page.notes.states += 1
    case .member(let name, let href):
      guard isOfChanges else { return add(resource, name, href) }
      try takeChange(resource, name, href)
    }
  }

  /// Whether a member is a file that a publisher keeps to himself. One that may be a collection
  /// isn't, and what is gone goes by whatever name.
  private func isState(_ resource: WebDAVResource, _ name: [UInt8]) -> Bool {
    guard PublishedNames.isState(name), resource.status == nil else { return false }
    return resource.isCollection ?? Self.seemsCollection(resource) == false
  }

  private func takeChange(
    _ resource: WebDAVResource, _ name: [UInt8], _ href: String
  ) throws(CatalogError) {
    guard resource.status != 404 else { return page.removed.append(CatalogKey(bytes: name)) }
    var file = resource
    file.isCollection = file.isCollection ?? Self.seemsCollection(resource)
    guard file.status == nil, file.isCollection == false else { throw unreadable(.xml) }
    add(file, name, href)
  }

  func finish() throws(CatalogError) -> CatalogPage {
    var page = page
    if isOfChanges {
      guard let token, !token.isEmpty else { throw unreadable(.cutPage) }
      page.checkpoint = token
      if itself?.status == 507 {
        page.next = WebDAVRequest.changes(in: body.request.url, since: token)
      }
      return page
    }
    // Without itself, it is the answer to another question.
    guard let itself, itself.isCollection == true else { throw unreadable(.xml) }
    if itself.tellsChanges, page.subdirectories.isEmpty,
      let token = itself.properties["sync-token"], !token.isEmpty
    {
      page.checkpoint = token
    }
    return page
  }

  /// Radicale says no more of a member that changed than its tag. `nil` where not even that is
  /// said.
  private static func seemsCollection(_ resource: WebDAVResource) -> Bool? {
    guard resource.properties["getetag"] != nil else { return nil }
    return resource.href?.hasSuffix("/") ?? true
  }

  private func unreadable(_ finding: CatalogError.Finding) -> CatalogError {
    body.unreadable(expected: .format(.webdav), found: finding)
  }

  private enum Place {
    case itself
    /// Directly in it: its name, and its path as written, without a slash at its end.
    case member([UInt8], String)
  }

  /// `nil` for what is elsewhere. Of an address only the path counts: servers behind others often
  /// know neither the host nor the scheme that they are asked by.
  private func place(of resource: WebDAVResource) -> Place? {
    guard let href = resource.href, !href.isEmpty, let url = URLReference(written: href),
      url.query == nil
    else { return nil }
    var written = url.resolved(against: body.url).path
    guard let decoded = PercentEncoding.decode(written) else { return nil }
    if decoded == path || decoded == path.dropLast() { return .itself }
    guard decoded.starts(with: path) else { return nil }
    var name = decoded.dropFirst(path.count)
    if name.last == UInt8(ascii: "/") { name.removeLast() }
    if written.hasSuffix("/") { written.removeLast() }
    // A name that holds a slash in percent-encoding would lie elsewhere than it says.
    guard DirectoryName.isInside(Array(name)), !written.isEmpty else { return nil }
    return .member(Array(name), written)
  }

  private func add(_ resource: WebDAVResource, _ name: [UInt8], _ written: String) {
    var url = body.url.withoutQuery
    let key = CatalogKey(bytes: name)
    guard let isCollection = resource.isCollection, resource.status == nil else {
      page.entries.append(
        .unusable(
          UnusableEntry(position: page.entries.count + 1, key: key, problem: .notAFile)))
      return
    }
    url.setPath(isCollection ? written + "/" : written)
    if isCollection {
      // A collection that is named twice is one.
      guard collections.insert(key).inserted else { return }
      guard String(validating: name, as: UTF8.self) != nil else {
        return page.entries.append(
          .unusable(
            UnusableEntry(
              position: page.entries.count + 1, key: key, problem: .key(.notUTF8))))
      }
      page.subdirectories.append(.init(WebDAVRequest.members(of: url.text), name: name))
      return
    }
    var entry = CatalogEntry(key: key, locators: [url.text])
    entry.size = resource.properties["getcontentlength"].flatMap { Int64($0) }
      .flatMap { $0 >= 0 ? $0 : nil }
    let date = resource.properties["getlastmodified"].flatMap { $0.isEmpty ? nil : $0 }
    let seconds = date.flatMap { HTTPDate($0) }.map { Double($0.secondsSince1970) }
    entry.modified = seconds
    entry.version = Self.version(resource.properties["getetag"], date, entry.size)
    page.entries.append(.entry(entry, settled: isSettled(entry, seconds)))
  }

  private static func version(_ tag: String?, _ date: String?, _ size: Int64?) -> ItemVersion {
    if let tag, !tag.isEmpty { return tag.hasPrefix("W/") ? .weakETag(tag) : .strongETag(tag) }
    return date == nil ? .unknown : .dateAndSize(date: date, size: size)
  }

  private func isSettled(_ entry: CatalogEntry, _ seconds: Double?) -> Bool {
    guard entry.version != .unknown else { return false }
    guard let seconds else { return !entry.version.isDate }
    return ListingDate(utc: seconds).isSettled(listedAt: body.date)
  }
}

/// What an answer of WebDAV says of one resource (RFC 4918, section 14.24: `response`).
struct WebDAVResource {
  static let namespace = "DAV:"

  private(set) var href: String?
  /// What is said of all of it, in place of its properties.
  private(set) var status: Int?
  private(set) var properties: [String: String] = [:]
  var isCollection: Bool?
  private(set) var tellsChanges = false

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
