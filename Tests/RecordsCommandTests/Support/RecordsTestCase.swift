import Foundation
import SyncDatabase
import TestSupport
import XCTest

/// A test that runs the real program over a database in a folder of its own.
class RecordsTestCase: XCTestCase {
  private(set) var folder = URL(filePath: "/")
  /// The path of the database.
  var database: String { folder.appending(path: "app.sqlite").path }

  /// Three tables: users, their notes, and friends of users.
  static let schema = [
    """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, age INTEGER)
    """,
    """
    CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT,
      user_id INTEGER REFERENCES users (id), editor_id INTEGER REFERENCES users (id))
    """,
    "CREATE TABLE tags (name TEXT, colour TEXT)",
    "INSERT INTO users VALUES (1, 'Ann', 'ann@example.org', 31), (2, 'Bob', 'bob@example.org', 32)",
    "INSERT INTO notes VALUES (10, 'ten', 1, NULL)",
  ]

  override func setUpWithError() throws {
    folder = try temporaryFolder()
    // Another user runs the program there, too.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let connection = try connect()
    try connection.transaction {
      for statement in Self.schema { try connection.run(SQL(written: statement, values: [])) }
    }
  }

  /// Opens the database beside the program.
  func connect() throws -> Connection {
    var options = ConnectionOptions()
    options.journal = .asItIs
    return try Connection(path: database, options: options)
  }

  /// Runs a statement.
  func run(_ statement: String) throws { try connect().run(SQL(written: statement, values: [])) }

  /// Writes a file beside the database and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// Starts the program in the folder.
  func start(_ arguments: [String], input: Int32? = nil) throws -> ChildProcess {
    try ChildProcess(
      Programs.records, arguments, environment: ProcessInfo.processInfo.environment,
      directory: folder, records: try outputs(), input: input)
  }

  /// Runs the program to its end; asserts its status, and what it says on the way, where these are
  /// given.
  @discardableResult
  func records(
    _ arguments: String..., input: String? = nil, ends status: Int32? = nil,
    says words: String = "",
    file: StaticString = #filePath, line: UInt = #line
  ) throws -> ProgramOutcome {
    try records(arguments, input: input, ends: status, says: words, file: file, line: line)
  }

  /// Runs the program to its end.
  @discardableResult
  func records(
    _ arguments: [String], input: String? = nil, ends status: Int32? = nil, says words: String = "",
    file: StaticString = #filePath, line: UInt = #line
  ) throws -> ProgramOutcome {
    let standardInput = try input.map {
      try FileHandle(forReadingFrom: URL(filePath: write($0, to: ".in")))
    }
    let child = try start(arguments, input: standardInput?.fileDescriptor)
    let outcome = try child.outcome(within: .seconds(30))
    outcome.check(ends: status, says: words, file: file, line: line)
    return outcome
  }

  /// The rows of a table, each with bars between its values.
  func rows(_ query: String) throws -> [String] {
    try connect().rows(SQL(written: "SELECT concat FROM (\(query))", values: [])) { try $0.text(0) }
  }

  /// The bytes of everything in the folder but of what the program printed.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { !$0.hasPrefix(".") }.map {
        ($0, try Data(contentsOf: folder.appending(path: $0)))
      })
  }

  func outputs() throws -> URL {
    let outputs = folder.appending(path: ".outputs")
    try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: true)
    return outputs
  }
}
