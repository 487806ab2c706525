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
    let other = try run(["sync", "a.db", "--json", "--retry", "bread"])
    XCTAssertEqual((other.object["failures"] as? [Any])?.count, 0)
  }

  private func run(_ words: [String]) throws -> Outcome {
    let child = try start(words)
    guard case .exited(let status) = try child.end(within: .seconds(60)) else {
      return Outcome(status: -1, printed: child.printed, said: child.said)
    }
    return Outcome(status: status, printed: child.printed, said: child.said)
  }
}
