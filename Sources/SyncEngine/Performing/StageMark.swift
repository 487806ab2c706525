import Synchronization

/// Marks the code that runs within a stage's call, so that it can be told that it would wait for
/// itself.
///
/// The mark goes with the task, into its children and into unstructured tasks that are begun there;
/// not into detached ones, which have the task-locals of nobody.
/// It means nothing any more once the call has returned. The downloads of a stage count as one
/// call: a mark of its own for each would cost as much as all else that the engine does for it.
final class StageMark: Sendable {
  @TaskLocal static var current: StageMark?

  /// The synchronizer that made the call.
  let synchronizer: ObjectIdentifier
  /// The marks under which others wait for this synchronizer.
  private let marksOfCallers: @Sendable () -> [StageMark]
  private let isOver = Atomic(false)

  init(of synchronizer: ObjectIdentifier, callers: @escaping @Sendable () -> [StageMark]) {
    self.synchronizer = synchronizer
    marksOfCallers = callers
  }

  /// Runs the call that the mark is for.
  func mark<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    defer { isOver.store(true, ordering: .releasing) }
    return try await Self.$current.withValue(self, operation: body)
  }

  /// Whether who waits for `synchronizer` under this mark would wait for itself: because this is a
  /// call of its, or because one of its calls waits, over any number of steps, for this one.
  func wouldWait(for synchronizer: ObjectIdentifier) -> Bool {
    var ahead = [self]
    var seen: Set<ObjectIdentifier> = []
    while let mark = ahead.popLast() {
      if mark.isOver.load(ordering: .acquiring) { continue }
      if mark.synchronizer == synchronizer { return true }
      if seen.insert(mark.synchronizer).inserted { ahead += mark.marksOfCallers() }
    }
    return false
  }
}
