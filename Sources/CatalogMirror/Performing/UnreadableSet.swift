import SyncText
import SyncLedger

/// What a run remembers of directories that can't be read, so that the next one tells the same ones
/// without ending as if something had gone wrong.
struct UnreadableSet: Equatable, Sendable {
  /// As many as there may be, they aren't all kept for this.
  private let digest: String?

  init(_ directories: [UnreadableDirectory]) {
    guard !directories.isEmpty else {
      digest = nil
      return
    }
    var hasher = SHA256Hasher()
    for prefix in directories.map({ CatalogKey(bytes: $0.prefix) }).sorted() {
      // No path holds a NUL.
      (prefix.bytes + [0]).withUnsafeBytes { hasher.update($0) }
    }
    digest = hasher.finish().description
  }

  /// Remembers the set.
  ///
  /// - Returns: whether it is news: there are some, and other ones than in the last run.
  func remember(in index: MirrorIndex) async throws -> Bool {
    let before = try await known(to: index)
    guard digest != before else { return false }
    try await index.write { try $0.setValue(digest, for: .unreadableDirectories) }
    return digest != nil
  }

  /// Whether it would be news; `nil` for no index.
  func isNews(to index: MirrorIndex?) async throws -> Bool {
    guard let digest else { return false }
    guard let index else { return true }
    return try await known(to: index) != digest
  }

  private func known(to index: MirrorIndex) async throws -> String? {
    try await index.read { try $0.value(.unreadableDirectories) }
  }
}
