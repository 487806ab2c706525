import Foundation
import SyncLock
import XCTest

/// The simulation's own foundations: one seed is one run, and nothing escapes unseen.
final class SeededExecutorTests: XCTestCase {
  /// Eight tasks that take turns; the order in which they came to an end.
  private func race(seed: UInt64) -> (order: [Int], digest: UInt64) {
    let world = World(seed: seed)
    let order = Locked<[Int]>([])
    world.executor.run {
      await withTaskGroup(of: Void.self) { group in
        for number in 1...8 {
          group.addTask {
            for _ in 0..<5 { try? await world.pause() }
            order.withLock { $0.append(number) }
          }
        }
      }
    }
    XCTAssertEqual(world.executor.problems, [], "seed \(seed)")
    return (order.withLock { $0 }, world.executor.digest)
  }

  func testOneSeedIsOneRun() {
    for seed in UInt64(1)...50 {
      let (one, other) = (race(seed: seed), race(seed: seed))
      XCTAssertEqual(one.digest, other.digest, "seed \(seed)")
      XCTAssertEqual(one.order, other.order, "seed \(seed)")
    }
    XCTAssertGreaterThan(Set((1...50).map { race(seed: $0).order }).count, 45)
  }

  func testTimeJumpsWhenThereIsNothingElseToDo() {
    let world = World(seed: 1)
    world.executor.run { try? await world.clock.sleep(for: .seconds(86_400)) }
    XCTAssertEqual(world.executor.now, .seconds(86_400))
    XCTAssertEqual(world.executor.problems, [])
  }

  func testASleeperThatIsCancelledWakesAtOnce() {
    let world = World(seed: 1)
    world.executor.run {
      let task = Task(executorPreference: world.executor) {
        try await world.clock.sleep(for: .seconds(100))
      }
      await Task.yield()
      task.cancel()
      let result = await task.result
      world.expect((try? result.get()) == nil, "it slept on")
    }
    XCTAssertEqual(world.executor.now, .zero)
    XCTAssertEqual(world.executor.problems, [])
  }

  func testATaskThatEscapesIsNoticed() {
    let world = World(seed: 1)
    let isDone = expectation(description: "it ran")
    world.executor.run {
      Task.detached { isDone.fulfill() }
      await Task.yield()
    }
    wait(for: [isDone], timeout: 60)
    XCTAssert(
      world.executor.problems.contains { $0.contains("a task escaped") },
      "\(world.executor.problems)")
  }

  func testATaskThatComesBackFromElsewhereIsNoticed() {
    let world = World(seed: 1)
    let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
    world.executor.run {
      async let end: Void = withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
      }
      while waiting.withLock({ $0 == nil }) { await Task.yield() }
      let thread = Thread { waiting.withLock { $0 }?.resume() }
      thread.start()
      while !thread.isFinished { sched_yield() }
      await end
    }
    XCTAssert(
      world.executor.problems.contains { $0.contains("off the simulation's thread") },
      "\(world.executor.problems)")
  }

  func testAWaitForTheRealTimeIsNoticed() {
    let world = World(seed: 1)
    let task = Locked<Task<Void, Never>?>(nil)
    world.executor.run {
      let waiting = Task(executorPreference: world.executor) {
        _ = try? await Task.sleep(for: .seconds(600))
      }
      task.withLock { $0 = waiting }
      await waiting.value
    }
    XCTAssert(
      world.executor.problems.contains { $0.contains("nothing is left to do") },
      "\(world.executor.problems)")
    task.withLock { $0?.cancel() }
  }
}
