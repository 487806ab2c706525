import Foundation
import TestSupport

@testable import CatalogMirror
@testable import SyncText

/// What the index of a copy claims, read while no run works on it.
struct IndexClaims {
  let rows: [IndexedItem]
  /// How many files had been placed and weren't recorded yet.
  let placed: Int

  /// Reads a copy of the index's file and its log, so that the look changes nothing.
  init(in folder: URL, copyingTo scratch: URL) async throws {
    let files = FileManager.default
    let name = "index.sqlite"
    guard isThere(folder.appending(path: ".mirror/\(name)")) else {
      (rows, placed) = ([], 0)
      return
    }
    try? files.removeItem(at: scratch)
    try makeFolder(at: scratch)
    for suffix in ["", "-wal"] {
      let file = folder.appending(path: ".mirror/\(name)\(suffix)")
      guard isThere(file) else { continue }
      try files.copyItem(at: file, to: scratch.appending(path: name + suffix))
    }
    let index = try await MirrorIndex.open(path: scratch.appending(path: name).path)
    rows = try await FaultTestCase.claims(of: index, in: folder)
    let recorded = try await index.read { reader in
      var recorded: [CatalogKey: IndexedContent] = [:]
      try reader.forEachItem { recorded[$0.key] = $0.content }
      return recorded
    }
    placed = rows.count { $0.content != recorded[$0.key] }
    await index.close()
  }

  /// The addresses from which nothing may be fetched any more: what lies there is recorded.
  func recorded(of items: [String: ShiftingSource.Item]) -> Set<String> {
    Set(
      rows.flatMap { row -> [String] in
        guard row.state == .present, let item = items[row.key.description] else { return [] }
        let content = row.content?.sha256 == item.content.digest ? item.content.address : nil
        let preview = item.preview.flatMap { row.preview?.sha256 == $0.digest ? $0.address : nil }
        return [content, preview].compactMap(\.self)
      })
  }

  /// Previews that are claimed and aren't there as claimed.
  func untruePreviews(in folder: URL) -> [String] {
    rows.compactMap { row in
      guard row.state == .present, let preview = row.preview else { return nil }
      let file = folder.appending(path: ".mirror/previews/\(preview.name)")
      guard let bytes = try? Data(contentsOf: file) else {
        return "the index claims a preview of \(row.key), which isn't there"
      }
      return SHA256Digest(ofAll: bytes) == preview.sha256
        ? nil : "the index claims another preview of \(row.key)"
    }
  }

  /// Items whose removal had begun.
  var removing: Int { rows.count { $0.state != .present } }
}
