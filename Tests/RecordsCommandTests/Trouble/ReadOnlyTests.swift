import Foundation
import SyncDatabase
import TestSupport
import XCTest

/// What only looks works on a database that may not be written.
final class ReadOnlyTests: RecordsTestCase {
  /// The program as somebody runs it who has no rights here: nothing is read-only to root.
  private func wordsOfOther(_ arguments: [String]) throws -> [String] {
    guard geteuid() == 0 else { return [Programs.records] + arguments }
    return [
      try Programs.find("setpriv"), "--reuid", "65534", "--clear-groups", "--bounding-set", "-all",
      Programs.records,
    ] + arguments
  }

  private func recordsOfOther(_ arguments: [String], temporary: URL? = nil) throws -> ProgramOutcome
  {
    let words = try wordsOfOther(arguments)
    let outputs = folder.appending(path: ".outputs")
    try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: true)
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = temporary?.path
    let child = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: environment, directory: folder,
      records: outputs)
    let outcome = try child.outcome(within: .seconds(30))
    outcome.check(ends: nil, says: "")
    return outcome
  }

  func testWhatOnlyLooksWorksWhereNothingMayBeWritten() throws {
    try write(#"[{"id":1,"name":"Amy"},{"id":3,"name":"Cid"}]"#, to: "p.json")
    let now = try records("export", "app.sqlite", "users").printed
    try write(now, to: "now.json")
    for mode in ["DELETE", "WAL"] {
      try useJournal(mode)
      for (ofFile, ofFolder) in [(0o444, 0o777), (0o666, 0o755)] {
        let before = try contents()["app.sqlite"]
        try setRights(ofFile, ofFolder)
        let what = "\(mode) \(String(ofFile, radix: 8)) \(String(ofFolder, radix: 8))"
        for (arguments, status, part) in [
          (["schema", "app.sqlite"], Int32(0), "users"),
          (["export", "app.sqlite", "users"], 0, "\"Ann\""),
          (["get", "app.sqlite", "users", "2"], 0, "\"Bob\""),
          (["verify", "app.sqlite", "users", "now.json"], 0, "equal"),
          (["sync", "app.sqlite", "users", "p.json", "--plan"], 0, "would add 1"),
        ] {
          let outcome = try recordsOfOther(arguments)
          XCTAssertEqual(outcome.status, status, "\(what) \(arguments): \(outcome.said)")
          XCTAssertTrue(outcome.printed.contains(part), "\(what) \(arguments): \(outcome.printed)")
        }
        let refused = try recordsOfOther(["sync", "app.sqlite", "users", "p.json"])
        XCTAssertEqual(refused.status, 1, what)
        XCTAssertTrue(refused.said.contains("can't be written"), "\(what): \(refused.said)")
        try setRights(0o644, 0o755)
        XCTAssertEqual(try contents()["app.sqlite"], before, what)
      }
    }
  }

  func testAPlanForWhichThereIsNoRoomSaysSo() throws {
    try write("[]", to: "p.json")
    // More than SQLite keeps in memory of a copy.
    try run(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO users (id, name) SELECT i, printf('%1000d', i) FROM n
      """)
    let place = folder.appending(path: ".small")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try withMount(at: place.path, options: "size=64k,mode=1777") {
      try setRights(0o444, 0o755)
      let outcome = try recordsOfOther(
        ["verify", "app.sqlite", "users", "p.json"], temporary: place)
      XCTAssertEqual(outcome.status, 1)
      XCTAssertTrue(outcome.said.contains("the copy can't be kept"), outcome.said)
      XCTAssertTrue(outcome.said.contains("Make room where temporary files go"), outcome.said)
      XCTAssertEqual(outcome.said.filter { $0 == "\n" }.count, 1, outcome.said)
      XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: place.path), [])
    }
  }

  /// SQLite says no more than that it can't be opened.
  func testAReadOnlyFileSystemIsNamed() throws {
    try write("[]", to: "p.json")
    let place = folder.appending(path: ".fixed")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try withMount(at: place.path, options: "size=64k,ro") {
      let outcome = try records("sync", "--create", place.path + "/a.sqlite", "users", "p.json")
      XCTAssertEqual(outcome.status, 1)
      XCTAssertTrue(outcome.said.contains("isn't mounted read-only"), outcome.said)
      XCTAssertEqual(outcome.said.filter { $0 == "\n" }.count, 1, outcome.said)
    }
  }

  private func useJournal(_ mode: String) throws {
    _ = try connect().rows(SQL(written: "PRAGMA journal_mode = \(mode)", values: [])) {
      try $0.text(0)
    }
  }

  private func setRights(_ ofFile: Int, _ ofFolder: Int) throws {
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: ofFile], ofItemAtPath: database)
    try manager.setAttributes([.posixPermissions: ofFolder], ofItemAtPath: folder.path)
  }
}
