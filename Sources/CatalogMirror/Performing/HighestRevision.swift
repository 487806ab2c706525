import SyncFiles
import SyncFolder
import SyncText

/// The highest revision that a catalog whose revisions are ordered was seen to have, or the date of
/// its newest state where it goes by dates.
///
/// Kept in the index and in a small file beside it, in the same form. It speaks of one catalog: a
/// folder that is made to follow another one starts anew.
package struct HighestRevision: Equatable, Sendable {
  var number: Int64
  /// The digest of the catalog's address, in hexadecimal digits.
  var catalog: String

  init(_ number: Int64, of catalog: String) {
    self.number = number
    self.catalog = catalog
  }

  /// The form in which it is kept: a line.
  package var text: String { "\(number) \(catalog)\n" }

  /// What was kept; `nil` when it can't be read as one. A file that was damaged says nothing, and
  /// the other place still counts.
  package init?(text: String) {
    let parts = text.prefix { $0 != "\n" }.split(separator: " ")
    guard parts.count == 2, let number = Int64(parts[0]),
      parts[1].utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil })
    else { return nil }
    self.init(number, of: String(parts[1]))
  }

  /// The higher of what the two places keep of a catalog, by any of its digests.
  static func read(
    of catalogs: Set<String>, in folder: MirrorFolder, _ index: MirrorIndex?,
    on queue: any DiskQueue
  ) async throws -> Int64? {
    let texts = [
      try await queue.run { try folder.readRevision() },
      try await index?.read { try $0.value(.highestRevision) },
    ]
    return texts.compactMap { $0.flatMap(Self.init(text:)) }.filter {
      catalogs.contains($0.catalog)
    }
    .map(\.number).max()
  }
}

extension MirrorSession {
  /// Keeps the revision of a complete pass in which nothing but items failed: first beside the
  /// index, so that no crash leaves it in the index alone.
  func record(_ revision: HighestRevision, durably: Bool) async throws {
    let folder = folder
    try await fileQueue.run { try folder.writeRevision(revision.text, durably: durably) }
    try await index.write { try $0.setValue(revision.text, for: .highestRevision) }
  }
}
