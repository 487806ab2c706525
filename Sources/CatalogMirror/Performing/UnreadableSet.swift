import SyncText

/// What a run remembers of directories that can't be read, so that the next one tells the same ones
/// without ending as if something had gone wrong.
struct UnreadableSet: Equatable, Sendable {
  /// As many as there may be, they aren't all kept for this.
  private let digest: String?
  /// The first of them with their reasons, for people.
  private let list: String?

  private static let mostListed = 1_000

  init(_ directories: [UnreadableDirectory]) {
    guard !directories.isEmpty else {
      (digest, list) = (nil, nil)
      return
    }
    // Neither a URL nor a sentence holds a tab or a line break.
    list = directories.prefix(Self.mostListed)
      .map { "\($0.url)\t\(AdvisedText($0.reason, $0.advice).kept)" }.joined(separator: "\n")
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
    try await index.write { writer in
      try writer.setValue(digest, for: .unreadableDirectories)
      try writer.setValue(list, for: .unreadableList)
    }
    return digest != nil
  }

  /// Those that the last run couldn't read, from the list that it left.
  static func named(in list: String?) -> [MirrorReport.Failure] {
    (list ?? "").split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      let text = AdvisedText(kept: parts.count > 1 ? parts[1] : "")
      return MirrorReport.Failure(key: parts[0], sentence: text.sentence, advice: text.advice)
    }
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

/// What a run remembers of why nothing could be removed, so that the next one needn't tell it
/// again: some lists can never say that they are whole.
struct PartialNews {
  private let text: String?

  init(_ reasons: [PartialReason]) {
    text = reasons.isEmpty ? nil : reasons.map(\.description).joined(separator: "\n")
  }

  /// Remembers the reasons.
  ///
  /// - Returns: whether they are news: there are some, and other ones than in the last run.
  func remember(in index: MirrorIndex) async throws -> Bool {
    guard text != (try await index.read { try $0.value(.partialReasons) }) else { return false }
    try await index.write { try $0.setValue(text, for: .partialReasons) }
    return text != nil
  }
}
