import SyncLedger
import SyncLock
import SyncText

/// What a run remembers of directories that can't be read, so that the next one tells the same ones
/// without ending as if something had gone wrong.
extension MirrorProcessor {
  /// Remembers the set, and notes whether it is another one than that of the last run.
  func remember(_ directories: [UnreadableDirectory]) async throws {
    guard repairs == nil else { return }
    let set = directories.isEmpty ? nil : Self.digest(of: directories)
    let before = try await session.index.read { try $0.value(.unreadableDirectories) }
    guard set != before else { return }
    try await session.index.write { try $0.setValue(set, for: .unreadableDirectories) }
    state.withLock { $0.hasNewUnreadable = set != nil }
  }

  /// As many as there may be, they aren't all kept for this. No path holds a NUL.
  private static func digest(of directories: [UnreadableDirectory]) -> String {
    var hasher = SHA256Hasher()
    for prefix in directories.map({ CatalogKey(bytes: $0.prefix) }).sorted() {
      (prefix.bytes + [0]).withUnsafeBytes { hasher.update($0) }
    }
    return hasher.finish().description
  }
}
