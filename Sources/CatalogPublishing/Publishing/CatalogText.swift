package import SyncFolder
package import SyncText

package struct PublishedFile: Sendable {
  package var path: RelativePath
  package var size: Int64
  /// Whole seconds since 1970.
  package var modified: Int
  package var digest: SHA256Digest
  /// Whether everybody may read it, by its rights and those of its directories in the folder.
  var isPublic = true

  package init(path: RelativePath, size: Int64, modified: Int, digest: SHA256Digest) {
    self.path = path
    self.size = size
    self.modified = modified
    self.digest = digest
  }
}

package struct PublishedEntry: Sendable {
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
  /// Where the bytes of small files lie besides, and in which directory beside the catalog.
  var packed: (book: PackBook, directory: [UInt8])?
  /// Who signs it; `nil` for a catalog that isn't signed.
  package var signer: CatalogSigner?

  package init(title: String? = nil, base: String? = nil, entries: [PublishedEntry]) {
    self.title = title
    self.base = base
    self.entries = entries
  }

  /// - Parameter seconds: When it is published, in seconds since 1970, which a signed one says.
  package func bytes(
    revision: Int64, publishedAt seconds: Int64 = 0
  ) -> [UInt8] {
    let lines = lines
    return header(revision, over: lines, publishedAt: seconds) + lines
  }

  /// A catalog that says all this and needn't be published anew, with its dates if it is signed;
  /// `nil` for any other.
  func current(
    _ catalog: [UInt8], _ lines: [UInt8], at now: Int64
  ) -> CatalogPlace.Published? {
    guard let revision = Self.revision(of: catalog) else { return nil }
    var (end, dates) = (nil as Int?, nil as PublishedDates?)
    if let signer {
      guard let published = Self.published(of: catalog) else { return nil }
      let said = signer.dates(publishedAt: published)
      guard !signer.renews(said, at: now) else { return nil }
      dates = said
      end = signer.end(
        of: { add(to: &$0, revision, said) }, body: SHA256Digest(of: lines), in: catalog)
    } else {
      let header = line { add(to: &$0, revision) }
      end = catalog.starts(with: header) ? header.count : nil
    }
    guard let end, catalog[end...] == lines[...] else { return nil }
    return CatalogPlace.Published(wasReplaced: false, dates: dates)
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
    header(of: catalog)?["revision"]?.integer
  }

  /// When a catalog says that it was published, in seconds since 1970.
  private static func published(of catalog: [UInt8]) -> Int64? {
    header(of: catalog)?["published"]?.string.flatMap { CivilTime.rfc3339($0) }.map { Int64($0) }
  }

  /// The header of a catalog in either form of format 1; `nil` for what is none.
  static func header(of catalog: [UInt8]) -> JSONValue? {
    let end = catalog.firstIndex(of: UInt8(ascii: "\n")) ?? catalog.endIndex
    return (try? JSONValue(catalog, in: 0..<end, nesting: 32))
      ?? (try? JSONValue(catalog, in: catalog.indices, nesting: 32))
  }

  func header(_ revision: Int64, over lines: [UInt8], publishedAt seconds: Int64) -> [UInt8] {
    guard let signer else { return line { add(to: &$0, revision) } }
    let dates = signer.dates(publishedAt: seconds)
    return signer.sign({ add(to: &$0, revision, dates) }, body: SHA256Digest(of: lines))
  }

  /// The members of the header, but for those that sign it.
  private func add(
    to header: inout JSONWriter.Members, _ revision: Int64, _ dates: PublishedDates? = nil
  ) {
    header.add("catalog", 1)
    if let title { header.add("title", title) }
    header.add("revision", revision)
    header.add("count", entries.count)
    header.add("complete", true)
    if let base { header.add("base", base) }
    addPacks(to: &header)
    dates?.add(to: &header)
  }

  private func addPacks(to header: inout JSONWriter.Members) {
    guard let packed, !packed.book.packs.isEmpty else { return }
    header.array("packs") { list in
      for pack in packed.book.named {
        list.array {
          $0.add(Int64(pack.id))
          $0.add(pack.size)
          $0.add("\(pack.digest)")
        }
      }
    }
    header.add("packsAt", PercentEncoding.encode(path: packed.directory) + "/")
  }

  private func addPlace(of file: PublishedFile, to line: inout JSONWriter.Members) {
    guard file.isPublic, PackPolicy.takes(file.size),
      let place = packed?.book.place(of: file.digest)
    else { return }
    line.array("pack") {
      $0.add(Int64(place.pack))
      $0.add(Int64(place.offset))
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
      addPlace(of: file, to: &line)
      guard let preview = entry.preview else { return }
      line.object("preview") {
        $0.add("url", "./\(PercentEncoding.encode(path: preview.path.bytes))")
        $0.add("size", preview.size)
        $0.add("sha256", "\(preview.digest)")
        addPlace(of: preview, to: &$0)
      }
    }
  }

  private func line(_ fill: (inout JSONWriter.Members) -> Void) -> [UInt8] {
    JSONWriter.object(fill) + [UInt8(ascii: "\n")]
  }
}
