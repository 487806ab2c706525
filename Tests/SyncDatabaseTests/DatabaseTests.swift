import Dispatch
import SyncDatabase
import SyncLock
import TestSupport
import XCTest

final class DatabaseTests: XCTestCase {
  func testConcurrentTransactionsFollowOneAnother() async throws {
    let database = try await databaseWithCounter()
    try await withThrowingTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          try await database.transaction { connection in
            let value = try connection.row("SELECT x FROM c") { try $0.integer(0) }
            try connection.run("UPDATE c SET x = ?1", value.map { $0 + 1 })
          }
        }
      }
      try await group.waitForAll()
    }
    try await assertEqual(count(in: database), 100)
  }

  func testATransactionThatThrewLeavesNothing() async throws {
    struct Refused: Error {}
    let database = try await databaseWithCounter()
    do {
      try await database.transaction { connection in
        try connection.run("UPDATE c SET x = 5")
        throw Refused()
      }
      XCTFail("the body's error is passed on")
    } catch is Refused {}
    try await assertEqual(count(in: database), 0)
  }

  func testAClosedDatabaseRefusesWorkAndLetsOthersIn() async throws {
    let path = try temporaryDatabasePath()
    var options = ConnectionOptions()
    options.locksExclusively = true
    options.busyTimeout = .zero
    let database = try await Database.open(path: path, options: options)
    await database.close()
    await database.close()
    if let error = await thrown(
      DatabaseError.self, by: try await database.withConnection { try $0.execute("SELECT 1") })
    {
      XCTAssertEqual(error.code, .misuse)
    }
    XCTAssertNoThrow(try Connection(path: path, options: options))
  }

  func testAllWorkRunsOnTheGivenExecutor() async throws {
    let executor = MarkedExecutor()
    let database = try await Database.open(path: try temporaryDatabasePath(), executor: executor)
    try await assertTrue(database.withConnection { _ in executor.isCurrent })
    XCTAssertGreaterThanOrEqual(executor.jobs.withLock { $0 }, 2)
  }

  func testTheDefaultExecutorIsAQueueOfItsOwn() async throws {
    let executor = QueueExecutor(label: "test")
    let database = try await Database.open(path: try temporaryDatabasePath(), executor: executor)
    // Traps if it isn't so.
    try await database.withConnection { _ in executor.checkIsolated() }
  }

  private func databaseWithCounter() async throws -> Database {
    let database = try await Database.open(
      path: try temporaryDatabasePath(),
      migrations: [Migration("counter") { try $0.execute("CREATE TABLE c (x)") }])
    try await database.withConnection { _ = try $0.run("INSERT INTO c VALUES (0)") }
    return database
  }

  private func count(in database: Database) async throws -> Int64? {
    try await database.withConnection { try $0.number("SELECT x FROM c") }
  }
}

/// A serial executor that counts its jobs and knows whether it is running one.
private final class MarkedExecutor: BlockingExecutor {
  let jobs = Locked(0)
  private let queue = DispatchQueue(label: "marked")
  private let mark = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: mark, value: true) }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.withLock { $0 += 1 }
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func runAndWait(_ work: () -> Void) { queue.sync(execute: work) }
}
