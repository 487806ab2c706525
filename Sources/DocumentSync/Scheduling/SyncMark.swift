import Synchronization

/// Marks what runs within a closure of a sync, so that it doesn't wait for the end of that sync,
/// which waits for it.
///
/// The mark goes with the task, into its children and into unstructured tasks that are begun there.
/// It means nothing any more once the closure has returned.
final class SyncMark: Sendable {
  @TaskLocal private static var current: SyncMark?

  private let owner: ObjectIdentifier
  /// The mark within which this one was made.
  private let outer: SyncMark?
  private let isOver = Atomic(false)

  private init(of owner: ObjectIdentifier, within outer: SyncMark?) {
    self.owner = owner
    self.outer = outer
  }

  /// Runs `body` as a part of what `owner` waits for.
  static func mark<Value>(
    _ owner: AnyObject, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let mark = SyncMark(of: ObjectIdentifier(owner), within: current)
    defer { mark.isOver.store(true, ordering: .releasing) }
    return try await $current.withValue(mark, operation: body)
  }

  /// Whether who calls this is a part of what `owner` waits for.
  static func isWithin(_ owner: AnyObject) -> Bool {
    var mark = current
    while let one = mark {
      if one.owner == ObjectIdentifier(owner), !one.isOver.load(ordering: .acquiring) {
        return true
      }
      mark = one.outer
    }
    return false
  }
}
