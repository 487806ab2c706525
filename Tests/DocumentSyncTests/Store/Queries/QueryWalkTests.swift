import TestSupport
import XCTest

@testable import DocumentSync

/// At random: what SQLite finds is what is found by a look at each document.
final class QueryWalkTests: QueryTestCase {
  func testWhatIsFoundIsWhatALookAtEachDocumentFinds() async throws {
    var found = 0
    for seed in 0..<12 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var documents: [DocumentID: DocumentValue] = [:]
      for number in 0..<60 { documents[DocumentID("\(number)")] = random.found() }
      let store = try await opened(documents, isIndexed: seed.isMultiple(of: 2))
      for turn in 0..<40 {
        let query = random.query()
        let expected = NaiveQuery(query: query).ids(among: documents)
        let ids = try await store.read { try $0.ids(matching: query) }
        XCTAssertEqual(ids, expected, "seed \(seed), turn \(turn): \(query)")
        found += ids.count
      }
    }
    XCTAssertGreaterThan(found, 1_500)
  }

  private func opened(
    _ documents: [DocumentID: DocumentValue], isIndexed: Bool
  ) async throws -> DocumentStore {
    var options = DocumentStoreOptions()
    options.indexes = isIndexed ? [.init(on: ["a"]), .init(on: ["b", "a"], ["c"]), .init()] : nil
    let store = try await DocumentStore(.memory, options: options)
    let edits = documents.map { DocumentEdit($0, in: notes, $1) }
    try await store.save(edits)
    return store
  }
}

extension SeededGenerator {
  /// Values that are equal, nearly equal, or of different types, as they are written.
  private static let texts = [
    "null", "true", "false", "0", "-0.0", "1", "1.0", "10e-1", "10", "-1", "-1.5", "0.1", "1e-1",
    "0.10000000000000001", "9007199254740992", "9007199254740993", "9007199254740993.0",
    "-9223372036854775808", "18446744073709551615", "1e20", "12e-30", #""""#, #""1""#, #""10""#,
    #""a""#, #""A""#, #""\u0061b""#, #""ab""#, #""é""#, #""\u00e9b""#, #""a%""#, #""_""#, "[]",
    "[1]",
    "[1.0, 2]", "{}", #"{"a":1}"#, #"{"b":[1,2],"a":1.0}"#, #"{ "a": 1e0, "b": [1, 2] }"#,
  ]
  private static let patterns = ["%", "a%", "%b", "_", "a_", "%é%", "", "1%0", "__%"]

  fileprivate mutating func found() -> DocumentValue {
    var members: [String] = []
    for name in [#""a""#, #""\u0062""#, #""c""#, #""a.b""#] where !oneIn(4) {
      members.append("\(name): \(text())")
    }
    // What stands here was written by this very file.
    return (try? DocumentValue(parsing: "{" + members.joined(separator: ",") + "}")) ?? [:]
  }

  fileprivate mutating func query() -> DocumentQuery {
    var query = DocumentQuery(in: oneIn(2) ? "notes" : nil)
    if !oneIn(8) { query.condition = condition(depth: 2) }
    for _ in 0..<Int.random(in: 0..<3, using: &self) {
      query.order.append(DocumentOrder(path(), isDescending: oneIn(2)))
    }
    if oneIn(3) { query.limit = Int.random(in: 0..<30, using: &self) }
    if oneIn(3) { query.offset = Int.random(in: 0..<10, using: &self) }
    return query
  }

  private mutating func condition(depth: Int) -> DocumentCondition {
    switch Int.random(in: 0..<(depth > 0 ? 15 : 12), using: &self) {
    case 0: .equal(path(), value())
    case 1: .not(path(), value())
    case 2: .less(path(), value())
    case 3: .lessOrEqual(path(), value())
    case 4: .greater(path(), value())
    case 5: .greaterOrEqual(path(), value())
    case 6: .among(path(), (0..<Int.random(in: 0..<4, using: &self)).map { _ in value() })
    case 7, 8: .like(path(), Self.patterns.randomElement(using: &self) ?? "")
    case 9: .null(path())
    case 10: .exists(path())
    case 11: .missing(path())
    case 12, 13: .and(parts(depth))
    default: .or(parts(depth))
    }
  }

  private mutating func parts(_ depth: Int) -> [DocumentCondition] {
    (0..<Int.random(in: 0..<4, using: &self)).map { _ in condition(depth: depth - 1) }
  }

  private mutating func path() -> DocumentPath {
    let paths: [DocumentPath] = [
      ["a"], ["a"], ["b"], ["c"], ["a.b"], ["a", "b"], ["b", "a"], ["c", 0], ["a", "b", 1], ["d"],
    ]
    return paths.randomElement(using: &self) ?? []
  }

  private mutating func value() -> DocumentValue { (try? DocumentValue(parsing: text())) ?? .null }

  private mutating func text() -> String { Self.texts.randomElement(using: &self) ?? "null" }
}
