package import SyncFolder
package import SyncText

package struct PublishedFile: Hashable, Sendable {
  package var path: RelativePath
  package var size: Int64
  /// Whole seconds since 1970.
  package var modified: Int
  package var digest: SHA256Digest

  package init(path: RelativePath, size: Int64, modified: Int, digest: SHA256Digest) {
    self.path = path
    self.size = size
    self.modified = modified
    self.digest = digest
  }
}

package struct PublishedEntry: Hashable, Sendable {
  package var file: PublishedFile
  package var preview: PublishedFile? {
    get { previews.first }
    set { previews = newValue.map { [$0] } ?? [] }
  }
  // None or one, out of the way: few have any, and there may be a million entries.
  private var previews: [PublishedFile] = []

  package init(file: PublishedFile, preview: PublishedFile? = nil) {
    self.file = file
    self.preview = preview
  }
}

/// The text of a catalog: NDJSON of format 1.
package struct CatalogText {
  package var title: String?
  package var base: String?
  package var entries: [PublishedEntry]

  package init(title: String? = nil, base: String? = nil, entries: [PublishedEntry]) {
    self.title = title
    self.base = base
    self.entries = entries
  }

  package func bytes(revision: Int64) -> [UInt8] {
    header(revision) + lines
  }

  /// Whether these bytes are such a header and such lines.
  func isIn(_ bytes: [UInt8], revision: Int64, _ lines: [UInt8]) -> Bool {
    let header = header(revision)
    return bytes.starts(with: header) && bytes[header.count...] == lines[...]
  }

  var lines: [UInt8] {
    var lines: [UInt8] = []
    // About as much as they take without previews: a list that grows is held twice for a moment.
    lines.reserveCapacity(entries.reduce(1_024) { $0 + $1.file.path.bytes.count + 160 })
    for entry in entries { lines += line(of: entry) }
    return lines
  }

  /// The number of the state that a catalog in either form of format 1 says it is; `nil` where it
  /// says none, or a text.
  static func revision(of catalog: [UInt8]) -> Int64? {
    let end = catalog.firstIndex(of: UInt8(ascii: "\n")) ?? catalog.endIndex
    let header =
      (try? JSONValue(catalog, in: 0..<end, nesting: 32))
      ?? (try? JSONValue(catalog, in: catalog.indices, nesting: 32))
    return header?["revision"]?.integer
  }

  func header(_ revision: Int64) -> [UInt8] {
    line { header in
      header.add("catalog", 1)
      if let title { header.add("title", title) }
      header.add("revision", revision)
      header.add("count", entries.count)
      header.add("complete", true)
      if let base { header.add("base", base) }
    }
  }

  private func line(of entry: PublishedEntry) -> [UInt8] {
    let file = entry.file
    return line { line in
      line.add("key", file.path.string)
      line.add("size", file.size)
      line.add("sha256", "\(file.digest)")
      // What lies beyond the years 0 to 9999 has no RFC 3339 form.
      if (-62_167_219_200..<253_402_300_800).contains(file.modified) {
        line.add("modified", CivilTime.rfc3339(secondsSince1970: file.modified))
      }
      guard let preview = entry.preview else { return }
      line.object("preview") {
        $0.add("url", "./\(PercentEncoding.encode(path: preview.path.bytes))")
        $0.add("size", preview.size)
        $0.add("sha256", "\(preview.digest)")
      }
    }
  }

  private func line(_ fill: (inout JSONWriter.Members) -> Void) -> [UInt8] {
    JSONWriter.object(fill) + [UInt8(ascii: "\n")]
  }
}
