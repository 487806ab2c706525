import Foundation
import TestSupport
import XCTest

/// What a sync did is taken back, or nothing is.
final class UndoCommandTests: RecordsTestCase {
  private let users = "SELECT id || ' ' || name AS concat FROM users"

  override func setUpWithError() throws {
    try super.setUpWithError()
    try run("DELETE FROM notes")
    try write("[{\"id\":1,\"name\":\"Amy\"},{\"id\":3,\"name\":\"Cid\"}]", to: "p.json")
  }

  private func sync(_ more: String...) throws -> ProgramOutcome {
    try records(["sync", "app.sqlite", "users", "p.json"] + more)
  }

  func testWhatASyncDidIsTakenBack() throws {
    let sync = try sync("--undo", "users.undo")
    XCTAssertEqual(sync.status, 0, sync.said)
    XCTAssertEqual(try rows(users), ["1 Amy", "3 Cid"])
    let undo = try records("undo", "app.sqlite", "users.undo", ends: 0)
    XCTAssertTrue(
      undo.printed.hasPrefix("users: 1 added, 1 changed, 1 deleted\ndone: "), undo.printed)
    XCTAssertEqual(try rows(users), ["1 Ann", "2 Bob"])
    let twice = try records("undo", "app.sqlite", "users.undo")
    XCTAssertEqual(twice.status, 1)
    XCTAssertTrue(twice.said.contains("was taken back already"), twice.said)
    try run("UPDATE users SET name = 'Eve' WHERE id = 1")
    let changed = try records("undo", "app.sqlite", "users.undo")
    XCTAssertTrue(changed.said.contains("has changed since"), changed.said)
    XCTAssertEqual(try rows(users), ["1 Eve", "2 Bob"])
  }

  func testASyncThatMadeTheTableIsTakenBackOnce() throws {
    try records("sync", "app.sqlite", "cars", "p.json", "--create", "--undo", "c.undo", ends: 0)
    try records("undo", "app.sqlite", "c.undo", ends: 0)
    try records("undo", "app.sqlite", "c.undo", ends: 1, says: "was taken back already")
  }

  func testAnUnchangedSyncKeepsAnEmptyUndoWhereThereIsNone() throws {
    XCTAssertEqual(try sync().status, 0)
    XCTAssertEqual(try sync("--undo", "users.undo").status, 0)
    XCTAssertNotEqual(try contents()["users.undo"], Data())
    let undo = try records("undo", "app.sqlite", "users.undo")
    XCTAssertTrue(undo.printed.hasPrefix("unchanged ("), undo.printed + undo.said)
  }

  /// What could have been taken back was gone once the same command had run twice.
  func testAnUnchangedSyncLeavesAnEarlierUndoAsItIs() throws {
    XCTAssertEqual(try sync("--undo", "users.undo").status, 0)
    let kept = try contents()["users.undo"]
    XCTAssertEqual(try sync("--undo", "users.undo").status, 0)
    XCTAssertEqual(try contents()["users.undo"], kept)
    XCTAssertEqual(try records("undo", "app.sqlite", "users.undo").status, 0)
    XCTAssertEqual(try rows(users), ["1 Ann", "2 Bob"])
  }

  func testAFileThatWasEmptiedIsDamaged() throws {
    XCTAssertEqual(try sync("--undo", "users.undo").status, 0)
    try write("", to: "users.undo")
    let undo = try records("undo", "app.sqlite", "users.undo")
    XCTAssertEqual(undo.status, 1)
    XCTAssertTrue(undo.said.contains("is damaged"), undo.said)
  }

  /// They were replaced by files.
  func testALinkIsFollowedAndAPipeIsWrittenInto() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "link").path, withDestinationPath: "there")
    let path = folder.appending(path: "pipe").path
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    XCTAssertEqual(try sync("--undo", "link").status, 0)
    XCTAssertEqual(try records("undo", "app.sqlite", "there").status, 0)
    XCTAssertEqual(
      try FileManager.default.destinationOfSymbolicLink(
        atPath: folder.appending(path: "link").path), "there")
    XCTAssertEqual(try sync("--undo", "pipe").status, 0)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reader, &bytes, bytes.count)
    try Data(bytes.prefix(max(count, 0))).write(to: folder.appending(path: "read"))
    var facts = stat()
    XCTAssertEqual(lstat(path, &facts), 0)
    XCTAssertEqual(facts.st_mode & S_IFMT, S_IFIFO)
    XCTAssertEqual(try records("undo", "app.sqlite", "read").status, 0)
    XCTAssertEqual(try rows(users), ["1 Ann", "2 Bob"])
  }

  func testRowsThatHaveChangedSinceStayAsTheyAre() throws {
    XCTAssertEqual(try sync("--undo", "users.undo").status, 0)
    try run("UPDATE users SET name = 'Eve' WHERE id = 3")
    let before = try contents()
    let undo = try records("undo", "app.sqlite", "users.undo", "--json")
    XCTAssertEqual(undo.status, 1)
    XCTAssertTrue(undo.said.contains("row 3 of “users” has changed since"), undo.said)
    XCTAssertEqual(undo.objects.last?["status"] as? String, "failed")
    XCTAssertEqual(try contents(), before)
  }

  func testNoFileThatHoldsSomethingElseIsWrittenOver() throws {
    try write("{}", to: "schema.json")
    try write("a letter", to: "letter")
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "link").path, withDestinationPath: "app.sqlite")
    let before = try contents()
    for (database, undo) in [
      ("app.sqlite", "app.sqlite"), ("link", "app.sqlite"), ("app.sqlite", "link"),
      ("app.sqlite", "p.json"), ("app.sqlite", "schema.json"), ("app.sqlite", "letter"),
    ] {
      let outcome = try records(
        "sync", database, "users", "p.json", "--schema", "schema.json", "--undo", undo)
      XCTAssertEqual(outcome.status, 1, "\(undo): \(outcome.said)")
      XCTAssertTrue(outcome.said.contains("'\(undo)' holds something else"), outcome.said)
      XCTAssertEqual(try contents(), before, undo)
    }
  }

  func testWhatCannotBeKeptOrReadIsSaidBeforeAnythingIsDone() throws {
    try write("earlier", to: "users.undo")
    let before = try contents()
    for (arguments, status, part) in [
      (["sync", "app.sqlite", "users", "p.json", "--undo", "none/u"], Int32(1), "'none/u'"),
      (["sync", "app.sqlite", "users", "p.json", "--undo", "."], 1, "name another file"),
      (["sync", "app.sqlite", "users", "p.json", "--undo", "u", "--plan"], 64, "contradict"),
      (["sync", "app.sqlite", "users", "none.json", "--undo", "new.undo"], 1, "none.json"),
      (["undo", "app.sqlite", "none"], 1, "'none' can't be read"),
      (["undo", "app.sqlite", "users.undo"], 1, "isn't what an undo was kept as"),
    ] {
      let outcome = try records(arguments)
      XCTAssertEqual(outcome.status, status, outcome.said)
      XCTAssertTrue(outcome.said.contains(part), outcome.said)
    }
    XCTAssertEqual(try contents(), before)
  }
}
