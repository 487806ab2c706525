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
