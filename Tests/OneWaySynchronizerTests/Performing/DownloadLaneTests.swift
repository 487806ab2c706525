@testable import SyncEngine
@testable import OneWaySynchronizer
import TestSupport
import SyncLock
import XCTest

/// Workers take items past the lock of a download stage, and what comes under the lock finds
/// everything as if they hadn't.
final class DownloadLaneTests: XCTestCase {
  private let signal = StopSignal(isRaised: false, executor: nil)
  private let observers = ObserverCount()

  private func board(_ count: Int, workers: Int = 2, commitsEach: Bool = false) -> DownloadBoard {
    DownloadBoard(
      window: DownloadWindow(count: count, width: 8, stopsOnFailure: true),
      ledger: ItemLedger(count: count),
      workers: workers, commitsEach: commitsEach)
  }

  /// What comes after each item; where the lock is asked, what it says.
  private func next(on board: DownloadBoard) -> @Sendable (Int) -> Turn {
    let next = board.next(unless: signal, observers, nil) { [signal] place in
      board.withLock { state in
        state.succeed(place, isLast: true)
        return state.take(unless: signal, at: .zero).map { .attended($0) } ?? .over
      }
    }
    return { Turn(next($0)) }
  }

  private func take(_ board: DownloadBoard) -> Int? {
    board.withLock { [signal] in $0.take(unless: signal, at: .zero) }
  }

  func testItemsAreTakenPastTheLockInOrderAndTheWindowKnowsThemAll() {
    let board = board(4)
    let next = next(on: board)
    XCTAssertEqual([take(board), take(board)], [0, 1])
    XCTAssertEqual(next(0), .plain(2))
    XCTAssertEqual(next(2), .plain(3))
    board.withLock {
      XCTAssertEqual($0.window.inFlight, 2)
      XCTAssertEqual($0.totals, ItemTotals(finished: 2, failed: 0, total: 4))
    }
    XCTAssertEqual([next(1), next(3)], [.over, .over])
    board.withLock {
      XCTAssertEqual($0.window.end, .allTried(failures: false))
      XCTAssertEqual((0..<4).filter($0.ending(isLast: true).isDone), [0, 1, 2, 3])
    }
  }

  func testAnItemThatSomebodyWaitsForComesNextAllTheSame() {
    let board = board(5)
    XCTAssertEqual(take(board), 0)
    XCTAssertEqual(next(on: board)(0), .plain(1))
    XCTAssertEqual(board.promote(4), .comes)
    XCTAssertEqual(board.promote(1), .comes, "it has started")
    XCTAssertEqual(next(on: board)(1), .attended(4))
    XCTAssertEqual(next(on: board)(4), .attended(2))
  }

  func testNobodyTakesAnItemPastAStopACancellationOrAnObserver() {
    let stopped = board(5)
    XCTAssertEqual([take(stopped), take(stopped)], [0, 1])
    stopped.withLock {
      $0.window.settle(.failed)
      $0.fail(1, with: Refused())
    }
    XCTAssertEqual(next(on: stopped)(0), .over)

    let watched = board(5)
    XCTAssertEqual(take(watched), 0)
    observers.add(1)
    XCTAssertEqual(next(on: watched)(0), .attended(1))
    observers.add(-1)
    XCTAssertEqual(next(on: watched)(1), .plain(2), "who observed is gone")

    let cancelled = board(5)
    XCTAssertEqual(take(cancelled), 0)
    signal.raise()
    XCTAssertEqual(next(on: cancelled)(0), .over)
    XCTAssertEqual(cancelled.withLock { $0.window.end }, .cancelled)
  }

  func testWhereEachItemIsToldOfThereIsNoWayPastTheLock() {
    let board = board(3, commitsEach: true)
    XCTAssertEqual(take(board), 0)
    XCTAssertEqual(next(on: board)(0), .attended(1))
    XCTAssertEqual(board.promote(0), .isThere)
  }

  func testWhatFailedOrWasCutShortIsNotDone() {
    let board = board(6, workers: 3)
    XCTAssertEqual([take(board), take(board), take(board)], [0, 1, 2])
    XCTAssertEqual([next(on: board)(0), next(on: board)(1)], [.plain(3), .plain(4)])
    board.withLock {
      $0.window.settle(.failed)
      $0.fail(3, with: Refused())
      $0.cutShort(4)
    }
    XCTAssertEqual(next(on: board)(2), .over)
    board.withLock {
      XCTAssertEqual((0..<6).filter($0.ending(isLast: true).isDone), [0, 1, 2])
      XCTAssertEqual((0..<6).filter($0.ending(isLast: false).isDone), [2], "a preview's stage")
      XCTAssertEqual($0.totals, ItemTotals(finished: 3, failed: 1, total: 6))
      XCTAssertEqual($0.window.end, .stopped)
    }
  }

  /// Workers on several threads, while others come under the lock and move items to the front.
  func testManyThreadsTakeEachItemOnce() async {
    let (count, width) = (20_000, 4)
    let board = board(count, workers: width)
    let next = next(on: board)
    let taken = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<width {
        group.addTask { [signal] in
          var taken: [Int] = []
          var turn =
            board.withLock { $0.take(unless: signal, at: .zero) }.map { Turn.plain($0) } ?? .over
          while true {
            switch turn {
            case .plain(let place), .attended(let place):
              taken.append(place)
              turn = next(place)
            case .over: return taken
            }
          }
        }
      }
      for place in stride(from: 0, to: count, by: 20) {
        board.withLock { XCTAssertTrue((0...width).contains($0.window.inFlight)) }
        board.promote(place)
        if place % 400 == 0 { await Task.yield() }
      }
      return await group.reduce(into: [Int]()) { $0 += $1 }
    }
    XCTAssertEqual(taken.sorted(), Array(0..<count))
    board.withLock {
      XCTAssertEqual($0.totals, ItemTotals(finished: count, failed: 0, total: count))
    }
  }
}

/// What a worker does next, for comparisons.
private enum Turn: Equatable {
  case plain(Int)
  case attended(Int)
  case over

  init(_ turn: DownloadTurn) {
    switch turn {
    case .plain(let place): self = .plain(place)
    case .attended(let place), .failed(let place, _): self = .attended(place)
    case .over: self = .over
    }
  }
}
