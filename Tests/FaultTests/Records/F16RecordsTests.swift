import Foundation
import SyncDatabase
import TestSupport
import XCTest

/// F16: several syncs of records at once on one database, and a reader beside them.
final class F16RecordsTests: RecordsFaultTestCase {
  func testF16_aSyncWaitsForAnotherAndNeitherLosesAnything() throws {
    for journal in World.Journal.allCases {
      try startAnew(journal)
      let first = try startAndHold()
      let second = try start(["companies", addition(900)])
      try waitUntilItHasOpened(second)
      XCTAssertFalse(second.hasEnded, "it should have waited, with \(journal)")
      first.send(SIGCONT)
      XCTAssertEqual(try first.end(within: .seconds(20)), .exited(0), first.said)
      XCTAssertEqual(try second.end(within: .seconds(20)), .exited(0), second.said)
      XCTAssertEqual(try companies(from: 800), [800, 900], "with \(journal)")
    }
    try Extent.record(
      "F16", "a sync of records beside another that holds the database", count: 2,
      "it waited, and both were written")
  }

  func testF16_manySyncsAtOnceAreWrittenOrTurnedAway() throws {
    let count = Extent.count(quick: 5, full: 24)
    for journal in World.Journal.allCases {
      try startAnew(journal)
      let runs = try (1...count).map { try start(["companies", addition(1_000 + $0)]) }
      var written: [Int64] = []
      for (number, run) in runs.enumerated() {
        let end = try run.end(within: .seconds(60))
        if end == .exited(0) { written.append(1_001 + Int64(number)) }
        XCTAssertTrue([.exited(0), .exited(75)].contains(end), "\(end) \(run.said)")
      }
      XCTAssertGreaterThan(written.count, 0)
      XCTAssertEqual(try companies(from: 1_000), written, "with \(journal)")
    }
    try Extent.record(
      "F16", "many syncs of records at once", count: 2 * count,
      "each written as a whole, or turned away with status 75")
  }

  /// Takes five seconds, since it is these that a lock is waited for.
  func testF16_aSyncThatWaitsInVainIsTurnedAway() throws {
    guard Extent.asked == .full else { return }
    for journal in World.Journal.allCases {
      try startAnew(journal)
      let first = try startAndHold()
      let second = try start(["companies", addition(900)])
      XCTAssertEqual(try second.end(within: .seconds(15)), .exited(75), second.said)
      XCTAssertTrue(second.said.contains("program holds the database"), second.said)
      first.send(SIGCONT)
      XCTAssertEqual(try first.end(within: .seconds(20)), .exited(0), first.said)
      XCTAssertEqual(try companies(from: 800), [800], "with \(journal)")
    }
    try Extent.record(
      "F16", "a sync of records that waits for another in vain", count: 2,
      "turned away with status 75; the other one is written")
  }

  func testF16_aReaderSeesOneStateOrTheOther() throws {
    let rounds = Extent.count(quick: 3, full: 60)
    var reads = 0
    for journal in World.Journal.allCases {
      try startAnew(journal)
      let reader = try connect()
      let known = try Set(states(reader))
      XCTAssertEqual(known.count, 2)
      for round in 0..<rounds {
        let run = try start(to: round.isMultiple(of: 2) ? .old : .new)
        repeat {
          let seen = try World.rows(of: reader)
          XCTAssertTrue(known.contains(seen), "a state in between, with \(journal)")
          reads += 1
        } while !run.hasEnded
        XCTAssertEqual(try run.end(within: .seconds(20)), .exited(0), run.said)
      }
    }
    try Extent.record(
      "F16", "a reader beside syncs of records (\(reads) looks)", count: 2 * rounds,
      "it saw the old state or the new one, and held up none of them")
  }

  /// What the reader sees in each state.
  private func states(_ reader: Connection) throws -> [[String]] {
    try World.State.allCases.map { state in
      assertEnd(try sync(to: state), 0)
      return try World.rows(of: reader)
    }
  }

  // MARK: - Programs beside each other

  private func start(_ arguments: [String]) throws -> ChildProcess {
    try start(
      ["sync", database.path] + arguments + ["--keep"], program: Programs.records)
  }

  /// A payload of one company.
  private func addition(_ id: Int) throws -> String {
    let file = base.appending(path: "company-\(id).json")
    try Data(#"[{"id": \#(id), "name": "one more"}]"#.utf8).write(to: file)
    return file.path
  }

  /// Starts a sync of company 800 and of others, and has it stand still while it holds the
  /// database.
  private func startAndHold() throws -> ChildProcess {
    var options = ConnectionOptions()
    (options.access, options.journal, options.busyTimeout) = (.readWrite, .asItIs, .zero)
    let other = try Connection(path: database.path, options: options)
    // Few, as who waits does so for five seconds; more only where few are written unseen.
    for count in [3_000, 30_000, 300_000] {
      let run = try start(["companies", payload(of: count)])
      while !run.hasEnded {
        if try isHeld(other) {
          run.send(SIGSTOP)
          try waitUntil("it stands still") { run.hasEnded || run.standsStill }
          if try !run.hasEnded && isHeld(other) { return run }
          run.send(SIGCONT)
        }
        RunMoment.pause(.milliseconds(1))
      }
      XCTAssertEqual(try run.end(), .exited(0), run.said)
    }
    throw NeverHeld()
  }

  /// Syncs ended before one was seen to hold the database.
  private struct NeverHeld: Error {}

  private func isHeld(_ other: Connection) throws -> Bool {
    do {
      try other.transaction {}
      return false
    } catch let error as DatabaseError where error.code == .busy {
      return true
    }
  }

  /// A payload of company 800 and of so many others.
  private func payload(of count: Int) throws -> String {
    let file = base.appending(path: "\(count).json")
    let rows = ([800] + (0..<count).map { 100_000 + $0 }).map { #"{"id":\#($0),"name":"one"}"# }
    try Data("[\(rows.joined(separator: ","))]".utf8).write(to: file)
    return file.path
  }

  /// Waits until a program has opened the database; then it is about to wait, or waits.
  private func waitUntilItHasOpened(_ run: ChildProcess) throws {
    try waitUntil("it has opened the database") { run.hasEnded || run.hasOpen(database) }
  }

  private func companies(from id: Int64) throws -> [Int64] {
    try connect().rows("SELECT id FROM companies WHERE id BETWEEN ?1 AND 99999 ORDER BY id", id) {
      try $0.integer(0)
    }
  }
}
