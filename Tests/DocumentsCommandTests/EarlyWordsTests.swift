import Foundation
import TestSupport
import XCTest

/// What is wrong is said by the first command that could know.
///
/// First users learned it from a server's refusal, or from nothing at all.
final class EarlyWordsTests: DocumentsTestCase {
  private func initialize(_ words: String...) throws -> ProgramOutcome {
    try start(
      ["init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "note"]
        + words
    ).outcome()
  }

  func testInitSaysWhoseDocumentsTheyAreAndThatThePasswordIsMissing() throws {
    let outcome = try initialize("--account", "ann", "--password-file", "password")
    outcome.check(ends: 0, says: "no sync can begin with the password file that is named: '")
    XCTAssertTrue(outcome.said.contains("password' can't be read"), outcome.said)
    XCTAssertTrue(outcome.printed.contains("of http://127.0.0.1:9, as ann; types"), "\(outcome)")
    let status = try documents("status", "a.db", ends: 0)
    XCTAssertEqual(
      status.lines.first, "goes with the bucket home of http://127.0.0.1:9, as ann; types: note",
      "\(status)")
    XCTAssertEqual(try documents("status", "a.db", "--json").object["account"] as? String, "ann")
    try writePrivately("\n", to: "password")
    try documents("sync", "a.db", ends: 64, says: "is empty; write the password into it")
    try writePrivately("secret\n", to: "password")
    XCTAssertEqual(try initialize("--account", "ann").said, "")
  }

  /// Who only added a type found the store empty.
  func testInitSaysThatItLeavesTheAccountOut() throws {
    try initialize("--account", "ann").check(ends: 0, says: "")
    try initialize("--type", "list").check(ends: 0, says: "to go on with them, say --account ann")
    XCTAssertEqual(try initialize("--type", "list").said, "")
  }

  /// A mistyped type stayed for ever, and each sync asked for its collection.
  func testAMistypedTypeGoesAgainWhileNothingOfItIsThere() throws {
    try initialize("--type", "noet").check(ends: 0, says: "")
    try documents("put", "a.db", "noet", "milk", "{}", ends: 0)
    try initialize("--no-type", "noet").check(ends: 1, says: "holds a document of the type 'noet'")
    try documents("delete", "a.db", "milk", ends: 0)
    let outcome = try initialize("--no-type", "noet")
    XCTAssertTrue(outcome.printed.hasSuffix("types: note\n"), "\(outcome)")
    try documents("put", "a.db", "noet", "milk", "{}", ends: 64, says: "no type 'noet'")
    try initialize("--no-type", "noet").check(
      ends: 64, says: "no type 'noet' in this store that could go, but note; nothing was changed")
    try initialize("--no-type", "note").check(ends: 64, says: "not both")
  }

  /// All documents of the collection were taken for documents of the type.
  func testAMistypedTypeInACollectionOfAnotherGoesAgain() throws {
    try initialize("--type", "other=note").check(ends: 0, says: "")
    try documents("put", "a.db", "note", "milk", "{}", ends: 0)
    try documents("put", "a.db", "other", "tea", "{}", ends: 0)
    try initialize("--no-type", "other").check(ends: 1, says: "a document of the type 'other'")
    try documents("delete", "a.db", "tea", ends: 0)
    let outcome = try initialize("--no-type", "other")
    XCTAssertTrue(outcome.printed.hasSuffix("types: note\n"), "\(outcome)")
    XCTAssertEqual(try documents("list", "a.db", "note").lines, ["milk"])
  }

  /// The collection of a type stayed as it was mistyped, once anything was in the store.
  func testATypeOfWhichNothingIsThereIsGivenAnotherCollection() throws {
    try initialize("--type", "task=toda").check(ends: 0, says: "")
    try documents("put", "a.db", "note", "milk", "{}", ends: 0)
    try initialize("--type", "task=todo").check(ends: 0, says: "")
    try documents("put", "a.db", "task", "tea", "{}", ends: 0)
    try initialize("--type", "task=toda").check(
      ends: 1, says: "of the type 'task' are kept in the collection 'todo'")
    try documents(
      "init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "note=notes",
      ends: 1, says: "of the type 'note' are kept in the collection 'note'")
  }

  /// Each of them was taken, or the sentence ended with what was wrong.
  func testWhatNoServerCanHaveIsRefusedWithWhatToWrite() throws {
    try initialize("--type", "no te").check(ends: 64, says: "--type no te: \"no te\" is no name")
    let rest = ["init", "a.db", "--rest", "http://127.0.0.1:9/api", "--model", "task"]
    try start(rest + ["--key", ""]).outcome()
      .check(ends: 64, says: "the name behind --key is empty")
    try documents("init", "a.db", "--rest", "127.0.0.1:9", ends: 64, says: "such as https://")
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path))
    try makeStore()
    try documents(
      "resolve", "a.db", "milk", "--local", ends: 1, says: "nothing is known of a document 'milk'")
  }

  func testATypeOfAStoreThatIsntThereMakesNone() throws {
    try initialize("--no-type", "noet").check(ends: 1, says: "there is no store 'a.db'")
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path))
  }

  /// "There is no store", it said of what it couldn't look at.
  func testThatNobodyCanTellWhetherAStoreIsThereIsSaid() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "a.db").path, withDestinationPath: "a.db")
    let words = "whether there is a store 'a.db' can't be told: "
    try initialize("--no-type", "noet").check(ends: 1, says: words)
    try documents("status", "a.db", ends: 1, says: words)
  }

  func testANetrcThatSaysNothingOfTheServerIsSaidToSayNothing() throws {
    XCTAssertEqual(try initialize().said, "")
    let none = "there is no netrc '\(folder.path)/.netrc' that can be read"
    for command in ["sync", "fetch"] {
      let words = command == "fetch" ? ["milk"] : []
      let outcome = try start([command, "a.db"] + words + ["--netrc"]).outcome()
      XCTAssertTrue(outcome.said.contains(none), outcome.said)
    }
    try writePrivately("machine example.org login ann password secret\n", to: ".netrc")
    try documents("sync", "a.db", "--netrc", says: "/.netrc' has no password for 127.0.0.1")
    try writePrivately("machine 127.0.0.1 login ann password secret\n", to: ".netrc")
    XCTAssertFalse(try documents("sync", "a.db", "--netrc").said.contains("netrc"))
  }

  func testThatNothingCameWhereADocumentWasExpectedIsSaid() throws {
    try makeStore()
    let words = "nothing came on standard input, where a document was expected"
    try documents("put", "a.db", "note", "milk", ends: 64, says: words)
    try documents("stash", "a.db", "note", "milk", "-", ends: 64, says: words)
    try documents("put", "a.db", "note", ends: 64, says: words)
  }

  func testTheHelpListsEveryCommand() throws {
    let help = try documents("--help", ends: 0).printed
    for command in ["completion [options] SHELL", "manual [options] [COMMAND]"] {
      XCTAssertTrue(help.contains(command), help)
    }
  }
}
