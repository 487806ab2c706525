import Foundation
import TestSupport
import XCTest

/// What `init` keeps, and what it refuses.
final class SetupTests: DocumentsTestCase {
  func testAStoreKeepsToItsServerHoweverTheAddressIsWritten() throws {
    try makeStore()
    let again = try documents(
      "init", "a.db", "--kinto", "http://127.0.0.1:9/", "--bucket", "home", "--type", "task")
    XCTAssertEqual(again.status, 0, again.said)
    XCTAssertTrue(again.printed.contains("note, task"), again.printed)
    try documents("put", "a.db", "note", "milk", "{}")
    try documents("init", "a.db", "--kinto", "http://127.0.0.1:8", "--bucket", "home", ends: 1)
  }

  /// Whoever mistook the address had to remove the file, if they thought of that.
  func testAStoreWithNothingInItIsToldAnewWhatWasMistaken() throws {
    try makeStore()
    func initialize(_ words: String..., ends status: Int32) throws -> String {
      let child = try start(["init", "a.db"] + words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(status), child.said)
      return child.printed + child.said
    }
    let rest = ["--rest", "http://127.0.0.1:8/api", "--model"]
    var told = try initialize(rest[0], rest[1], rest[2], "task", "--key", "nr", ends: 0)
    XCTAssertTrue(told.contains("the service at http://127.0.0.1:8/api; types: task"), told)
    // What a sync that never got anywhere noted is nothing.
    try documents("sync", "a.db", ends: 1)
    _ = try initialize(rest[0], rest[1], rest[2], "task", "--key", "number", ends: 0)
    _ = try initialize(rest[0], rest[1], "--type", "task=tasks", ends: 0)
    try documents("put", "a.db", "task", "milk", "{}", ends: 0)
    for words in [
      [rest[0], "http://127.0.0.1:7/api", ""], [rest[0], rest[1], "--type", "task=todo"],
      [rest[0], rest[1], "--model", "more", "--key", "nr"],
    ] {
      told = try start(["init", "a.db"] + words.filter { !$0.isEmpty }).outcome().said
      XCTAssertTrue(told.contains("nothing was changed"), "\(words): \(told)")
      XCTAssertTrue(told.contains("'documents import' saves there"), "\(words): \(told)")
    }
    try documents("delete", "a.db", "milk")
    told = try initialize("--rest", "http://127.0.0.1:7/api", "--model", "task", ends: 0)
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "0\n")
  }

  func testAMalformedAddressMakesNoFile() throws {
    for address in ["ftp://x", "nonsense", "http://a/?b"] {
      let outcome = try documents("init", "a.db", "--kinto", address, "--bucket", "home")
      XCTAssertEqual(outcome.status, 64, "\(address): \(outcome.said)")
    }
    for option in ["--kinto", "--service", "--rest"] {
      try documents(
        "init", "a.db", option, "https://bücher.example/api", "--bucket", "home", ends: 64,
        says: "begins with xn--")
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path))
  }

  /// What was said so went to the service as `a%2Fb`, one step or two, as the service reads it.
  func testAModelIsOneStepOfAPathAndATypeIsAnyWord() throws {
    for name in ["a/b", "..", "b=a/b"] {
      try start(["init", "a.db", "--rest", "http://127.0.0.1:9/api", "--model", name]).outcome()
        .check(ends: 64, says: "write the steps before it into --rest URL")
    }
    try documents(
      "init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "a/b",
      ends: 64, says: "letters, digits")
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path))
    for (name, words) in [
      ("a.db", ["--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "a/b=notes"]),
      ("b.db", ["--service", "http://127.0.0.1:9", "--type", "a/b"]),
    ] {
      let child = try start(["init", name] + words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
      try documents("put", name, "a/b", "milk", "{}", ends: 0)
      XCTAssertEqual(try documents("get", name, "milk").object["docType"] as? String, "a/b")
    }
  }

  /// A bucket's address was taken for a service's, and everything asked there was refused.
  func testAnAddressThatLeadsIntoABucketIsRefusedWithWhatToSay() throws {
    let inside = "http://127.0.0.1:9/v1/buckets/x"
    for words in [
      ["--kinto", inside], ["--kinto", inside + "/collections/note", "--bucket", "x"],
      ["--kinto", "http://127.0.0.1:9/v1/Buckets/x"], ["--service", inside],
      ["--rest", inside + "/", "--model", "note"],
    ] {
      let child = try start(["init", "a.db"] + words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(64), "\(words)")
      XCTAssertTrue(child.said.contains("--kinto http://127.0.0.1:9/v1 --bucket x"), child.said)
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path))
    try documents("init", "a.db", "--rest", "http://127.0.0.1:9/buckets/x", ends: 0)
  }

  func testHelpAndManualSayThatDeletionsWin() throws {
    for words in [["sync", "--help"], ["manual", "sync"]] {
      let child = try start(words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0))
      let text = child.printed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      XCTAssertTrue(text.contains("A deletion here wins over an edit there"), text)
    }
  }

  func testAnotherAccountDoesNotGetUnsentEditsUnlessItIsTold() throws {
    func initialize(_ account: String, _ more: String...) throws -> ProgramOutcome {
      let words = ["init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home"]
      return try start(words + ["--type", "note", "--account", account] + more).outcome()
    }
    XCTAssertEqual(try initialize("ann").status, 0)
    try documents("put", "a.db", "note", "a", "{}")
    let refused = try initialize("bob")
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.said.contains("1 unsent edit belongs to 'ann'"), refused.said)
    XCTAssertEqual(try initialize("bob", "--keep").status, 0)
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "1\n")
  }

  /// A watch went on for the account that it began with, whoever had taken over the edits.
  func testNobodyTakesAStoreOverWhileItIsSynced() throws {
    try makeStore()
    let address = ["init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home"]
    let watch = try start(["watch", "a.db", "--every", "1s"])
    let end = Patience.end
    while !watch.said.contains("can't be reached"), .now < end { sched_yield() }
    let refused = try start(address + ["--account", "bob"])
    XCTAssertEqual(try refused.end(within: .seconds(60)), .exited(75), refused.said)
    let same = try start(address + ["--type", "task"])
    XCTAssertEqual(try same.end(within: .seconds(60)), .exited(0), same.said)
    watch.send(SIGTERM)
    _ = try watch.end(within: .seconds(10))
    let taken = try start(address + ["--account", "bob"])
    XCTAssertEqual(try taken.end(within: .seconds(60)), .exited(0), taken.said)
  }

  func testOptionsThatContradictEachOtherDoNothing() throws {
    try makeStore()
    try documents("put", "a.db", "note", "milk", "{}")
    for words in [
      ["sync", "a.db", "--push", "--pull"], ["get", "a.db", "milk", "--base", "--server"],
      ["resolve", "a.db", "milk", "--server", "--local"],
      ["resolve", "a.db", "milk", "--with", "{}", "--local"],
      ["init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--keep", "--drop"],
      // It's nobody's, and is to stay that.
      ["init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--keep"],
      ["init", "b.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--drop"],
    ] {
      let child = try start(words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(64), "\(words): \(child.said)")
      XCTAssertTrue(child.said.contains("say "), child.said)
    }
  }

  func testHelpSaysWhatItLeavesToBeFoundOut() throws {
    for (command, words) in [
      ("resolve", ["'get ID --server'", "'get ID --base'", "each side that differs"]),
      ("init", ["an equal row that somebody else made", "not so with --natural-key"]),
      ("export", ["import the members document of its lines"]),
    ] {
      let child = try start([command, "--help"])
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0))
      let text = child.printed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for word in words { XCTAssertTrue(text.contains(word), "\(command): \(text)") }
    }
  }

  func testACommandThatLacksAWordSaysWhich() throws {
    try makeStore()
    let attach = try documents("attach", "a.db", "a", "picture")
    XCTAssertEqual(attach.status, 64)
    XCTAssertTrue(attach.said.contains("FILE"), attach.said)
    XCTAssertEqual(try documents("list", "none.db").status, 1)
  }
}
