import CatalogMirror
import SyncDatabase
import SyncText

/// An index with something of everything in it, made by the product itself.
enum SoundIndex {
  static let fingerprint = "options"

  /// Its bytes; made once.
  static let shared = Result {
    try IndexFile.shared.bytes { path in
      try IndexTarget.finish {
        let index = try await MirrorIndex.open(path: path, synchronous: .off)
        try await index.write { try fill($0) }
        await index.close()
      }
    }
  }

  static func fill(_ writer: IndexWriter) throws {
    try writer.record((0..<20).flatMap(changes))
    try writer.markRemoving([RemovalMark(key: CatalogKey("a/1"), quarantineName: "q-1")])
    try writer.finishRemoval(
      of: [CatalogKey("a/2")],
      quarantined: [
        QuarantinedFile(name: "q-2", key: CatalogKey("a/2"), size: 2, removedNanoseconds: 2)
      ])
    try writer.replaceFailures([FailedItem(key: CatalogKey("a/5"), sentence: "it failed")])
    try writer.setValue("0123456789abcdef0123456789abcdef", for: .folderID)
    try writer.setValue("7 catalog", for: .highestRevision)
    var run = RunRecord(
      startedNanoseconds: 1, endedNanoseconds: 2, ending: .someFailed,
      catalog: "https://catalog.test/a/")
    run.error = "something failed"
    try writer.recordRun(run)
    try setValidators(writer)
  }

  private static func changes(_ number: Int) -> [IndexChange] {
    var entry = CatalogEntry(
      key: CatalogKey("a/\(number)"), locators: ["https://catalog.test/a/\(number)"])
    entry.version = [.unknown, .strongETag("\"e\""), .dateAndSize(date: "d", size: 4)][number % 3]
    guard number % 2 == 0 else { return [.entry(entry)] }
    entry.locators.append("https://other.test/a/\(number)")
    entry.size = Int64(number)
    entry.modified = 0.5
    entry.title = "Title"
    entry.preview = CatalogEntry.Preview(locator: "https://catalog.test/p/\(number)")
    entry.extra = "{\"x\":1}"
    let digest = SHA256Hasher().finish()
    return [
      .content(
        entry,
        IndexedContent(
          version: entry.version, size: 4, modifiedNanoseconds: 5, inode: .max - 1, sha256: digest,
          etag: "\"e\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")),
      .preview(
        entry,
        IndexedPreview(
          version: .unknown, name: "p\(number).jpg", size: 6, modifiedNanoseconds: 7,
          sha256: digest)),
    ]
  }

  private static func setValidators(_ writer: IndexWriter) throws {
    let page = CatalogPage(format: .catalog, claim: .whole)
    let record = PageRecord(
      url: "https://catalog.test/a/", page: page, digest: SHA256Hasher().finish())
    try writer.setValidators(
      ListingValidators(
        fingerprint: fingerprint, revision: "r", itemCount: 20,
        pages: [ListingValidators.Page(record: record, etag: "\"e\"")]))
  }
}
