import SyncText

/// nginx's directory listing in JSON (`autoindex_format json`): an array whose every member has
/// `name`, `type` and `mtime`.
///
/// Names are bytes here: nginx sends those that aren't UTF-8 as they are, and such a name is one
/// failed item. `other` is what nginx prints for dangling links, FIFOs and sockets: a failed item
/// too, so that a link whose target is away for a while doesn't lose its old file. An empty array
/// is recognised only where the format is known already. Files whose name begins with a dot are
/// never listed by nginx.
struct NginxJSONFormat: CatalogFormat {
  let name = CatalogFormatName.nginxJSON
  let noun = "nginx's directory listing in JSON"

  func recognises(_ body: CatalogBody) -> Bool {
    let opening = body.opening
    guard opening.first == UInt8(ascii: "[") else { return false }
    // What the module prints, up to the first name.
    return opening.filter { !JSONValue.isBlank($0) }.starts(with: "[{\"name\":\"".utf8)
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    var page = CatalogPage(format: name, claim: .whole)
    for element in try body.rows(of: name, within: limits) {
      guard let row = NginxRow(element) else {
        throw body.unreadable(expected: .format(name))
      }
      row.add(to: &page, body: body)
    }
    return page
  }
}

private struct NginxRow {
  private var name: [UInt8] = []
  private var type = ""
  private var date = ""
  private var size: Int64?

  init?(_ value: JSONValue) {
    var seen = 0
    for member in value.members ?? [] {
      switch String(decoding: member.name, as: UTF8.self) {
      case "name":
        guard let name = member.value.stringBytes, !name.isEmpty else { return nil }
        self.name = name
      case "type":
        guard let type = member.value.string else { return nil }
        self.type = type
      case "mtime":
        guard let date = member.value.string else { return nil }
        self.date = date
      case "size":
        guard let size = member.value.integer, size >= 0 else { return nil }
        self.size = size
        continue
      default: continue
      }
      seen += 1
    }
    guard seen == 3 else { return nil }
  }

  func add(to page: inout CatalogPage, body: CatalogBody) {
    let encoded = PercentEncoding.encode(path: name)
    guard DirectoryName.isInside(name) else {
      if !DirectoryName.isDots(name) { page.notes.unreadLinks.add(encoded) }
      return
    }
    switch type {
    case "directory" where String(validating: name, as: UTF8.self) == nil:
      page.entries.append(.unusable(unusable(.key(.notUTF8), at: page.entries.count + 1)))
    case "directory":
      let url = body.url.appending(encodedName: encoded + "/").text
      page.subdirectories.append(.init(url: url, name: name))
    case "file":
      let url = body.url.appending(encodedName: encoded).text
      let stamp = ListingDate(nginxJSON: date)
      var entry = CatalogEntry(
        key: CatalogKey(bytes: name), locators: [url],
        version: .dateAndSize(date: date, size: size))
      entry.size = size
      entry.modified = stamp?.modified
      let settled = stamp?.isSettled(listedAt: body.date) ?? false
      page.entries.append(.entry(entry, settled: settled))
    default:
      page.entries.append(.unusable(unusable(.notAFile, at: page.entries.count + 1)))
    }
  }

  private func unusable(_ problem: EntryProblem, at position: Int) -> UnusableEntry {
    UnusableEntry(position: position, key: CatalogKey(bytes: name), problem: problem)
  }
}

/// Caddy's directory listing in JSON (`file_server browse` of Caddy 2, for who asks with
/// `Accept: application/json`): an array whose every member has `name`, `url`, `size`, `mod_time`
/// and `is_dir`.
///
/// Dates are to the nanosecond, in UTC; sizes are exact. Of links to elsewhere it tells the link's
/// own date: such an item is asked for with its own validator. An empty array is recognised only
/// where the format is known already. A page of 10,000 names may be cut, see
/// ``ServerListing/caddy``. Names that begin with a dot are listed; the bytes of a name come from
/// its `url`, since the name's own that aren't UTF-8 are replaced.
struct CaddyJSONFormat: CatalogFormat {
  let name = CatalogFormatName.caddyJSON
  let noun = "the directory listing of Caddy in JSON"

  private static let fields = [CatalogRequest.Field("Accept", "application/json")]

  func recognises(_ body: CatalogBody) -> Bool {
    let head = String(decoding: body.opening, as: UTF8.self)
    return head.hasPrefix("[{\"name\":\"") && head.contains("\"mod_time\":\"")
      && head.contains("\"is_dir\":")
  }

  func firstRequest(to catalog: URLReference) -> CatalogRequest {
    var request = CatalogRequest(catalog.text)
    request.fields = Self.fields
    return request
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    let elements = try body.rows(of: name, within: limits)
    let rows = elements.compactMap(Self.row)
    guard rows.count == elements.count else { throw body.unreadable(expected: .format(name)) }
    let claim = rows.count >= ServerListing.caddyLimit ? CompletenessClaim.unvouchable : .whole
    var page = DirectoryPage(
      CatalogPage(format: name, claim: claim), of: body, at: DirectoryPlace(body),
      fields: Self.fields, within: limits)
    for row in rows { page.take(row) }
    return try page.finish()
  }

  private static func row(_ value: JSONValue) -> DirectoryRow? {
    guard let href = value["url"]?.string, let date = value["mod_time"]?.string,
      let isDirectory = value["is_dir"]?.bool, value["name"]?.stringBytes != nil,
      let size = value["size"]?.integer
    else { return nil }
    var row = DirectoryRow(
      href: href, date: ListingDate(rfc3339: date).map { (date, $0) },
      size: size >= 0 ? .exact(size) : nil)
    row.isDirectory = isDirectory
    row.isLink = value["is_symlink"]?.bool ?? false
    return row
  }
}

extension CatalogBody {
  /// The elements of a body that is one array, and has no more than may be listed.
  fileprivate func rows(
    of name: CatalogFormatName, within limits: CatalogLimits
  ) throws(CatalogError) -> [JSONValue] {
    let value = try json(expected: name, limits)
    guard value.isArray else { throw unreadable(expected: .format(name)) }
    if value.holds(moreThan: limits.entries) {
      throw .limit(url: url.redacted, .entries, most: limits.entries)
    }
    return value.elements ?? []
  }
}
