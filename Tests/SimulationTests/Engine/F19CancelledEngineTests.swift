import OneWaySynchronizer
import SyncLock
import XCTest

/// F19: cancelled at every suspension point of a reference run, one after the other: the run ends
/// cancelled, nothing runs on, and the next run makes everything right.
final class F19CancelledEngineTests: XCTestCase {
  /// Who cancels.
  private enum Way: CaseIterable {
    case cancel
    case callersTask
  }

  func testF19_aRunEndsCancelledWhereverItIsCancelled() {
    for seed in UInt64(1)...12 {
      for way in Way.allCases {
        let steps = run(seed, way, cancelledAfter: nil)
        XCTAssertGreaterThan(steps, 20, "seed \(seed)")
        for step in 1..<steps { run(seed, way, cancelledAfter: step) }
      }
    }
  }

  /// How many steps the run took.
  @discardableResult
  private func run(_ seed: UInt64, _ way: Way, cancelledAfter last: Int?) -> Int {
    let world = World(seed: seed)
    let processor = SimulatedProcessor(world, faults: 0)
    let synchronizer = Synchronizer(
      processor: processor, options: options(seed), requestWindow: RequestWindow(),
      clock: world.clock, executor: world.executor)
    processor.book.optionsChanged(to: synchronizer.options)
    let steps = Locked(0)
    world.executor.run {
      let caller = Task(executorPreference: world.executor) {
        let ask = processor.book.asks()
        return (ask, await Result { try await synchronizer.sync() })
      }
      world.executor.watch { moment in
        guard case .step(let step) = moment, step == last else { return }
        switch way {
        case .cancel:
          synchronizer.cancel()
          processor.book.cancelReturned()
        case .callersTask:
          processor.book.callerIsCancelled()
          caller.cancel()
        }
      }
      let (ask, result) = await caller.value
      steps.withLock { $0 = world.executor.steps }
      world.executor.watch(nil)
      Self.judge(result, ask, processor, way, wasCancelled: last != nil)
      await Self.converge(synchronizer, processor)
    }
    XCTAssertEqual(
      world.executor.problems, [], "seed \(seed), \(way) after step \(last.map(String.init) ?? "-")"
    )
    return steps.withLock { $0 }
  }

  private func options(_ seed: UInt64) -> SyncOptions {
    var options = SyncOptions()
    options.concurrency = Int(seed % 3) + 1
    options.downloadPreview = seed % 2 == 0
    options.removal = seed % 4 < 2 ? .beforeDownloads : .afterDownloads
    options.stopOnError = seed % 5 < 3
    return options
  }

  private static func judge(
    _ result: Result<SyncReport<Int>, any Error>, _ ask: Int, _ processor: SimulatedProcessor,
    _ way: Way, wasCancelled: Bool
  ) {
    let world = processor.world
    switch result {
    case .success(let report):
      processor.book.answered(since: ask, report.passes)
    case .failure(let error as SyncError<Int>):
      world.expect(error.code == .cancelled && wasCancelled, "it ended with \(error)")
      world.expect(way == .cancel, "the caller was told of its own leaving as \(error)")
    case .failure(let error):
      world.expect(error is CancellationError && way == .callersTask, "it ended with \(error)")
    }
  }

  private static func converge(
    _ synchronizer: Synchronizer<SimulatedProcessor>, _ processor: SimulatedProcessor
  ) async {
    let (world, book) = (processor.world, processor.book)
    while synchronizer.isSyncing { await Task.yield() }
    let ask = book.asks()
    do {
      book.answered(since: ask, try await synchronizer.sync().passes)
    } catch {
      world.fail("the next run gave \(error)")
    }
    let (remote, local) = processor.store.withLock { ($0.remote, $0.local) }
    world.expect(remote == local || synchronizer.options.downloadContent == false, "not equal")
    book.close()
  }
}

extension Result where Failure == any Error {
  /// What came of a body that waits.
  fileprivate init(_ body: () async throws -> sending Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
