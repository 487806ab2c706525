import Foundation
import SyncDatabase
import TestSupport
import XCTest

/// A row of the matrix in which a real `records sync` has the fault: afterwards the database is in its
/// old state or in its new one, whole.
class RecordsFaultTestCase: FaultTestCase {
  typealias World = RecordsWorld
  typealias Fault = FaultyDisk.Fault

  private var faultyDisk: FaultyDisk?
  /// The rows of each state, and the database in the old one.
  private var rows: [World.State: [String]] = [:]
  private var old: [World.Journal: Data] = [:]

  var world: World { .small }
  /// Where the database is, alone.
  var folder: URL { base.appending(path: "data") }
  var database: URL { folder.appending(path: "app.sqlite") }
  /// Compiled where it is needed.
  var disk: FaultyDisk {
    get throws {
      let disk = try faultyDisk ?? FaultyDisk(in: base.appending(path: "records"))
      faultyDisk = disk
      return disk
    }
  }

  override func setUpWithError() throws {
    let memory = try MemoryPlace()
    atEnd { try memory.end() }
    try super.setUpWithError()
    try makeFolder(at: folder)
    for state in World.State.allCases {
      try Data(world.payload(state).utf8).write(to: payload(state))
    }
  }

  func payload(_ state: World.State) -> URL { base.appending(path: "\(state).json") }

  /// Brings the database into its old state, whatever was there.
  func startAnew(_ journal: World.Journal) throws {
    try empty()
    if let bytes = old[journal] { return try bytes.write(to: database) }
    try world.makeTables(at: database, journal)
    assertEnd(try sync(to: .old), 0)
    let bytes = try Data(contentsOf: database)
    old[journal] = bytes
    for state in [World.State.new, .old, .new] {
      assertEnd(try sync(to: state), 0)
      let found = try rowsNow()
      XCTAssertEqual(found, rows[state] ?? found, "the way to a state doesn't count")
      rows[state] = found
    }
    XCTAssertNotEqual(rows[.old], rows[.new])
    try startAnew(journal)
  }

  private func empty() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }

  func start(
    to state: World.State, _ more: [String] = [], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try start(
      ["sync", database.path, "users", payload(state).path] + more, program: Programs.records,
      environment: environment)
  }

  /// Runs `records sync` on a disk without a fault, or with one.
  func sync(to state: World.State, with fault: Fault? = nil) throws -> ProgramOutcome {
    let environment = fault == nil ? [:] : try disk.environment(fault, in: folder)
    return try start(to: state, environment: environment).outcome()
  }

  /// How long a run takes that nobody disturbs.
  func length(of state: World.State) throws -> Duration {
    let start = ContinuousClock.now
    assertEnd(try sync(to: state), 0)
    return start.duration(to: .now)
  }

  /// The calls that the way from the old state to the new one takes when nothing goes wrong.
  func referenceCalls(_ journal: World.Journal) throws -> [FaultyDisk.Call] {
    try startAnew(journal)
    let environment = try disk.environment(nil, in: folder)
    assertEnd(try start(to: .new, environment: environment).outcome(), 0)
    return try disk.calls(in: folder)
  }

  /// In which state the database is, which must be whole; what a program left behind is cleared up
  /// by whoever opens it next.
  func state(
    _ claim: @autoclosure () -> String, file: StaticString = #filePath, line: UInt = #line
  ) throws -> World.State? {
    let found = try rowsNow(claim(), file: file, line: line)
    let state = rows.first { $0.value == found }?.key
    XCTAssertNotNil(state, "neither old nor new; \(claim())", file: file, line: line)
    return state
  }

  private func rowsNow(
    _ claim: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
  ) throws -> [String] {
    let connection = try connect()
    XCTAssertEqual(try World.faults(of: connection), [], claim(), file: file, line: line)
    return try World.rows(of: connection)
  }

  /// A connection of somebody else's.
  func connect() throws -> Connection {
    var options = ConnectionOptions()
    (options.access, options.journal) = (.readWrite, .asItIs)
    return try Connection(path: database.path, options: options)
  }

  /// A sync without a fault brings the new state, and one more doesn't touch it.
  func assertConverges(
    _ claim: @autoclosure () -> String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    assertEnd(try sync(to: .new), 0, file: file, line: line)
    XCTAssertEqual(try state(claim()), .new, claim(), file: file, line: line)
    let before = try Data(contentsOf: database)
    assertEnd(try sync(to: .new), 0, file: file, line: line)
    XCTAssertEqual(try Data(contentsOf: database), before, claim(), file: file, line: line)
  }

  /// One sentence, status 1, and nothing written.
  func assertFailed(
    _ outcome: ProgramOutcome, _ claim: String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let claim = "\(claim)\n\(outcome)"
    XCTAssertEqual(outcome.end, .exited(1), claim, file: file, line: line)
    XCTAssertEqual(outcome.said.split(separator: "\n").count, 1, claim, file: file, line: line)
    XCTAssertEqual(outcome.printed, "", claim, file: file, line: line)
    XCTAssertEqual(try state(claim, file: file, line: line), .old, claim, file: file, line: line)
  }
}
