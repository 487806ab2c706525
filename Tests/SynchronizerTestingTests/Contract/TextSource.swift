import OneWaySynchronizer
import SyncLock
import SynchronizerTesting

/// A source of texts in memory, which serves each in two halves and misbehaves on demand.
final class TextSource: Sendable {
  private struct State {
    var contents: [String: String] = [:]
    var interception: SourceInterception<String>?
  }

  private let state = Locked(State())

  func set(_ contents: [String: String]) {
    state.withLock { $0.contents = contents }
  }

  func intercept(_ interception: SourceInterception<String>?) {
    state.withLock { $0.interception = interception }
  }

  func list() async throws -> [Text] {
    try await reach(.list)
    return state.withLock { $0.contents }
      .map { Text(id: $0.key, version: $0.value.hashValue) }
      .sorted { $0.id < $1.id }
  }

  /// Gives a content to `take`, half by half.
  func content(of key: String, take: (Substring) async throws -> Void) async throws {
    guard let content = state.withLock({ $0.contents[key] }) else { throw Vanished() }
    let middle = content.index(content.startIndex, offsetBy: content.count / 2)
    try await take(content[..<middle])
    try await reach(.content(key))
    try Task.checkCancellation()
    try await take(content[middle...])
  }

  func reach(_ moment: SourceInterception<String>.Moment) async throws {
    guard let interception = state.withLock({ $0.interception }), interception.moment == moment
    else { return }
    try await interception.action()
  }

  struct Vanished: Error {}
}

/// An item of a ``TextSource``.
struct Text: SyncItem {
  var id: String
  var version: Int
}
