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
  /// The place of the worker whose downloads the mark is for, within a budget: lent while one of
  /// them waits for another synchronizer.
  let place: DownloadPlace?

  init(
    of synchronizer: ObjectIdentifier, in place: DownloadPlace? = nil,
    callers: @escaping @Sendable () -> [StageMark]
  ) {
    self.synchronizer = synchronizer
    self.place = place
    marksOfCallers = callers
  }

  /// A mark like this one, for the downloads of one worker.
  func of(_ place: DownloadPlace) -> StageMark {
    StageMark(of: synchronizer, in: place, callers: marksOfCallers)
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
