import Foundation
import SyncDatabase
import TestSupport
import XCTest

/// Whatever is wrong with what the program is given: one sentence, a status, and nothing changed.
final class BadInputTests: RecordsTestCase {
  private func assertRefused(
    _ arguments: [String], _ status: Int32, saying parts: String..., input: String? = nil,
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    if let input { try write(input, to: ".in") }
    let before = try contents()
    let outcome = try records(arguments, input: input)
    XCTAssertEqual(outcome.status, status, outcome.said, file: file, line: line)
    XCTAssertEqual(outcome.printed, "", file: file, line: line)
    for part in parts {
      XCTAssertTrue(
        outcome.said.contains(part), "\(outcome.said) says no \(part)", file: file, line: line)
    }
    XCTAssertEqual(
      outcome.said.filter { $0 == "\n" }.count, 1, outcome.said, file: file, line: line)
    XCTAssertTrue(outcome.said.hasPrefix("records: "), outcome.said, file: file, line: line)
    XCTAssertEqual(try contents(), before, "\(arguments)", file: file, line: line)
  }

  func testANetrcWithoutThePasswordIsSaidBeforeTheServerIsAsked() throws {
    let address = "http://127.0.0.1:9/users.json"
    let outcome = try records("sync", "app.sqlite", "users", address, "--netrc", ends: 1)
    XCTAssertTrue(outcome.said.contains("netrc '"), outcome.said)
    XCTAssertTrue(outcome.said.contains("a password for 127.0.0.1"), outcome.said)
  }

  func testAPayloadThatCannotBeTakenIsRefused() throws {
    for (text, part) in [
      ("", "empty"), (" \n", "blanks"), ("<!DOCTYPE html><p>Log in", "HTML"),
      ("{\"id\":1", "cut off"), ("[{\"id\":1},", "cut off"), ("[{\"id\":1}] x", "isn't JSON"),
      ("nonsense", "isn't JSON"), ("7", "a number"), ("null", "null"), ("\"text\"", "a string"),
      ("{\"error\":\"unauthorized\"}", "no key of the table users (id)"),
      ("[1,2]", "of the 2 elements"), ("[null]", "no key"), ("[[{\"id\":1}]]", "no key"),
    ] {
      try assertRefused(["sync", "app.sqlite", "users", "-"], 1, saying: part, input: text)
    }
    try assertRefused(["verify", "app.sqlite", "users", "-"], 1, saying: "cut off", input: "[{")
    try assertRefused(
      ["sync", "app.sqlite", "users", "none.json"], 1, saying: "'none.json'", "No such file")
    try assertRefused(["sync", "app.sqlite", "users", "."], 1, saying: "can't be read")
    let array = "{\"data\":{\"users\":null}}"
    for (path, part) in [
      ("data.people", "there is no data.people"), ("data.users", "it is null"), ("users", "users"),
    ] {
      try assertRefused(
        ["sync", "app.sqlite", "users", "-", "--items", path], 1, saying: part, input: array)
    }
  }

  func testATableThatIsNotThereOrHasNoKeyIsNamed() throws {
    try write("[]", to: "p.json")
    try assertRefused(
      ["sync", "app.sqlite", "usres", "p.json"], 1, saying: "'usres'", "did you mean 'users'?")
    try assertRefused(
      ["verify", "app.sqlite", "orders", "p.json"], 1, saying: "it has notes, tags, users")
    try assertRefused(
      ["sync", "app.sqlite", "tags", "p.json"], 1, saying: "“tags” has no key", "--schema")
    try write("", to: "empty.sqlite")
    try assertRefused(["sync", "empty.sqlite", "users", "p.json"], 1, saying: "and no other")
  }

  func testADatabaseThatIsNoneIsLeftAlone() throws {
    try write("[]", to: "p.json")
    try write(String(repeating: "This is a text, and a long one. ", count: 40), to: "text")
    try write("SQLite format 3", to: "cut.sqlite")
    var newer = try Data(contentsOf: folder.appending(path: "app.sqlite"))
    newer[18] = 3
    try newer.write(to: folder.appending(path: "newer-to-write.sqlite"))
    newer[19] = 3
    try newer.write(to: folder.appending(path: "newer.sqlite"))
    for (name, part) in [
      ("none.sqlite", "there is no database 'none.sqlite'"), (".", "is a directory"),
      ("p.json/x", "there is no database"), ("text", "is no SQLite database, or it is encrypted"),
      ("newer.sqlite", "a newer SQLite"), ("newer-to-write.sqlite", "a newer SQLite"),
    ] {
      try assertRefused(["sync", name, "users", "p.json"], 1, saying: part)
    }
    try assertRefused(["schema", "none.sqlite"], 1, saying: "there is no database")
    try assertRefused(["schema", "text"], 1, saying: "encrypted")
    try assertRefused(["verify", "newer.sqlite", "users", "p.json"], 1, saying: "a newer SQLite")
  }

  func testADamagedDatabaseIsNeverAdvisedToBeMadeAnew() throws {
    try write("[{\"id\":1}]", to: "p.json")
    let path = folder.appending(path: "app.sqlite")
    var bytes = try Data(contentsOf: path)
    let pages = 4_096..<bytes.count
    bytes.replaceSubrange(pages, with: repeatElement(0xA5, count: pages.count))
    try bytes.write(to: path)
    let outcome = try records("sync", "app.sqlite", "users", "p.json")
    XCTAssertEqual(outcome.status, 1)
    XCTAssertTrue(outcome.said.contains("is damaged"), outcome.said)
    XCTAssertTrue(outcome.said.contains("backup"), outcome.said)
    XCTAssertFalse(outcome.said.contains("anew"), outcome.said)
    XCTAssertEqual(try Data(contentsOf: path), bytes)
  }

  func testAReadOnlyDatabaseIsNotWritten() throws {
    try write("[{\"id\":1,\"name\":\"Amy\"}]", to: "p.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: database)
    let arguments = ["sync", "app.sqlite", "users", "p.json"]
    let before = try contents()
    // Nothing is read-only to root.
    let child =
      geteuid() == 0
      ? try ChildProcess(
        try Programs.find("setpriv"),
        ["--reuid", "65534", "--clear-groups", "--bounding-set", "-all", Programs.records]
          + arguments,
        environment: ProcessInfo.processInfo.environment, directory: folder,
        records: folder) : try start(arguments)
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(1), child.said)
    XCTAssertTrue(child.said.contains("can't be written"), child.said)
    XCTAssertTrue(child.said.contains("Allow writing"), child.said)
    XCTAssertEqual(try contents()["app.sqlite"], before["app.sqlite"])
  }

  /// Takes five seconds, since it is these that a lock is waited for.
  func testALockIsWaitedForAndThenNamed() throws {
    try write("[]", to: "p.json")
    let before = try contents()
    let other = try connect()
    // Whoever reads the file in this process would let go of the lock (POSIX has it so).
    try other.run("BEGIN IMMEDIATE")
    let outcome = try records("sync", "app.sqlite", "users", "p.json")
    try other.run("ROLLBACK")
    XCTAssertEqual(outcome.status, 75)
    XCTAssertTrue(outcome.said.contains("program holds the database"), outcome.said)
    XCTAssertEqual(try contents(), before)
  }

  func testASchemaFileThatDoesNotFitIsNamed() throws {
    try write("[]", to: "p.json")
    for (text, status, part) in [
      ("{\"tabels\":{}}", Int32(64), "“tabels”"), ("{\"tables\":", 64, "no JSON"),
      ("[]", 64, "object"),
      ("{\"tables\":{\"users\":{\"key\":7}}}", 64, "tables.users.key"),
      ("{\"tables\":{\"people\":{\"key\":\"id\"}}}", 1, "“people”"),
      ("{\"tables\":{\"users\":{\"key\":\"uid\"}}}", 1, "“uid”"),
    ] {
      try write(text, to: "schema.json")
      for command in [["sync", "app.sqlite", "users", "p.json"], ["schema", "app.sqlite"]] {
        try assertRefused(command + ["--schema", "schema.json"], status, saying: part)
      }
    }
    try assertRefused(
      ["schema", "app.sqlite", "--schema", "none.json"], 64, saying: "'none.json' can't be read")
  }

  func testAParentThatIsNotThereOrIsAmbiguousIsNamed() throws {
    try write("[]", to: "p.json")
    let sync = ["sync", "app.sqlite", "notes", "p.json", "--parent"]
    try assertRefused(sync + ["users:9:user_id"], 1, saying: "no row 9 in “users”")
    try assertRefused(sync + ["users:nine:user_id"], 1, saying: "no row \"nine\" in “users”")
    try assertRefused(sync + ["uesrs:9"], 1, saying: "did you mean 'users'?")
    try assertRefused(
      sync + ["users:1"], 64, saying: "in several ways", "--parent users:KEY:user_id")
    try assertRefused(
      ["sync", "app.sqlite", "users", "p.json", "--parent", "notes:10"], 64,
      saying: "no foreign key")
  }

  func testAConditionThatIsNoSQLIsRefusedBeforeAnythingIsRead() throws {
    try write("nonsense", to: "p.json")
    for (condition, part) in [
      ("naem = 'Ann'", "no such column: naem"), ("(id = 1", "incomplete input"),
      ("id = 1)); DELETE FROM users; --", "near \")\""),
      ("1; DROP TABLE users", "more than one statement"), ("id = = 1", "syntax error"),
      ("id = ?", "0 values for 1 parameters"), ("", "nothing in it"),
      ("1); DROP TABLE users; --", "near \")\""),
      ("1) OR (1", "near \")\""), ("id = ?1", "a ? alone"),
      ("id IN (SELECT 1 FROM pragma_optimize)", "more than read"),
    ] {
      try assertRefused(
        ["sync", "app.sqlite", "users", "p.json", "--where", condition], 64,
        saying: part, "--where")
    }
    // Also where nothing would be deleted by it.
    try assertRefused(
      ["sync", "app.sqlite", "users", "p.json", "--where", "naem = 1", "--keep"], 64,
      saying: "naem")
  }

  func testTooManyDeletionsAreRefused() throws {
    try write("[{\"id\":1}]", to: "p.json")
    let sync = ["sync", "app.sqlite", "users", "p.json", "--max-delete"]
    for limit in ["0", "49%", "0.1"] {
      try assertRefused(sync + [limit], 3, saying: "1 of 2 rows of “users”", "--max-delete 1")
    }
    try assertRefused(sync + ["0", "--plan"], 3, saying: "1 of 2 rows")
    XCTAssertEqual(try records(sync + ["1"]).status, 0)
  }

  func testWithStrictnessTheFirstFlawEndsIt() throws {
    for (text, part) in [
      ("[{\"id\":1,\"age\":\"old\"}]", "“age” of “users” can't hold \"old\""),
      ("[{\"id\":1},{\"name\":\"x\"}]", "no usable key"),
      ("[{\"id\":1,\"shoe\":42}]", "takes the member “shoe”"),
      ("[{\"id\":1,\"name\":null}]", "was refused"),
    ] {
      try assertRefused(
        ["sync", "app.sqlite", "users", "-", "--strict"], 1, saying: part, "--strict", input: text)
    }
  }
}
