import SyncLock
import TestSupport

/// A simulated world: one seed, its executor and clock, and the dice of its faults.
///
/// The dice are others than the executor's, so that a fault more doesn't change every draw.
final class World: Sendable {
  let seed: UInt64
  let executor: SeededExecutor
  var clock: VirtualClock { VirtualClock(world: executor) }
  private let dice: Locked<SeededGenerator>

  /// A world for the calling thread.
  init(seed: UInt64, keepsNotes: Bool = false) {
    self.seed = seed
    executor = SeededExecutor(seed: seed &* 2 &+ 1, keepsNotes: keepsNotes)
    dice = Locked(SeededGenerator(seed: ~seed))
  }

  /// Something that the seed decides.
  func draw<Value>(_ body: (inout SeededGenerator) -> Value) -> Value {
    dice.withLock { body(&$0) }
  }

  /// A number of that range.
  func number(_ range: ClosedRange<Int>) -> Int { draw { Int.random(in: range, using: &$0) } }

  /// True once in `count` times, on average; never if `count` is 0.
  func oneIn(_ count: Int) -> Bool { count > 0 && draw { $0.oneIn(count) } }

  /// Whether nothing has gone wrong so far: what comes after that tells nothing more.
  var isWell: Bool { executor.problems.isEmpty }

  /// Something happened; the detail is for who reads, and may differ from replay to replay.
  func note(_ text: String, detail: @autoclosure () -> String = "") { executor.note(text, detail) }

  func fail(_ problem: String) { executor.fail(problem) }

  /// Notes a problem, unless `isRight`.
  func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
    if !isRight { executor.fail(problem()) }
  }

  /// Lets others go first, a few times or for a while.
  /// - Throws: `CancellationError`, from a sleep.
  func pause() async throws {
    switch number(0...7) {
    case 0: try await clock.sleep(for: .milliseconds(number(1...3_000)))
    case 1...3: for _ in 0..<number(1...3) { await Task.yield() }
    default: break
    }
  }
}
