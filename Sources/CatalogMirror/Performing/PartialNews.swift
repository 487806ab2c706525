import SyncText

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
