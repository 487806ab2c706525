import Dispatch
@testable import RecordSync
import SyncLock
import TestSupport
import XCTest

/// How far a sync is, and a sync that is cancelled somewhere in between.
final class CancellationTests: XCTestCase {
  private static let count = 3_600

  private func database() throws -> TestDatabase {
    try TestDatabase(
      "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
      INSERT INTO users SELECT i, 'old' FROM n
      """)
  }

  /// The first third is changed, the second is deleted, and a third one is new.
  private let changedFirst = payload(changed: 1, same: 2 * count / 3 + 1)

  /// As long as rows are as they were, they are compared in a faster way; here the changed ones come
  /// last.
  private let changedLast = payload(changed: 2 * count / 3 + 1, same: 1)

  private static func payload(changed: Int, same: Int) -> String {
    func third(from first: Int, _ name: String) -> [String] {
      (first..<first + count / 3).map { #"{"id": \#($0), "name": "\#(name)"}"# }
    }
    let added = third(from: count + 1, "new")
    let (new, old) = (third(from: changed, "new"), third(from: same, "old"))
    let all = changed < same ? new + added + old : old + added + new
    return "[\(all.joined(separator: ","))]"
  }

  func testProgressIsToldByStageAndAtTheLatestAfterAThousandRows() async throws {
    for payload in [changedFirst, changedLast] {
      let told = Locked<[RecordProgress]>([])
      try await database().sync(payload, "users") { options in
        options.onProgress = { progress in told.withLock { $0.append(progress) } }
      }
      let all = told.withLock { $0 }
      XCTAssertEqual(all.first?.stage, .rows)
      XCTAssertEqual(all.last?.stage, .ending)
      XCTAssertEqual(all.last?.rows, Self.count + Self.count / 3)
      for (before, after) in zip(all, all.dropFirst()) {
        XCTAssertLessThanOrEqual(after.rows - before.rows, 1_000)
        XCTAssertGreaterThanOrEqual(after.rows, before.rows)
      }
    }
  }

  func testACancelledSyncLeavesTheOldState() async throws {
    var random = SeededGenerator(seed: 48)
    for payload in [changedFirst, changedLast, changedFirst, changedLast] {
      let database = try database()
      let row = Int.random(in: 0..<Self.count + Self.count / 3, using: &random)
      let cancelledAt = Locked<Int?>(nil)
      let last = Locked(0)
      let task = Locked<Task<RecordReport, any Error>?>(nil)
      let gate = DispatchGate()
      let path = database.path
      let sync = Task {
        var options = RecordOptions()
        options.onProgress = { progress in
          gate.wait()
          last.withLock { $0 = progress.rows }
          guard progress.rows >= row, cancelledAt.withLock({ $0 }) == nil else { return }
          cancelledAt.withLock { $0 = progress.rows }
          task.withLock { $0?.cancel() }
        }
        let store = try await RecordStore(path: path)
        return try await store.sync(.text(payload), into: "users", options: options)
      }
      task.withLock { $0 = sync }
      gate.open()
      let result = await sync.result
      XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
      let noticed = last.withLock { $0 } - (cancelledAt.withLock { $0 } ?? 0)
      XCTAssertLessThanOrEqual(noticed, 1_000, "cancelled at row \(row)")
      XCTAssertEqual(
        try database.rows("SELECT count(*), min(name), max(name), max(id) FROM users"),
        ["\(Self.count)|old|old|\(Self.count)"])
    }
  }

  /// Rows of which different things are said far apart wait for each other, in one long window.
  func testElementsThatAreSetAsideAreCancelledWithinAThousand() async throws {
    func rows(_ name: String) -> String {
      (1...1_500).map { #"{"id": \#($0), "name": "\#(name)"}"# }.joined(separator: ",")
    }
    let far = #"{"id": 9999, "name": "\#(String(repeating: "x", count: 2 << 20))"}"#
    let payload = "[\(rows("a")),\(far),\(rows("b"))]"
    let (all, _) = try await calls(payload, cancelledAt: nil)
    XCTAssertGreaterThan(all, 8_000, "read, set aside, and written")
    for moment in [10, all - 5_500, all - 2_500] {
      let (count, result) = try await calls(payload, cancelledAt: moment)
      XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
      XCTAssertLessThanOrEqual(count - moment, 1_000, "cancelled at \(moment) of \(all)")
    }
  }

  /// How often a value was brought to its column.
  private func calls(
    _ payload: String, cancelledAt moment: Int?
  ) async throws -> (Int, Result<RecordReport, any Error>) {
    let count = Locked(0)
    let task = Locked<Task<RecordReport, any Error>?>(nil)
    let gate = DispatchGate()
    var overrides = SchemaOverrides()
    overrides.table("users") { users in
      users.column("name") { column in
        column.transform = Transformer(
          "counted",
          text: { text in
            gate.wait()
            let isNow = count.withLock { count in
              count += 1
              return count == moment
            }
            if isNow { task.withLock { $0 }?.cancel() }
            return text
          })
      }
    }
    let database = try TestDatabase("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)")
    let store = try await RecordStore(path: database.path, overrides: overrides)
    let sync = Task { try await store.sync(.text(payload), into: "users") }
    task.withLock { $0 = sync }
    gate.open()
    let result = await sync.result
    return (count.withLock { $0 }, result)
  }
}

/// Holds a thread up until it is opened.
private final class DispatchGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}
