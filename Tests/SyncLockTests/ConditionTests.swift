import SyncLock
import SyncSystem
import XCTest

final class ConditionTests: XCTestCase {
  /// A number that two threads change in turn, each waiting for the other.
  private final class Game: @unchecked Sendable {  // the score is touched under the lock alone
    let condition = Condition()
    var score = 0

    func play(_ remainder: Int, until end: Int) {
      condition.lock()
      defer { condition.unlock() }
      while true {
        while score < end, score % 2 != remainder { condition.wait() }
        guard score < end else { return }
        score += 1
        condition.broadcast()
      }
    }
  }

  func testThreadsThatWaitForEachOtherAreWoken() {
    let game = Game()
    SystemThread.start { game.play(1, until: 1_000) }
    game.play(0, until: 1_000)
    game.condition.lock()
    defer { game.condition.unlock() }
    XCTAssertEqual(game.score, 1_000)
  }
}
