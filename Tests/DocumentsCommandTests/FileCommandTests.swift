import Foundation
import TestSupport
import XCTest

/// Files of documents, by the program and a real Kinto.
final class FileCommandTests: ServedTestCase {
  /// A document with a file that the server won't take, which it was asked to.
  private func refuse() throws {
    try makeStores()
    try documents("put", "a.db", "note", "milk", #"{"n": 1}"#)
    try Data("a program".utf8).write(to: folder.appending(path: "a.exe"))
    try documents("attach", "a.db", "milk", "program", "a.exe")
    let outcome = try documents("sync", "a.db")
    XCTAssertEqual(outcome.status, 2)
    XCTAssertTrue(outcome.said.contains("File extension is not allowed"), outcome.said)
  }

  /// With the document's id, only the document was tried again.
  func testARefusedFileIsTriedAgainByItsDocumentsIDAndWithAll() throws {
    try refuse()
    for words in [["--retry"], ["--retry", "milk"]] {
      let again = try run(["sync", "a.db", "--json"] + words)
      let failures = again.object["failures"] as? [[String: String]]
      XCTAssertEqual(failures?.map { $0["id"] }, ["milk"], "\(words): \(again.said)")
    }
    try documents("put", "a.db", "note", "bread", "{}")
    let other = try run(["sync", "a.db", "--json", "--retry", "bread"])
    XCTAssertEqual(other.status, 2, "it's set aside still")
    XCTAssertEqual((other.object["failures"] as? [Any])?.count, 0)
  }

  func testARefusedFileIsToldOfTheStoreAndOfItsDocument() throws {
    try refuse()
    let words = "the file a.exe: the server refused it (400): body: File extension is not allowed."
    let status = try documents("status", "a.db")
    XCTAssertTrue(
      status.lines.contains("1 file that the server refused; try 'documents sync --retry'"))
    XCTAssertTrue(status.lines.contains("milk, \(words)"), status.printed)
    let ofOne = try documents("status", "a.db", "milk")
    XCTAssertEqual(ofOne.lines, ["milk is synced", words])
    let life = try documents("why", "a.db", "milk")
    XCTAssertEqual(life.lines.last, words)
    let json = try documents("status", "a.db", "milk", "--json")
    let files = json.object["files"] as? [[String: String]]
    XCTAssertEqual(files?.map { $0["problem"] }, ["refused"])
    try documents("detach", "a.db", "milk", "program")
    try sync("a.db")
    let after = try documents("status", "a.db", "milk")
    XCTAssertEqual(after.lines, ["milk is synced"])
  }

  func testDocumentsThatAreHeldBackAreToldOfTheStoreAndOfEach() throws {
    try makeStores()
    for n in 0..<5 { try documents("put", "a.db", "note", "n\(n)", "{}") }
    try sync("a.db", "b.db")
    for n in 0..<4 { try documents("delete", "b.db", "n\(n)") }
    try sync("b.db")
    let outcome = try documents("sync", "a.db", ends: 3)
    let line =
      "4 of 5 documents of note are gone at the server, and none was removed here; if that is"
      + " right, say so with 'documents sync --max-delete 4'; if the server lost them, 'documents"
      + " republish' sends them again"
    let status = try documents("status", "a.db")
    XCTAssertTrue(status.lines.contains(line), status.printed)
    XCTAssertTrue(outcome.said.contains(line), outcome.said)
    let json = try documents("status", "a.db", "--json")
    XCTAssertEqual(json.object["heldBack"] as? Int, 4)
    let why = "the server has it no more, and so many would have been removed at once that none was"
    let ofOne = try documents("status", "a.db", "n0")
    XCTAssertEqual(ofOne.lines, ["n0 is synced: \(why)"])
    let life = try documents("why", "a.db", "n0")
    XCTAssertTrue(life.lines.last?.hasSuffix(why) ?? false, life.printed)
    let other = try documents("status", "a.db", "n4")
    XCTAssertEqual(other.lines, ["n4 is synced"])
    try documents("sync", "a.db", "--max-delete", "4", ends: 0)
    let after = try documents("status", "a.db", "--json")
    XCTAssertEqual(after.object["heldBack"] as? Int, 0)
  }

  private func run(_ words: [String]) throws -> ProgramOutcome { try start(words).outcome() }
}
