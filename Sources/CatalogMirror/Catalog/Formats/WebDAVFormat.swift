import SyncText

/// A collection of WebDAV, walked one level after the other (RFC 4918, section 9.1: `PROPFIND` with
/// depth 1), and what changed in it since the pass before where the server can tell (RFC 6578).
///
/// What a member is, how long, of what date and with which entity tag is asked for by name; a
/// property that the server has no value of (any status but 200) is absent. Each answer names the
/// collection itself, and nothing that isn't directly in it; else it isn't this collection's. Many
/// servers make the tag of the date to the second, so a member's version is settled only when its
/// date is older than that.
///
/// Changes are asked for only where the collection holds no other: a report covers one level, and
/// the reach of deeper ones is a matter of each server. A report that names a collection, or that
/// leaves open what became of a member, is answered by reading everything.
struct WebDAVFormat: CatalogFormat {
  let name = CatalogFormatName.webdav
  let noun = "a WebDAV collection"

  func firstRequest(to catalog: URLReference) -> CatalogRequest {
    WebDAVRequest.members(of: Self.collection(catalog).text, asksForToken: true)
  }

  func firstRequest(to catalog: URLReference, since checkpoint: String) -> CatalogRequest? {
    WebDAVRequest.changes(in: Self.collection(catalog).text, since: checkpoint)
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    let answer = try body.xml(expected: name)
    guard answer.root.isCalled("multistatus", in: WebDAVResource.namespace) else {
      throw body.unreadable(expected: .format(name), found: .xml)
    }
    let page = WebDAVPage(of: body)
    var count = 0
    try answer.forEach { element throws(CatalogError) in
      if element.isCalled("response", in: WebDAVResource.namespace) {
        count += 1
        try body.checkCount(count, limits)
        try page.take(WebDAVResource(element))
      } else if element.isCalled("sync-token", in: WebDAVResource.namespace) {
        page.token = element.text
      }
    }
    return try page.finish()
  }

  private static func collection(_ catalog: URLReference) -> URLReference {
    var url = catalog.withoutQuery
    if !url.path.hasSuffix("/") { url.setPath(url.path + "/") }
    return url
  }
}

enum WebDAVRequest {
  static let changesStep = "changes"
  private static let properties =
    "<resourcetype/><getcontentlength/><getlastmodified/><getetag/>"

  /// The members of a collection.
  ///
  /// - Parameter asksForToken: Whether it is asked how changes can be had, too.
  static func members(of url: String, asksForToken: Bool = false) -> CatalogRequest {
    let further = asksForToken ? "<supported-report-set/><sync-token/>" : ""
    return request(
      url, .propfind, depth: 1,
      "<propfind xmlns=\"DAV:\"><prop>\(properties)\(further)</prop></propfind>")
  }

  /// What has changed in a collection since it gave this token (RFC 6578, section 3.2).
  static func changes(in url: String, since token: String) -> CatalogRequest {
    let escaped = token.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
    var request = request(
      url, .report, depth: 0,
      """
      <sync-collection xmlns="DAV:"><sync-token>\(escaped)</sync-token>\
      <sync-level>1</sync-level><prop>\(properties)</prop></sync-collection>
      """)
    request.step = changesStep
    return request
  }

  private static func request(
    _ url: String, _ method: CatalogRequest.Method, depth: Int, _ body: String
  ) -> CatalogRequest {
    var request = CatalogRequest(url)
    request.method = method
    request.fields = [
      .init("Depth", "\(depth)"), .init("Content-Type", "application/xml; charset=utf-8"),
    ]
    request.body = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + body
    return request
  }
}
