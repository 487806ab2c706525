import SyncDatabase
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles

/// SQLite over the model: what a write has returned from is there after every loss of power, and
/// the file is never damaged.
final class ModelIndexTests: XCTestCase {
  private static let path = "/mirror/index.sqlite"
  private static let migrations = [
    Migration("notes") { connection in
      try connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    }
  ]

  private func disk() throws -> ModelDisk {
    let disk = ModelDisk()
    try disk.put(.directory, at: "/mirror")
    disk.settle()
    return disk
  }

  private func connect(_ vfs: ModelVFS, _ options: ConnectionOptions) throws -> Connection {
    var options = options
    options.vfs = vfs.name
    return try Connection(path: Self.path, options: options, migrations: Self.migrations)
  }

  private func ids(_ connection: Connection) throws -> Set<Int64> {
    Set(try connection.rows("SELECT id FROM notes") { try $0.integer(0) })
  }

  private var exclusive: ConnectionOptions {
    var options = ConnectionOptions()
    options.locksExclusively = true
    options.isUnshared = true
    return options
  }

  func testACommittedTransactionSurvivesEveryLossOfPower() throws {
    for seed in 0..<UInt64(300) {
      do {
        try crashAtRandom(seed)
      } catch {
        XCTFail("seed \(seed): \(error)")
      }
    }
  }

  func testConnectionsOfOneDiskKeepEachOtherOutAndAKilledOneKeepsNobodyOut() throws {
    let disk = try disk()
    let vfs = ModelVFS(disk.fileSystem)
    var patient = exclusive
    patient.busyTimeout = .milliseconds(20)
    let first = try connect(vfs, patient)
    _ = try first.transaction { try first.run("INSERT INTO notes VALUES (1, 'one')") }
    XCTAssertThrowsError(try connect(vfs, patient)) {
      XCTAssertEqual(($0 as? DatabaseError)?.code, .busy)
    }
    disk.kill()
    let next = ModelVFS(disk.fileSystem)
    XCTAssertEqual(try ids(try connect(next, patient)), [1])
    withExtendedLifetime(first) {}
  }

  func testALogThatWasLeftIsReadWithoutAChange() throws {
    let disk = try disk()
    let vfs = ModelVFS(disk.fileSystem)
    let first = try connect(vfs, exclusive)
    _ = try first.transaction { try first.run("INSERT INTO notes VALUES (1, 'one')") }
    disk.kill()
    let left = disk.tree(below: "/mirror")
    XCTAssertEqual(left.keys.sorted(), ["index.sqlite", "index.sqlite-wal"])
    var looking = exclusive
    looking.access = .readOnly
    let next = ModelVFS(disk.fileSystem)
    XCTAssertEqual(try ids(try connect(next, looking)), [1])
    XCTAssertEqual(disk.tree(below: "/mirror"), left)
    withExtendedLifetime(first) {}
  }

  func testAFullDiskIsToldAsOne() throws {
    let disk = try disk()
    let vfs = ModelVFS(disk.fileSystem)
    let connection = try connect(vfs, exclusive)
    disk.capacity = disk.used + Int64(2 * FileBytes.block)
    let text = String(repeating: "x", count: 50_000)
    XCTAssertThrowsError(
      try connection.transaction { try connection.run("INSERT INTO notes VALUES (1, ?1)", text) }
    ) { XCTAssertEqual(($0 as? DatabaseError)?.code, .full) }
    disk.capacity *= 100
    _ = try connection.transaction { try connection.run("INSERT INTO notes VALUES (1, ?1)", text) }
    try connection.checkIntegrity()
  }

  private func crashAtRandom(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let disk = try disk()
    var committed: Set<Int64> = []
    var open: Set<Int64> = []
    var next: Int64 = 0
    for _ in 0..<3 {
      let vfs = ModelVFS(disk.fileSystem, seed: seed)
      let last = disk.count + Int.random(in: 0..<120, using: &random)
      disk.onCall { $0.number > last ? .error(.inputOutput) : nil }
      do {
        let connection = try connect(vfs, exclusive)
        let found = try ids(connection)
        XCTAssert(found.isSuperset(of: committed), "seed \(seed): lost \(committed)")
        XCTAssert(found.isSubset(of: committed.union(open)), "seed \(seed): \(found)")
        committed = found
        for _ in 0..<Int.random(in: 1..<40, using: &random) {
          let ids = (0..<Int64.random(in: 1...4, using: &random)).map { next + $0 }
          next += 4
          open = Set(ids)
          try connection.transaction {
            for id in ids {
              try connection.run(
                "INSERT INTO notes VALUES (?1, ?2)", id, String(repeating: "x", count: 2_000))
            }
          }
          // SQLite says nothing of a directory whose flush fails.
          guard disk.count <= last else { break }
          committed.formUnion(ids)
          if random.oneIn(8) { _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }
        }
      } catch let error as DatabaseError {
        XCTAssert(
          [.inputOutput, .cannotOpen].contains(error.code), "seed \(seed): \(error)")
      }
      disk.onCall(nil)
      disk.crash(using: &random)
      if random.oneIn(2) {
        try connect(ModelVFS(disk.fileSystem), exclusive).checkIntegrity()
      }
    }
    let connection = try connect(ModelVFS(disk.fileSystem), exclusive)
    try connection.checkIntegrity()
    XCTAssert(try ids(connection).isSuperset(of: committed), "seed \(seed): lost in the end")
  }
}
