import TestSupport
import XCTest

@testable import DocumentSync

/// Two who want the same at once, each with the file open for itself, as two processes have it.
final class RacingTests: StoreTestCase {
  private func race<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (StoreEditor, Int) throws -> Result
  ) async throws -> [Result] {
    let stores = [try await openStore(), try await openStore()]
    let results = try await withThrowingTaskGroup(of: Result.self) { group in
      for n in 0..<count {
        group.addTask { try await stores[n % 2].edit { try body($0, n) } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for store in stores { await store.close() }
    return results
  }

  func testExactlyOneOfThoseWhoStashWhatIsAbsentDoes() async throws {
    let won = try await race(20) { door, n in
      guard try door.reader.document(milk) == nil else { return false }
      return try door.stash(DocumentEdit(milk, in: notes, ["n": DocumentValue(n)]))
    }
    XCTAssertEqual(won.filter { $0 }.count, 1)
  }

  func testOfThoseWhoWantADocumentThatIsSoOneMakesIt() async throws {
    let results = try await race(20) { door, n in
      let query = DocumentQuery(in: notes, where: .equal(["name"], "milk"))
      if let found = try door.reader.ids(matching: query).first { return (found, false) }
      let id = DocumentID("\(n)")
      try door.save(DocumentEdit(id, in: notes, ["name": "milk", "n": DocumentValue(n)]))
      return (id, true)
    }
    XCTAssertEqual(results.filter(\.1).count, 1)
    XCTAssertEqual(Set(results.map(\.0)).count, 1)
    let store = try await openStore()
    try await assertEqual(store.read { try $0.count(matching: DocumentQuery()) }, 1)
  }

  func testOfThoseWhoWantTheSameNameOneMakesIt() async throws {
    struct Tag: SyncDocument {
      static let documentType = "tag"
      var id = DocumentID.uuid7()
      var name: String
    }
    let results = try await race(20) { door, _ in
      let query = DocumentQuery(in: tags, where: .equal(["name"], "milk"))
      let (tag, isNew) = try door.getOrCreate(Tag(name: "milk"), in: tags, where: query)
      return (tag.id, isNew)
    }
    XCTAssertEqual(results.filter(\.1).count, 1)
    XCTAssertEqual(Set(results.map(\.0)).count, 1)
  }
}
