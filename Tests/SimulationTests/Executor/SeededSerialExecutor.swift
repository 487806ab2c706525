import SyncDatabase

/// Where an actor of a simulated world runs: its jobs lie in the world's one bag.
///
/// One of its own for each actor: if actors and tasks shared theirs, no job would be needed to get
/// from one to the other, and so many schedules would never be seen.
final class SeededSerialExecutor: BlockingExecutor {
  private let world: SeededExecutor

  init(_ world: SeededExecutor) {
    self.world = world
  }

  /// Called by Swift's runtime.
  func enqueue(_ job: consuming ExecutorJob) {
    world.add(.actor(UnownedJob(job), self))
  }

  /// There is but one thread, which is already here.
  func runAndWait(_ work: () -> Void) { work() }

  /// Called by Swift's runtime: one thread, so nothing else is in the actor.
  func checkIsolated() {}
}
