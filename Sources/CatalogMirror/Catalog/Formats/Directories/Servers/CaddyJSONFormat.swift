import SyncText

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
    let page = DirectoryPage(
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
