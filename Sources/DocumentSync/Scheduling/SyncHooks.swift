import SyncLock
import Synchronization

extension SyncScheduler {
  /// Has a closure run before every sync that begins from now on, with what it's made for, in the
  /// order in which that came up. If it throws, that sync does nothing and fails with the error,
  /// and the closures after it aren't run.
  ///
  /// Closures are waited for, one after the other, in the order in which they were given. They may
  /// do whatever they like: edit documents, stop the schedule, sign out. What would wait for the
  /// end of the very sync that they are a part of returns at once.
  public func beforeSync(_ hook: @escaping @Sendable ([SyncReason]) async throws -> Void) {
    state.change { $0.before.append(hook) }
  }

  /// Has a closure run after every sync that ends from now on, with the error that it ended with;
  /// also if a closure before it threw. It's waited for as one that runs before
  /// (``beforeSync(_:)``).
  public func afterSync(_ hook: @escaping @Sendable ([SyncReason], (any Error)?) async -> Void) {
    state.change { $0.after.append(hook) }
  }

  func runBefore(_ occasion: SyncOccasion) async throws {
    for hook in state.state.before {
      try await SyncMark.mark(self) { try await hook(occasion.reasons) }
    }
  }

  func runAfter(_ occasion: SyncOccasion, _ error: (any Error)?) async {
    for hook in state.state.after {
      await SyncMark.mark(self) { await hook(occasion.reasons, error) }
    }
  }
}

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
