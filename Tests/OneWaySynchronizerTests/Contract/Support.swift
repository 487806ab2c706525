@testable import SyncEngine
@testable import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import XCTest

struct Refused: Error, Equatable {
  var reason = "refused"
}

typealias TestProcessor = ScriptedProcessor<TestItem>
typealias TestError = SyncError<String>

/// A synchronizer, and the processor that it calls.
func makeSynchronizer(
  _ source: [TestItem], local: [TestItem] = [], options: SyncOptions = SyncOptions(),
  runUntilQuiet: Bool = false, clock: some Clock<Duration> = ContinuousClock()
) -> (TestProcessor, Synchronizer<TestProcessor>) {
  let processor = TestProcessor(source, local: local)
  return (
    processor,
    Synchronizer(processor: processor, options: options, runUntilQuiet: runUntilQuiet, clock: clock)
  )
}

extension Synchronizer {
  /// The error that a run ends with; fails the test when it succeeds or throws another.
  func syncError(file: StaticString = #filePath, line: UInt = #line) async throws -> SyncError<ID> {
    do {
      let report = try await sync()
      XCTFail("the run succeeded: \(report)", file: file, line: line)
      throw Refused()
    } catch let error as SyncError<ID> {
      return error
    }
  }

  /// How many callers wait, for this run or the next.
  var waitingCallers: Int {
    state.withLock { $0.run.waiting.count }
  }

  /// One more call, with which so many wait.
  func caller<Result: Sendable>(
    _ number: Int, makes call: @escaping @autoclosure @Sendable () async throws -> Result
  ) async throws -> Task<Result, any Error> {
    let call = Task { try await call() }
    await eventually("\(number) callers wait") { waitingCallers == number }
    return call
  }
}

extension Synchronizer {
  /// How many items are to start before all others.
  var urgentItems: Int {
    let board = state.withLock { $0.board }
    return board?.withLock { $0.window.urgent.count } ?? 0
  }

  /// How many wait for the pass after the one under way.
  var owedCallers: Int { state.withLock { $0.run.owed.callers.count } }
}

extension ScriptedProcessor {
  /// A call that has come as far as `place`, where it is held.
  func held<Result: Sendable>(
    _ place: Place, ignoringCancellation: Bool = false,
    during call: @escaping @autoclosure @Sendable () async throws -> Result
  ) async throws -> (Hold<Item>, Task<Result, any Error>) {
    let hold = hold(place, ignoringCancellation: ignoringCancellation)
    let call = Task { try await call() }
    try await hold.reached()
    return (hold, call)
  }
}

/// Runs `body` while three callers ask for a pass again as soon as they are answered.
func whileOthersKeepAsking<Result>(
  _ synchronizer: Synchronizer<TestProcessor>, _ body: () async throws -> Result
) async throws -> Result {
  let others = Task {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { while !Task.isCancelled { try await synchronizer.sync() } }
      }
      try await group.waitForAll()
    }
  }
  defer { others.cancel() }
  let result = try await body()
  others.cancel()
  _ = await others.result
  return result
}

/// Gives way to other tasks until the condition holds, for as long as a test may take. For states of
/// which nothing tells.
func eventually(
  _ claim: String, file: StaticString = #filePath, line: UInt = #line,
  _ condition: () -> Bool
) async {
  let end = ContinuousClock.now + .seconds(55)
  while ContinuousClock.now < end {
    if condition() { return }
    await Task.yield()
  }
  XCTFail("never came true: \(claim)", file: file, line: line)
}

func options(_ change: (inout SyncOptions) -> Void) -> SyncOptions {
  var options = SyncOptions()
  change(&options)
  return options
}

extension ProcessorCall {
  /// The call without what it was given.
  var name: String { String("\(self)".prefix { $0 != " " }) }
}
