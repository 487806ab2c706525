import CatalogMirror
import SyncLock
@testable import SyncFiles

/// A disk queue of a simulated world: one piece of work after the other, each when the seed says.
final class SimulatedDiskQueue: DiskQueue {
  private struct State: Sendable {
    var waiting: [@Sendable () -> Void] = []
    /// Whether the first of them lies in the world's bag.
    var isBusy = false
  }

  private let world: World
  private let state = Locked(State())

  /// The one thread of the simulation does it all.
  var isConcurrent: Bool { false }

  init(_ world: World) {
    self.world = world
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(work) }
    goOn()
  }

  func enqueue(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    let executor = world.executor
    executor.schedule(at: executor.now + delay) { self.enqueue(work) }
  }

  private func goOn() {
    let starts = state.withLock { state in
      guard !state.isBusy, !state.waiting.isEmpty else { return false }
      state.isBusy = true
      return true
    }
    if starts { world.executor.add(.work { self.runFirst() }) }
  }

  private func runFirst() {
    let work = state.withLock { $0.waiting.removeFirst() }
    work()
    state.withLock { $0.isBusy = false }
    goOn()
  }
}
