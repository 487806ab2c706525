import Foundation
import TestSupport
import XCTest

/// Passwords that others can read, and input that has no end.
final class InputTests: DocumentsTestCase {
  private func makeStore(passwordFile: String) throws {
    let child = try start([
      "init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "note",
      "--account", "ann", "--password-file", passwordFile,
    ])
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  func testAPasswordFileThatOthersCanReadIsNotUsed() throws {
    try makeStore(passwordFile: "password")
    try writePrivately("secret of ann\n", to: "password")
    XCTAssertEqual(try documents("sync", "a.db").status, 1, "it's tried, and nobody answers")
    for mode in [0o644, 0o640, 0o604] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.appending(path: "password").path)
      for command in ["sync", "watch"] {
        let outcome = try documents(command, "a.db")
        XCTAssertEqual(outcome.status, 64, "\(command) \(mode): \(outcome.said)")
        XCTAssertTrue(outcome.said.contains("chmod 600"), outcome.said)
        XCTAssertFalse(outcome.said.contains("secret of ann"), outcome.said)
      }
    }
  }

  func testAPasswordWithoutEndIsAnError() throws {
    try makeStore(passwordFile: "/dev/zero")
    try documents("sync", "a.db", ends: 64, says: "/dev/zero")
    try makeStore(passwordFile: "password")
    environment["NETRC"] = "/dev/zero"
    try documents("init", "b.db", "--kinto", "http://127.0.0.1:9", "--bucket", "b")
    XCTAssertEqual(try documents("sync", "b.db").status, 1)
  }

  func testInputWithoutEndIsAnErrorAndNothingIsStored() throws {
    try makeStore()
    let zero = try XCTUnwrap(FileHandle(forReadingAtPath: "/dev/zero"))
    for words in [
      ["put", "a.db", "note", "x"], ["put", "a.db", "note", "x", "-"], ["import", "a.db"],
    ] {
      let child = try start(words, input: zero.fileDescriptor)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(64), "\(words): \(child.said)")
    }
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "0\n")
    try documents("put", "a.db", "note", "milk", "{}")
    try documents("attach", "a.db", "milk", "picture", "/dev/zero", ends: 1, says: "128 MB")
  }

  /// The folder beside the store was blamed, whose files nobody touches.
  func testAFolderThatIsAttachedIsNamed() throws {
    try makeStore()
    try documents("put", "a.db", "note", "milk", "{}")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "album"), withIntermediateDirectories: false)
    try documents(
      "attach", "a.db", "milk", "picture", "album", ends: 1,
      says: "the file album can't be used: it's a folder; name a file")
  }

  func testNothingIsAttachedWhereNoFileCanGo() throws {
    try Data("a picture".utf8).write(to: folder.appending(path: "p.png"))
    for (name, words) in [
      ("rest.db", ["--rest", "http://127.0.0.1:9", "--model", "note"]),
      ("service.db", ["--service", "http://127.0.0.1:9", "--type", "note"]),
    ] {
      let child = try start(["init", name] + words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
      try documents("put", name, "note", "milk", #"{"n": 1}"#)
      try documents("attach", name, "milk", "picture", "p.png", ends: 1, says: "keeps no files")
      XCTAssertFalse(try documents("get", name, "milk").printed.contains("picture"))
      let files = folder.appending(path: name + "-files").path
      XCTAssertFalse(FileManager.default.fileExists(atPath: files))
    }
    try makeStore()
    try documents("put", "a.db", "note", "milk", "{}")
    let unknown = try documents("attach", "a.db", "milk", "picture", "p.png")
    XCTAssertEqual(unknown.status, 0, "nobody knows yet: \(unknown.said)")
  }
}
