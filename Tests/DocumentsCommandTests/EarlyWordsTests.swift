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
      status.lines.first, "goes with the bucket home of http://127.0.0.1:9, as ann", "\(status)")
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
    try initialize("--no-type", "noet").check(ends: 1, says: "holds 1 document of the collection")
    try documents("delete", "a.db", "milk", ends: 0)
    let outcome = try initialize("--no-type", "noet")
    XCTAssertTrue(outcome.printed.hasSuffix("types: note\n"), "\(outcome)")
    try documents("put", "a.db", "noet", "milk", "{}", ends: 64, says: "no type 'noet'")
    try initialize("--no-type", "noet").check(
      ends: 64, says: "no type 'noet' in this store that could go, but note; nothing was changed")
    try initialize("--no-type", "note").check(ends: 64, says: "not both")
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
