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
    let outcome = try documents("sync", "a.db")
    XCTAssertEqual(outcome.status, 64, outcome.said)
    XCTAssertTrue(outcome.said.contains("/dev/zero"), outcome.said)
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
    let attached = try documents("attach", "a.db", "milk", "picture", "/dev/zero")
    XCTAssertEqual(attached.status, 1, attached.said)
    XCTAssertTrue(attached.said.contains("128 MB"), attached.said)
  }
}
