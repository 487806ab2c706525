import Foundation
import TestSupport
import XCTest

/// Files that are no stores, or that can't be used: a sentence says which and why.
final class BadStoreTests: DocumentsTestCase {
  private let commands = [
    ["status"], ["list"], ["get", "milk"], ["put", "note", "milk", "{}"], ["sync"], ["digest"],
  ]

  /// Runs each command over a file, which stays as it is.
  private func check(_ name: String, _ words: String, status: Int32 = 1) throws {
    let file = folder.appending(path: name)
    let before = try? Data(contentsOf: file)
    for command in commands {
      let child = try start([command[0], name] + command.dropFirst())
      XCTAssertEqual(
        try child.end(within: .seconds(60)), .exited(status), "\(command): \(child.said)")
      XCTAssertTrue(child.said.contains(words), "\(command): \(child.said)")
      XCTAssertTrue(child.said.contains(name), "\(command): \(child.said)")
    }
    XCTAssertEqual(try? Data(contentsOf: file), before)
  }

  private func sqlite(_ name: String, _ sql: String) throws {
    let child = try ChildProcess(
      Programs.find("sqlite3"), [name, sql], environment: [:], directory: folder, records: folder)
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.said)
  }

  func testWhatIsNoDatabaseIsSaidToBeNone() throws {
    let junk = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) })
    try junk.write(to: folder.appending(path: "junk.db"))
    try check("junk.db", "is no store, or its beginning is damaged, and was left as it is")
  }

  func testADamagedStoreSaysWhereUnsentEditsAre() throws {
    try makeStore("cut.db")
    try sqlite("cut.db", "PRAGMA journal_mode = DELETE")
    let file = folder.appending(path: "cut.db")
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(100..<bytes.count, with: Data(count: bytes.count - 100))
    try bytes.write(to: file)
    try check("cut.db", "edited and not sent yet stands in this file alone")
  }

  func testAnotherProgramsDatabaseIsLeftAlone() throws {
    try sqlite("other.db", "CREATE TABLE a (b)")
    try check("other.db", "no store of documents")
    try documents("init", "other.db", "--kinto", "http://a", "--bucket", "b", ends: 1)
  }

  func testAStoreOfANewerProgramIsLeftAlone() throws {
    try makeStore("newer.db")
    try sqlite(
      "newer.db", "INSERT INTO migrations SELECT 99, 'later'; PRAGMA journal_mode = DELETE")
    try check("newer.db", "newer")
  }

  func testAFileThatIsMissingOrAFolderIsSaid() throws {
    try check("none.db", "no store")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "folder.db"), withIntermediateDirectories: true)
    try check("folder.db", "folder.db")
  }

  /// Nothing of it was read, since a store was opened to be written by every command.
  func testAStoreWhereNothingCanBeWrittenIsReadAndTheRestIsSaid() throws {
    let place = folder.appending(path: "disk")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let disk = try TestDisk(inMemoryAt: place, options: "size=4m")
    defer { try? disk.end() }
    try makeStore("disk/a.db")
    try documents("put", "disk/a.db", "note", "milk", #"{"n": 1}"#, ends: 0)
    try disk.remount("ro")
    for words in [
      ["get", "milk"], ["list"], ["status"], ["status", "milk"], ["why", "milk"], ["digest"],
      ["lost"], ["export"],
    ] {
      let outcome = try start([words[0], "disk/a.db"] + words.dropFirst()).outcome()
      outcome.check(ends: 0, says: "")
      XCTAssertEqual(outcome.printed.isEmpty, words == ["lost"], "\(words): \(outcome)")
    }
    for words in [["put", "note", "tea", "{}"], ["delete", "milk"], ["sync"]] {
      let outcome = try start([words[0], "disk/a.db"] + words.dropFirst()).outcome()
      outcome.check(ends: 1, says: "and that its file system isn't mounted read-only")
    }
  }

  func testAStoreThatAnotherProgramHoldsIsWaitedForAndThenSaid() throws {
    try makeStore()
    let holder = try ChildProcess(
      Programs.find("python3"),
      [
        "-c",
        """
        import sqlite3, sys
        store = sqlite3.connect("a.db", isolation_level=None)
        store.execute("BEGIN IMMEDIATE")
        print("held", flush=True)
        sys.stdin.read()
        """,
      ], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
      directory: folder, records: folder, input: try hold().fileDescriptor)
    let end = Patience.end
    while !holder.printed.contains("held"), !holder.hasEnded, .now < end { sched_yield() }
    _ = try documents("put", "a.db", "note", "milk", "{}", ends: 75, says: "a.db")
    XCTAssertEqual(try documents("list", "a.db").status, 0)
    holder.send(SIGKILL)
    _ = try holder.end(within: .seconds(10))
    XCTAssertEqual(try documents("put", "a.db", "note", "milk", "{}").status, 0)
  }

  private let held = Pipe()

  /// An input that doesn't end.
  private func hold() throws -> FileHandle { held.fileHandleForReading }

  func testADiskThatIsFullLosesNothingThatWasStored() throws {
    let place = folder.appending(path: "disk")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let disk = try TestDisk(inMemoryAt: place, options: "size=1m")
    defer { try? disk.end() }
    try makeStore("disk/a.db")
    try documents("put", "disk/a.db", "note", "milk", #"{"n": 1}"#)
    let long = String(repeating: "long ", count: 300_000)
    try documents(
      "put", "disk/a.db", "note", "big", "-", input: "{\"t\": \"\(long)\"}", ends: 1, says: "full")
    XCTAssertEqual(try documents("list", "disk/a.db").lines, ["milk"])
    XCTAssertEqual(try documents("get", "disk/a.db", "milk").object["n"] as? Int, 1)
  }
}
