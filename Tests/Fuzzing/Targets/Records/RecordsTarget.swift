import CatalogMirror
import SyncFolder
import SyncText

/// The small files of ours beside the index: partial-file records, the marker, the revision. The
/// input is such a file; as a record also the JSON of one, signed as ours are.
enum RecordsTarget {
  static func check(_ input: [UInt8]) throws {
    try checkRecord(input)
    if !input.contains(0x0A) {
      try checkRecord(Array("\(digest(of: input))\n".utf8) + input + [0x0A])
    }
    try checkMarker(input)
    try checkRevision(input.text)
  }

  private static func checkRecord(_ bytes: [UInt8]) throws {
    guard let record = PartialRecord(bytes) else { return }
    guard let again = record.encoded() else { return }
    try require(PartialRecord(again) == record, "a record reads as another")
    for cut in [1, again.count / 2, again.count - 1] {
      try require(PartialRecord(Array(again.prefix(cut))) == nil, "a torn record is believed")
    }
  }

  private static func checkMarker(_ bytes: [UInt8]) throws {
    guard let id = FolderID(marker: bytes) else { return }
    try require(FolderID(marker: id.marker) == id, "a marker reads as another")
    try require(FolderID(text: id.text) == id, "an id reads as another")
  }

  private static func checkRevision(_ text: String) throws {
    guard let revision = HighestRevision(text: text) else { return }
    try require(HighestRevision(text: revision.text) == revision, "a revision reads as another")
  }

  private static func digest(of bytes: [UInt8]) -> SHA256Digest {
    var hasher = SHA256Hasher()
    bytes.withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }
}
